// Where the boxes of the step graph stand, and which lines join them. Knows no colour and no markup.
//
// A step is a column, in the order steps first appear; a stage range is a band with a lane per fold, a step over all
// ranges stands in the middle of the bands. With more lanes than kMostLanes a step's folds share one box. The steps of
// a side way share one lane below the others, each in the column of its twin, folds in one box. Thread-safe and
// deterministic: pure functions.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "report/step_graph.h"

namespace flyscribe {

// Folds are stacked as long as all ranges together need no more lanes.
inline constexpr std::size_t kMostLanes = 8;

// Pixels at full size.
inline constexpr double kStepBoxWidth = 96.0;
inline constexpr double kStepBoxHeight = 36.0;

// Between neighbouring columns; at most, where lines fan out to the bands.
inline constexpr double kColumnGap = 20.0;
inline constexpr double kWidestGap = 42.0;

// Whether the step is over all ranges.
bool IsJoint(const StepGraphNode& node);

struct StepEdge {
  std::size_t from = 0;
  std::size_t to = 0;

  bool operator==(const StepEdge&) const = default;
};

// The edges that no path of other edges stands for, by `to`, then `from`.
// Throws Error(kInternal) if an input is not an earlier node.
std::vector<StepEdge> DirectEdges(std::span<const StepGraphNode> nodes);

struct StepBox {
  std::vector<std::size_t> nodes;  // at least one, of the same range and step
  double x = 0.0;                  // left
  double y = 0.0;                  // top
};

struct StepBand {
  std::string range;
  double x = 0.0;
  double y = 0.0;
  double width = 0.0;
  double height = 0.0;
};

struct StepLayout {
  std::vector<StepBox> boxes;   // by their first node
  std::vector<StepBand> bands;  // from top to bottom
  std::vector<StepEdge> edges;  // between boxes, each once
  double width = 0.0;
  double height = 0.0;
};

StepLayout LayOutSteps(std::span<const StepGraphNode> nodes);

}  // namespace flyscribe
