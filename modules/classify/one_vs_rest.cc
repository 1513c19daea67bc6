#include "classify/one_vs_rest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

#include "classify/calibrate.h"
#include "classify/inner_folds.h"
#include "core/error.h"
#include "core/parallel.h"
#include "core/text.h"

namespace flyscribe {
namespace {

// Why the term cannot be trained; nothing if it can.
std::optional<std::string> ReasonToSkip(const LabelTable& labels,
                                        const TermClasses& term,
                                        const TrainOptions& options) {
  const std::vector<std::string>& excluded = options.exclude_terms;
  if (std::ranges::find(excluded, labels.terms[term.column]) != excluded.end()) {
    return "listed in train.exclude_terms";
  }
  const std::size_t positives = labels.positives[term.column];
  if (positives < static_cast<std::size_t>(std::max(0, options.min_positives))) {
    return fmt::format("{} positive bag{}, fewer than train.min_positives = {}",
                       positives,
                       positives == 1 ? "" : "s",
                       options.min_positives);
  }
  if (term.positives == 0) return "no training bag has the term";
  if (term.negatives == 0) return "all training bags have the term";
  return std::nullopt;
}

// A term that is not there may be meant for another stage range; one that is nearly there is a slip of the finger.
void WarnOfMisspelledTerms(const LabelTable& labels, const TrainOptions& options, Progress& progress) {
  for (const std::string& term : options.exclude_terms) {
    if (std::ranges::find(labels.terms, term) != labels.terms.end()) continue;
    const std::optional<std::string> nearest = Nearest(term, labels.terms);
    if (!nearest) continue;
    progress.Warn(fmt::format("train.exclude_terms: there is no term '{}'; did you mean '{}'?", term, *nearest));
  }
}

void RequireFinite(const FloatMatrix& features) {
  for (std::size_t bag = 0; bag < features.rows(); ++bag) {
    const std::span<const float> row = features.Row(bag);
    if (std::ranges::all_of(row, [](float value) { return std::isfinite(value); })) continue;
    throw Error(ErrorCode::kInput,
                fmt::format("bag {} has a feature that is not a finite number", bag),
                "bags count from 0; run the steps before train again");
  }
}

// A gene that is trained on and tested would be recognised rather than predicted.
void RequireGenesApart(const TrainingSet& set) {
  std::map<std::string_view, std::size_t> first_bag;
  for (std::size_t bag = 0; bag < set.genes.size(); ++bag) {
    const auto [first, is_new] = first_bag.emplace(set.genes[bag], bag);
    if (is_new || set.training[first->second] == set.training[bag]) continue;
    throw Error(ErrorCode::kInput,
                fmt::format("gene {} is on both sides of the split: of its bags {} and {} only one is trained on",
                            set.genes[bag],
                            first->second,
                            bag),
                "bags count from 0; a gene's bags must lie in one fold, or its test scores say nothing");
  }
}

void StoreWeights(const SupportVectors& vectors, FloatView features, std::span<float> weights) {
  const std::vector<double> folded = vectors.Weights(features);
  for (std::size_t i = 0; i < folded.size(); ++i) weights[i] = static_cast<float>(folded[i]);
}

double ChooseCut(const HeldOut& held_out, const Calibration& calibration, const TrainOptions& options) {
  switch (options.threshold) {
    case ThresholdRule::kF1:
      return CutForF1(held_out, calibration);
    case ThresholdRule::kProbability:
      return CutForProbability(calibration, options.threshold_value);
    case ThresholdRule::kPrecision:
      return CutForPrecision(held_out, calibration, options.threshold_value);
    case ThresholdRule::kMargin:
      break;
  }
  return 0.0;
}

// One training set at work: from the choice of terms to the scores.
class Trainer {
 public:
  Trainer(const FloatMatrix& features, const TrainingSet& set, const TrainOptions& options)
      : features_(features), set_(set), options_(options) {
    for (const std::string& gene : set.genes) fold_of_.push_back(options.InnerFoldOf(gene));
    for (std::size_t bag = 0; bag < set.training.size(); ++bag) {
      if (set.training[bag]) training_bags_.push_back(bag);
    }
  }

  TermModels Run(int threads, Progress& progress) {
    ChooseTerms();
    models_.weights = FloatMatrix(terms_.size(), features_.cols());
    models_.scores = Matrix<double>(features_.rows(), terms_.size());
    const std::size_t inner = terms_.size() * Folds() * options_.Candidates().size();
    progress.Begin(inner + terms_.size(), "classifiers");
    if (terms_.empty()) return std::move(models_);
    Train(threads, progress);
    Score(threads);
    ParallelFor(threads, terms_.size(), [&](std::size_t term) { Calibrate(term); });
    WarnOfTermsNeverCalled(progress);
    if (!set_.keep_inner_models) {
      models_.inner_weights = {};
      models_.inner_bias = {};
    }
    return std::move(models_);
  }

 private:
  std::size_t Folds() const { return static_cast<std::size_t>(options_.inner_folds); }

  // Sorts the terms into those to train, listed in models_.terms and terms_ in the same order, and those to skip.
  void ChooseTerms() {
    const LabelTable& labels = set_.labels;
    for (std::size_t column = 0; column < labels.terms.size(); ++column) {
      TermClasses term;
      term.column = column;
      for (const std::size_t bag : training_bags_) {
        const bool positive = labels.values(bag, column) != 0;
        term.labels.push_back(positive ? 1 : 0);
        ++(positive ? term.positives : term.negatives);
      }
      if (const std::optional<std::string> reason = ReasonToSkip(labels, term, options_)) {
        models_.skipped.push_back({labels.terms[column], labels.positives[column], *reason});
        continue;
      }
      TermModel model;
      model.term = labels.terms[column];
      model.positives = term.positives;
      model.negatives = term.negatives;
      models_.terms.push_back(std::move(model));
      terms_.push_back(std::move(term));
    }
  }

  void Train(int threads, Progress& progress) {
    FloatMatrix rows(training_bags_.size(), features_.cols());
    std::vector<int> fold_of_row;
    for (std::size_t i = 0; i < training_bags_.size(); ++i) {
      const std::span<const float> row = features_.Row(training_bags_[i]);
      std::ranges::copy(row, rows.Row(i).begin());
      fold_of_row.push_back(fold_of_[training_bags_[i]]);
    }
    const SharedKernel kernel(rows);
    inner_ = RunInnerFolds({kernel, terms_, fold_of_row}, options_, threads, progress);
    models_.inner_weights = FloatMatrix(Folds() * terms_.size(), features_.cols());
    models_.inner_bias = Matrix<double>(Folds(), terms_.size());
    ParallelFor(threads, terms_.size(), [&](std::size_t term) {
      progress.ThrowIfStopped();
      TrainFinal(term, kernel, rows);
      for (int fold = 0; fold < options_.inner_folds; ++fold) {
        const SupportVectors& vectors = inner_[term].folds[static_cast<std::size_t>(fold)].vectors;
        models_.inner_bias(static_cast<std::size_t>(fold), term) = vectors.bias;
        StoreWeights(vectors, rows, models_.inner_weights.Row(InnerRow(fold, term)));
      }
      progress.Advance();
    });
  }

  void TrainFinal(std::size_t term, const SharedKernel& kernel, FloatView rows) {
    std::vector<std::size_t> all(kernel.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    const double c = inner_[term].c;
    const SupportVectors vectors = SolveSvm(kernel, MakeProblem(terms_[term], std::move(all), c, options_));
    TermModel& model = models_.terms[term];
    model.c = c;
    model.bias = vectors.bias;
    model.support_vectors = vectors.rows.size();
    StoreWeights(vectors, rows, models_.weights.Row(term));
  }

  std::size_t InnerRow(int fold, std::size_t term) const {
    return static_cast<std::size_t>(fold) * terms_.size() + term;
  }

  // Every bag by models that did not see its gene.
  void Score(int threads) {
    ParallelFor(threads, features_.rows(), [&](std::size_t bag) {
      const std::span<const float> values = features_.Row(bag);
      const int fold = fold_of_[bag];
      for (std::size_t term = 0; term < terms_.size(); ++term) {
        models_.scores(bag, term) = set_.training[bag]
                                        ? DecisionValue(models_.inner_weights.Row(InnerRow(fold, term)),
                                                        values,
                                                        models_.inner_bias(static_cast<std::size_t>(fold), term))
                                        : DecisionValue(models_.weights.Row(term), values, models_.terms[term].bias);
      }
    });
  }

  void Calibrate(std::size_t term) {
    HeldOut held_out;
    for (std::size_t row = 0; row < training_bags_.size(); ++row) {
      const std::size_t bag = training_bags_[row];
      if (!inner_[term].folds[static_cast<std::size_t>(fold_of_[bag])].trained) continue;
      held_out.values.push_back(models_.scores(bag, term));
      held_out.labels.push_back(terms_[term].labels[row]);
    }
    const auto positives = static_cast<std::size_t>(std::ranges::count(held_out.labels, 1));
    TermModel& model = models_.terms[term];
    if (positives == 0 || positives == held_out.labels.size()) {
      model.calibration = PriorCalibration(model.positives, model.negatives);
      model.cut = 0.0;
      return;
    }
    const bool platt = options_.calibration == CalibrationMethod::kPlatt;
    model.calibration = platt ? FitPlatt(held_out) : FitIsotonic(held_out);
    model.cut = ChooseCut(held_out, model.calibration, options_);
  }

  void WarnOfTermsNeverCalled(Progress& progress) const {
    std::vector<std::string> names;
    for (const TermModel& model : models_.terms) {
      if (model.cut == kCallNone) names.push_back(model.term);
    }
    if (names.empty()) return;
    progress.Warn(fmt::format("train.threshold: no cut reaches the {} {} on the inner folds; never called: {}",
                              options_.threshold == ThresholdRule::kPrecision ? "precision" : "probability",
                              FormatReal(options_.threshold_value),
                              Join(names, ", ")));
  }

  const FloatMatrix& features_;
  const TrainingSet& set_;
  const TrainOptions& options_;
  std::vector<std::size_t> training_bags_;  // rows of the kernel
  std::vector<int> fold_of_;                // inner fold of each bag's gene
  std::vector<TermClasses> terms_;
  std::vector<InnerResult> inner_;  // by term
  TermModels models_;
};

}  // namespace

TermModels TrainTerms(
    const FloatMatrix& features, const TrainingSet& set, const TrainOptions& options, int threads, Progress& progress) {
  FLYSCRIBE_CHECK(features.rows() == set.training.size(), "one row of features per bag");
  FLYSCRIBE_CHECK(set.labels.values.rows() == set.training.size(), "one row of labels per bag");
  FLYSCRIBE_CHECK(set.genes.size() == set.training.size(), "one gene per bag");
  options.Check();
  RequireFinite(features);
  RequireGenesApart(set);
  WarnOfMisspelledTerms(set.labels, options, progress);
  return Trainer(features, set, options).Run(threads, progress);
}

double DecisionValue(std::span<const float> weights, std::span<const float> features, double bias) {
  FLYSCRIBE_CHECK(weights.size() == features.size(), "one weight per feature");
  double sum = 0.0;
  for (std::size_t i = 0; i < features.size(); ++i) {
    sum += static_cast<double>(weights[i]) * static_cast<double>(features[i]);
  }
  return sum + bias;
}

}  // namespace flyscribe
