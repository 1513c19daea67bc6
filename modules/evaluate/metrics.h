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
// would be 0 / 0 is 0. ranked_tests.h computes all of them at once; here are the curves.
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

// One point per threshold, from (0, 0) to (1, 1): x false positive rate, y true positive rate. Empty if a class is
// missing.
std::vector<CurvePoint> RocCurve(std::span<const double> scores, std::span<const std::uint8_t> labels);

// One point per threshold: x recall, y precision; the first precision is drawn out to recall 0. Empty without
// positives.
std::vector<CurvePoint> PrecisionRecallCurve(std::span<const double> scores, std::span<const std::uint8_t> labels);

// At most `most` of the points, evenly spaced, with the first and the last. REQUIRES: most >= 2.
std::vector<CurvePoint> ThinCurve(const std::vector<CurvePoint>& points, std::size_t most);

}  // namespace flyscribe
