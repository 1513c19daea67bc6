#include "report/step_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "core/error.h"
#include "core/text.h"

namespace flyscribe {
namespace {

// In the order of the enum.
constexpr std::array<StateLook, 10> kLooks = {{
    {StepState::kFailed, "failed", "stopped with an error", "#fbe3d3", "#b94700", false},
    {StepState::kStopped, "stopped", "was being computed when the run ended", "#fff1cc", "#8a5a00", true},
    {StepState::kRunning, "running", "being computed", "#ffffff", "#0072b2", false},
    {StepState::kWaiting, "waiting", "waits for another process", "#ffffff", "#0072b2", true},
    {StepState::kNotRun, "not_run", "not tried: an input is missing", "#ffffff", "#b94700", true},
    {StepState::kPending, "pending", "will be computed", "#ffffff", "#5a6675", true},
    {StepState::kRun, "run", "computed in this run", "#cfe3f1", "#0072b2", false},
    {StepState::kHit, "hit", "taken from the cache", "#ffffff", "#b9c2cc", false},
    {StepState::kUnneeded, "unneeded", "not in the cache, and not needed", "#f6f7f9", "#b9c2cc", true},
    {StepState::kNotAsked, "not_asked", "left out by what was asked for", "#ffffff", "#b9c2cc", true},
}};

}  // namespace

std::span<const StateLook> StateLooks() { return kLooks; }

const StateLook& LookOf(StepState state) { return kLooks.at(static_cast<std::size_t>(state)); }

namespace {

constexpr const char* kInk = "#1b2430";  // the page's, in light: all fills are light

// Over all ranges.
bool IsJoint(const StepGraphNode& node) { return node.range.empty() || node.range == "all"; }

bool HasPart(const StepGraphNode& node) { return !node.part.empty() && node.part != "all"; }

// "learn fold-0", as it stands among the steps of its range.
std::string NameInRange(const StepGraphNode& node) { return node.step + (HasPart(node) ? " " + node.part : ""); }

// "run, 12 s".
std::string StateText(const StepGraphNode& node) {
  return StateName(node.state) + (node.remark.empty() ? "" : ", " + node.remark);
}

// "learn 4-6 fold-0".
std::string FullName(const StepGraphNode& node) {
  return node.step + (IsJoint(node) ? "" : " " + node.range) + (HasPart(node) ? " " + node.part : "");
}

// "learn 4-6 fold-0: run, 12 s".
std::string Description(const StepGraphNode& node) { return FullName(node) + ": " + StateText(node); }

// The states' looks that occur, in the order of StateLooks().
std::vector<StateLook> LooksOf(std::span<const StepGraphNode> nodes) {
  std::vector<StateLook> looks;
  for (const StateLook& look : StateLooks()) {
    if (std::ranges::find(nodes, look.state, &StepGraphNode::state) != nodes.end()) looks.push_back(look);
  }
  return looks;
}

// Ids of texts, of letters, digits and underscores, unique among those taken: two texts that differ only in what an id
// cannot hold are numbered.
class Ids {
 public:
  std::string Take(std::string id) {
    for (char& c : id) {
      const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      if (!plain) c = '_';
    }
    std::string unique = id;
    for (int number = 2; !taken_.insert(unique).second; ++number) unique = fmt::format("{}_{}", id, number);
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
    auto range = std::ranges::find_if(ranges, [&](const auto& known) { return known.first == name; });
    if (range == ranges.end()) range = ranges.insert(ranges.end(), {name, {}});
    range->second.push_back(i);
  }
  return ranges;
}

// Control characters, line ends among them, become spaces: every label is one line of its format.
std::string OneLine(std::string_view text) {
  std::string line = ToUtf8(text);
  const auto control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  std::ranges::replace_if(line, control, ' ');
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
    const std::string id = fmt::format("\"state {}\"", StateName(look.state));
    text += "    " + id + " [label=\"" + StateName(look.state) + "\\n" + std::string(look.meaning) + "\", " +
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
    out += special ? fmt::format("#{};", static_cast<int>(c)) : std::string(1, c);
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

// "Step graph of 11 steps: 1 failed, 10 run".
std::string SpokenName(std::span<const StepGraphNode> nodes) {
  std::vector<std::string> counts;
  for (const StateLook& look : LooksOf(nodes)) {
    const auto count = std::ranges::count(nodes, look.state, &StepGraphNode::state);
    counts.push_back(fmt::format("{} {}", count, StateName(look.state)));
  }
  return fmt::format("Step graph of {}: {}", Counted(nodes.size(), "step", "steps"), Join(counts, ", "));
}

// As a value of the attribute `style`.
std::string GridArea(std::size_t column, std::size_t row, std::size_t rows) {
  return fmt::format("grid-area:{}/{}/span {}/auto", row, column, rows);
}

std::string StepClass(const StateLook& look) { return fmt::format("step st-{}", look.style); }

// "learn 4-6 fold-0: run, 12 s", and beneath "from normalise 4-6".
std::vector<std::string> Tooltips(std::span<const StepGraphNode> nodes) {
  std::vector<std::string> tooltips;
  for (const StepGraphNode& node : nodes) tooltips.push_back(Description(node));
  std::size_t last = nodes.size();
  for (const StepEdge& edge : DirectEdges(nodes)) {
    tooltips[edge.to] += (edge.to == last ? ", " : "\nfrom ") + FullName(nodes[edge.from]);
    last = edge.to;
  }
  return tooltips;
}

Html StateLegend(std::span<const StepGraphNode> nodes) {
  Html items;
  for (const StateLook& look : LooksOf(nodes)) {
    items += Element("li",
                     Element("i", {{"class", StepClass(look)}}) + Element("span", Text(StateName(look.state))) +
                         Element("small", Text(look.meaning)));
  }
  return Element("ul", {{"class", "legend"}}, items);
}

}  // namespace

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

Html StepGrid(std::span<const StepGraphNode> nodes) {
  if (nodes.empty()) return {};
  // Row 1 has the names of the steps, columns 1 and 2 those of ranges and parts; nobody needs them read aloud, since
  // each step is named in full.
  constexpr std::size_t kFirstRow = 2;
  constexpr std::size_t kFirstColumn = 3;
  Html names;
  const auto name = [&](const char* style, const std::string& area, const std::string& text) {
    names += Element("span", {{"class", style}, {"style", area}, {"aria-hidden", "true"}}, Text(text));
  };
  std::map<std::string, std::size_t> column_of;
  for (const StepGraphNode& node : nodes) {
    const std::size_t column = kFirstColumn + column_of.size();
    if (column_of.emplace(node.step, column).second) name("column", GridArea(column, 1, 1), node.step);
  }
  std::vector<std::string> areas(nodes.size());
  std::size_t row = kFirstRow;
  for (const auto& [range, members] : ByRange(nodes)) {
    if (range.empty()) continue;
    std::vector<std::string> parts;
    for (const std::size_t i : members) {
      const bool known = std::ranges::find(parts, nodes[i].part) != parts.end();
      if (HasPart(nodes[i]) && !known) parts.push_back(nodes[i].part);
    }
    const std::size_t rows = std::max<std::size_t>(1, parts.size());
    name("band", fmt::format("grid-row:{}/span {}", row, rows), "");
    name("title", GridArea(1, row, rows), StagesTitle(range));
    for (std::size_t i = 0; i < parts.size(); ++i) name("part", GridArea(2, row + i, 1), parts[i]);
    for (const std::size_t i : members) {
      const auto lane = static_cast<std::size_t>(std::ranges::find(parts, nodes[i].part) - parts.begin());
      const std::size_t column = column_of.at(nodes[i].step);
      areas[i] = HasPart(nodes[i]) ? GridArea(column, row + lane, 1) : GridArea(column, row, rows);
    }
    row += rows;
  }
  const std::size_t all_rows = std::max<std::size_t>(1, row - kFirstRow);
  const std::vector<std::string> tooltips = Tooltips(nodes);
  Html steps;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const StepGraphNode& node = nodes[i];
    if (IsJoint(node)) areas[i] = GridArea(column_of.at(node.step), kFirstRow, all_rows);
    Html said = Element("b", Text(StateName(node.state)));
    if (!node.remark.empty()) said += Element("small", Text(node.remark));
    steps += Element("div",
                     {{"class", StepClass(LookOf(node.state))},
                      {"role", "listitem"},
                      {"style", areas[i]},
                      {"title", tooltips[i]},
                      {"aria-label", Description(node)}},
                     said);
  }
  const Html grid = Element("div",
                            {{"class", "steps"},
                             {"role", "list"},
                             {"aria-label", SpokenName(nodes)},
                             {"style", fmt::format("--columns:{}", column_of.size())}},
                            names + steps);
  return Element("figure", Element("div", {{"class", "scroll"}, {"tabindex", "0"}}, grid) + StateLegend(nodes));
}

}  // namespace flyscribe
