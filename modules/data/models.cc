#include "data/models.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/file.h"
#include "core/npy.h"
#include "core/text.h"
#include "data/tables.h"

namespace flyscribe {
namespace {

using Json = nlohmann::ordered_json;

const std::vector<std::string> kHeader = {
    "term", "state", "positives", "negatives", "bias", "support_vectors", "c", "cut"};
const std::string kTrained = "trained";

void SaveTerms(const TermModels& models, const fs::path& path) {
  std::vector<std::vector<std::string>> rows;
  for (const TermModel& model : models.terms) {
    rows.push_back({model.term,
                    kTrained,
                    std::to_string(model.positives),
                    std::to_string(model.negatives),
                    FormatReal(model.bias),
                    std::to_string(model.support_vectors),
                    FormatReal(model.c),
                    FormatReal(model.cut)});
  }
  for (const SkippedTerm& term : models.skipped) {
    rows.push_back({term.term, term.reason, std::to_string(term.positives), "0", "0", "0", "0", "0"});
  }
  SaveTsv(path, kHeader, rows);
}

void LoadTerms(const fs::path& path, TermModels& models) {
  for (auto& row : LoadTsv(path, kHeader)) {
    if (row[1] != kTrained) {
      models.skipped.push_back({row[0], CountField(row[2], path), row[1]});
      continue;
    }
    models.terms.push_back({.term = row[0],
                            .positives = CountField(row[2], path),
                            .negatives = CountField(row[3], path),
                            .bias = RealField(row[4], path),
                            .support_vectors = CountField(row[5], path),
                            .c = RealField(row[6], path),
                            .cut = RealField(row[7], path),
                            .calibration = {}});
  }
}

// A list with one object a term: {"slope", "offset"} or {"knots": [[decision value, probability], ...]}.
void SaveCalibrations(const TermModels& models, const fs::path& path) {
  Json list = Json::array();
  for (const TermModel& model : models.terms) {
    const Calibration& calibration = model.calibration;
    Json knots = Json::array();
    for (const CalibrationKnot& knot : calibration.knots) knots.push_back({knot.decision_value, knot.probability});
    list.push_back(knots.empty() ? Json{{"slope", calibration.slope}, {"offset", calibration.offset}}
                                 : Json{{"knots", knots}});
  }
  WriteFile(path, JsonLines(list, 1));
}

Calibration ParseCalibration(const Json& json) {
  Calibration calibration;
  if (json.contains("knots")) {
    for (const Json& knot : json.at("knots")) calibration.knots.push_back({knot.at(0), knot.at(1)});
  } else {
    json.at("slope").get_to(calibration.slope);
    json.at("offset").get_to(calibration.offset);
  }
  return calibration;
}

void LoadCalibrations(const fs::path& path, TermModels& models) {
  try {
    const Json list = Json::parse(ReadFile(path));
    if (!list.is_array() || list.size() != models.terms.size()) ThrowCorrupt(path, "expected one calibration a term");
    for (std::size_t i = 0; i < models.terms.size(); ++i) {
      models.terms[i].calibration = ParseCalibration(list[i]);
      if (!models.terms[i].calibration.IsValid()) {
        ThrowCorrupt(path, "the calibration of '" + models.terms[i].term + "' is no rising map to probabilities");
      }
    }
  } catch (const Json::exception& error) {
    ThrowCorrupt(path, error.what());
  }
}

template <class T>
void RequireFinite(const Matrix<T>& matrix, const fs::path& path) {
  const auto values = matrix.values();
  if (std::ranges::all_of(values, [](T value) { return std::isfinite(value); })) return;
  ThrowCorrupt(path, "a number is not finite");
}

void RequireConsistent(const TermModels& models, const fs::path& folder) {
  const std::size_t terms = models.terms.size();
  const std::size_t folds = models.inner_folds();
  if (models.weights.rows() != terms || models.scores.cols() != terms) {
    ThrowCorrupt(folder, "the model files disagree about the number of terms");
  }
  const bool inner_fits = folds == 0
                              ? models.inner_weights.rows() == 0
                              : models.inner_bias.cols() == terms && models.inner_weights.rows() == folds * terms &&
                                    models.inner_weights.cols() == models.weights.cols();
  if (!inner_fits) ThrowCorrupt(folder, "the models of the inner folds do not fit the others");
  RequireFinite(models.weights, folder / "weights.npy");
  RequireFinite(models.inner_weights, folder / "inner_weights.npy");
  RequireFinite(models.inner_bias, folder / "inner_bias.npy");
  RequireFinite(models.scores, folder / "scores.npy");
}

TermModels ReadAllButScores(const fs::path& folder) {
  TermModels models;
  LoadTerms(folder / "terms.tsv", models);
  LoadCalibrations(folder / "calibrations.json", models);
  models.weights = ReadNpyMatrix<float>(folder / "weights.npy");
  models.inner_weights = ReadNpyMatrix<float>(folder / "inner_weights.npy");
  models.inner_bias = ReadNpyMatrix<double>(folder / "inner_bias.npy");
  return models;
}

// Without overflow at either end.
double Sigmoid(double value) {
  if (value >= 0.0) return 1.0 / (1.0 + std::exp(-value));
  const double raised = std::exp(value);
  return raised / (1.0 + raised);
}

double Interpolate(const std::vector<CalibrationKnot>& knots, double decision_value) {
  const auto above = std::ranges::upper_bound(knots, decision_value, {}, &CalibrationKnot::decision_value);
  if (above == knots.begin()) return knots.front().probability;
  if (above == knots.end()) return knots.back().probability;
  const CalibrationKnot& below = *(above - 1);
  const double share = (decision_value - below.decision_value) / (above->decision_value - below.decision_value);
  return below.probability + share * (above->probability - below.probability);
}

bool IsProbability(double value) { return value >= 0.0 && value <= 1.0; }

}  // namespace

double Calibration::Probability(double decision_value) const {
  return knots.empty() ? Sigmoid(slope * decision_value + offset) : Interpolate(knots, decision_value);
}

bool Calibration::IsValid() const {
  if (!std::isfinite(slope) || !std::isfinite(offset) || slope < 0.0) return false;
  for (std::size_t k = 0; k < knots.size(); ++k) {
    if (!std::isfinite(knots[k].decision_value) || !IsProbability(knots[k].probability)) return false;
    if (k == 0) continue;
    if (!(knots[k - 1].decision_value < knots[k].decision_value)) return false;
    if (knots[k - 1].probability > knots[k].probability) return false;
  }
  return true;
}

void TermModels::Save(const fs::path& folder) const {
  SaveWithoutScores(folder);
  WriteNpy<double>(folder / "scores.npy", scores);
}

TermModels TermModels::Load(const fs::path& folder) {
  TermModels models = ReadAllButScores(folder);
  models.scores = ReadNpyMatrix<double>(folder / "scores.npy");
  RequireConsistent(models, folder);
  return models;
}

void TermModels::SaveWithoutScores(const fs::path& folder) const {
  SaveTerms(*this, folder / "terms.tsv");
  SaveCalibrations(*this, folder / "calibrations.json");
  WriteNpy<float>(folder / "weights.npy", weights);
  WriteNpy<float>(folder / "inner_weights.npy", inner_weights);
  WriteNpy<double>(folder / "inner_bias.npy", inner_bias);
}

TermModels TermModels::LoadWithoutScores(const fs::path& folder) {
  TermModels models = ReadAllButScores(folder);
  models.scores = Matrix<double>(0, models.terms.size());
  RequireConsistent(models, folder);
  return models;
}

}  // namespace flyscribe
