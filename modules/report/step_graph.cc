#include "report/step_graph.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "core/text.h"
#include "report/step_layout.h"
#include "report/svg.h"

namespace flyscribe {
namespace {

constexpr std::string_view kOther = "other";

constexpr std::array<StateLook, 12> kLooks = {{
    {"failed", "failed", "stopped with an error", "#fbe3d3", "#b94700", false},
    {"running", "running", "being computed", "#ffffff", "#0072b2", false},
    {"waiting", "waiting", "waits for another process", "#ffffff", "#0072b2", true},
    {"not run", "not_run", "not tried: an input is missing", "#ffffff", "#b94700", true},
    {"skipped", "skipped", "not tried: an input is missing", "#ffffff", "#b94700", true},
    {"missing", "missing", "not in the cache", "#fff1cc", "#8a5a00", true},
    {"pending", "pending", "will be computed", "#ffffff", "#5a6675", true},
    {kOther, kOther, "none of the known states", "#f6f7f9", "#5a6675", false},
    {"run", "run", "computed in this run", "#cfe3f1", "#0072b2", false},
    {"hit", "hit", "taken from the cache", "#ffffff", "#b9c2cc", false},
    {"unneeded", "unneeded", "not in the cache, and not needed", "#f6f7f9", "#b9c2cc", true},
    {"not asked", "not_asked", "left out by what was asked for", "#ffffff", "#b9c2cc", true},
}};

}  // namespace

std::span<const StateLook> StateLooks() { return kLooks; }

const StateLook& LookOf(std::string_view state) {
  const auto named = [](std::string_view name) {
    return std::find_if(kLooks.begin(), kLooks.end(), [name](const StateLook& look) { return look.name == name; });
  };
  const auto* const look = named(state);
  return look != kLooks.end() ? *look : *named(kOther);
}

namespace {

constexpr const char* kInk = "#1b2430";  // the page's, in light: all fills are light

bool HasPart(const StepGraphNode& node) { return !node.part.empty() && node.part != "all"; }

// "learn fold-0", as it stands among the steps of its range.
std::string NameInRange(const StepGraphNode& node) { return node.step + (HasPart(node) ? " " + node.part : ""); }

// "run, 12 s".
std::string StateText(const StepGraphNode& node) {
  return node.state + (node.remark.empty() ? "" : ", " + node.remark);
}

// "learn 4-6 fold-0: run, 12 s".
std::string Description(const StepGraphNode& node) {
  return node.step + (IsJoint(node) ? "" : " " + node.range) + (HasPart(node) ? " " + node.part : "") + ": " +
         StateText(node);
}

// The states' looks that occur, in the order of StateLooks().
std::vector<StateLook> LooksOf(std::span<const StepGraphNode> nodes) {
  std::vector<StateLook> looks;
  for (const StateLook& look : StateLooks()) {
    const bool occurs =
        std::any_of(nodes.begin(), nodes.end(), [&](const auto& node) { return &LookOf(node.state) == &look; });
    if (occurs) looks.push_back(look);
  }
  return looks;
}

// Letters, digits and underscores only.
std::string PlainId(std::string_view text) {
  const auto plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); };
  std::string id(text);
  std::replace_if(
      id.begin(), id.end(), [&](char c) { return !plain(c); }, '_');
  return id;
}

// Ids of texts, unique among those taken: two texts that differ only in what an id cannot hold are numbered.
class Ids {
 public:
  std::string Take(const std::string& text) {
    const std::string id = PlainId(text);
    std::string unique = id;
    for (int number = 2; !taken_.insert(unique).second; ++number) unique = id + "_" + std::to_string(number);
    return unique;
  }

 private:
  std::set<std::string> taken_;
};

std::vector<std::string> NodeIds(std::span<const StepGraphNode> nodes) {
  Ids ids;
  std::vector<std::string> list;
  for (const StepGraphNode& node : nodes) {
    list.push_back(
        ids.Take(node.step + (IsJoint(node) ? "" : "_" + node.range) + (HasPart(node) ? "_" + node.part : "")));
  }
  return list;
}

// The nodes of each stage range, both in the order they first appear; under an empty name those over all ranges.
std::vector<std::pair<std::string, std::vector<std::size_t>>> ByRange(std::span<const StepGraphNode> nodes) {
  std::vector<std::pair<std::string, std::vector<std::size_t>>> ranges = {{"", {}}};
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::string name = IsJoint(nodes[i]) ? "" : nodes[i].range;
    auto range = std::find_if(ranges.begin(), ranges.end(), [&](const auto& known) { return known.first == name; });
    if (range == ranges.end()) range = ranges.insert(ranges.end(), {name, {}});
    range->second.push_back(i);
  }
  return ranges;
}

// Control characters, line ends among them, become spaces: every label is one line of its format.
std::string OneLine(std::string_view text) {
  std::string line = ToUtf8(text);
  const auto control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  std::replace_if(line.begin(), line.end(), control, ' ');
  return line;
}

// A quoted string of DOT. Graphviz reads entities and backslashes in labels.
std::string DotText(std::string_view text) {
  std::string out;
  for (const char c : OneLine(text)) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
    if (c == '&') out += "amp;";
  }
  return out;
}

std::string DotLook(const StateLook& look) {
  std::string text = "fillcolor=\"" + std::string(look.fill) + "\", color=\"" + std::string(look.stroke) + "\"";
  if (look.dashed) text += ", style=\"rounded,filled,dashed\"";
  return text;
}

std::string DotNode(const StepGraphNode& node, const std::string& id) {
  return "\"" + id + "\" [label=\"" + DotText(NameInRange(node)) + "\\n" + DotText(StateText(node)) + "\", tooltip=\"" +
         DotText(Description(node)) + "\", " + DotLook(LookOf(node.state)) + "];\n";
}

// The states in a row, held by edges that are not seen.
std::string DotLegend(std::span<const StepGraphNode> nodes) {
  std::string text = "  subgraph \"cluster_states\" {\n    label=\"states\";\n";
  std::string before;
  for (const StateLook& look : LooksOf(nodes)) {
    const std::string id = "\"state " + std::string(look.name) + "\"";
    text += "    " + id + " [label=\"" + std::string(look.name) + "\\n" + std::string(look.meaning) + "\", " +
            DotLook(look) + "];\n";
    if (!before.empty()) text += "    " + before + " -> " + id + " [style=invis];\n";
    before = id;
  }
  return text + "  }\n";
}

// Inside a quoted label Mermaid knows entities by number, and Markdown.
std::string MermaidText(std::string_view text) {
  std::string out;
  for (const char c : OneLine(text)) {
    const bool special = std::string_view("\"#&<>;`*_\\").find(c) != std::string_view::npos;
    out += special ? "#" + std::to_string(static_cast<int>(c)) + ";" : std::string(1, c);
  }
  return out;
}

std::string MermaidNode(const StepGraphNode& node, const std::string& id) {
  return id + "[\"" + MermaidText(NameInRange(node)) + "<br/>" + MermaidText(StateText(node)) +
         "\"]:::" + std::string(LookOf(node.state).style) + "\n";
}

std::string MermaidClass(const StateLook& look) {
  return "  classDef " + std::string(look.style) + " fill:" + std::string(look.fill) +
         ",stroke:" + std::string(look.stroke) + ",color:" + kInk + (look.dashed ? ",stroke-dasharray:5 3" : "") + "\n";
}

// At most as many characters as a box has room for.
std::string Shortened(const std::string& text) {
  constexpr std::size_t kMost = 16;
  const std::string whole = ToUtf8(text);
  std::size_t characters = 0;
  std::size_t end = 0;  // of the text that leaves room for the ellipsis
  for (std::size_t i = 0; i < whole.size(); ++i) {
    const bool starts = (static_cast<unsigned char>(whole[i]) & 0xC0U) != 0x80U;
    if (starts && characters++ == kMost - 1) end = i;
  }
  return characters > kMost ? whole.substr(0, end) + "…" : whole;
}

struct Rect {
  double x = 0.0;
  double y = 0.0;
  double width = 0.0;
  double height = 0.0;
};

Html RectSvg(const std::string& style, const Rect& rect, int radius) {
  return Element("rect",
                 {{"class", style},
                  {"x", Coordinate(rect.x)},
                  {"y", Coordinate(rect.y)},
                  {"width", Coordinate(rect.width)},
                  {"height", Coordinate(rect.height)},
                  {"rx", std::to_string(radius)}});
}

std::string StepStyle(const StateLook& look) { return "step st-" + std::string(look.style); }

// One box of the picture: a node, or the folds of a step together.
class BoxView {
 public:
  BoxView(std::span<const StepGraphNode> nodes, const StepBox& box) : nodes_(nodes), box_(box), shown_(&First()) {
    for (const std::size_t i : box.nodes) {
      if (&LookOf(nodes[i].state) < &LookOf(shown_->state)) shown_ = &nodes[i];
    }
  }

  Html Draw() const {
    const double middle = box_.x + kStepBoxWidth / 2;
    Html content = Element("title", Text(Tooltip()));
    if (Count() > 1) content += Sheet("sheet", 3.0);
    content += Sheet(StepStyle(LookOf(shown_->state)), 0.0);
    content += Line(middle, box_.y + 15, "name", First().step + (Count() > 1 ? " ×" + std::to_string(Count()) : ""));
    content += Line(middle, box_.y + 29, "state", StateLine());
    return Element("g", {{"class", "node"}}, content);
  }

 private:
  const StepGraphNode& First() const { return nodes_[box_.nodes.front()]; }
  std::size_t Count() const { return box_.nodes.size(); }

  // Moved by `shift` to the lower right: a second sheet below says that there are several.
  Html Sheet(const std::string& style, double shift) const {
    return RectSvg(style, {box_.x + shift, box_.y + shift, kStepBoxWidth, kStepBoxHeight}, 6);
  }

  static Html Line(double x, double y, const std::string& style, const std::string& text) {
    return Element("text", {{"class", style}, {"x", Coordinate(x)}, {"y", Coordinate(y)}}, Text(Shortened(text)));
  }

  std::string StateLine() const {
    if (Count() == 1) return HasPart(First()) ? First().part + " " + First().state : First().state;
    const auto alike = std::count_if(
        box_.nodes.begin(), box_.nodes.end(), [&](std::size_t i) { return nodes_[i].state == shown_->state; });
    if (static_cast<std::size_t>(alike) == Count()) return shown_->state;
    return std::to_string(alike) + " of " + std::to_string(Count()) + " " + shown_->state;
  }

  std::string Tooltip() const {
    std::string text;
    for (const std::size_t i : box_.nodes) text += (text.empty() ? "" : "\n") + Description(nodes_[i]);
    return text;
  }

  std::span<const StepGraphNode> nodes_;
  const StepBox& box_;
  const StepGraphNode* shown_;  // whose state the box has
};

Html BandSvg(const StepBand& band) {
  const Html ground = RectSvg("band", {band.x, band.y, band.width, band.height}, 10);
  return ground + Element("text",
                          {{"class", "title"}, {"x", Coordinate(band.x + 10)}, {"y", Coordinate(band.y + 17)}},
                          Text(StagesTitle(band.range)));
}

// From the right side of a box to the left side of another; level at both ends. Where there are columns between, it
// changes lanes at once, before the first of their boxes.
Html EdgeSvg(const StepBox& from, const StepBox& to) {
  const double x1 = from.x + kStepBoxWidth;
  const double y1 = from.y + kStepBoxHeight / 2;
  const double y2 = to.y + kStepBoxHeight / 2;
  const bool far = to.x - x1 > kWidestGap;
  const double bend = far ? x1 + kColumnGap : to.x;
  const std::string middle = Coordinate((x1 + bend) / 2);
  std::string path = "M" + Coordinate(x1) + " " + Coordinate(y1) + "C" + middle + " " + Coordinate(y1) + " " + middle +
                     " " + Coordinate(y2) + " " + Coordinate(bend) + " " + Coordinate(y2);
  if (far) path += "H" + Coordinate(to.x);
  return Element("path", {{"class", "way"}, {"d", path}});
}

Html StateLegend(std::span<const StepGraphNode> nodes) {
  Html items;
  for (const StateLook& look : LooksOf(nodes)) {
    const Html box = RectSvg(StepStyle(look), {2, 2, 24, 12}, 3);
    items += Element("li",
                     Element("svg", {{"class", "sample"}, {"viewBox", "0 0 28 16"}, {"aria-hidden", "true"}}, box) +
                         Element("span", Text(look.name)) + Element("small", Text(look.meaning)));
  }
  return Element("ul", {{"class", "legend"}}, items);
}

// "Step graph of 11 steps: 1 failed, 10 run".
std::string SpokenName(std::span<const StepGraphNode> nodes) {
  std::string text;
  for (const StateLook& look : LooksOf(nodes)) {
    const auto count = std::count_if(
        nodes.begin(), nodes.end(), [&](const auto& node) { return LookOf(node.state).name == look.name; });
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + std::string(look.name);
  }
  return "Step graph of " + Counted(nodes.size(), "step", "steps") + ": " + text;
}

}  // namespace

std::string StepGraphDot(std::span<const StepGraphNode> nodes) {
  const std::vector<std::string> ids = NodeIds(nodes);
  std::string text =
      "digraph steps {\n"
      "  rankdir=LR;\n"
      "  graph [fontname=\"Helvetica\", fontsize=12, color=\"#dde2e8\"];\n"
      "  node [shape=box, style=\"rounded,filled\", fontname=\"Helvetica\", fontsize=11];\n"
      "  edge [color=\"#5a6675\"];\n";
  Ids clusters;
  for (const auto& [range, members] : ByRange(nodes)) {
    const std::string indent = range.empty() ? "  " : "    ";
    if (!range.empty()) {
      text += "  subgraph \"cluster_range_" + clusters.Take(range) + "\" {\n    label=\"" +
              DotText(StagesTitle(range)) + "\";\n";
    }
    for (const std::size_t i : members) text += indent + DotNode(nodes[i], ids[i]);
    if (!range.empty()) text += "  }\n";
  }
  for (const StepEdge& edge : DirectEdges(nodes)) text += "  \"" + ids[edge.from] + "\" -> \"" + ids[edge.to] + "\";\n";
  if (!nodes.empty()) text += DotLegend(nodes);
  return text + "}\n";
}

std::string StepGraphMermaid(std::span<const StepGraphNode> nodes) {
  const std::vector<std::string> ids = NodeIds(nodes);
  std::string text = "flowchart LR\n";
  Ids subgraphs;
  for (const auto& [range, members] : ByRange(nodes)) {
    const std::string indent = range.empty() ? "  " : "    ";
    if (!range.empty()) {
      text += "  subgraph range_" + subgraphs.Take(range) + "[\"" + MermaidText(StagesTitle(range)) + "\"]\n";
    }
    for (const std::size_t i : members) text += indent + MermaidNode(nodes[i], ids[i]);
    if (!range.empty()) text += "  end\n";
  }
  for (const StepEdge& edge : DirectEdges(nodes)) text += "  " + ids[edge.from] + " --> " + ids[edge.to] + "\n";
  for (const StateLook& look : LooksOf(nodes)) text += MermaidClass(look);
  return text;
}

Html StepGraphSvg(std::span<const StepGraphNode> nodes) {
  if (nodes.empty()) return {};
  const StepLayout layout = LayOutSteps(nodes);
  Html content = Element("title", Text("Step graph"));
  content +=
      Element("desc", Text("Columns are steps in the way of the data, from left to right; rows are stage ranges."));
  for (const StepBand& band : layout.bands) content += BandSvg(band);
  for (const StepEdge& edge : layout.edges) content += EdgeSvg(layout.boxes[edge.from], layout.boxes[edge.to]);
  for (const StepBox& box : layout.boxes) content += BoxView(nodes, box).Draw();
  // Below the least width letters would be too small to read: the page lets the reader scroll.
  const std::string widths =
      "min-width:" + Coordinate(layout.width * 0.85) + "px;max-width:" + Coordinate(layout.width) + "px";
  const Attributes attributes = {{"class", "graph"},
                                 {"viewBox", "0 0 " + Coordinate(layout.width) + " " + Coordinate(layout.height)},
                                 {"style", widths},
                                 {"role", "img"},
                                 {"aria-label", SpokenName(nodes)}};
  const Html picture = Element("div", {{"class", "scroll"}}, Element("svg", attributes, content));
  return Element("figure", picture + StateLegend(nodes));
}

}  // namespace flyscribe
