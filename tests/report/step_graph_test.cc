#include "report/step_graph.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "tests/report/html_checker.h"
#include "tests/report/some_steps.h"

namespace flyscribe {
namespace {

const std::vector<std::string> kStates = {
    "hit", "run", "failed", "skipped", "waiting", "running", "missing", "pending", "unneeded", "not run", "not asked"};

// Three steps in a row; the last also names the first.
std::vector<StepGraphNode> Chain() {
  return {{"all", "all", "simulate", "hit", "", {}},
          {"4-6", "all", "ingest", "run", "2 s", {0}},
          {"4-6", "fold-0", "learn", "failed", "no disk", {0, 1}}};
}

std::vector<StepGraphNode> OneOfEachState() {
  std::vector<StepGraphNode> nodes;
  for (const std::string& state : kStates) nodes.push_back({"4-6", "all", "s" + state, state, "", {}});
  nodes.push_back({"4-6", "all", "sodd", "asleep", "", {}});
  return nodes;
}

// Every text is what breaks a careless writer of the format.
std::vector<StepGraphNode> Hostile() {
  const std::string text = "\"]; end\n} <script>&#35;`\\ \x01\xff";
  return {{text, text, text, text, text, {}}, {text, text, text + "'", text, text, {0}}};
}

bool Contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

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
  const std::vector<StepGraphNode> nodes = {{"4-6", "all", "learn", "run", "", {}},
                                            {"4_6", "all", "learn", "run", "", {}}};
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

TEST(StepGraph, EveryStateLooksDifferentAndUnknownOnesNeutral) {
  const std::vector<StepGraphNode> nodes = OneOfEachState();
  const std::string dot = StepGraphDot(nodes);
  const std::string mermaid = StepGraphMermaid(nodes);
  const std::string svg = StepGraphSvg(nodes).str();
  for (const std::string& state : kStates) {
    std::string style = state;
    std::replace(style.begin(), style.end(), ' ', '_');
    EXPECT_EQ(CountOf(dot, "\"state " + state + "\" [label="), 1U) << state;
    EXPECT_EQ(CountOf(mermaid, "classDef " + style + " "), 1U) << state;
    EXPECT_EQ(CountOf(mermaid, ":::" + style + "\n"), 1U) << state;
    EXPECT_EQ(CountOf(svg, "class=\"step st-" + style + "\""), 2U) << state << ": in the graph and in the legend";
    EXPECT_EQ(CountOf(svg, ">" + state + "</text>"), 1U) << state << ": also in words";
  }
  EXPECT_TRUE(Contains(dot, "\"state other\""));
  EXPECT_TRUE(Contains(mermaid, "[\"sodd<br/>asleep\"]:::other\n"));
  EXPECT_EQ(CountOf(svg, "class=\"step st-other\""), 2U);
  EXPECT_TRUE(Contains(svg, ">asleep</text>"));
}

TEST(StepGraph, LeavesOutWhatALongerPathSays) {
  // Of 21 links: to ingest, to normalise, two each to learn, train and evaluate, to report.
  const std::vector<StepGraphNode> nodes = SomeSteps({"4-6"}, 2);
  EXPECT_EQ(CountOf(StepGraphDot(nodes), " -> "), 9U);
  EXPECT_EQ(CountOf(StepGraphMermaid(nodes), " --> "), 9U);
  EXPECT_EQ(CountOf(StepGraphSvg(nodes).str(), "<path class=\"way\""), 9U);
}

TEST(StepGraph, SameNodesGiveTheSameBytes) {
  const std::vector<StepGraphNode> nodes = SomeSteps({"4-6", "7-8", "13-16"}, 5);
  const std::vector<StepGraphNode> copy = nodes;
  EXPECT_EQ(StepGraphDot(nodes), StepGraphDot(copy));
  EXPECT_EQ(StepGraphMermaid(nodes), StepGraphMermaid(copy));
  EXPECT_EQ(StepGraphSvg(nodes).str(), StepGraphSvg(copy).str());
}

TEST(StepGraphSvg, IsAPictureWithWords) {
  const std::string svg = StepGraphSvg(Chain()).str();
  EXPECT_EQ(MarkupProblem(svg), "");
  EXPECT_TRUE(Contains(svg, "role=\"img\" aria-label=\"Step graph of 3 steps: 1 failed, 1 run, 1 hit\"")) << svg;
  EXPECT_TRUE(Contains(svg, "<title>simulate: hit</title>"));
  EXPECT_TRUE(Contains(svg, "<title>learn 4-6 fold-0: failed, no disk</title>"));
  EXPECT_TRUE(Contains(svg, ">learn</text>"));
  EXPECT_TRUE(Contains(svg, ">fold-0 failed</text>"));
  EXPECT_TRUE(Contains(svg, ">Stages 4–6</text>"));
  EXPECT_TRUE(Contains(svg, "<span>failed</span><small>stopped with an error</small>"));
  EXPECT_EQ(CountOf(svg, "<li>"), 3U) << "only states that occur";
  EXPECT_EQ(svg.find('#'), std::string::npos) << "colours are the page's";
  EXPECT_TRUE(StepGraphSvg({}).empty());
}

TEST(StepGraphSvg, EscapesAndShortens) {
  const std::string svg = StepGraphSvg(Hostile()).str();
  EXPECT_EQ(MarkupProblem(svg), "");
  EXPECT_FALSE(Contains(svg, "<script"));
  std::vector<StepGraphNode> nodes = Chain();
  nodes[1].step = "sixteen_letters_";
  nodes[2].step = "ééééééééééééééééé";  // seventeen
  const std::string shortened = StepGraphSvg(nodes).str();
  EXPECT_TRUE(Contains(shortened, ">sixteen_letters_</text>"));
  EXPECT_TRUE(Contains(shortened, ">ééééééééééééééé…</text>")) << shortened;
}

TEST(StepGraphSvg, CountsFoldsAndShowsTheStateThatMattersMost) {
  std::vector<StepGraphNode> nodes = SomeSteps({"4-6", "7-8"}, 5);
  nodes[5].state = "hit";     // learn 4-6 fold-1
  nodes[7].state = "failed";  // learn 4-6 fold-2
  const std::string svg = StepGraphSvg(nodes).str();
  EXPECT_EQ(CountOf(svg, ">learn ×5</text>"), 2U);
  EXPECT_TRUE(Contains(svg, ">1 of 5 failed</text>")) << svg;
  EXPECT_EQ(CountOf(svg, "class=\"sheet\""), 4U) << "learn and train of both ranges";
  EXPECT_EQ(CountOf(svg, "class=\"step st-failed\""), 2U) << "the box and the legend";
  EXPECT_TRUE(Contains(svg,
                       "<title>learn 4-6 fold-0: run, 1 s\nlearn 4-6 fold-1: hit, 1 s\nlearn 4-6 fold-2: failed, 1 s\n"
                       "learn 4-6 fold-3: run, 1 s\nlearn 4-6 fold-4: run, 1 s</title>"));
  EXPECT_FALSE(Contains(StepGraphSvg(SomeSteps({"4-6"}, 5)).str(), "×"));
}

TEST(StepGraphSvg, ALineOverSeveralColumnsBendsBeforeTheFirst) {
  const std::vector<StepGraphNode> nodes = {{"4-6", "all", "a", "run", "", {}},
                                            {"4-6", "all", "b", "run", "", {0}},
                                            {"4-6", "all", "c", "run", "", {1}},
                                            {"4-6", "all", "d", "run", "", {0}, "c"}};
  const std::string svg = StepGraphSvg(nodes).str();
  // a ends at 12 + 96 = 108; the gap to b is 20 wide; c begins at 12 + 2 * 116 = 244, and d below it.
  EXPECT_TRUE(Contains(svg, "d=\"M108 46C118 46 118 46 128 46\"")) << svg;
  EXPECT_TRUE(Contains(svg, "d=\"M108 46C118 46 118 90 128 90H244\"")) << svg;
}

TEST(StateLook, EveryStateHasItsOwn) {
  for (const char* state : {"hit",
                            "run",
                            "failed",
                            "skipped",
                            "not run",
                            "waiting",
                            "running",
                            "missing",
                            "pending",
                            "unneeded",
                            "not asked"}) {
    EXPECT_EQ(LookOf(state).name, state);
  }
  std::set<std::string> looks;
  std::set<std::string> styles;
  for (const StateLook& look : StateLooks()) {
    looks.insert(std::string(look.fill) + std::string(look.stroke) + (look.dashed ? "dashed" : ""));
    EXPECT_FALSE(look.meaning.empty());
    styles.emplace(look.style);
    EXPECT_EQ(look.style.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"), std::string::npos) << look.style;
  }
  EXPECT_EQ(looks.size(), StateLooks().size() - 1) << "all but one: not run and skipped are the same";
  EXPECT_EQ(styles.size(), StateLooks().size());
}

TEST(StateLook, MeaningsOfARunThatGoesOn) {
  EXPECT_EQ(LookOf("pending").meaning, "will be computed");
  EXPECT_EQ(LookOf("waiting").meaning, "waits for another process");
  EXPECT_EQ(LookOf("unneeded").meaning, "not in the cache, and not needed");
  EXPECT_EQ(LookOf("not run").meaning, LookOf("skipped").meaning);
  EXPECT_TRUE(LookOf("pending").dashed);
  EXPECT_FALSE(LookOf("running").dashed);
}

TEST(StateLook, UnknownStatesAreNeutral) {
  EXPECT_EQ(LookOf("").name, "other");
  EXPECT_EQ(LookOf("Hit").name, "other");
}

TEST(StateLook, TroubleComesBeforeWorkAndWorkBeforeRest) {
  EXPECT_LT(&LookOf("failed"), &LookOf("running"));
  EXPECT_LT(&LookOf("running"), &LookOf("waiting"));
  EXPECT_LT(&LookOf("waiting"), &LookOf("pending"));
  EXPECT_LT(&LookOf("not run"), &LookOf("pending"));
  EXPECT_LT(&LookOf("pending"), &LookOf("run"));
  EXPECT_LT(&LookOf("run"), &LookOf("hit"));
  EXPECT_LT(&LookOf("hit"), &LookOf("unneeded"));
  EXPECT_LT(&LookOf("hit"), &LookOf("not asked"));
}

}  // namespace
}  // namespace flyscribe
