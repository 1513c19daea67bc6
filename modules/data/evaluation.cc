#include "data/evaluation.h"

#include <nlohmann/json.hpp>

#include "core/file.h"
#include "core/text.h"
#include "data/tables.h"

namespace flyscribe {

// nlohmann's macros serve only its default type, whose keys are sorted.
using Json = nlohmann::json;

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Metrics, accuracy, baseline, auc, sensitivity, specificity, f1, average_precision)

void to_json(Json& json, const CurvePoint& point) { json = Json::array({point.x, point.y}); }
void from_json(const Json& json, CurvePoint& point) {
  json.at(0).get_to(point.x);
  json.at(1).get_to(point.y);
}

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TermEvaluation, term, positives, bags, folds, metrics, roc, precision_recall)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(AverageEvaluation, terms, kind, count, metrics)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Prediction, bag, term, fold, label, decision_value, call)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SkippedEvaluation, term, reason)

namespace {

const std::vector<std::string> kMetricNames = {
    "accuracy", "baseline", "auc", "sensitivity", "specificity", "f1", "average_precision"};

std::vector<std::string> MetricFields(const Metrics& metrics) {
  std::vector<std::string> fields;
  for (const double value : {metrics.accuracy,
                             metrics.baseline,
                             metrics.auc,
                             metrics.sensitivity,
                             metrics.specificity,
                             metrics.f1,
                             metrics.average_precision}) {
    fields.push_back(FormatFixed(value, 6));
  }
  return fields;
}

std::vector<std::string> Concatenate(std::vector<std::string> first, const std::vector<std::string>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

void SaveTermTable(const fs::path& path, const std::vector<TermEvaluation>& terms) {
  std::vector<std::vector<std::string>> rows;
  for (const TermEvaluation& term : terms) {
    rows.push_back(Concatenate({term.term, std::to_string(term.positives), std::to_string(term.bags)},
                               MetricFields(term.metrics)));
  }
  SaveTsv(path, Concatenate({"term", "positives", "bags"}, kMetricNames), rows);
}

void SaveAverageTable(const fs::path& path, const std::vector<AverageEvaluation>& averages) {
  std::vector<std::vector<std::string>> rows;
  for (const AverageEvaluation& average : averages) {
    rows.push_back(
        Concatenate({average.terms, average.kind, std::to_string(average.count)}, MetricFields(average.metrics)));
  }
  SaveTsv(path, Concatenate({"terms", "average", "count"}, kMetricNames), rows);
}

void SavePredictionTable(const fs::path& path, const std::vector<Prediction>& predictions) {
  std::vector<std::vector<std::string>> rows;
  for (const Prediction& prediction : predictions) {
    rows.push_back({prediction.bag,
                    prediction.term,
                    std::to_string(prediction.fold),
                    prediction.label ? "1" : "0",
                    FormatReal(prediction.decision_value),
                    prediction.call ? "1" : "0"});
  }
  SaveTsv(path, {"bag", "term", "fold", "label", "decision_value", "call"}, rows);
}

// nlohmann would turn -1 into a huge count without a word.
void RequireCounts(const Json& items, std::initializer_list<const char*> keys, const fs::path& path) {
  for (const Json& item : items) {
    for (const char* key : keys) {
      if (!item.at(key).is_number_unsigned()) ThrowCorrupt(path, std::string(key) + " is not a count");
    }
  }
}

}  // namespace

const AverageEvaluation* Evaluation::TopTerms(const std::string& kind) const {
  for (const AverageEvaluation& average : averages) {
    if (average.terms.rfind("top ", 0) == 0 && average.kind == kind) return &average;
  }
  return nullptr;
}

void Evaluation::Save(const fs::path& folder) const {
  SaveTermTable(folder / "terms.tsv", terms);
  SaveAverageTable(folder / "averages.tsv", averages);
  SavePredictionTable(folder / "predictions.tsv", predictions);
  const Json json = {{"terms", terms}, {"averages", averages}, {"skipped", skipped}, {"predictions", predictions}};
  WriteFile(folder / "evaluation.json", json.dump(1) + "\n");
}

Evaluation Evaluation::Load(const fs::path& folder) {
  const fs::path path = folder / "evaluation.json";
  try {
    const Json json = Json::parse(ReadFile(path));
    RequireCounts(json.at("terms"), {"positives", "bags", "folds"}, path);
    RequireCounts(json.at("averages"), {"count"}, path);
    RequireCounts(json.at("predictions"), {"fold"}, path);
    Evaluation evaluation;
    json.at("terms").get_to(evaluation.terms);
    json.at("averages").get_to(evaluation.averages);
    json.at("skipped").get_to(evaluation.skipped);
    json.at("predictions").get_to(evaluation.predictions);
    return evaluation;
  } catch (const Json::exception& error) {
    ThrowCorrupt(path, error.what());
  }
}

}  // namespace flyscribe
