// How well terms were predicted on bags no model had seen: what `evaluate` leaves.
//
//   terms.tsv       one row a term: the metrics below, and the interval of its AUC
//   averages.tsv    the same, one row a set of terms ("top 10" or another number, "all") and average (macro, weighted,
//                   micro)
//   predictions.tsv one row a tested bag and term: bag, gene, term, fold, label, decision_value, probability,
//   threshold,
//                   call, score_source ("test": the fold's model never saw the gene)
//   evaluation.json all but the predictions, with the intervals of all metrics, the ROC, precision-recall and
//                   reliability curves
//
// docs/evaluation.md defines the metrics.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
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
  double balanced_accuracy = 0.0;  // mean of sensitivity and specificity
  double precision = 0.0;
  double f1_of_means = 0.0;  // from the averaged precision and sensitivity; f1 is the average of F1 itself
  double brier = 0.0;        // mean squared error of the probabilities: the one where less is better
  friend bool operator==(const Metrics&, const Metrics&) = default;
};

struct Measure {
  const char* name;
  double Metrics::*value;
};

// All of them, in the order of the tables' columns, so that nobody forgets one.
inline constexpr std::array<Measure, 11> kMeasures = {{{"accuracy", &Metrics::accuracy},
                                                       {"baseline", &Metrics::baseline},
                                                       {"auc", &Metrics::auc},
                                                       {"sensitivity", &Metrics::sensitivity},
                                                       {"specificity", &Metrics::specificity},
                                                       {"f1", &Metrics::f1},
                                                       {"average_precision", &Metrics::average_precision},
                                                       {"balanced_accuracy", &Metrics::balanced_accuracy},
                                                       {"precision", &Metrics::precision},
                                                       {"f1_of_means", &Metrics::f1_of_means},
                                                       {"brier", &Metrics::brier}}};

struct Interval {
  double low = 0.0;
  double high = 0.0;
  friend bool operator==(const Interval&, const Interval&) = default;
};

// The 95 % intervals of all measures.
struct MetricsInterval {
  Metrics low;
  Metrics high;

  Interval Of(double Metrics::*measure) const { return {low.*measure, high.*measure}; }
  friend bool operator==(const MetricsInterval&, const MetricsInterval&) = default;
};

struct CurvePoint {
  double x = 0.0;
  double y = 0.0;
  friend bool operator==(const CurvePoint&, const CurvePoint&) = default;
};

// Predictions of about equal probability: how probable they said they were, and how often they were right.
struct ReliabilityBin {
  std::size_t count = 0;
  double probability = 0.0;  // mean of those predicted
  double observed = 0.0;     // share that carries the term
  friend bool operator==(const ReliabilityBin&, const ReliabilityBin&) = default;
};

// What a fold's model of a term was trained and is called with.
struct FoldModel {
  int fold = 0;
  double c = 0.0;
  double threshold = 0.0;  // called where the probability is above
  friend bool operator==(const FoldModel&, const FoldModel&) = default;
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
  std::optional<MetricsInterval> interval;   // nothing if it was not asked for
  std::vector<ReliabilityBin> reliability;   // by rising probability
  std::vector<FoldModel> models;
  friend bool operator==(const TermEvaluation&, const TermEvaluation&) = default;
};

enum class AverageKind {
  kMacro,     // all terms weigh the same
  kWeighted,  // a term weighs as much as it has positive bags
  kMicro      // all pairs of bag and term as one list
};
inline constexpr std::array<AverageKind, 3> kAverageKinds = {
    AverageKind::kMacro, AverageKind::kWeighted, AverageKind::kMicro};
std::string NameOf(AverageKind kind);  // "macro", "weighted", "micro"
std::optional<AverageKind> AverageKindOf(std::string_view name);

// Which terms an average is over.
struct AveragedTerms {
  std::size_t top = 0;  // the most frequent, evaluate.top_terms of them; 0: all

  bool all() const { return top == 0; }
  std::string name() const;  // "top 10", "all"
  static std::optional<AveragedTerms> Of(std::string_view name);
  friend bool operator==(const AveragedTerms&, const AveragedTerms&) = default;
};

struct AverageEvaluation {
  AveragedTerms terms;
  AverageKind kind = AverageKind::kMacro;
  std::size_t count = 0;  // terms it is over: fewer than `top` if there were fewer
  Metrics metrics;
  std::optional<MetricsInterval> interval;
  friend bool operator==(const AverageEvaluation&, const AverageEvaluation&) = default;
};

// The average of a kind over the most frequent terms, or over all; null if there is none.
const AverageEvaluation* TopTerms(const std::vector<AverageEvaluation>& averages, AverageKind kind);
const AverageEvaluation* AllTerms(const std::vector<AverageEvaluation>& averages, AverageKind kind);

struct Prediction {
  std::string bag;
  std::string gene;
  std::string term;
  int fold = 0;
  bool label = false;
  double decision_value = 0.0;
  double probability = 0.0;
  double threshold = 0.0;  // the term's cut as a probability
  bool call = false;       // decision_value > cut
  friend bool operator==(const Prediction&, const Prediction&) = default;
};

struct SkippedEvaluation {
  std::string term;
  std::string reason;
  friend bool operator==(const SkippedEvaluation&, const SkippedEvaluation&) = default;
};

struct Evaluation {
  std::vector<TermEvaluation> terms;        // most frequent first
  std::vector<AverageEvaluation> averages;  // none if no term was evaluated
  std::vector<SkippedEvaluation> skipped;
  std::vector<ReliabilityBin> reliability;  // of all predictions of the evaluated terms
  std::vector<Prediction> predictions;

  void Save(const fs::path& folder) const;
  static Evaluation Load(const fs::path& folder);
};

// predictions.tsv alone. Throws Error(kCorrupt) if it breaks the format or has a score that is not of a test.
std::vector<Prediction> LoadPredictions(const fs::path& path);

}  // namespace flyscribe
