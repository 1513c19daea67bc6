// flyscribe status CONFIG | --cache DIR: how steps stand, also while a run goes on elsewhere. Takes no lock.
#include "pipeline/explain/status.h"

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "data/tables.h"
#include "pipeline/arguments/command_line.h"
#include "pipeline/arguments/config_arguments.h"
#include "pipeline/command.h"
#include "pipeline/terminal/console.h"
#include "pipeline/terminal/process.h"
#include "pipeline/terminal/text_table.h"

namespace flyscribe {
namespace {

using Json = nlohmann::ordered_json;

struct StatusArguments {
  CacheArguments cache;
  bool exit_code = false;
  bool json = false;
};

// "37 % of 765 images, objective 0.13".
std::string HowFar(const LoggedStep& step) {
  std::string text;
  if (step.count.total > 0) {
    text = std::to_string(100 * step.count.done / step.count.total) + " % of " + std::to_string(step.count.total) +
           " " + step.count.unit;
  }
  for (const std::string& more : {step.count.remark, step.remark}) {
    if (!more.empty()) text += (text.empty() ? "" : ", ") + more;
  }
  return text.substr(0, text.find('\n'));
}

Json StepsJson(const std::vector<LoggedStep>& steps) {
  Json list = Json::array();
  for (const LoggedStep& step : steps) {
    list.push_back({{"range", step.range},
                    {"part", step.part},
                    {"step", step.step},
                    {"tag", step.tag},
                    {"state", StateName(step.state)},
                    {"key", step.key},
                    {"remark", step.remark},
                    {"since", step.since},
                    {"done", step.count.done},
                    {"total", step.count.total},
                    {"unit", step.count.unit}});
  }
  return list;
}

Json RunsJson(const std::vector<LoggedRun>& runs, bool with_steps) {
  Json list = Json::array();
  for (const LoggedRun& run : runs) {
    Json json = {{"id", run.id},
                 {"config", run.title.config},
                 {"command", run.title.command},
                 {"process", run.process},
                 {"host", run.host},
                 {"started", run.started},
                 {"state", run.State()}};
    if (with_steps) json["steps"] = StepsJson(run.steps);
    list.push_back(std::move(json));
  }
  return list;
}

std::string StepsText(const std::vector<LoggedStep>& steps) {
  TextTable table({"step", "state", ""});
  for (const LoggedStep& step : steps) {
    const std::string tag = step.tag.empty() ? "" : " [" + step.tag + "]";
    const std::string label = StepLabel(step.step, step.range, step.part) + tag;
    table.Add({label, StateName(step.state), step.state == StepState::kHit ? "" : HowFar(step)});
  }
  return table.ToString();
}

std::string RunLine(const LoggedRun& run) {
  return run.id + "  " + run.State() + "  process " + std::to_string(run.process) + " on " + run.host + "  " +
         run.title.command + "\n";
}

std::vector<LoggedRun> LiveRuns(const std::vector<LoggedRun>& runs) {
  std::vector<LoggedRun> live;
  std::copy_if(runs.begin(), runs.end(), std::back_inserter(live), [](const LoggedRun& run) { return run.GoesOn(); });
  return live;
}

bool IsPending(const LoggedStep& step) {
  return step.state == StepState::kPending || step.state == StepState::kRunning || step.state == StepState::kWaiting;
}

std::string SummaryText(const std::vector<LoggedStep>& steps) {
  const auto pending = std::count_if(steps.begin(), steps.end(), IsPending);
  if (pending == 0) return "nothing to do\n";
  return std::to_string(pending) + " of " + std::to_string(steps.size()) + " steps to do; `flyscribe plan` says why\n";
}

// A cache alone: the runs that go on, else the last one.
int StatusOfCache(const StatusArguments& arguments, const fs::path& root) {
  std::vector<LoggedRun> shown = LiveRuns(ListRuns(root));
  const bool live = !shown.empty();
  if (!live) {
    std::vector<LoggedRun> all = ListRuns(root);
    if (!all.empty()) shown.push_back(std::move(all.back()));
    // What a run that is over left undone is not pending any more.
    for (LoggedRun& run : shown) {
      for (LoggedStep& step : run.steps) {
        if (IsPending(step)) step.state = step.state == StepState::kPending ? StepState::kNotRun : StepState::kStopped;
      }
    }
  }
  if (arguments.json) {
    PrintResult(JsonLines(Json{{"format", 1}, {"live", live}, {"runs", RunsJson(shown, true)}}));
  } else {
    std::string text = live ? "" : "no run goes on here" + std::string(shown.empty() ? "\n" : "; the last one:\n");
    for (const LoggedRun& run : shown) text += RunLine(run) + StepsText(run.steps);
    PrintResult(text);
  }
  return arguments.exit_code && live ? kExitPending : 0;
}

// The plan as it stands. While simulate is being computed elsewhere, only that run knows more.
int StatusOfConfig(const StatusArguments& arguments, const fs::path& root) {
  const Config config = arguments.cache.config.Read();
  const ArtifactStore store = QuietStore(root);
  const std::vector<LoggedRun> live = LiveRuns(ListRuns(root));
  const std::vector<LoggedStep> steps = StatusOf(PlanWithoutRunning(config, store), store, live);
  if (arguments.json) {
    PrintResult(JsonLines(Json{{"format", 1}, {"runs", RunsJson(live, false)}, {"steps", StepsJson(steps)}}));
  } else {
    std::string text = StepsText(steps) + "\n" + SummaryText(steps);
    for (const LoggedRun& run : live) text += "\n" + RunLine(run);
    PrintResult(text);
  }
  return arguments.exit_code && std::any_of(steps.begin(), steps.end(), IsPending) ? kExitPending : 0;
}

}  // namespace

Command StatusCommand() {
  return {"status", "Show how the steps of a config stand, also while a run goes on", [](const CommandLine& line) {
            auto arguments = std::make_shared<StatusArguments>();
            DeclareCacheArguments(line, arguments->cache);
            line.Flag("--exit-code", arguments->exit_code, "Exit with 2 if there is work to do or a run goes on");
            line.Flag("--json", arguments->json, "Print JSON");
            return [arguments] {
              const fs::path root = arguments->cache.Root();
              return arguments->cache.has_config() ? StatusOfConfig(*arguments, root) : StatusOfCache(*arguments, root);
            };
          }};
}

}  // namespace flyscribe
