#include "report/curves.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "core/text.h"
#include "report/svg.h"

namespace flyscribe {
namespace {

using Curve = std::vector<CurvePoint>;

constexpr std::size_t kDrawnTerms = 10;
constexpr int kGrid = 100;
constexpr int kDigits = 3;

// The true positive rate at false positive rate x. Points rise in x; on a vertical piece the upper end counts.
double RocAt(const Curve& curve, double x) {
  const auto after = std::ranges::upper_bound(curve, x, {}, &CurvePoint::x);
  if (after == curve.begin()) return 0.0;
  const CurvePoint& left = *(after - 1);
  if (after == curve.end()) return left.y;
  return left.y + (after->y - left.y) * (x - left.x) / (after->x - left.x);
}

Curve MeanOf(const std::vector<Curve>& curves, const std::function<double(const Curve&, double)>& value_at) {
  Curve mean;
  const auto drawn = std::ranges::count_if(curves, [](const Curve& curve) { return !curve.empty(); });
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

// All lines and their mean. `score` is what stands in a line's name.
Html TermChart(LineChart chart,
               const std::vector<TermEvaluation>& terms,
               Curve TermEvaluation::*curve,
               double Metrics::*score,
               const char* score_name,
               Curve (*mean)(const std::vector<Curve>&)) {
  std::vector<Curve> curves;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const std::string name =
        fmt::format("{}: {} {}", terms[i].term, score_name, Number(terms[i].metrics.*score, kDigits));
    chart.series.push_back({name, SeriesStyle(i), terms[i].*curve});
    curves.push_back(terms[i].*curve);
  }
  chart.series.push_back({"mean of the terms", "mean", mean(curves)});
  return LineChartSvg(chart);
}

Html TermLegend(const std::vector<TermEvaluation>& terms) {
  std::vector<LegendEntry> entries;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const Metrics& metrics = terms[i].metrics;
    const std::string remark =
        fmt::format("AUC {} · AP {}", Number(metrics.auc, kDigits), Number(metrics.average_precision, kDigits));
    entries.push_back({SeriesStyle(i), terms[i].term, remark});
  }
  entries.push_back({"mean", "mean of the terms", ""});
  return Legend(entries);
}

Html LearningTable(const std::vector<PartLearning>& learning) {
  Html rows;
  for (const auto& [part, summary] : learning) {
    rows += Element("tr",
                    Element("th", {{"scope", "row"}}, Text(part)) + NumberCell(Count(summary.patches)) +
                        NumberCell(FormatReal(summary.lambda)) +
                        NumberCell(Count(summary.objective_per_epoch.size()) + (summary.settled ? ", settled" : "")) +
                        NumberCell(Number(summary.Objective(), 4)) + NumberCell(Number(summary.nonzeros_per_code, 1)) +
                        NumberCell(Count(summary.unused_atoms)));
  }
  return TableElement("How learning went",
                      {"Part", "Patches", "Lambda", "Epochs", "Last objective", "Non-zeros per code", "Unused atoms"},
                      rows);
}

LineChart ObjectiveChart(const std::vector<PartLearning>& learning, const std::string& id) {
  LineChart chart{.id = id + "-objective",
                  .title = "Objective per epoch",
                  .description = "The running objective after each epoch, one line a part of the data.",
                  .width = 560,
                  .height = 300};
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

Curve MeanRoc(const std::vector<Curve>& curves) {
  Curve mean = MeanOf(curves, RocAt);
  if (!mean.empty()) mean.insert(mean.begin(), {0.0, 0.0});
  return mean;
}

Curve MeanPrecisionRecall(const std::vector<Curve>& curves) {
  // The precision at the first point that reaches recall x.
  return MeanOf(curves, [](const Curve& curve, double x) {
    const auto reached = std::ranges::find_if(curve, [x](const CurvePoint& p) { return p.x >= x - 1e-12; });
    return reached == curve.end() ? curve.back().y : reached->y;
  });
}

Html EvaluationCurves(const Evaluation& evaluation, const std::string& id) {
  const std::vector<TermEvaluation> terms = DrawnTerms(evaluation);
  if (terms.empty()) return {};
  const LineChart roc{.id = id + "-roc",
                      .title = "ROC curves",
                      .description = "True positive rate over false positive rate, one line a term, and their mean.",
                      .x = UnitAxis("False positive rate"),
                      .y = UnitAxis("True positive rate"),
                      .diagonal = true};
  const LineChart precision_recall{.id = id + "-pr",
                                   .title = "Precision-recall curves",
                                   .description = "Precision over recall, one line a term, and their mean.",
                                   .x = UnitAxis("Recall"),
                                   .y = UnitAxis("Precision")};
  const Html charts = TermChart(roc, terms, &TermEvaluation::roc, &Metrics::auc, "AUC", MeanRoc) +
                      TermChart(precision_recall,
                                terms,
                                &TermEvaluation::precision_recall,
                                &Metrics::average_precision,
                                "average precision",
                                MeanPrecisionRecall);
  return Element("figure", {{"class", "curves"}}, Element("div", {{"class", "charts"}}, charts) + TermLegend(terms));
}

Html LearningCurves(const std::vector<PartLearning>& learning, const std::string& id) {
  if (learning.empty()) return {};
  std::vector<LegendEntry> entries;
  for (std::size_t i = 0; i < learning.size(); ++i) entries.push_back({SeriesStyle(i), learning[i].part, ""});
  const Html chart = LineChartSvg(ObjectiveChart(learning, id));
  return Element("figure", {{"class", "curves"}}, chart + Legend(entries)) + LearningTable(learning);
}

// ---- calibration

namespace {

LineChart ReliabilityChart(const std::string& id,
                           const std::string& name,
                           const char* style,
                           const std::vector<ReliabilityBin>& bins) {
  LineChart chart{.id = id, .diagonal = true, .dots = true, .series = {{name, style, {}}}};
  for (const ReliabilityBin& bin : bins) chart.series[0].points.push_back({bin.probability, bin.observed});
  return chart;
}

Html AllTermsChart(const std::vector<ReliabilityBin>& bins, const std::string& id) {
  LineChart chart = ReliabilityChart(id + "-reliability", "all predictions", "mean", bins);
  chart.title = "Reliability, all terms";
  chart.description = "Share of predictions that were right over their mean probability.";
  chart.x = UnitAxis("Mean probability");
  chart.y = UnitAxis("Share that carries the term");
  return LineChartSvg(chart);
}

Html SmallChart(const TermEvaluation& term, const std::string& id) {
  LineChart chart = ReliabilityChart(id, term.term, "s0", term.reliability);
  chart.title = "Reliability of " + term.term;
  chart.description = "Share of bags that carry the term over the mean probability.";
  chart.x = chart.y = {.label = "", .min = 0.0, .max = 1.0, .ticks = {0.0, 0.5, 1.0}, .digits = 1};
  chart.width = 220;
  chart.height = 190;
  const Html caption = Text(term.term) + Element("small", Text("Brier " + Number(term.metrics.brier, kDigits)));
  return Element("figure", LineChartSvg(chart) + Element("figcaption", caption));
}

// "0.1", or "0.1–10" where the folds differ.
template <class Format>
std::string Spread(const std::vector<FoldModel>& models, double FoldModel::*value, const Format& format) {
  if (models.empty()) return "–";
  const auto [least, most] = std::ranges::minmax_element(models, {}, value);
  const std::string low = format((*least).*value);
  const std::string high = format((*most).*value);
  return low == high ? low : low + "–" + high;
}

Html ModelTable(const std::vector<TermEvaluation>& terms) {
  Html rows;
  for (const TermEvaluation& term : terms) {
    const std::string c = Spread(term.models, &FoldModel::c, [](double value) { return FormatReal(value); });
    const std::string threshold =
        Spread(term.models, &FoldModel::threshold, [](double value) { return Number(value, 2); });
    rows += Element("tr",
                    Element("th", {{"scope", "row"}}, Text(term.term)) + NumberCell(c) + NumberCell(threshold) +
                        NumberCell(Number(term.metrics.precision, kDigits)) +
                        NumberCell(Number(term.metrics.brier, kDigits)));
  }
  const Html table = TableElement(
      "What terms were trained with and called above", {"Term", "C", "Called above", "Precision", "Brier"}, rows);
  return Element(
      "div", {{"class", "short"}, {"tabindex", "0"}, {"role", "region"}, {"aria-label", "C and thresholds"}}, table);
}

}  // namespace

Html CalibrationFigure(const Evaluation& evaluation, const std::string& id) {
  if (evaluation.reliability.empty()) return {};
  Html small;
  for (std::size_t i = 0; i < std::min(kDrawnTerms, evaluation.terms.size()); ++i) {
    small += SmallChart(evaluation.terms[i], fmt::format("{}-reliability-of-{}", id, i));
  }
  return Element(
             "div", {{"class", "charts"}}, AllTermsChart(evaluation.reliability, id) + ModelTable(evaluation.terms)) +
         Element("div", {{"class", "smalls"}}, small);
}

}  // namespace flyscribe
