// How well terms were predicted on bags no model had seen: what `evaluate` leaves.
//
//   terms.tsv       one row a term: the metrics below
//   averages.tsv    one row a set of terms ("top 10" or another number, "all") and average (macro, weighted)
//   predictions.tsv one row a tested bag and term: bag, term, fold, label, decision_value, call
//   evaluation.json all of it, with the ROC and precision-recall curves
#pragma once

#include <string>
#include <vector>

#include "core/fs.h"

namespace flyscribe {

struct Metrics {
  double accuracy = 0.0;
  double baseline = 0.0;  // accuracy of always answering with the majority class of the tested bags
  double auc = 0.0;
  double sensitivity = 0.0;
  double specificity = 0.0;
  double f1 = 0.0;
  double average_precision = 0.0;
  friend bool operator==(const Metrics&, const Metrics&) = default;
};

struct CurvePoint {
  double x = 0.0;
  double y = 0.0;
  friend bool operator==(const CurvePoint&, const CurvePoint&) = default;
};

// One term on the tested bags of all evaluated folds: metrics are computed per fold, then averaged over the folds in
// which the term has both a positive and a negative bag. Curves are of all tested bags together.
struct TermEvaluation {
  std::string term;
  std::size_t positives = 0;  // tested bags with the term
  std::size_t bags = 0;       // tested bags
  std::size_t folds = 0;      // folds the averages are over
  Metrics metrics;
  std::vector<CurvePoint> roc;               // x: false positive rate, y: true positive rate
  std::vector<CurvePoint> precision_recall;  // x: recall, y: precision
  friend bool operator==(const TermEvaluation&, const TermEvaluation&) = default;
};

struct AverageEvaluation {
  std::string terms;  // "top 10", with evaluate.top_terms as the number, or "all"
  std::string kind;   // "macro" or "weighted" (by the number of positive bags)
  std::size_t count = 0;
  Metrics metrics;
  friend bool operator==(const AverageEvaluation&, const AverageEvaluation&) = default;
};

struct Prediction {
  std::string bag;
  std::string term;
  int fold = 0;
  bool label = false;
  double decision_value = 0.0;
  bool call = false;  // decision_value > 0
  friend bool operator==(const Prediction&, const Prediction&) = default;
};

struct SkippedEvaluation {
  std::string term;
  std::string reason;
  friend bool operator==(const SkippedEvaluation&, const SkippedEvaluation&) = default;
};

struct Evaluation {
  std::vector<TermEvaluation> terms;  // most frequent first
  std::vector<AverageEvaluation> averages;
  std::vector<SkippedEvaluation> skipped;
  std::vector<Prediction> predictions;

  // The average over the most frequent terms; null if no term was evaluated. REQUIRES: kind is "macro" or "weighted".
  const AverageEvaluation* TopTerms(const std::string& kind) const;

  void Save(const fs::path& folder) const;
  static Evaluation Load(const fs::path& folder);
};

}  // namespace flyscribe
