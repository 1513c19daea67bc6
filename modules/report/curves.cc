#include "report/curves.h"

#include <algorithm>
#include <functional>

#include "core/text.h"
#include "report/svg.h"

namespace flyscribe {
namespace {

using Curve = std::vector<CurvePoint>;

constexpr std::size_t kDrawnTerms = 10;
constexpr int kGrid = 100;

// The true positive rate at false positive rate x. Points rise in x; on a vertical piece the upper end counts.
double RocAt(const Curve& curve, double x) {
  const auto after = std::upper_bound(
      curve.begin(), curve.end(), x, [](double value, const CurvePoint& point) { return value < point.x; });
  if (after == curve.begin()) return 0.0;
  const CurvePoint& left = *(after - 1);
  if (after == curve.end()) return left.y;
  return left.y + (after->y - left.y) * (x - left.x) / (after->x - left.x);
}

// The precision at the first point that reaches recall x.
double PrecisionAt(const Curve& curve, double x) {
  const auto reached = std::find_if(curve.begin(), curve.end(), [x](const CurvePoint& p) { return p.x >= x - 1e-12; });
  return reached == curve.end() ? curve.back().y : reached->y;
}

Curve MeanOf(const std::vector<Curve>& curves, const std::function<double(const Curve&, double)>& value_at) {
  Curve mean;
  const auto drawn = std::count_if(curves.begin(), curves.end(), [](const Curve& curve) { return !curve.empty(); });
  if (drawn == 0) return mean;
  for (int i = 0; i <= kGrid; ++i) {
    const double x = static_cast<double>(i) / kGrid;
    double sum = 0.0;
    for (const Curve& curve : curves) sum += curve.empty() ? 0.0 : value_at(curve, x);
    mean.push_back({x, sum / static_cast<double>(drawn)});
  }
  return mean;
}

std::vector<TermEvaluation> DrawnTerms(const Evaluation& evaluation) {
  std::vector<TermEvaluation> drawn;
  for (const TermEvaluation& term : evaluation.terms) {
    if (drawn.size() < kDrawnTerms && (!term.roc.empty() || !term.precision_recall.empty())) drawn.push_back(term);
  }
  return drawn;
}

Html RocChart(const std::vector<TermEvaluation>& terms, const std::string& id) {
  LineChart chart{.id = id + "-roc",
                  .title = "ROC curves",
                  .description = "True positive rate over false positive rate, one line a term, and their mean.",
                  .x = UnitAxis("False positive rate"),
                  .y = UnitAxis("True positive rate"),
                  .diagonal = true,
                  .series = {}};
  std::vector<Curve> curves;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const std::string name = terms[i].term + ": AUC " + Number(terms[i].metrics.auc, 3);
    chart.series.push_back({name, SeriesStyle(i), terms[i].roc});
    curves.push_back(terms[i].roc);
  }
  chart.series.push_back({"mean of the terms", "mean", MeanRoc(curves)});
  return LineChartSvg(chart);
}

Html PrecisionRecallChart(const std::vector<TermEvaluation>& terms, const std::string& id) {
  LineChart chart{.id = id + "-pr",
                  .title = "Precision-recall curves",
                  .description = "Precision over recall, one line a term, and their mean.",
                  .x = UnitAxis("Recall"),
                  .y = UnitAxis("Precision"),
                  .series = {}};
  std::vector<Curve> curves;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const std::string name = terms[i].term + ": average precision " + Number(terms[i].metrics.average_precision, 3);
    chart.series.push_back({name, SeriesStyle(i), terms[i].precision_recall});
    curves.push_back(terms[i].precision_recall);
  }
  chart.series.push_back({"mean of the terms", "mean", MeanPrecisionRecall(curves)});
  return LineChartSvg(chart);
}

Html TermLegend(const std::vector<TermEvaluation>& terms) {
  std::vector<LegendEntry> entries;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const Metrics& metrics = terms[i].metrics;
    const std::string remark = "AUC " + Number(metrics.auc, 3) + " · AP " + Number(metrics.average_precision, 3);
    entries.push_back({SeriesStyle(i), terms[i].term, remark});
  }
  entries.push_back({"mean", "mean of the terms", ""});
  return Legend(entries);
}

Html LearningRow(const PartLearning& part) {
  const LearningSummary& summary = part.summary;
  return Element("tr",
                 Element("th", {{"scope", "row"}}, Text(part.part)) + NumberCell(Count(summary.patches)) +
                     NumberCell(FormatReal(summary.lambda)) + NumberCell(Count(summary.objective_per_epoch.size())) +
                     NumberCell(Number(summary.Objective(), 4)) + NumberCell(Number(summary.nonzeros_per_code, 1)) +
                     NumberCell(Count(summary.unused_atoms)));
}

Html LearningTable(const std::vector<PartLearning>& learning) {
  Html rows;
  for (const PartLearning& part : learning) rows += LearningRow(part);
  return TableElement("How learning went",
                      {"Part", "Patches", "Lambda", "Epochs", "Last objective", "Non-zeros per code", "Unused atoms"},
                      rows);
}

LineChart ObjectiveChart(const std::vector<PartLearning>& learning, const std::string& id) {
  LineChart chart{.id = id + "-objective",
                  .title = "Objective per epoch",
                  .description = "The running objective after each epoch, one line a part of the data.",
                  .x = {},
                  .y = {},
                  .width = 560,
                  .height = 300,
                  .series = {}};
  double low = 0.0;
  double high = 0.0;
  std::size_t epochs = 1;
  bool is_first = true;
  for (std::size_t i = 0; i < learning.size(); ++i) {
    const std::vector<double>& objective = learning[i].summary.objective_per_epoch;
    chart.series.push_back({learning[i].part, SeriesStyle(i), {}});
    epochs = std::max(epochs, objective.size());
    for (std::size_t epoch = 0; epoch < objective.size(); ++epoch) {
      chart.series.back().points.push_back({static_cast<double>(epoch + 1), objective[epoch]});
      low = is_first ? objective[epoch] : std::min(low, objective[epoch]);
      high = is_first ? objective[epoch] : std::max(high, objective[epoch]);
      is_first = false;
    }
  }
  chart.x = NiceAxis(
      "Epoch", 1.0, std::max(2.0, static_cast<double>(epochs)), static_cast<int>(std::min<std::size_t>(epochs, 10)));
  chart.y = NiceAxis("Objective", low, high);
  return chart;
}

}  // namespace

std::vector<CurvePoint> MeanRoc(const std::vector<std::vector<CurvePoint>>& curves) {
  Curve mean = MeanOf(curves, RocAt);
  if (!mean.empty()) mean.insert(mean.begin(), {0.0, 0.0});
  return mean;
}

std::vector<CurvePoint> MeanPrecisionRecall(const std::vector<std::vector<CurvePoint>>& curves) {
  return MeanOf(curves, PrecisionAt);
}

Html EvaluationCurves(const Evaluation& evaluation, const std::string& id) {
  const std::vector<TermEvaluation> terms = DrawnTerms(evaluation);
  if (terms.empty()) return {};
  const Html charts = Element("div", {{"class", "charts"}}, RocChart(terms, id) + PrecisionRecallChart(terms, id));
  return Element("figure", {{"class", "curves"}}, charts + TermLegend(terms));
}

Html LearningCurves(const std::vector<PartLearning>& learning, const std::string& id) {
  if (learning.empty()) return {};
  std::vector<LegendEntry> entries;
  for (std::size_t i = 0; i < learning.size(); ++i) entries.push_back({SeriesStyle(i), learning[i].part, ""});
  const Html chart = LineChartSvg(ObjectiveChart(learning, id));
  return Element("figure", {{"class", "curves"}}, chart + Legend(entries)) + LearningTable(learning);
}

}  // namespace flyscribe
