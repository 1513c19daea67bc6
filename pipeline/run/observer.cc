#include "pipeline/run/observer.h"

namespace flyscribe {

std::string StateName(StepOutcome::State state) {
  switch (state) {
    case StepOutcome::State::kHit:
      return "hit";
    case StepOutcome::State::kRun:
      return "run";
    case StepOutcome::State::kUnneeded:
      return "unneeded";
    case StepOutcome::State::kFailed:
      return "failed";
    case StepOutcome::State::kNotRun:
      return "not run";
  }
  return "unknown";
}

void RunObserver::OnKeys(const Plan& /*plan*/) {}
void RunObserver::OnPlan(const Plan& /*plan*/, const std::vector<StepForecast>& /*forecast*/) {}
void RunObserver::OnStart(const StepInstance& /*step*/) {}
void RunObserver::OnProgress(const StepInstance& /*step*/, const StepCount& /*count*/) {}
void RunObserver::OnWait(const StepInstance& /*step*/, const std::string& /*holder*/) {}
void RunObserver::OnNotice(const StepInstance& /*step*/, const std::string& /*message*/) {}
void RunObserver::OnFinish(const StepInstance& /*step*/, const StepOutcome& /*outcome*/) {}
void RunObserver::OnWarning(const std::string& /*message*/) {}

}  // namespace flyscribe
