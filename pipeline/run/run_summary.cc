#include "pipeline/run/run_summary.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/text.h"
#include "data/tables.h"

namespace flyscribe {
namespace {

using Json = nlohmann::ordered_json;

Json AverageJson(const AverageEvaluation& average) {
  Json json = {{"terms", average.count}};
  for (const Measure& measure : kMeasures) json[measure.name] = average.metrics.*measure.value;
  if (average.interval) {
    json["auc_low"] = average.interval->low.auc;
    json["auc_high"] = average.interval->high.auc;
  }
  return json;
}

// range -> "top 10" -> "macro" -> measures.
Json ScoresJson(const std::vector<RangeScores>& scores) {
  Json json = Json::object();
  for (const RangeScores& range : scores) {
    for (const AverageEvaluation& average : range.averages) {
      json[range.range][average.terms.name()][NameOf(average.kind)] = AverageJson(average);
    }
  }
  return json;
}

Json StepsJson(const std::vector<StepOutcome>& outcomes) {
  Json steps = Json::array();
  for (const StepOutcome& step : outcomes) {
    Json json = {{"range", step.range},
                 {"part", step.part},
                 {"step", step.step},
                 {"state", StateName(step.state)},
                 {"seconds", step.seconds},
                 {"made_seconds", step.made_seconds},
                 {"bytes", step.bytes},
                 {"key", step.key},
                 {"artifact", step.folder.string()}};
    if (!step.error.empty()) json["error"] = step.error;
    if (step.forced) json["differing"] = step.differing;
    steps.push_back(std::move(json));
  }
  return steps;
}

AverageEvaluation ReadAverage(const AveragedTerms& terms, AverageKind kind, const Json& json) {
  const auto number = [&json](const std::string& name) {
    const auto found = json.find(name);
    const bool known = found != json.end() && found->is_number();
    return known ? found->get<double>() : std::numeric_limits<double>::quiet_NaN();
  };
  AverageEvaluation average{.terms = terms, .kind = kind, .count = json.at("terms"), .metrics = {}, .interval = {}};
  for (const Measure& measure : kMeasures) average.metrics.*measure.value = number(measure.name);
  if (json.contains("auc_low")) {
    average.interval.emplace();
    average.interval->low.auc = number("auc_low");
    average.interval->high.auc = number("auc_high");
  }
  return average;
}

// Throws if it is something else.
const Json::object_t& Object(const Json& json) { return json.get_ref<const Json::object_t&>(); }

std::vector<RangeScores> ReadScores(const Json& json) {
  std::vector<RangeScores> scores;
  for (const auto& [range, by_terms] : Object(json)) {
    scores.push_back({range, {}});
    for (const auto& [terms_name, by_kind] : Object(by_terms)) {
      for (const auto& [kind_name, measures] : Object(by_kind)) {
        const auto terms = AveragedTerms::Of(terms_name);
        const auto kind = AverageKindOf(kind_name);
        if (terms && kind) scores.back().averages.push_back(ReadAverage(*terms, *kind, measures));
      }
    }
  }
  // "4-6" comes before "13-16".
  const auto first_stage = [](const RangeScores& range) {
    const auto number = ParseInteger(range.range.substr(0, range.range.find('-')));
    return number.value_or(std::numeric_limits<std::int64_t>::max());
  };
  std::stable_sort(scores.begin(), scores.end(), [&](const RangeScores& a, const RangeScores& b) {
    return first_stage(a) < first_stage(b);
  });
  return scores;
}

RunSummary ReadSummary(const Json& json) {
  RunSummary summary;
  json.at("version").get_to(summary.version);
  summary.id = json.value("id", "");
  json.at("config").get_to(summary.config);
  json.at("command").get_to(summary.command);
  json.at("exit_code").get_to(summary.exit_code);
  json.at("wall_seconds").get_to(summary.resources.wall_seconds);
  summary.resources.cpu_seconds = json.value("cpu_seconds", 0.0);
  json.at("peak_memory_bytes").get_to(summary.resources.peak_bytes);
  json.at("hits").get_to(summary.hits);
  json.at("misses").get_to(summary.misses);
  json.at("skipped").get_to(summary.skipped);
  summary.report = json.value("report", "");
  summary.scores = ReadScores(json.at("scores"));
  summary.pixel_scores = ReadScores(json.value("pixel_scores", Json::object()));
  return summary;
}

}  // namespace

std::string WriteRunSummary(const RunSummary& summary, const std::vector<StepOutcome>& steps) {
  const Json json = {{"format", 1},
                     {"version", summary.version},
                     {"id", summary.id},
                     {"config", summary.config},
                     {"command", summary.command},
                     {"exit_code", summary.exit_code},
                     {"wall_seconds", summary.resources.wall_seconds},
                     {"cpu_seconds", summary.resources.cpu_seconds},
                     {"peak_memory_bytes", summary.resources.peak_bytes},
                     {"hits", summary.hits},
                     {"misses", summary.misses},
                     {"skipped", summary.skipped},
                     {"report", summary.report},
                     {"scores", ScoresJson(summary.scores)},
                     {"pixel_scores", ScoresJson(summary.pixel_scores)},
                     {"steps", StepsJson(steps)}};
  // Paths may hold bytes that are no UTF-8.
  return JsonLines(json);
}

std::optional<RunSummary> ReadRunSummary(std::string_view text) {
  // A tree is built only of what is as flat as what is written here: a hostile file must not take all memory.
  constexpr int kMaxDepth = 8;
  const auto guard = [](int depth, Json::parse_event_t /*event*/, Json& /*parsed*/) {
    if (depth > kMaxDepth) throw Error(ErrorCode::kCorrupt, "nested too deeply");
    return true;
  };
  try {
    return ReadSummary(Json::parse(text, guard));
  } catch (const Json::exception&) {
    return std::nullopt;
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace flyscribe
