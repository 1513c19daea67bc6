// Which steps a run consists of, in execution order, and the key of each.
//
// The graph is static: all keys follow from the options and the inputs' digests, before anything expensive runs.
// Per stage range:
//
//   ingest > standardise > extract > normalise > learn > encode > pool > train > evaluate
//
// learn, encode and pool exist once per tested fold (protocol.dictionary: training) or once for all bags (all); train
// exists once per tested fold. With protocol.pixel_baseline also, and nothing of the above depends on it:
//
//   standardise > pixels > train-pixels (per tested fold) > evaluate-pixels
//
// One report is made over all ranges, and one simulate step comes before them.
//
// The plan of a model has learn, encode, pool and train once, for all bags, and ends there.
//
// A plan may join several configs (the points of a sweep): what they share is in it once.
#pragma once

#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "pipeline/steps/step.h"

namespace flyscribe {

// The link names a digest of something outside the graph.
inline constexpr std::size_t kNoInstance = static_cast<std::size_t>(-1);

// The range of steps over all ranges.
inline constexpr const char* kAllRanges = "all";

// "learn 4-6 fold-0": how lists name a step instance.
std::string StepLabel(const std::string& step, const std::string& range, const std::string& part);

// What a step instance reads: another instance, under the digest of the part of it that matters.
struct StepLink {
  std::string name;    // in key.txt; no two links of an instance have the same
  std::string digest;  // in key.txt: usually the other instance's key; empty if not known yet
  std::size_t instance = 0;
};

struct StepInstance {
  std::string range;  // "all" for steps over all ranges
  Part part;
  const Step* step = nullptr;
  std::vector<StepLink> links;
  std::vector<std::size_t> after;  // further instances that must have run before
  std::size_t point = 0;           // the first config it belongs to
  std::string tag;                 // the name of its config, where a plan has several and it belongs to one of them
  StepAmount amount;               // of all there is to do
  std::string key_text;
  std::string key;  // empty if a digest is not known yet

  std::string Describe() const;             // "learn for 4-6, fold-0"
  std::string Label() const;                // "learn 4-6 fold-0", with the tag if there is one
  std::vector<std::size_t> Inputs() const;  // all instances that come before, each once, rising
};

// One config and its share of the plan.
struct PlanPoint {
  std::string name;  // "" unless there are several: "learn.atoms=500"
  std::shared_ptr<const Config> config;
  std::shared_ptr<const CorpusSource> corpus;  // null if not known yet
  std::vector<std::size_t> instances;          // of the plan, inputs before their readers
  std::exception_ptr error;                    // why it could not be planned, if so: then it has no instances
};

struct Plan {
  std::vector<StepInstance> instances;  // inputs before their readers
  std::vector<PlanPoint> points;

  // Inputs() of each instance.
  std::vector<std::vector<std::size_t>> Inputs() const;
};

// What a plan leads to: scores on genes no model has seen, or one model of all bags for new images.
enum class PlanGoal { kEvaluation, kModel };

// The simulate step alone: it must have run before the rest can be planned.
StepInstance PlanSimulate(const Config& config);

// All steps of one config. `corpus` has imported all ranges; if it is null, because simulated data is not there yet,
// all keys but that of simulate stay empty. With simulated data the first instance is PlanSimulate's.
// New images have no codes that learning left, so a model's features are of encoded patches, whatever pool.codes says.
Plan BuildPlan(std::shared_ptr<const Config> config,
               std::shared_ptr<const CorpusSource> corpus,
               PlanGoal goal = PlanGoal::kEvaluation);

// One plan for several; instances with the same key become one.
Plan JoinPlans(const std::vector<Plan>& plans);

}  // namespace flyscribe
