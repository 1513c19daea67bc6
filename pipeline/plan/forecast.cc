#include "pipeline/plan/forecast.h"

#include <algorithm>

#include "core/error.h"

namespace flyscribe {
namespace {

bool Contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

class Forecaster {
 public:
  Forecaster(const Plan& plan, const ArtifactStore& store, const RunRequest& request)
      : plan_(plan), store_(store), request_(request), inputs_(plan.Inputs()), steps_(plan.instances.size()) {}

  std::vector<StepForecast> Run() {
    for (std::size_t i = 0; i < steps_.size(); ++i) steps_[i].found = Look(plan_.instances[i]);
    MarkAsked();
    MarkAllowed();
    MarkNeeded();
    for (std::size_t i = 0; i < steps_.size(); ++i) steps_[i].state = StateOf(i);
    return std::move(steps_);
  }

 private:
  Found Look(const StepInstance& instance) const {
    if (instance.key.empty()) return {};
    return store_.Look(instance.range, instance.step->name, instance.key);
  }

  bool IsStep(std::size_t i, const std::string& name) const { return plan_.instances[i].step->name == name; }
  bool MustRun(std::size_t i) const { return !steps_[i].found.artifact || Forced(i); }
  bool Forced(std::size_t i) const { return allowed_[i] && request_.Forces(plan_.instances[i]); }

  // All, or what leads to --until, or --only itself.
  void MarkAsked() {
    const std::string& last = request_.only.empty() ? request_.until : request_.only;
    asked_.assign(steps_.size(), last.empty());
    for (std::size_t i = steps_.size(); !last.empty() && i-- > 0;) {
      if (IsStep(i, last)) asked_[i] = true;
      if (!asked_[i] || !request_.only.empty()) continue;
      for (const std::size_t input : inputs_[i]) asked_[input] = true;
    }
  }

  // What may be computed: all, or what follows from --from, or --only itself.
  void MarkAllowed() {
    const std::string& first = request_.only.empty() ? request_.from : request_.only;
    allowed_.assign(steps_.size(), first.empty());
    for (std::size_t i = 0; !first.empty() && i < steps_.size(); ++i) {
      const bool follows =
          std::any_of(inputs_[i].begin(), inputs_[i].end(), [&](std::size_t input) { return bool{allowed_[input]}; });
      allowed_[i] = IsStep(i, first) || (request_.only.empty() && follows);
    }
  }

  // From the last to the first: results are needed, and so is what a step that must run reads.
  void MarkNeeded() {
    needed_.assign(steps_.size(), false);
    for (std::size_t i = steps_.size(); i-- > 0;) {
      if (!asked_[i] && !needed_[i]) continue;
      needed_[i] = needed_[i] || IsResult(i) || Forced(i);
      if (!needed_[i] || !MustRun(i)) continue;
      if (!allowed_[i]) ThrowNotAllowed(i);
      for (const std::size_t input : inputs_[i]) needed_[input] = true;
    }
  }

  bool IsResult(std::size_t i) const {
    const std::string& last = request_.only.empty() ? request_.until : request_.only;
    return last.empty() ? request_.Wants(plan_.instances[i]) : IsStep(i, last);
  }

  [[noreturn]] void ThrowNotAllowed(std::size_t i) const {
    const bool only = !request_.only.empty();
    throw Error(
        ErrorCode::kUsage,
        plan_.instances[i].Describe() + " is not cached and would have to be computed first",
        only ? "run it with --until " + plan_.instances[i].step->name + ", or leave out --only" : "leave out --from",
        {only ? "--only " + request_.only : "--from " + request_.from});
  }

  StepState StateOf(std::size_t i) const {
    if (!asked_[i] && !needed_[i]) return StepState::kNotAsked;
    if (needed_[i] && MustRun(i)) return StepState::kRun;
    return steps_[i].found.artifact ? StepState::kHit : StepState::kUnneeded;
  }

  const Plan& plan_;
  const ArtifactStore& store_;
  const RunRequest& request_;
  std::vector<std::vector<std::size_t>> inputs_;
  std::vector<StepForecast> steps_;
  std::vector<bool> asked_;
  std::vector<bool> allowed_;
  std::vector<bool> needed_;
};

}  // namespace

bool RunRequest::Forces(const StepInstance& instance) const {
  return force_all || Contains(force, instance.step->name);
}

bool RunRequest::Wants(const StepInstance& instance) const {
  return instance.step->is_result || Contains(also, instance.step->name);
}

void RequireSteps(const RunRequest& request) {
  for (const std::string& step : {request.from, request.until, request.only}) {
    if (!step.empty()) StepNamed(step);
  }
  for (const std::string& step : request.force) StepNamed(step);
}

std::vector<StepForecast> ForecastRun(const Plan& plan, const ArtifactStore& store, const RunRequest& request) {
  RequireSteps(request);
  return Forecaster(plan, store, request).Run();
}

}  // namespace flyscribe
