// The pictures of an evaluation and of learning: ROC, precision-recall and reliability curves, objective per epoch.
//
// Curves are of all tested bags together. The mean curve is the macro average over the drawn terms on a grid of
// g = 0, 0.01, ..., 1: of the true positive rate at false positive rate g (linear between points), and of the precision
// at the first point whose recall reaches g (precision may not be interpolated: Davis and Goadrich, ICML 2006).
//
// A reliability curve has a point per bin of predictions: their mean probability, and the share that was right. On the
// diagonal a probability means what it says; below it the classifier is too sure, above it too shy.
//
// Every `id` is a prefix, unique in the page.
// Thread-safe and deterministic: pure functions.
#pragma once

#include <string>
#include <vector>

#include "data/dictionary.h"
#include "data/evaluation.h"
#include "report/html.h"

namespace flyscribe {

struct PartLearning {
  std::string part;  // "all", or a fold
  LearningSummary summary;
};

// Both charts with one legend, for the ten most frequent terms. Empty if there are no curves.
Html EvaluationCurves(const Evaluation& evaluation, const std::string& id);

// The chart and a row of facts a part. Empty if there are none.
Html LearningCurves(const std::vector<PartLearning>& learning, const std::string& id);

// The two mean curves described above; curves without points do not count.
std::vector<CurvePoint> MeanRoc(const std::vector<std::vector<CurvePoint>>& curves);
std::vector<CurvePoint> MeanPrecisionRecall(const std::vector<std::vector<CurvePoint>>& curves);

// The reliability of all predictions beside a table of C and threshold per term, then small curves of the ten most
// frequent terms. Empty if there is no curve.
Html CalibrationFigure(const Evaluation& evaluation, const std::string& id);

}  // namespace flyscribe
