#include "report/step_graph.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <set>
#include <string>

#include "tests/report/html_checker.h"
#include "tests/report/some_steps.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

// Three steps in a row; the last also names the first.
std::vector<StepGraphNode> Chain() {
  return {{"all", "all", "simulate", StepState::kHit, "", {}},
          {"4-6", "all", "ingest", StepState::kRun, "2 s", {0}},
          {"4-6", "fold-0", "learn", StepState::kFailed, "no disk", {0, 1}}};
}

std::vector<StepGraphNode> OneOfEachState() {
  std::vector<StepGraphNode> nodes;
  for (const StateLook& look : StateLooks()) {
    nodes.push_back({"4-6", "all", "s" + StateName(look.state), look.state, "", {}});
  }
  return nodes;
}

// Every text is what breaks a careless writer of the format.
std::vector<StepGraphNode> Hostile() {
  const std::string text = "\"]; end\n} <script>&#35;`\\ \x01\xff";
  return {{text, text, text, StepState::kRun, text, {}}, {text, text, text + "'", StepState::kHit, text, {0}}};
}

bool Contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

StepGraphNode Node(const std::string& step, std::vector<std::size_t> inputs) {
  return {"4-6", "all", step, StepState::kRun, "", std::move(inputs)};
}

// Whether a path of the edges leads from one node to another.
bool Leads(const std::vector<StepEdge>& edges, std::size_t from, std::size_t to) {
  return from == to || std::any_of(edges.begin(), edges.end(), [&](const StepEdge& edge) {
           return edge.from == from && Leads(edges, edge.to, to);
         });
}

TEST(DirectEdges, LeavesOutWhatALongerPathSays) {
  const std::vector<StepGraphNode> nodes = {Node("a", {}), Node("b", {0}), Node("c", {1, 0}), Node("d", {0, 2, 1, 2})};
  EXPECT_EQ(DirectEdges(nodes), (std::vector<StepEdge>{{0, 1}, {1, 2}, {2, 3}}));
}

TEST(DirectEdges, KeepsBothSidesOfADiamondAndWhatStandsAlone) {
  const std::vector<StepGraphNode> nodes = {
      Node("a", {}), Node("b", {0}), Node("c", {0}), Node("d", {2, 1, 0}), Node("e", {})};
  EXPECT_EQ(DirectEdges(nodes), (std::vector<StepEdge>{{0, 1}, {0, 2}, {1, 3}, {2, 3}}));
  EXPECT_TRUE(DirectEdges({}).empty());
}

TEST(DirectEdges, ReachTheSameAndNoneCanBeSpared) {
  const std::vector<StepGraphNode> nodes = SomeSteps({"4-6", "7-8"}, 2);
  std::vector<StepEdge> all;
  for (std::size_t to = 0; to < nodes.size(); ++to) {
    for (const std::size_t from : nodes[to].inputs) all.push_back({from, to});
  }
  const std::vector<StepEdge> direct = DirectEdges(nodes);
  EXPECT_LT(direct.size(), all.size());
  for (const StepEdge& edge : all) EXPECT_TRUE(Leads(direct, edge.from, edge.to)) << edge.from << " -> " << edge.to;
  for (const StepEdge& edge : direct) {
    std::vector<StepEdge> others = direct;
    std::erase(others, edge);
    EXPECT_FALSE(Leads(others, edge.from, edge.to)) << edge.from << " -> " << edge.to;
  }
}

TEST(DirectEdges, RefusesAnInputThatIsNotEarlier) {
  for (const std::size_t input : {1U, 2U, 9U}) {
    const std::vector<StepGraphNode> nodes = {Node("a", {}), Node("b", {input})};
    const CaughtError error = ExpectError([&] { DirectEdges(nodes); });
    EXPECT_EQ(error.code, ErrorCode::kInternal);
    EXPECT_NE(error.text.find("an input of a step in the graph is an earlier step"), std::string::npos) << error.text;
  }
}

TEST(StepGraphDot, IsTheWholeGraph) {
  EXPECT_EQ(StepGraphDot(Chain()),
            R"(digraph steps {
  rankdir=LR;
  graph [fontname="Helvetica", fontsize=12, color="#dde2e8"];
  node [shape=box, style="rounded,filled", fontname="Helvetica", fontsize=11];
  edge [color="#5a6675"];
  "simulate" [label="simulate\nhit", tooltip="simulate: hit", fillcolor="#ffffff", color="#b9c2cc"];
  subgraph "cluster_range_4_6" {
    label="Stages 4–6";
    "ingest_4_6" [label="ingest\nrun, 2 s", tooltip="ingest 4-6: run, 2 s", fillcolor="#cfe3f1", color="#0072b2"];
    "learn_4_6_fold_0" [label="learn fold-0\nfailed, no disk", tooltip="learn 4-6 fold-0: failed, no disk", fillcolor="#fbe3d3", color="#b94700"];
  }
  "simulate" -> "ingest_4_6";
  "ingest_4_6" -> "learn_4_6_fold_0";
  subgraph "cluster_states" {
    label="states";
    "state failed" [label="failed\nstopped with an error", fillcolor="#fbe3d3", color="#b94700"];
    "state run" [label="run\ncomputed in this run", fillcolor="#cfe3f1", color="#0072b2"];
    "state failed" -> "state run" [style=invis];
    "state hit" [label="hit\ntaken from the cache", fillcolor="#ffffff", color="#b9c2cc"];
    "state run" -> "state hit" [style=invis];
  }
}
)");
}

TEST(StepGraphDot, EscapesLabels) {
  const std::string dot = StepGraphDot(Hostile());
  EXPECT_TRUE(Contains(dot, R"(label="\"]; end } <script>&amp;#35;`\\  ÿ )")) << dot;
  // Outside strings there are only our own characters: take the strings away and see what is left.
  std::string outside;
  bool quoted = false;
  for (std::size_t i = 0; i < dot.size(); ++i) {
    if (quoted && dot[i] == '\\') {
      ++i;
    } else if (dot[i] == '"') {
      quoted = !quoted;
    } else if (!quoted) {
      outside += dot[i];
    }
  }
  EXPECT_FALSE(quoted);
  EXPECT_EQ(CountOf(outside, "{"), CountOf(outside, "}"));
  EXPECT_FALSE(Contains(outside, "script"));
}

TEST(StepGraphDot, IdsAreUniqueAndDoNotDependOnOtherNodes) {
  const std::vector<StepGraphNode> nodes = {{"4-6", "all", "learn", StepState::kRun, "", {}},
                                            {"4_6", "all", "learn", StepState::kRun, "", {}}};
  const std::string dot = StepGraphDot(nodes);
  EXPECT_TRUE(Contains(dot, "\"learn_4_6\" ["));
  EXPECT_TRUE(Contains(dot, "\"learn_4_6_2\" ["));
  EXPECT_TRUE(Contains(dot, "\"cluster_range_4_6_2\""));
  for (const std::vector<StepGraphNode>& some : {SomeSteps({"7-8"}, 2), SomeSteps({"4-6", "7-8"}, 5)}) {
    EXPECT_TRUE(Contains(StepGraphDot(some), "\"learn_7_8_fold_1\" -> \"train_7_8_fold_1\""));
  }
}

TEST(StepGraphDot, WithoutNodesIsAnEmptyGraph) {
  const std::string dot = StepGraphDot({});
  EXPECT_TRUE(dot.starts_with("digraph steps {\n"));
  EXPECT_TRUE(dot.ends_with("}\n"));
  EXPECT_FALSE(Contains(dot, "subgraph"));
}

TEST(StepGraphMermaid, IsTheWholeGraph) {
  EXPECT_EQ(StepGraphMermaid(Chain()),
            R"(flowchart LR
  simulate["simulate<br/>hit"]:::hit
  subgraph range_4_6["Stages 4–6"]
    ingest_4_6["ingest<br/>run, 2 s"]:::run
    learn_4_6_fold_0["learn fold-0<br/>failed, no disk"]:::failed
  end
  simulate --> ingest_4_6
  ingest_4_6 --> learn_4_6_fold_0
  classDef failed fill:#fbe3d3,stroke:#b94700,color:#1b2430
  classDef run fill:#cfe3f1,stroke:#0072b2,color:#1b2430
  classDef hit fill:#ffffff,stroke:#b9c2cc,color:#1b2430
)");
  EXPECT_EQ(StepGraphMermaid({}), "flowchart LR\n");
}

TEST(StepGraphMermaid, EscapesLabels) {
  const std::string text = StepGraphMermaid(Hostile());
  EXPECT_TRUE(Contains(text, "[\"#34;]#59; end } #60;script#62;#38;#35;35#59;#96;#92;  ÿ ")) << text;
  EXPECT_EQ(CountOf(text, "\""), 2U * 3U) << "two nodes and a subgraph";
  EXPECT_EQ(CountOf(text, "\n  end\n"), 1U);
}

TEST(StepGraph, EveryStateLooksDifferent) {
  const std::vector<StepGraphNode> nodes = OneOfEachState();
  const std::string dot = StepGraphDot(nodes);
  const std::string mermaid = StepGraphMermaid(nodes);
  const std::string grid = StepGrid(nodes).str();
  for (const StateLook& look : StateLooks()) {
    const std::string state = StateName(look.state);
    std::string style = state;
    std::replace(style.begin(), style.end(), ' ', '_');
    EXPECT_EQ(CountOf(dot, "\"state " + state + "\" [label="), 1U) << state;
    EXPECT_EQ(CountOf(mermaid, "classDef " + style + " "), 1U) << state;
    EXPECT_EQ(CountOf(mermaid, ":::" + style + "\n"), 1U) << state;
    EXPECT_EQ(CountOf(grid, "class=\"step st-" + style + "\""), 2U) << state << ": in the grid and in the legend";
    EXPECT_EQ(CountOf(grid, "<b>" + state + "</b>"), 1U) << state << ": also in words";
  }
}

TEST(StepGraph, LeavesOutWhatALongerPathSays) {
  // Of 21 links: to ingest, to normalise, two each to learn, train and evaluate, to report.
  const std::vector<StepGraphNode> nodes = SomeSteps({"4-6"}, 2);
  EXPECT_EQ(CountOf(StepGraphDot(nodes), " -> "), 9U);
  EXPECT_EQ(CountOf(StepGraphMermaid(nodes), " --> "), 9U);
  const std::string grid = StepGrid(nodes).str();
  EXPECT_EQ(CountOf(grid, "\nfrom "), 8U) << "all but simulate";
  EXPECT_TRUE(Contains(grid, "evaluate 4-6: run, 1 s\nfrom train 4-6 fold-0, train 4-6 fold-1\"")) << grid;
}

TEST(StepGraph, SameNodesGiveTheSameBytes) {
  const std::vector<StepGraphNode> nodes = SomeSteps({"4-6", "7-8", "13-16"}, 5);
  const std::vector<StepGraphNode> copy = nodes;
  EXPECT_EQ(StepGraphDot(nodes), StepGraphDot(copy));
  EXPECT_EQ(StepGraphMermaid(nodes), StepGraphMermaid(copy));
  EXPECT_EQ(StepGrid(nodes).str(), StepGrid(copy).str());
}

TEST(StepGrid, SaysEverythingInWords) {
  const std::string grid = StepGrid(Chain()).str();
  EXPECT_EQ(MarkupProblem(grid), "");
  EXPECT_TRUE(Contains(grid, "role=\"list\" aria-label=\"Step graph of 3 steps: 1 failed, 1 run, 1 hit\"")) << grid;
  EXPECT_EQ(CountOf(grid, "role=\"listitem\""), 3U);
  EXPECT_TRUE(Contains(grid, "title=\"simulate: hit\""));
  EXPECT_TRUE(Contains(grid, "title=\"learn 4-6 fold-0: failed, no disk\nfrom ingest 4-6\""));
  EXPECT_TRUE(Contains(grid, "aria-label=\"learn 4-6 fold-0: failed, no disk\"><b>failed</b><small>no disk</small>"));
  EXPECT_TRUE(Contains(grid, ">learn</span>"));
  EXPECT_TRUE(Contains(grid, ">fold-0</span>"));
  EXPECT_TRUE(Contains(grid, ">Stages 4–6</span>"));
  EXPECT_TRUE(Contains(grid, "<span>failed</span><small>stopped with an error</small>"));
  EXPECT_EQ(CountOf(grid, "<li>"), 3U) << "only states that occur";
  EXPECT_EQ(grid.find('#'), std::string::npos) << "colours are the page's";
  EXPECT_TRUE(StepGrid({}).empty());
}

TEST(StepGrid, EscapesEverything) {
  const std::string grid = StepGrid(Hostile()).str();
  EXPECT_EQ(MarkupProblem(grid), "");
  EXPECT_FALSE(Contains(grid, "<script"));
}

// Where a step stands, counted from 1.
struct Area {
  std::size_t row = 0;
  std::size_t column = 0;
  std::size_t rows = 0;
  bool operator==(const Area&) const = default;
};

// Of the steps, in their order.
std::vector<Area> AreasOf(const std::vector<StepGraphNode>& nodes) {
  std::vector<Area> areas;
  for (const std::string& item : Quoted(StepGrid(nodes).str(), "role=\"listitem\" style=\"")) {
    Area area;
    EXPECT_EQ(std::sscanf(item.c_str(), "grid-area:%zu/%zu/span %zu/auto", &area.row, &area.column, &area.rows), 3)
        << item;
    areas.push_back(area);
  }
  EXPECT_EQ(areas.size(), nodes.size());
  return areas;
}

void ExpectNoOverlap(const std::vector<Area>& areas) {
  std::set<std::pair<std::size_t, std::size_t>> taken;
  for (const Area& area : areas) {
    EXPECT_GE(area.row, 2U) << "below the names of the steps";
    EXPECT_GE(area.column, 3U) << "right of the names of ranges and parts";
    for (std::size_t row = area.row; row < area.row + area.rows; ++row) {
      EXPECT_TRUE(taken.emplace(row, area.column).second) << row << ", " << area.column;
    }
  }
}

TEST(StepGrid, PutsAChainInOneRowFromLeftToRight) {
  const std::vector<Area> areas = AreasOf(SomeSteps({"4-6"}, 1));
  for (std::size_t i = 0; i < areas.size(); ++i) EXPECT_EQ(areas[i], (Area{2, 3 + i, 1}));
}

TEST(StepGrid, GivesEachFoldARowAndOtherStepsAllOfThem) {
  const std::vector<StepGraphNode> nodes = SomeSteps({"4-6"}, 5);
  const std::vector<Area> areas = AreasOf(nodes);
  EXPECT_EQ(areas[0], (Area{2, 3, 5})) << "simulate";
  EXPECT_EQ(areas[2], (Area{2, 5, 5})) << "normalise";
  for (std::size_t fold = 0; fold < 5; ++fold) {
    EXPECT_EQ(areas[3 + 2 * fold], (Area{2 + fold, 6, 1})) << "learn";
    EXPECT_EQ(areas[4 + 2 * fold], (Area{2 + fold, 7, 1})) << "train";
  }
  EXPECT_EQ(areas[13], (Area{2, 8, 5})) << "evaluate";
  EXPECT_EQ(areas[14], (Area{2, 9, 5})) << "report";
  ExpectNoOverlap(areas);
}

TEST(StepGrid, PutsRangesBelowOneAnother) {
  const std::vector<StepGraphNode> nodes = SomeSteps({"1-3", "4-6", "7-8", "9-10", "11-12", "13-16"}, 5);
  const std::vector<Area> areas = AreasOf(nodes);
  ExpectNoOverlap(areas);
  EXPECT_EQ(areas.front(), (Area{2, 3, 30})) << "simulate is as high as the grid";
  EXPECT_EQ(areas.back(), (Area{2, 9, 30})) << "so is report";
  EXPECT_EQ(areas[1], (Area{2, 4, 5})) << "ingest of the first range";
  EXPECT_EQ(areas[14], (Area{7, 4, 5})) << "ingest of the second";
  const std::string grid = StepGrid(nodes).str();
  EXPECT_EQ(CountOf(grid, "class=\"column\""), 7U);
  EXPECT_EQ(CountOf(grid, "class=\"title\""), 6U);
  EXPECT_EQ(CountOf(grid, "class=\"part\""), 30U);
}

TEST(StepGrid, ASideWayHasColumnsOfItsOwn) {
  std::vector<StepGraphNode> nodes = SomeSteps({"4-6"}, 2);
  nodes.push_back({"4-6", "all", "pixels", StepState::kRun, "", {1}});
  nodes.push_back({"4-6", "fold-1", "train-pixels", StepState::kRun, "", {nodes.size() - 1}});
  const std::vector<Area> areas = AreasOf(nodes);
  ExpectNoOverlap(areas);
  EXPECT_EQ(areas[9], (Area{2, 10, 2}));
  EXPECT_EQ(areas[10], (Area{3, 11, 1})) << "in the row of its fold";
}

TEST(StepGrid, CopesWithoutRanges) {
  const std::vector<StepGraphNode> joint = {{"all", "all", "a", StepState::kRun, "", {}},
                                            {"", "", "b", StepState::kRun, "", {}}};
  EXPECT_EQ(AreasOf(joint), (std::vector<Area>{{2, 3, 1}, {2, 4, 1}}));
}

TEST(StateLook, EveryStateHasItsOwn) {
  for (const StateLook& look : StateLooks()) EXPECT_EQ(&LookOf(look.state), &look) << StateName(look.state);
  std::set<std::string> looks;
  std::set<std::string> styles;
  for (const StateLook& look : StateLooks()) {
    looks.insert(std::string(look.fill) + std::string(look.stroke) + (look.dashed ? "dashed" : ""));
    EXPECT_FALSE(look.meaning.empty());
    styles.emplace(look.style);
    EXPECT_EQ(look.style.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"), std::string::npos) << look.style;
  }
  EXPECT_EQ(looks.size(), StateLooks().size());
  EXPECT_EQ(styles.size(), StateLooks().size());
}

TEST(StateLook, MeaningsOfARunThatGoesOn) {
  EXPECT_EQ(LookOf(StepState::kPending).meaning, "will be computed");
  EXPECT_EQ(LookOf(StepState::kWaiting).meaning, "waits for another process");
  EXPECT_EQ(LookOf(StepState::kUnneeded).meaning, "not in the cache, and not needed");
  EXPECT_EQ(LookOf(StepState::kStopped).meaning, "was being computed when the run ended");
  EXPECT_TRUE(LookOf(StepState::kPending).dashed);
  EXPECT_FALSE(LookOf(StepState::kRunning).dashed);
}

TEST(StateLook, TroubleComesBeforeWorkAndWorkBeforeRest) {
  EXPECT_LT(&LookOf(StepState::kFailed), &LookOf(StepState::kRunning));
  EXPECT_LT(&LookOf(StepState::kRunning), &LookOf(StepState::kWaiting));
  EXPECT_LT(&LookOf(StepState::kWaiting), &LookOf(StepState::kPending));
  EXPECT_LT(&LookOf(StepState::kNotRun), &LookOf(StepState::kPending));
  EXPECT_LT(&LookOf(StepState::kPending), &LookOf(StepState::kRun));
  EXPECT_LT(&LookOf(StepState::kRun), &LookOf(StepState::kHit));
  EXPECT_LT(&LookOf(StepState::kHit), &LookOf(StepState::kUnneeded));
  EXPECT_LT(&LookOf(StepState::kHit), &LookOf(StepState::kNotAsked));
}

}  // namespace
}  // namespace flyscribe
