// The step graph as a picture: Graphviz, Mermaid, and a grid for the report page, from one plain description.
//
// Nodes are drawn by state, in colour and in words; an edge a -> c is left out where a path a -> .. -> c says the same.
// Whoever fills the description decides what a node's state is and which inputs it names.
// Thread-safe and deterministic: pure functions.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/step_state.h"
#include "report/html.h"

namespace flyscribe {

// How the state of a step looks.
struct StateLook {
  StepState state = StepState::kNotRun;
  std::string_view style;    // one word: in the style sheet the class "st-" + style
  std::string_view meaning;  // for the legend
  // Outside the page, where there is no style sheet: the page's light colours.
  std::string_view fill;
  std::string_view stroke;
  bool dashed = false;  // nothing was made
};

// What asks for most attention first.
std::span<const StateLook> StateLooks();

// The reference lies in StateLooks().
const StateLook& LookOf(StepState state);

struct StepGraphNode {
  std::string range;  // stage range; "all" or empty: over all ranges
  std::string part;   // "all" or empty, or a fold such as "fold-0"
  std::string step;   // a plain word
  StepState state = StepState::kNotRun;
  std::string remark;               // shown after the state; may be empty
  std::vector<std::size_t> inputs;  // indices of earlier nodes
};

struct StepEdge {
  std::size_t from = 0;
  std::size_t to = 0;
  friend bool operator==(const StepEdge&, const StepEdge&) = default;
};

// All below: nodes are in execution order. Throws Error(kInternal) if an input is not an earlier node.

// The edges that no path of other edges stands for, by `to`, then `from`.
std::vector<StepEdge> DirectEdges(std::span<const StepGraphNode> nodes);

// For `dot`: a cluster per stage range, a legend of the states that occur. Ids follow from range, part and step, so
// that two pictures can be compared line by line.
std::string StepGraphDot(std::span<const StepGraphNode> nodes);

// A flowchart with a subgraph per stage range and a class per state that occurs; the same ids.
std::string StepGraphMermaid(std::span<const StepGraphNode> nodes);

// A <figure> for the page, in its colours: columns are steps in the order they first appear, rows are stage ranges and
// their parts. A step without parts is as high as its range, one over all ranges as high as the grid. What a step was
// made from is in its tooltip. Empty without nodes.
// REQUIRES: no two nodes of one range, part and step; a step over all ranges has no parts and is in no range.
Html StepGrid(std::span<const StepGraphNode> nodes);

}  // namespace flyscribe
