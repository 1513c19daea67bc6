// Which steps a run consists of, in execution order, and the key of each.
//
// The graph is static: all keys follow from the options and the inputs' digests, before anything expensive runs.
// Per stage range:
//
//   ingest > standardise > extract > normalise > learn > encode > pool > train > evaluate
//
// learn, encode and pool exist once per tested fold (protocol.dictionary: training) or once for all bags (all); train
// exists once per tested fold. One report is made over all ranges, and one simulate step comes before them.
#pragma once

#include <string>
#include <vector>

#include "pipeline/steps/step.h"

namespace flyscribe {

// The link names a digest of something outside the graph.
inline constexpr std::size_t kNoInstance = static_cast<std::size_t>(-1);

// What a step instance reads: another instance, under the digest of the part of it that matters.
struct StepLink {
  std::string name;    // in key.txt
  std::string digest;  // in key.txt: usually the other instance's key
  std::size_t instance = 0;
};

struct StepInstance {
  std::string range;  // "all" for steps over all ranges
  Part part;
  const Step* step = nullptr;
  std::vector<StepLink> links;
  std::string recipe;  // the key's text without range, part and inputs
  std::string key_text;
  std::string key;

  std::string Describe() const;  // "learn for 4-6, fold-0"
  std::string Label() const;     // "learn 4-6 fold-0"
};

struct Plan {
  std::vector<StepInstance> instances;
};

// The simulate step alone: it must have run before the rest can be planned.
StepInstance PlanSimulate(const Config& config);

// All steps. `corpus` has imported all ranges. With simulated data the first instance is PlanSimulate's.
Plan BuildPlan(const Config& config, const CorpusSource& corpus);

}  // namespace flyscribe
