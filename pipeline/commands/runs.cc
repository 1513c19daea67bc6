// flyscribe runs CONFIG | --cache DIR: the log of runs; runs diff A B: two of them side by side.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/error.h"
#include "core/text.h"
#include "data/tables.h"
#include "pipeline/arguments/command_line.h"
#include "pipeline/arguments/config_arguments.h"
#include "pipeline/cache/key.h"
#include "pipeline/command.h"
#include "pipeline/config/describe.h"
#include "pipeline/run/run_log.h"
#include "pipeline/run/run_summary.h"
#include "pipeline/terminal/console.h"
#include "pipeline/terminal/text_table.h"

namespace flyscribe {
namespace {

using Json = nlohmann::ordered_json;

struct RunsArguments {
  CacheArguments cache;
  std::string first;  // of diff
  std::string second;
  bool json = false;
};

std::optional<RunSummary> SummaryOf(const LoggedRun& run) {
  return run.ending ? ReadRunSummary(run.ending->summary) : std::nullopt;
}

// "4-6, top 10, macro auc" -> 0.958, for every score of a run; "raw pixels 4-6, ..." for the baseline's.
std::map<std::string, double> ScoresOf(const LoggedRun& run) {
  const std::optional<RunSummary> summary = SummaryOf(run);
  if (!summary) return {};
  std::map<std::string, double> scores;
  const auto add = [&scores](const std::string& prefix, const std::vector<RangeScores>& ranges) {
    for (const RangeScores& range : ranges) {
      for (const AverageEvaluation& average : range.averages) {
        const std::string name = prefix + range.range + ", " + average.terms.name() + ", " + NameOf(average.kind) + " ";
        for (const Measure& measure : kMeasures) scores[name + measure.name] = average.metrics.*measure.value;
        if (!average.interval) continue;
        scores[name + "auc_low"] = average.interval->low.auc;
        scores[name + "auc_high"] = average.interval->high.auc;
      }
    }
  };
  add("", summary->scores);
  add("raw pixels ", summary->pixel_scores);
  std::erase_if(scores, [](const auto& score) { return std::isnan(score.second); });
  return scores;
}

std::map<std::string, std::string> OptionsOf(const LoggedRun& run) {
  const auto options = OptionsOfYaml(run.title.options);
  return {options.begin(), options.end()};
}

// "learn 4-6 fold-0" -> key. Of a sweep, the last point's.
std::map<std::string, std::string> KeysOf(const LoggedRun& run) {
  std::map<std::string, std::string> keys;
  for (const LoggedStep& step : run.steps) keys[StepLabel(step.step, step.range, step.part)] = step.key;
  return keys;
}

// "4-6 0.958, 13-16 0.812".
std::string HeadlineScore(const LoggedRun& run) {
  std::vector<std::string> shown;
  for (const RangeScores& range : SummaryOf(run).value_or(RunSummary()).scores) {
    const AverageEvaluation* macro = TopTerms(range.averages, AverageKind::kMacro);
    if (macro != nullptr) shown.push_back(range.range + " " + FormatFixed(macro->metrics.auc, 3));
  }
  return Join(shown, ", ");
}

std::size_t CountState(const LoggedRun& run, StepState state) {
  return static_cast<std::size_t>(
      std::count_if(run.steps.begin(), run.steps.end(), [&](const LoggedStep& step) { return step.state == state; }));
}

// Also those of which no more is known than that they were there.
std::vector<LoggedRun> AllRuns(const fs::path& root) {
  std::vector<LoggedRun> unreadable;
  std::vector<LoggedRun> runs = ListRuns(root, &unreadable);
  std::ranges::move(unreadable, std::back_inserter(runs));
  std::ranges::sort(runs, {}, &LoggedRun::id);
  return runs;
}

int ListTheRuns(const RunsArguments& arguments) {
  const std::vector<LoggedRun> runs = AllRuns(arguments.cache.Root());
  Json list = Json::array();
  TextTable table({"run", "config", "state", ">hits", ">computed", "macro AUC, top terms", "command"});
  for (const LoggedRun& run : runs) {
    const std::size_t hits = CountState(run, StepState::kHit);
    const std::size_t computed = CountState(run, StepState::kRun);
    table.Add({run.id,
               run.title.config,
               run.State(),
               std::to_string(hits),
               std::to_string(computed),
               HeadlineScore(run),
               run.title.command});
    list.push_back({{"id", run.id},
                    {"config", run.title.config},
                    {"command", run.title.command},
                    {"output", run.title.output},
                    {"started", run.started},
                    {"ended", run.ending ? Json(run.ending->time) : Json(nullptr)},
                    {"state", run.State()},
                    {"exit_code", run.ending ? Json(run.ending->exit_code) : Json(nullptr)},
                    {"error", run.ending ? run.ending->error : ""},
                    {"hits", hits},
                    {"computed", computed},
                    {"scores", ScoresOf(run)}});
  }
  if (arguments.json) {
    PrintResult(JsonLines(Json{{"format", 1}, {"runs", list}}));
  } else {
    PrintResult(runs.empty() ? "no run is logged here\n" : table.ToString());
  }
  return 0;
}

// Only those that differ.
std::string ScoresText(const LoggedRun& a, const LoggedRun& b) {
  const std::map<std::string, double> first = ScoresOf(a);
  const std::map<std::string, double> second = ScoresOf(b);
  if (first.empty() || second.empty()) return "no scores to compare\n";
  const auto differing = Differences(first, second);
  if (differing.empty()) return "same scores\n";
  TextTable scores({"score", ">" + a.id, ">" + b.id, ">difference"});
  const auto cell = [](const std::optional<double>& value) { return value ? FormatFixed(*value, 4) : "-"; };
  for (const auto& [name, values] : differing) {
    std::string change = "-";
    if (values.first && values.second) {
      change = (*values.second > *values.first ? "+" : "") + FormatFixed(*values.second - *values.first, 4);
    }
    scores.Add({name, cell(values.first), cell(values.second), change});
  }
  return scores.ToString();
}

std::string DifferenceText(const LoggedRun& a, const LoggedRun& b) {
  TextTable options({"option", a.id, b.id});
  const auto changed = Differences(OptionsOf(a), OptionsOf(b));
  for (const auto& [name, values] : changed) {
    options.Add({name, values.first.value_or("-"), values.second.value_or("-")});
  }
  std::string text = changed.empty() ? "same options\n" : options.ToString();
  const auto keys = Differences(KeysOf(a), KeysOf(b));
  std::vector<std::string> steps;
  for (const auto& [label, values] : keys) steps.push_back(label);
  text += "\n" + (steps.empty() ? "same keys: the same artifacts" : "other keys: " + Join(steps, ", ")) + "\n";
  return text + "\n" + ScoresText(a, b);
}

Json DifferenceJson(const LoggedRun& a, const LoggedRun& b) {
  Json options = Json::object();
  for (const auto& [name, values] : Differences(OptionsOf(a), OptionsOf(b))) {
    options[name] = {values.first ? Json(*values.first) : Json(nullptr),
                     values.second ? Json(*values.second) : Json(nullptr)};
  }
  return {{"format", 1}, {"runs", {a.id, b.id}}, {"options", options}, {"scores", {ScoresOf(a), ScoresOf(b)}}};
}

int DiffTwoRuns(const RunsArguments& arguments) {
  const fs::path root = arguments.cache.Root();
  const std::vector<LoggedRun> runs = AllRuns(root);
  const auto find = [&](const std::string& name) {
    LoggedRun run = FindRun(runs, name);
    if (!run.unreadable || !run.steps.empty()) return run;
    throw Error(ErrorCode::kInput,
                "the plan of this run cannot be read, so there is nothing to compare",
                "it is damaged, of a newer flyscribe, or not yours to read",
                {(root / "runs" / run.id / "plan.json").string()});
  };
  const LoggedRun a = find(arguments.first);
  const LoggedRun b = find(arguments.second);
  PrintResult(arguments.json ? JsonLines(DifferenceJson(a, b)) : DifferenceText(a, b));
  return 0;
}

}  // namespace

Command RunsCommand() {
  return {"runs", "List the runs of a cache, or compare two of them", [](const CommandLine& line) {
            auto arguments = std::make_shared<RunsArguments>();
            auto two = std::make_shared<bool>(false);
            line.RequireSubcommand(0, 1);
            DeclareCacheArguments(line, arguments->cache);
            line.Flag("--json", arguments->json, "Print JSON");
            const CommandLine diff =
                line.Subcommand("diff", "Compare the options and scores of two runs", [two] { *two = true; });
            diff.Value("first", arguments->first, "A run, by its id or the beginning of it").Required();
            diff.Value("second", arguments->second, "Another one").Required();
            DeclareCacheArguments(diff, arguments->cache);
            diff.Flag("--json", arguments->json, "Print JSON");
            return [arguments, two] { return *two ? DiffTwoRuns(*arguments) : ListTheRuns(*arguments); };
          }};
}

}  // namespace flyscribe
