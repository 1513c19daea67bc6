#include "pipeline/explain/status.h"

#include "pipeline/plan/forecast.h"

namespace flyscribe {

const LoggedStep* LiveStep(const std::vector<LoggedRun>& runs, const std::string& key) {
  const LoggedStep* found = nullptr;
  for (const LoggedRun& run : runs) {
    if (!run.GoesOn()) continue;
    for (const LoggedStep& step : run.steps) {
      if (step.key != key || key.empty()) continue;
      // Of several runs, the one that computes it knows best.
      const bool waiting = step.state == StepState::kWaiting;
      if (step.state == StepState::kRunning || (waiting && found == nullptr)) found = &step;
    }
  }
  return found;
}

std::vector<LoggedStep> StatusOf(const Plan& plan, const ArtifactStore& store, const std::vector<LoggedRun>& runs) {
  const std::vector<StepForecast> forecast = ForecastRun(plan, store, {});
  std::vector<LoggedStep> steps;
  for (std::size_t i = 0; i < plan.instances.size(); ++i) {
    const StepInstance& instance = plan.instances[i];
    LoggedStep step;
    step.range = instance.range;
    step.part = instance.part.name();
    step.step = instance.step->name;
    step.key = instance.key;
    step.inputs = instance.Inputs();
    step.state = forecast[i].state == StepState::kRun ? StepState::kPending : forecast[i].state;
    step.remark = forecast[i].found.problem;
    if (step.state == StepState::kPending) {
      if (const LoggedStep* live = LiveStep(runs, instance.key)) {
        step.state = live->state;
        step.remark = live->remark;
        step.count = live->count;
        step.since = live->since;
      }
    }
    steps.push_back(std::move(step));
  }
  return steps;
}

}  // namespace flyscribe
