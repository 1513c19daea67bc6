// flyscribe plan CONFIG: what a run would do, why, and what it would take. Changes nothing.
#include <memory>
#include <nlohmann/json.hpp>

#include "core/text.h"
#include "data/tables.h"
#include "pipeline/arguments/command_line.h"
#include "pipeline/arguments/config_arguments.h"
#include "pipeline/command.h"
#include "pipeline/explain/why.h"
#include "pipeline/terminal/console.h"
#include "pipeline/terminal/process.h"
#include "pipeline/terminal/text_table.h"

namespace flyscribe {
namespace {

using Json = nlohmann::ordered_json;

struct PlanArguments {
  ConfigArguments config;
  RunRequest request;
  bool exit_code = false;
  bool json = false;
};

// One line of the answer.
struct PlannedStep {
  const StepInstance& instance;
  StepState state;
  Reason reason;
  std::optional<StepCost> cost;  // of a step that must run; of a cached one what it took and takes
};

std::vector<PlannedStep> PlanSteps(const Plan& plan, const ArtifactStore& store, const RunRequest& request) {
  const std::vector<StepForecast> forecast = ForecastRun(plan, store, request);
  const History history(store.root());
  const Explainer explainer(plan, history);
  std::vector<PlannedStep> steps;
  for (std::size_t i = 0; i < plan.instances.size(); ++i) {
    const StepInstance& instance = plan.instances[i];
    if (forecast[i].state == StepState::kNotAsked) continue;
    std::optional<StepCost> cost;
    if (forecast[i].state == StepState::kRun) {
      cost = PredictCost(plan, instance, history);
    } else if (forecast[i].found.artifact) {
      const ArtifactManifest& manifest = forecast[i].found.artifact->manifest;
      cost = StepCost{manifest.seconds, manifest.TotalBytes()};
    }
    steps.push_back({instance, forecast[i].state, explainer.Explain(instance, forecast[i], request), cost});
  }
  return steps;
}

struct Total {
  std::size_t to_run = 0;
  std::size_t unknown = 0;  // without an earlier run to go by
  std::size_t unsized = 0;  // with one, but whose artifact is gone
  double seconds = 0.0;
  std::uint64_t bytes = 0;  // of all the others
};

Total TotalOf(const std::vector<PlannedStep>& steps) {
  Total total;
  for (const PlannedStep& step : steps) {
    if (step.state != StepState::kRun) continue;
    ++total.to_run;
    if (!step.cost) ++total.unknown;
    if (step.cost) total.seconds += step.cost->seconds;
    if (step.cost && !step.cost->bytes) ++total.unsized;
    if (step.cost) total.bytes += step.cost->bytes.value_or(0);
  }
  return total;
}

std::string PlanText(const std::vector<PlannedStep>& steps) {
  TextTable table({"step", "state", ">time", ">size", "reason"});
  for (const PlannedStep& step : steps) {
    const bool run = step.state == StepState::kRun;
    const std::string nothing = run ? "unknown" : "";
    table.Add({step.instance.Label(),
               StateName(step.state),
               step.cost && run ? HumanSeconds(step.cost->seconds) : nothing,
               step.cost && step.cost->bytes ? HumanBytes(*step.cost->bytes) : nothing,
               step.state == StepState::kHit ? "" : step.reason.ToString()});
  }
  const Total total = TotalOf(steps);
  std::string text = table.ToString();
  if (total.to_run == 0) return text + "\nnothing to do\n";
  text += "\n" + std::to_string(total.to_run) + " of " + std::to_string(steps.size()) + " steps to run";
  if (total.unknown < total.to_run) {
    const bool sized = total.unknown + total.unsized < total.to_run;
    text += ", about " + HumanSeconds(total.seconds) + (sized ? " and " + HumanBytes(total.bytes) : "") +
            ", going by earlier runs";
  }
  if (total.unsized > 0) text += "; " + std::to_string(total.unsized) + " of unknown size";
  if (total.unknown > 0) text += "; " + std::to_string(total.unknown) + " without an earlier run to go by";
  return text + "\n";
}

std::string PlanJson(const std::vector<PlannedStep>& steps) {
  Json list = Json::array();
  for (const PlannedStep& step : steps) {
    Json json = {{"range", step.instance.range},
                 {"part", step.instance.part.name()},
                 {"step", step.instance.step->name},
                 {"state", StateName(step.state)},
                 {"key", step.instance.key},
                 {"reason", step.reason.KindName()},
                 {"changes", Json::parse(step.reason.ChangesJson())}};
    json["seconds"] = step.cost ? Json(step.cost->seconds) : Json(nullptr);
    json["bytes"] = step.cost && step.cost->bytes ? Json(*step.cost->bytes) : Json(nullptr);
    list.push_back(std::move(json));
  }
  const Total total = TotalOf(steps);
  const Json json = {{"format", 1},
                     {"to_run", total.to_run},
                     {"unknown", total.unknown},
                     {"unsized", total.unsized},
                     {"seconds", total.seconds},
                     {"bytes", total.bytes},
                     {"steps", list}};
  return JsonLines(json);
}

int RunPlan(const PlanArguments& arguments) {
  const Config config = arguments.config.Read();
  const ArtifactStore store = QuietStore(config.cache.dir);
  const Plan plan = PlanWithoutRunning(config, store);
  const std::vector<PlannedStep> steps = PlanSteps(plan, store, arguments.request);
  PrintResult(arguments.json ? PlanJson(steps) : PlanText(steps));
  return arguments.exit_code && TotalOf(steps).to_run > 0 ? kExitPending : 0;
}

}  // namespace

Command PlanCommand() {
  return {"plan", "Show what a run would do, why, and what it would take", [](const CommandLine& line) {
            auto arguments = std::make_shared<PlanArguments>();
            DeclareConfigArguments(line, arguments->config);
            DeclareSelection(line, arguments->request);
            line.Flag("--exit-code", arguments->exit_code, "Exit with 2 if there is work to do");
            line.Flag("--json", arguments->json, "Print JSON");
            return [arguments] { return RunPlan(*arguments); };
          }};
}

}  // namespace flyscribe
