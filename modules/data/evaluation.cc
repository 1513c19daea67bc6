#include "data/evaluation.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/file.h"
#include "core/text.h"
#include "data/tables.h"

// Nothing is null.
template <class T>
struct nlohmann::adl_serializer<std::optional<T>> {
  static void to_json(nlohmann::json& json, const std::optional<T>& value) {
    json = value ? nlohmann::json(*value) : nlohmann::json(nullptr);
  }
  static void from_json(const nlohmann::json& json, std::optional<T>& value) {
    value = json.is_null() ? std::nullopt : std::optional<T>(json.get<T>());
  }
};

namespace flyscribe {

// nlohmann's macros serve only its default type, whose keys are sorted.
using Json = nlohmann::json;

void to_json(Json& json, const Metrics& metrics) {
  for (const Measure& measure : kMeasures) json[measure.name] = metrics.*measure.value;
}
void from_json(const Json& json, Metrics& metrics) {
  for (const Measure& measure : kMeasures) json.at(measure.name).get_to(metrics.*measure.value);
}

void to_json(Json& json, const CurvePoint& point) { json = Json::array({point.x, point.y}); }
void from_json(const Json& json, CurvePoint& point) {
  json.at(0).get_to(point.x);
  json.at(1).get_to(point.y);
}

void to_json(Json& json, const AverageKind& kind) { json = NameOf(kind); }
void from_json(const Json& json, AverageKind& kind) {
  const auto known = AverageKindOf(json.get<std::string>());
  if (!known) throw Json::other_error::create(501, "no kind of average", &json);
  kind = *known;
}

void to_json(Json& json, const AveragedTerms& terms) { json = terms.name(); }
void from_json(const Json& json, AveragedTerms& terms) {
  const auto known = AveragedTerms::Of(json.get<std::string>());
  if (!known) throw Json::other_error::create(501, "no choice of terms", &json);
  terms = *known;
}

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(MetricsInterval, low, high)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ReliabilityBin, count, probability, observed)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(FoldModel, fold, c, threshold)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(
    TermEvaluation, term, positives, bags, folds, metrics, roc, precision_recall, interval, reliability, models)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(AverageEvaluation, terms, kind, count, metrics, interval)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SkippedEvaluation, term, reason)

namespace {

const std::vector<std::string> kPredictionHeader = {
    "bag", "gene", "term", "fold", "label", "decision_value", "probability", "threshold", "call", "score_source"};
const std::string kOfATest = "test";

// A row of a table of scores.
using Row = std::vector<std::string>;

Row WithMeasureNames(Row row) {
  for (const Measure& measure : kMeasures) row.emplace_back(measure.name);
  row.insert(row.end(), {"auc_low", "auc_high"});
  return row;
}

// The interval's cells are empty where there is none.
Row WithMeasures(Row row, const Metrics& metrics, const std::optional<MetricsInterval>& interval) {
  for (const Measure& measure : kMeasures) row.push_back(FormatFixed(metrics.*measure.value, 6));
  row.push_back(interval ? FormatFixed(interval->low.auc, 6) : "");
  row.push_back(interval ? FormatFixed(interval->high.auc, 6) : "");
  return row;
}

void SaveTermTable(const fs::path& path, const std::vector<TermEvaluation>& terms) {
  std::vector<Row> rows;
  for (const TermEvaluation& term : terms) {
    rows.push_back(WithMeasures(
        {term.term, std::to_string(term.positives), std::to_string(term.bags)}, term.metrics, term.interval));
  }
  SaveTsv(path, WithMeasureNames({"term", "positives", "bags"}), rows);
}

void SaveAverageTable(const fs::path& path, const std::vector<AverageEvaluation>& averages) {
  std::vector<Row> rows;
  for (const AverageEvaluation& average : averages) {
    rows.push_back(WithMeasures({average.terms.name(), NameOf(average.kind), std::to_string(average.count)},
                                average.metrics,
                                average.interval));
  }
  SaveTsv(path, WithMeasureNames({"terms", "average", "count"}), rows);
}

void SavePredictionTable(const fs::path& path, const std::vector<Prediction>& predictions) {
  std::vector<Row> rows;
  for (const Prediction& prediction : predictions) {
    rows.push_back({prediction.bag,
                    prediction.gene,
                    prediction.term,
                    std::to_string(prediction.fold),
                    prediction.label ? "1" : "0",
                    FormatReal(prediction.decision_value),
                    FormatReal(prediction.probability),
                    FormatReal(prediction.threshold),
                    prediction.call ? "1" : "0",
                    kOfATest});
  }
  SaveTsv(path, kPredictionHeader, rows);
}

// nlohmann would turn -1 into a huge count, and what is over the limit of a type into another number, without a word.
void RequireCounts(const Json& items,
                   std::initializer_list<const char*> keys,
                   const fs::path& path,
                   std::uint64_t max = std::numeric_limits<std::uint64_t>::max()) {
  for (const Json& item : items) {
    for (const char* key : keys) {
      const Json& count = item.at(key);
      const bool fits = count.is_number_unsigned() && count.get<std::uint64_t>() <= max;
      if (!fits) ThrowCorrupt(path, std::string(key) + " is not a count");
    }
  }
}

const AverageEvaluation* FindAverage(const std::vector<AverageEvaluation>& averages, AverageKind kind, bool all) {
  const auto found = std::ranges::find_if(
      averages, [&](const AverageEvaluation& average) { return average.kind == kind && average.terms.all() == all; });
  return found == averages.end() ? nullptr : &*found;
}

const std::string kTop = "top ";

}  // namespace

std::string NameOf(AverageKind kind) {
  return std::array<std::string, 3>{"macro", "weighted", "micro"}.at(static_cast<std::size_t>(kind));
}

std::optional<AverageKind> AverageKindOf(std::string_view name) {
  for (const AverageKind kind : kAverageKinds) {
    if (NameOf(kind) == name) return kind;
  }
  return std::nullopt;
}

std::string AveragedTerms::name() const { return all() ? "all" : kTop + std::to_string(top); }

std::optional<AveragedTerms> AveragedTerms::Of(std::string_view name) {
  if (name == "all") return AveragedTerms{};
  if (!name.starts_with(kTop)) return std::nullopt;
  const auto top = ParseInteger(name.substr(kTop.size()));
  if (!top || *top < 1) return std::nullopt;
  return AveragedTerms{static_cast<std::size_t>(*top)};
}

const AverageEvaluation* TopTerms(const std::vector<AverageEvaluation>& averages, AverageKind kind) {
  return FindAverage(averages, kind, false);
}

const AverageEvaluation* AllTerms(const std::vector<AverageEvaluation>& averages, AverageKind kind) {
  return FindAverage(averages, kind, true);
}

void Evaluation::Save(const fs::path& folder) const {
  SaveTermTable(folder / "terms.tsv", terms);
  SaveAverageTable(folder / "averages.tsv", averages);
  SavePredictionTable(folder / "predictions.tsv", predictions);
  const Json json = {{"terms", terms}, {"averages", averages}, {"skipped", skipped}, {"reliability", reliability}};
  WriteFile(folder / "evaluation.json", JsonLines(json, 1));
}

Evaluation Evaluation::Load(const fs::path& folder) {
  const fs::path path = folder / "evaluation.json";
  try {
    const Json json = Json::parse(ReadFile(path));
    RequireCounts(json.at("terms"), {"positives", "bags", "folds"}, path);
    RequireCounts(json.at("averages"), {"count"}, path);
    RequireCounts(json.at("reliability"), {"count"}, path);
    for (const Json& term : json.at("terms")) {
      RequireCounts(term.at("reliability"), {"count"}, path);
      RequireCounts(term.at("models"), {"fold"}, path, std::numeric_limits<int>::max());
    }
    Evaluation evaluation;
    json.at("terms").get_to(evaluation.terms);
    json.at("averages").get_to(evaluation.averages);
    json.at("skipped").get_to(evaluation.skipped);
    json.at("reliability").get_to(evaluation.reliability);
    evaluation.predictions = LoadPredictions(folder / "predictions.tsv");
    return evaluation;
  } catch (const Json::exception& error) {
    ThrowCorrupt(path, error.what());
  }
}

std::vector<Prediction> LoadPredictions(const fs::path& path) {
  std::vector<Prediction> predictions;
  for (Row& row : LoadTsv(path, kPredictionHeader)) {
    if (row[9] != kOfATest) ThrowCorrupt(path, "expected scores of tests, found score_source '" + row[9] + "'");
    predictions.push_back({.bag = std::move(row[0]),
                           .gene = std::move(row[1]),
                           .term = std::move(row[2]),
                           .fold = static_cast<int>(CountField(row[3], path, std::numeric_limits<int>::max())),
                           .label = CountField(row[4], path, 1) == 1,
                           .decision_value = RealField(row[5], path),
                           .probability = RealField(row[6], path),
                           .threshold = RealField(row[7], path),
                           .call = CountField(row[8], path, 1) == 1});
  }
  return predictions;
}

}  // namespace flyscribe
