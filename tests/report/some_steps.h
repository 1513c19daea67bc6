// A step graph in the shape of the pipeline's, with the links a plan has: some of them say what a longer path says.
#pragma once

#include <string>
#include <vector>

#include "report/step_graph.h"

namespace flyscribe {

// Every state is "run" and every remark "1 s". Each range has ingest, normalise, learn and train per fold, evaluate.
inline std::vector<StepGraphNode> SomeSteps(const std::vector<std::string>& ranges, int folds) {
  std::vector<StepGraphNode> nodes;
  const auto add =
      [&](const std::string& range, const std::string& part, const char* step, std::vector<std::size_t> in) {
        nodes.push_back({range, part, step, StepState::kRun, "1 s", std::move(in)});
        return nodes.size() - 1;
      };
  const std::size_t simulate = add("all", "all", "simulate", {});
  std::vector<std::size_t> shown;
  for (const std::string& range : ranges) {
    const std::size_t ingest = add(range, "all", "ingest", {simulate});
    const std::size_t normalise = add(range, "all", "normalise", {ingest});
    std::vector<std::size_t> scores = {ingest};
    for (int fold = 0; fold < folds; ++fold) {
      const std::string part = "fold-" + std::to_string(fold);
      const std::size_t learn = add(range, part, "learn", {ingest, ingest, normalise});
      scores.push_back(add(range, part, "train", {learn, ingest, normalise}));
      shown.push_back(learn);
    }
    shown.push_back(ingest);
    shown.push_back(add(range, "all", "evaluate", scores));
  }
  add("all", "all", "report", shown);
  return nodes;
}

}  // namespace flyscribe
