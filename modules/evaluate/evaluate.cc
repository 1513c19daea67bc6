#include "evaluate/evaluate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "core/error.h"
#include "evaluate/metrics.h"

namespace flyscribe {
namespace {

constexpr std::size_t kMaxCurvePoints = 200;

// Every measure, so that averaging cannot forget one.
constexpr std::array<double Metrics::*, 7> kMeasures = {&Metrics::accuracy,
                                                        &Metrics::baseline,
                                                        &Metrics::auc,
                                                        &Metrics::sensitivity,
                                                        &Metrics::specificity,
                                                        &Metrics::f1,
                                                        &Metrics::average_precision};

// A weighted mean of metrics, in the order they are added.
class MeanMetrics {
 public:
  void Add(const Metrics& metrics, double weight) {
    for (const auto measure : kMeasures) sum_.*measure += weight * metrics.*measure;
    weight_ += weight;
  }
  // REQUIRES: something was added.
  Metrics Mean() const {
    Metrics mean;
    for (const auto measure : kMeasures) mean.*measure = sum_.*measure / weight_;
    return mean;
  }

 private:
  Metrics sum_;
  double weight_ = 0.0;
};

// One fold made ready: where its terms are, and which bags it tests.
struct TestedFold {
  int fold = 0;
  const TermModels* models = nullptr;
  std::map<std::string, std::size_t> column_of;
  std::vector<std::size_t> bags;
};

// The tested bags' decision values and labels for one term.
struct Tested {
  std::vector<double> scores;
  std::vector<std::uint8_t> labels;

  std::size_t Positives() const { return static_cast<std::size_t>(std::count(labels.begin(), labels.end(), 1)); }
  bool HasBothClasses() const { return Positives() > 0 && Positives() < labels.size(); }
  void Append(const Tested& other) {
    scores.insert(scores.end(), other.scores.begin(), other.scores.end());
    labels.insert(labels.end(), other.labels.begin(), other.labels.end());
  }
};

std::vector<TestedFold> PrepareFolds(const std::vector<Bag>& bags, std::span<const FoldScores> folds) {
  std::vector<TestedFold> prepared;
  std::set<int> seen;
  for (const FoldScores& given : folds) {
    FLYSCRIBE_CHECK(given.models != nullptr && given.models->scores.rows() == bags.size(), "one row of scores per bag");
    FLYSCRIBE_CHECK(seen.insert(given.fold).second, "a fold is evaluated twice");
    TestedFold fold;
    fold.fold = given.fold;
    fold.models = given.models;
    for (std::size_t column = 0; column < given.models->terms.size(); ++column) {
      fold.column_of[given.models->terms[column].term] = column;
    }
    for (std::size_t bag = 0; bag < bags.size(); ++bag) {
      if (bags[bag].fold == given.fold) fold.bags.push_back(bag);
    }
    prepared.push_back(std::move(fold));
  }
  return prepared;
}

class Evaluator {
 public:
  Evaluator(const std::vector<Bag>& bags, const LabelTable& labels, std::span<const FoldScores> folds)
      : bags_(bags), labels_(labels), folds_(PrepareFolds(bags, folds)) {}

  Evaluation Run(const EvaluateOptions& options) {
    for (std::size_t term = 0; term < labels_.terms.size(); ++term) EvaluateTerm(term);
    const std::size_t all = evaluation_.terms.size();
    AddAverages("top " + std::to_string(options.top_terms), std::min(all, static_cast<std::size_t>(options.top_terms)));
    AddAverages("all", all);
    return std::move(evaluation_);
  }

 private:
  void EvaluateTerm(std::size_t term) {
    TermEvaluation result;
    result.term = labels_.terms[term];
    MeanMetrics mean;
    Tested all;
    bool has_model = false;
    for (const TestedFold& fold : folds_) {
      const auto column = fold.column_of.find(result.term);
      if (column == fold.column_of.end()) continue;
      has_model = true;
      const Tested tested = TestFold(fold, column->second, term);
      all.Append(tested);
      if (!tested.HasBothClasses()) continue;
      mean.Add(ComputeMetrics(tested.scores, tested.labels), 1.0);
      ++result.folds;
    }
    if (result.folds == 0) {
      evaluation_.skipped.push_back({result.term, has_model ? ReasonOfClasses(all) : ReasonWithoutModel(result.term)});
      return;
    }
    result.positives = all.Positives();
    result.bags = all.labels.size();
    result.metrics = mean.Mean();
    result.roc = ThinCurve(RocCurve(all.scores, all.labels), kMaxCurvePoints);
    result.precision_recall = ThinCurve(PrecisionRecallCurve(all.scores, all.labels), kMaxCurvePoints);
    evaluation_.terms.push_back(std::move(result));
    weights_.push_back(static_cast<double>(labels_.positives[term]));
  }

  // Collects the fold's tested bags for a term, and lists them as predictions.
  Tested TestFold(const TestedFold& fold, std::size_t column, std::size_t term) {
    Tested tested;
    for (const std::size_t bag : fold.bags) {
      Prediction prediction;
      prediction.bag = bags_[bag].id;
      prediction.term = labels_.terms[term];
      prediction.fold = fold.fold;
      prediction.label = labels_.values(bag, term) != 0;
      prediction.decision_value = fold.models->scores(bag, column);
      prediction.call = prediction.decision_value > 0.0;
      RequireFinite(prediction);
      tested.scores.push_back(prediction.decision_value);
      tested.labels.push_back(prediction.label ? 1 : 0);
      evaluation_.predictions.push_back(std::move(prediction));
    }
    return tested;
  }

  static void RequireFinite(const Prediction& prediction) {
    if (std::isfinite(prediction.decision_value)) return;
    throw Error(ErrorCode::kInput,
                "the decision value of bag " + prediction.bag + " for '" + prediction.term + "' is not a finite number",
                "run the train step again");
  }

  static std::string ReasonOfClasses(const Tested& all) {
    if (all.labels.empty()) return "no bag was tested";
    if (all.Positives() == 0) return "no tested bag has the term";
    if (all.Positives() == all.labels.size()) return "all tested bags have the term";
    return "no fold tests bags with and without the term";
  }

  std::string ReasonWithoutModel(const std::string& term) const {
    for (const TestedFold& fold : folds_) {
      for (const SkippedTerm& skipped : fold.models->skipped) {
        if (skipped.term == term) return "not trained: " + skipped.reason;
      }
    }
    return "not trained";
  }

  // Averages over the first `count` evaluated terms, which are the most frequent.
  void AddAverages(const std::string& name, std::size_t count) {
    if (count == 0) return;
    MeanMetrics macro;
    MeanMetrics weighted;
    for (std::size_t term = 0; term < count; ++term) {
      macro.Add(evaluation_.terms[term].metrics, 1.0);
      weighted.Add(evaluation_.terms[term].metrics, weights_[term]);
    }
    evaluation_.averages.push_back({name, "macro", count, macro.Mean()});
    evaluation_.averages.push_back({name, "weighted", count, weighted.Mean()});
  }

  const std::vector<Bag>& bags_;
  const LabelTable& labels_;
  std::vector<TestedFold> folds_;
  Evaluation evaluation_;
  std::vector<double> weights_;  // of evaluation_.terms: positive bags in the whole table
};

}  // namespace

void EvaluateOptions::Fields(OptionsVisitor& visit) {
  visit.Integer(
      {.name = "top_terms",
       .doc = "How many of the most frequent evaluated terms the first averages are over; the paper takes 10.",
       .min = 1,
       .max = 100000},
      top_terms);
}

Evaluation Evaluate(const std::vector<Bag>& bags,
                    const LabelTable& labels,
                    std::span<const FoldScores> folds,
                    const EvaluateOptions& options) {
  FLYSCRIBE_CHECK(labels.values.rows() == bags.size(), "one row of labels per bag");
  return Evaluator(bags, labels, folds).Run(options);
}

}  // namespace flyscribe
