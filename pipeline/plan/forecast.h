// What a run will do: which steps are cached, which must run, which nobody needs. Changes nothing.
//
// A step runs only if its artifact is missing and something that is asked for needs it: where the scores and the report
// are cached, a removed intermediate artifact is not computed again.
#pragma once

#include <string>
#include <vector>

#include "data/step_state.h"
#include "pipeline/cache/store.h"
#include "pipeline/plan/plan.h"

namespace flyscribe {

// What is asked of a run besides its config. Steps are given by name.
struct RunRequest {
  std::string from = {};                // compute only this step and what follows from it
  std::string until = {};               // end with this step
  std::string only = {};                // compute only this step
  std::vector<std::string> also = {};   // wanted themselves, as results are: whoever asks will read them
  std::vector<std::string> force = {};  // compute these again and compare
  bool force_all = false;
  int jobs = 1;
  bool keep_going = false;
  double lock_timeout = 0.0;  // seconds to wait for another process; 0 means as long as it takes

  bool Forces(const StepInstance& instance) const;
  // Whether its artifact is wanted for itself, not for the sake of another step.
  bool Wants(const StepInstance& instance) const;
};

// A hit, unneeded, not asked, or kRun: it must be computed.
struct StepForecast {
  StepState state = StepState::kNotAsked;
  Found found;
};

// One entry per instance. An instance whose key is not known yet counts as missing.
// Throws Error(kUsage) if a step is unknown, or if --from or --only leave out something that must be computed.
std::vector<StepForecast> ForecastRun(const Plan& plan, const ArtifactStore& store, const RunRequest& request);

// Throws Error(kUsage) with a suggestion unless there are steps of all names a request gives.
void RequireSteps(const RunRequest& request);

}  // namespace flyscribe
