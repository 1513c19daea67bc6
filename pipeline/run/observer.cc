#include "pipeline/run/observer.h"

#include <nlohmann/json.hpp>

#include "core/text.h"
#include "data/tables.h"

namespace flyscribe {
namespace {

using Json = nlohmann::ordered_json;

void Emit(const Json& json) { PrintResult(JsonText(json) + "\n"); }

Json EventOf(const std::string& event, const StepInstance& step) {
  return {{"event", event},
          {"range", step.range},
          {"part", step.part.name()},
          {"step", step.step->name},
          {"key", step.key}};
}

std::string Remark(const StepOutcome& outcome) {
  if (!outcome.error.empty()) return outcome.error.substr(0, outcome.error.find('\n'));
  std::string remark = Join(outcome.facts, ", ");
  if (outcome.forced && outcome.differing.empty()) remark += remark.empty() ? "same bytes" : ", same bytes";
  return remark;
}

}  // namespace

void ConsoleObserver::OnStart(const StepInstance& step) { console_.ShowStep(step.Label(), {}); }

void ConsoleObserver::OnProgress(const StepInstance& step, const StepCount& count) {
  console_.ShowStep(step.Label(), count);
}

void ConsoleObserver::OnWait(const StepInstance& step, const std::string& holder) {
  console_.Say("  " + step.Label() + ": waiting for " + holder);
}

void ConsoleObserver::OnNotice(const StepInstance& step, const std::string& message) {
  console_.Say("  " + step.Label() + ": " + message);
}

void ConsoleObserver::OnFinish(const StepInstance& step, const StepOutcome& outcome) {
  const bool unneeded = outcome.state == StepState::kUnneeded;
  console_.FinishStep(
      step.Label(), outcome.state, outcome.seconds, unneeded ? "not in the cache, and not needed" : Remark(outcome));
}

void ConsoleObserver::OnWarning(const std::string& message) { console_.Warn(message); }

void JsonObserver::OnPlan(const Plan& plan, const std::vector<StepForecast>& forecast) {
  Json steps = Json::array();
  for (std::size_t i = 0; i < plan.instances.size(); ++i) {
    const StepInstance& step = plan.instances[i];
    steps.push_back({{"range", step.range},
                     {"part", step.part.name()},
                     {"step", step.step->name},
                     {"key", step.key},
                     {"state", StateName(forecast[i].state)}});
  }
  Emit({{"event", "plan"}, {"format", 1}, {"steps", steps}});
}

void JsonObserver::OnStart(const StepInstance& step) { Emit(EventOf("start", step)); }

void JsonObserver::OnProgress(const StepInstance& step, const StepCount& count) {
  Json json = EventOf("progress", step);
  json["done"] = count.done;
  json["total"] = count.total;
  json["unit"] = count.unit;
  json["remark"] = count.remark;
  Emit(json);
}

void JsonObserver::OnWait(const StepInstance& step, const std::string& holder) {
  Json json = EventOf("wait", step);
  json["for"] = holder;
  Emit(json);
}

void JsonObserver::OnNotice(const StepInstance& step, const std::string& message) {
  Json json = EventOf("notice", step);
  json["message"] = message;
  Emit(json);
}

void JsonObserver::OnFinish(const StepInstance& step, const StepOutcome& outcome) {
  Json json = EventOf("finish", step);
  json["state"] = StateName(outcome.state);
  json["seconds"] = outcome.seconds;
  json["facts"] = outcome.facts;
  if (!outcome.folder.empty()) json["artifact"] = outcome.folder.string();
  if (!outcome.error.empty()) json["error"] = outcome.error;
  if (outcome.forced) json["differing"] = outcome.differing;
  Emit(json);
}

void JsonObserver::OnWarning(const std::string& message) { Emit({{"event", "warning"}, {"message", message}}); }

void JsonObserver::End(int exit_code, const std::string& error) {
  Json json = {{"event", "end"}, {"exit_code", exit_code}};
  if (!error.empty()) json["error"] = error;
  Emit(json);
}

}  // namespace flyscribe
