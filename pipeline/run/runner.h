// Executes a plan: finds what is cached, computes what is needed and is not, several steps at a time.
//
// Two processes with one cache compute each artifact once: whoever computes holds the key's lock, the other waits for
// the artifact. A cached artifact is trusted by its sizes until a step reads it; then its files are hashed, and a
// damaged one is computed again.
#pragma once

#include <exception>
#include <map>
#include <string>
#include <vector>

#include "pipeline/cache/digest_cache.h"
#include "pipeline/cache/store.h"
#include "pipeline/plan/forecast.h"
#include "pipeline/plan/plan.h"
#include "pipeline/plan/planner.h"
#include "pipeline/run/observer.h"

namespace flyscribe {

struct RunOutcome {
  std::vector<StepOutcome> steps;  // in the order of the plan
  std::exception_ptr error;        // the first, if a step failed

  std::size_t Count(StepState state) const;
  std::size_t Hits() const { return Count(StepState::kHit); }
  std::size_t Misses() const { return Count(StepState::kRun); }
  // The instances of a step whose artifact is there, in the order of the plan.
  std::vector<const StepOutcome*> Made(const Step& step) const;
  // The folder of a step's artifact. REQUIRES: it is part of the run and there.
  fs::path FolderOf(const std::string& range, const std::string& step) const;
};

// What became of one config's share. Its error is that of its own first failed step.
RunOutcome OutcomeOf(const RunOutcome& outcome, const PlanPoint& point);

class Runner {
 public:
  Runner(const ArtifactStore& store, RunRequest request, RunObserver& observer);

  // Makes sure that simulated data is there and unchanged. Throws the step's Error. For Planner.
  fs::path Simulate(const Config& config, const StepInstance& simulate, DigestCache& digests);

  // Throws Error(kUsage) if the request cannot be met. A step that fails is in the outcome; what was computed stays
  // cached.
  RunOutcome Run(const Plan& plan);

  const ArtifactStore& store() const { return store_; }

 private:
  class Execution;

  const ArtifactStore& store_;
  RunRequest request_;
  RunObserver& observer_;
  std::map<std::string, StepOutcome> simulated_;  // by key: what Simulate computed
};

// The plan of configs, whose simulated data the runner makes if it is missing.
Plan PlanRun(Runner& runner,
             const std::vector<NamedConfig>& configs,
             const Planner::Options& options,
             Console& console);

}  // namespace flyscribe
