// Measures of how well decision values tell bags with a term from bags without it.
//
//   s_i  decision value of bag i      l_i  1 with the term, 0 without      p_i  probability      call: s_i > the cut
//   tp, fp, tn, fn  counts of calls against labels
//
//   accuracy = (tp + tn) / n      baseline = max(positives, negatives) / n, always answering with the majority
//   sensitivity = tp / (tp + fn)      specificity = tn / (tn + fp)      balanced accuracy = their mean
//   precision = tp / (tp + fp)      f1 = 2 tp / (2 tp + fp + fn)
//   auc = the share of (positive, negative) pairs in which the positive has the higher value; ties count one half
//   average precision = sum over thresholds of (recall gained) x (precision there); equal values are one threshold
//   brier = mean of (p_i - l_i)^2
//
// Every measure is a finite number for any input: where a class is missing, auc is 0.5 (no pair to order), and what
// would be 0 / 0 is 0. RankedTests computes all of them at once, for any count of the genes; the curves follow.
//
// Cost: n log n. Thread safety: reentrant. Determinism: a measure does not depend on the order of the bags.
// REQUIRES, throughout: as many scores as labels, and no score is NaN.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/statistics.h"
#include "data/evaluation.h"

namespace flyscribe {

// One tested bag and term.
struct Tested {
  double score = 0.0;
  double probability = 0.0;
  bool call = false;
  bool label = false;
  std::uint32_t gene = 0;  // index into the draws
};

// How often each gene counts.
using Draws = std::vector<std::uint32_t>;

// What a list of tested bags adds up to.
struct TestSums {
  std::uint64_t positives = 0;
  std::uint64_t negatives = 0;
  std::uint64_t called_positives = 0;
  std::uint64_t called_negatives = 0;
  std::uint64_t twice_wins = 0;  // of positives against negatives; a tie is half a win
  double precision_sum = 0.0;    // over the positives: precision among all that score at least as high
  double squared_error = 0.0;

  bool HasBothClasses() const { return positives > 0 && negatives > 0; }
  std::uint64_t Majority() const { return positives > negatives ? positives : negatives; }
};

// Tested bags sorted once by their score, to be measured again and again under other counts of their genes.
//
//   w_i  how often bag i counts: as often as its gene was drawn      c_i  1 if the term is called
//
// Every measure is that of the list in which bag i stands w_i times:
//
//   tp = sum of w_i c_i l_i,  fp = sum of w_i c_i (1 - l_i),  and so on
//   auc: of each group of equal scores, its negatives are beaten by the positives above and half by its own positives
//   average precision: of each group, recall gained x precision there
//   brier = sum of w_i (p_i - l_i)^2 / sum of w_i
//
// Cost: n log n to make, then one pass of n per measuring, without a memory allocation. All counts are integers: only
// average precision and brier are rounded, and their sums are taken in the order of the scores.
// Thread safety: measuring is const.
class RankedTests {
 public:
  // REQUIRES: no score is NaN.
  explicit RankedTests(std::vector<Tested> tests);

  // REQUIRES: a draw for every gene.
  TestSums Sum(std::span<const std::uint32_t> draws) const;

 private:
  struct Item {
    std::uint32_t gene = 0;
    bool label = false;
    bool call = false;
    bool last_of_equals = false;
    double squared_error = 0.0;
  };
  std::vector<Item> items_;  // highest score first
};

// Each is a finite number for any sums: without a class auc is 0.5, and what would be 0 / 0 is 0.
Metrics MetricsOf(const TestSums& sums);

// The harmonic mean of precision and sensitivity.
double F1Of(double precision, double sensitivity);

// One point per threshold, from (0, 0) to (1, 1): x false positive rate, y true positive rate. Empty if a class is
// missing.
std::vector<CurvePoint> RocCurve(std::span<const double> scores, std::span<const std::uint8_t> labels);

// One point per threshold: x recall, y precision; the first precision is drawn out to recall 0. Empty without
// positives.
std::vector<CurvePoint> PrecisionRecallCurve(std::span<const double> scores, std::span<const std::uint8_t> labels);

// At most `most` of the points, evenly spaced, with the first and the last. REQUIRES: most >= 2.
std::vector<CurvePoint> ThinCurve(const std::vector<CurvePoint>& points, std::size_t most);

// Reliability: of the predictions that said "probably so much", how many came true?
//
// The predictions are sorted by probability and cut into `bins` groups of about equal count. A cut never lies between
// equal probabilities, so groups may be larger, and fewer, than asked for. A group's point is (mean probability, share
// of positives); with perfect probabilities all points lie on the diagonal, up to chance. REQUIRES: bins > 0.
std::vector<ReliabilityBin> ReliabilityCurve(std::span<const Tested> tests, std::size_t bins);

}  // namespace flyscribe
