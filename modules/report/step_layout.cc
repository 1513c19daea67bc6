#include "report/step_layout.h"

#include <algorithm>
#include <set>
#include <utility>

#include "core/error.h"

namespace flyscribe {
namespace {

constexpr double kMargin = 2.0;  // for the width of lines
constexpr double kLaneGap = 8.0;
constexpr double kLanePitch = kStepBoxHeight + kLaneGap;
constexpr double kBandPadding = 10.0;
constexpr double kBandTitle = 26.0;
constexpr double kBandGap = 10.0;

// The steps of all ranges share one name for their row.
std::string RowName(const StepGraphNode& node) { return IsJoint(node) ? std::string() : node.range; }

class Layouter {
 public:
  explicit Layouter(std::span<const StepGraphNode> nodes) : nodes_(nodes) {
    for (std::size_t i = 0; i < nodes.size(); ++i) Take(i);
    CountLanes();
    joint_apart_ = JointStandsApart();
  }

  StepLayout LayOut() {
    PlaceColumns();
    PlaceRows();
    AddBoxes();
    AddEdges();
    return std::move(layout_);
  }

 private:
  struct Column {
    std::string step;
    bool joint = false;
    bool ranged = false;
    double x = 0.0;
  };
  struct Row {
    std::string name;  // empty: the steps over all ranges
    std::size_t lanes = 1;
    bool has_side = false;  // one more lane, below the others
    double middle = 0.0;    // of the lanes but that

    // Of the lanes but the one below, without a gap at either end.
    double LanesHeight() const { return static_cast<double>(lanes) * kLanePitch - kLaneGap; }
    double SideHeight() const { return has_side ? kLanePitch : 0.0; }
  };
  // The nodes of one range and step, or of a step and range on the side way.
  struct Group {
    std::size_t row = 0;
    std::size_t column = 0;
    bool side = false;
    std::vector<std::size_t> nodes;
  };

  // The element whose `member` is `name`; a new one at the end if there is none.
  template <typename T>
  static std::size_t Place(std::vector<T>& list, std::string T::*member, const std::string& name) {
    const auto found = std::find_if(list.begin(), list.end(), [&](const T& item) { return item.*member == name; });
    const auto place = static_cast<std::size_t>(found - list.begin());
    if (found == list.end()) list.emplace_back().*member = name;
    return place;
  }

  void Take(std::size_t index) {
    const StepGraphNode& node = nodes_[index];
    const std::size_t row = Place(rows_, &Row::name, RowName(node));
    const bool side = !node.twin.empty();
    const std::size_t column = Place(columns_, &Column::step, side ? node.twin : node.step);
    rows_[row].has_side |= side;
    (IsJoint(node) ? columns_[column].joint : columns_[column].ranged) = true;
    auto group = std::find_if(groups_.begin(), groups_.end(), [&](const Group& known) {
      return known.row == row && known.column == column && known.side == side;
    });
    if (group == groups_.end()) group = groups_.insert(groups_.end(), Group{row, column, side, {}});
    group->nodes.push_back(index);
  }

  void CountLanes() {
    for (const Group& group : groups_) {
      Row& row = rows_[group.row];
      if (!group.side) row.lanes = std::max(row.lanes, group.nodes.size());
    }
    std::size_t lanes = 0;
    for (const Row& row : rows_) lanes += row.name.empty() ? 0 : row.lanes + (row.has_side ? 1 : 0);
    stacked_ = lanes <= kMostLanes;
    if (stacked_) return;
    for (Row& row : rows_) row.lanes = 1;
  }

  // The middle of the bands has room for one box of a step that no range has; else the joint steps get a row below.
  bool JointStandsApart() const {
    const bool shared = std::any_of(
        columns_.begin(), columns_.end(), [](const Column& column) { return column.joint && column.ranged; });
    const bool tall = std::any_of(
        rows_.begin(), rows_.end(), [](const Row& row) { return row.name.empty() && (row.lanes > 1 || row.has_side); });
    return shared || tall;
  }

  void PlaceColumns() {
    double x = kMargin + (HasBandAt(0) ? kBandPadding : 0.0);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (i > 0 && !joint_apart_ && columns_[i].ranged != columns_[i - 1].ranged) x += kWidestGap - kColumnGap;
      columns_[i].x = x;
      x += kStepBoxWidth + kColumnGap;
    }
    layout_.width = x - kColumnGap + (HasBandAt(columns_.size() - 1) ? kBandPadding : 0.0) + kMargin;
  }

  bool HasBandAt(std::size_t column) const { return column < columns_.size() && columns_[column].ranged; }

  void PlaceRows() {
    double y = kMargin;
    for (Row& row : rows_) {
      if (!row.name.empty()) y = PlaceBand(row, y) + kBandGap;
    }
    if (!layout_.bands.empty()) y -= kBandGap;
    for (Row& row : rows_) {
      if (!row.name.empty()) continue;
      if (joint_apart_ || layout_.bands.empty()) {
        row.middle = y + kBandPadding + (row.LanesHeight() + kLaneGap) / 2;
        y += row.LanesHeight() + kLaneGap + row.SideHeight() + 2 * kBandPadding;
      } else {
        row.middle = MiddleOfBands();
      }
    }
    layout_.height = y + kMargin;
  }

  // Gives the row its band from `y` on; returns the band's lower end.
  double PlaceBand(Row& row, double y) {
    const auto ranged = [](const Column& column) { return column.ranged; };
    const double left = std::find_if(columns_.begin(), columns_.end(), ranged)->x - kBandPadding;
    const double right = std::find_if(columns_.rbegin(), columns_.rend(), ranged)->x + kStepBoxWidth + kBandPadding;
    row.middle = y + kBandTitle + row.LanesHeight() / 2;
    const double height = kBandTitle + row.LanesHeight() + row.SideHeight() + kBandPadding;
    layout_.bands.push_back({row.name, left, y, right - left, height});
    return y + layout_.bands.back().height;
  }

  // Of the boxes in them, without the titles: with one range all boxes stand on one line.
  double MiddleOfBands() const {
    const auto ranged = [](const Row& row) { return !row.name.empty(); };
    const Row& first = *std::find_if(rows_.begin(), rows_.end(), ranged);
    const Row& last = *std::find_if(rows_.rbegin(), rows_.rend(), ranged);
    return (first.middle + last.middle) / 2;
  }

  void AddBoxes() {
    for (const Group& group : groups_) {
      const Row& row = rows_[group.row];
      const double x = columns_[group.column].x;
      if (group.side || !stacked_) {
        const double shift = group.side ? row.LanesHeight() / 2 + kLaneGap : -kStepBoxHeight / 2;
        layout_.boxes.push_back({group.nodes, x, row.middle + shift});
        continue;
      }
      const double lanes = static_cast<double>(group.nodes.size()) * kLanePitch - kLaneGap;
      for (std::size_t i = 0; i < group.nodes.size(); ++i) {
        layout_.boxes.push_back({{group.nodes[i]}, x, row.middle - lanes / 2 + kLanePitch * static_cast<double>(i)});
      }
    }
    std::sort(layout_.boxes.begin(), layout_.boxes.end(), [](const StepBox& a, const StepBox& b) {
      return a.nodes.front() < b.nodes.front();
    });
  }

  void AddEdges() {
    std::vector<std::size_t> box_of(nodes_.size());
    for (std::size_t i = 0; i < layout_.boxes.size(); ++i) {
      for (const std::size_t node : layout_.boxes[i].nodes) box_of[node] = i;
    }
    std::set<std::pair<std::size_t, std::size_t>> drawn;
    for (const StepEdge& edge : DirectEdges(nodes_)) {
      const StepEdge line{box_of[edge.from], box_of[edge.to]};
      if (line.from != line.to && drawn.emplace(line.from, line.to).second) layout_.edges.push_back(line);
    }
  }

  std::span<const StepGraphNode> nodes_;
  std::vector<Column> columns_;
  std::vector<Row> rows_;
  std::vector<Group> groups_;
  bool stacked_ = true;
  bool joint_apart_ = false;
  StepLayout layout_;
};

}  // namespace

bool IsJoint(const StepGraphNode& node) { return node.range.empty() || node.range == "all"; }

std::vector<StepEdge> DirectEdges(std::span<const StepGraphNode> nodes) {
  std::vector<StepEdge> edges;
  // above[c][a]: a path leads from a to c.
  std::vector<std::vector<bool>> above(nodes.size(), std::vector<bool>(nodes.size(), false));
  for (std::size_t to = 0; to < nodes.size(); ++to) {
    const std::set<std::size_t> inputs(nodes[to].inputs.begin(), nodes[to].inputs.end());
    for (const std::size_t from : inputs) {
      FLYSCRIBE_CHECK(from < to, "an input of a step in the graph is an earlier step");
      for (std::size_t i = 0; i < from; ++i) above[to][i] = above[to][i] || above[from][i];
    }
    // Until now only what lies above an input is marked: an input that is marked has a longer way as well.
    for (const std::size_t from : inputs) {
      if (!above[to][from]) edges.push_back({from, to});
      above[to][from] = true;
    }
  }
  return edges;
}

StepLayout LayOutSteps(std::span<const StepGraphNode> nodes) {
  return nodes.empty() ? StepLayout() : Layouter(nodes).LayOut();
}

}  // namespace flyscribe
