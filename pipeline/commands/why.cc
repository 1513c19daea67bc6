// flyscribe why CONFIG STEP: which fact of its key makes a step run, and where it came from. Changes nothing.
#include "pipeline/explain/why.h"

#include <fmt/core.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "data/tables.h"
#include "pipeline/arguments/command_line.h"
#include "pipeline/arguments/config_arguments.h"
#include "pipeline/command.h"
#include "pipeline/terminal/console.h"

namespace flyscribe {
namespace {

using Json = nlohmann::ordered_json;

struct WhyArguments {
  ConfigArguments config;
  std::string step;
  std::string range;
  bool json = false;
};

struct Answer {
  const StepInstance& instance;
  StepState state;
  Reason reason;
};

std::vector<Answer> AnswersTo(const WhyArguments& arguments, const Plan& plan, const ArtifactStore& store) {
  const std::vector<StepForecast> forecast = ForecastRun(plan, store, {});
  const History history(store.root());
  const Explainer explainer(plan, history);
  std::vector<Answer> answers;
  for (std::size_t i = 0; i < plan.instances.size(); ++i) {
    const StepInstance& instance = plan.instances[i];
    const bool range = arguments.range.empty() || instance.range == arguments.range;
    if (instance.step->name != arguments.step || !range) continue;
    // Also of a step that is not needed it is of interest how it differs.
    const bool missing = forecast[i].state == StepState::kUnneeded && !instance.key.empty();
    answers.push_back({instance,
                       forecast[i].state,
                       missing ? explainer.Explain(instance) : explainer.Explain(instance, forecast[i], {})});
  }
  if (answers.empty()) {
    throw Error(ErrorCode::kUsage,
                "the config has no step " + arguments.step +
                    (arguments.range.empty() ? "" : " for stage range " + arguments.range),
                "`flyscribe plan` lists its steps");
  }
  return answers;
}

std::string AnswerText(const Answer& answer) {
  const Reason& reason = answer.reason;
  std::string text = answer.instance.Label() + ": ";
  switch (reason.kind) {
    case Reason::Kind::kCached:
      return text + "cached, need not run\n";
    case Reason::Kind::kChanged:
      text += fmt::format("differs from {} ({}, {}):\n",
                          reason.of_last_run  ? "the last run"
                          : reason.of_own_run ? "an earlier run"
                                              : "the nearest earlier artifact",
                          reason.earlier.substr(0, 8),
                          reason.made + (reason.config.empty() ? "" : ", of " + reason.config));
      for (const KeyChange& change : reason.changes) text += "  " + change.ToString() + "\n";
      return text;
    case Reason::Kind::kNotKnownYet:
      return text + "its inputs are not known before simulate has run\n";
    default:
      return text + reason.ToString() + "\n";
  }
}

Json AnswerJson(const Answer& answer) {
  return {{"range", answer.instance.range},
          {"part", answer.instance.part.name()},
          {"step", answer.instance.step->name},
          {"state", StateName(answer.state)},
          {"key", answer.instance.key},
          {"reason", answer.reason.KindName()},
          {"earlier", answer.reason.earlier},
          {"made", answer.reason.made},
          {"changes", Json::parse(answer.reason.ChangesJson())}};
}

int RunWhy(const WhyArguments& arguments) {
  StepNamed(arguments.step);  // it exists
  const Config config = arguments.config.Read();
  const ArtifactStore store = QuietStore(config.cache.dir);
  const Plan plan = PlanWithoutRunning(config, store);
  Json list = Json::array();
  std::string text;
  for (const Answer& answer : AnswersTo(arguments, plan, store)) {
    list.push_back(AnswerJson(answer));
    text += AnswerText(answer);
  }
  PrintResult(arguments.json ? JsonLines(Json{{"format", 1}, {"steps", list}}) : text);
  return 0;
}

}  // namespace

Command WhyCommand() {
  return {"why", "Say why a step must run: which fact changed, and through which step", [](const CommandLine& line) {
            auto arguments = std::make_shared<WhyArguments>();
            DeclareConfigArguments(line, arguments->config);
            line.Value("step", arguments->step, "A step: learn, train ...").Required();
            line.Value("--range", arguments->range, "Only of this stage range").Named("R");
            line.Flag("--json", arguments->json, "Print JSON");
            return [arguments] { return RunWhy(*arguments); };
          }};
}

}  // namespace flyscribe
