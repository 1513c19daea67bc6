#include "report/calibration.h"

#include <algorithm>
#include <vector>

#include "core/text.h"
#include "report/svg.h"

namespace flyscribe {
namespace {

constexpr std::size_t kDrawnTerms = 10;
constexpr int kDigits = 3;

std::vector<CurvePoint> PointsOf(const std::vector<ReliabilityBin>& bins) {
  std::vector<CurvePoint> points;
  for (const ReliabilityBin& bin : bins) points.push_back({bin.probability, bin.observed});
  return points;
}

Html OverallChart(const std::vector<ReliabilityBin>& bins, const std::string& id) {
  const LineChart chart{.id = id + "-reliability",
                        .title = "Reliability, all terms",
                        .description = "Share of predictions that were right over their mean probability.",
                        .x = UnitAxis("Mean probability"),
                        .y = UnitAxis("Share that carries the term"),
                        .diagonal = true,
                        .dots = true,
                        .series = {{"all predictions", "mean", PointsOf(bins)}}};
  return LineChartSvg(chart);
}

Axis SmallAxis() { return {.label = "", .min = 0.0, .max = 1.0, .ticks = {0.0, 0.5, 1.0}, .digits = 1}; }

Html SmallChart(const TermEvaluation& term, const std::string& id) {
  const LineChart chart{.id = id,
                        .title = "Reliability of " + term.term,
                        .description = "Share of bags that carry the term over the mean probability.",
                        .x = SmallAxis(),
                        .y = SmallAxis(),
                        .width = 220,
                        .height = 190,
                        .diagonal = true,
                        .dots = true,
                        .series = {{term.term, SeriesStyle(0), PointsOf(term.reliability)}}};
  const Html caption = Text(term.term) + Element("small", Text("Brier " + Number(term.metrics.brier, kDigits)));
  return Element("figure", LineChartSvg(chart) + Element("figcaption", caption));
}

// "0.1", or "0.1–10" where the folds differ.
template <class Format>
std::string Spread(const std::vector<FoldModel>& models, double FoldModel::*value, const Format& format) {
  if (models.empty()) return "–";
  const auto [least, most] = std::minmax_element(
      models.begin(), models.end(), [value](const FoldModel& a, const FoldModel& b) { return a.*value < b.*value; });
  const std::string low = format((*least).*value);
  const std::string high = format((*most).*value);
  return low == high ? low : low + "–" + high;
}

Html ModelRow(const TermEvaluation& term) {
  const std::string c = Spread(term.models, &FoldModel::c, [](double value) { return FormatReal(value); });
  const std::string threshold =
      Spread(term.models, &FoldModel::threshold, [](double value) { return Number(value, 2); });
  return Element("tr",
                 Element("th", {{"scope", "row"}}, Text(term.term)) + NumberCell(c) + NumberCell(threshold) +
                     NumberCell(Number(term.metrics.precision, kDigits)) +
                     NumberCell(Number(term.metrics.brier, kDigits)));
}

Html ModelTable(const std::vector<TermEvaluation>& terms) {
  Html rows;
  for (const TermEvaluation& term : terms) rows += ModelRow(term);
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
    small += SmallChart(evaluation.terms[i], id + "-reliability-of-" + std::to_string(i));
  }
  return Element(
             "div", {{"class", "charts"}}, OverallChart(evaluation.reliability, id) + ModelTable(evaluation.terms)) +
         Element("div", {{"class", "smalls"}}, small);
}

}  // namespace flyscribe
