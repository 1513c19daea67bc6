#include "report/scores.h"

#include <algorithm>
#include <cmath>

#include "core/text.h"

namespace flyscribe {
namespace {

constexpr int kDigits = 3;

// What scripts sort by: empty for what is no number, which sorts last.
std::string SortValue(double value) { return std::isfinite(value) ? FormatFixed(value, 6) : std::string(); }

Html ScoreCell(double value, const std::string& style = "n") {
  return Element("td", {{"class", style}, {"data-v", SortValue(value)}}, Text(Number(value, kDigits)));
}

// A bar over 0..1 with a tick at chance, 0.5, beside the number.
Html AucCell(double auc) {
  const double share = std::isfinite(auc) ? std::clamp(auc, 0.0, 1.0) * 100.0 : 0.0;
  const Html bar = Element("span",
                           {{"class", "bar"}, {"aria-hidden", "true"}},
                           Element("i", {{"style", "width:" + FormatFixed(share, 1) + "%"}}));
  return Element("td", {{"class", "n auc"}, {"data-v", SortValue(auc)}}, bar + Text(Number(auc, kDigits)));
}

Html PositivesCell(std::size_t positives, std::size_t bags) {
  Html content = Text(Count(positives)) + Element("small", Text(" of " + Count(bags)));
  if (positives < kFewPositives) {
    content += Element("span", {{"class", "few"}, {"title", "scores rest on few positive bags"}}, Text("few"));
  }
  return Element("td", {{"class", "n"}, {"data-v", std::to_string(positives)}}, content);
}

// Better or worse than always answering with the majority; the sign says it, the colour repeats it.
Html GainCell(double gain) {
  const std::string sign = gain > 0.0 ? "+" : "";
  const std::string style = gain > 0.0 ? "n up" : gain < 0.0 ? "n down" : "n";
  return Element("td", {{"class", style}, {"data-v", SortValue(gain)}}, Text(sign + Number(gain, kDigits)));
}

Html MetricCells(const Metrics& metrics) {
  return AucCell(metrics.auc) + ScoreCell(metrics.accuracy) + ScoreCell(metrics.baseline, "n baseline") +
         GainCell(metrics.accuracy - metrics.baseline) + ScoreCell(metrics.sensitivity) +
         ScoreCell(metrics.specificity) + ScoreCell(metrics.f1) + ScoreCell(metrics.average_precision);
}

Html HeaderRow() {
  struct Column {
    const char* name;
    const char* meaning;
  };
  const std::vector<Column> kColumns = {
      {"Term", "word of the controlled vocabulary"},
      {"Positive bags", "tested bags that carry the term"},
      {"Folds", "folds the scores are averaged over"},
      {"AUC", "area under the ROC curve; the tick marks chance, 0.5"},
      {"Accuracy", "share of right calls"},
      {"Baseline", "accuracy of always answering with the majority class"},
      {"Gain", "accuracy minus baseline"},
      {"Sensitivity", "share of the positive bags that are called"},
      {"Specificity", "share of the negative bags that are not called"},
      {"F1", "harmonic mean of precision and sensitivity"},
      {"Av. precision", "area under the precision-recall curve"},
  };
  Html cells;
  for (const Column& column : kColumns) {
    cells += Element("th", {{"scope", "col"}, {"title", column.meaning}}, Text(column.name));
  }
  return Element("tr", cells);
}

Html TermRow(const TermEvaluation& term) {
  return Element("tr",
                 Element("th", {{"scope", "row"}, {"data-v", term.term}}, Text(term.term)) +
                     PositivesCell(term.positives, term.bags) +
                     Element("td", {{"class", "n"}, {"data-v", std::to_string(term.folds)}}, Text(Count(term.folds))) +
                     MetricCells(term.metrics));
}

Html AverageRow(const AverageEvaluation& average) {
  const std::string how = average.kind == "weighted" ? "weighted by positive bags" : average.kind;
  const Html name = Text(average.terms + ", " + average.kind);
  return Element(
      "tr",
      Element("th", {{"class", "name"}, {"scope", "row"}, {"title", average.terms + " terms, " + how}}, name) +
          Element("td", {{"class", "n"}, {"colspan", "2"}}, Text(Counted(average.count, "term", "terms"))) +
          MetricCells(average.metrics));
}

std::string GainNote(const Metrics& metrics) {
  const double gain = metrics.accuracy - metrics.baseline;
  return "majority baseline " + Number(metrics.baseline, kDigits) + " (" + (gain > 0.0 ? "+" : "") +
         Number(gain, kDigits) + ")";
}

}  // namespace

Html HeadlineTiles(const Evaluation& evaluation) {
  const AverageEvaluation* macro = evaluation.TopTerms("macro");
  const AverageEvaluation* weighted = evaluation.TopTerms("weighted");
  if (macro == nullptr || weighted == nullptr) return {};
  const std::string top = "top\u00a0" + std::to_string(macro->count);
  return Tile(Number(macro->metrics.auc, kDigits), "macro AUC, " + top) +
         Tile(Number(weighted->metrics.auc, kDigits), "weighted AUC, " + top) +
         Tile(Number(macro->metrics.accuracy, kDigits), "macro accuracy, " + top, GainNote(macro->metrics));
}

Html ScoreTable(const Evaluation& evaluation) {
  if (evaluation.terms.empty()) return Element("p", {{"class", "note"}}, Text("No term could be evaluated."));
  Html rows;
  for (const TermEvaluation& term : evaluation.terms) rows += TermRow(term);
  Html averages;
  for (const AverageEvaluation& average : evaluation.averages) averages += AverageRow(average);
  Html table = Element("caption", Text("Scores per term, most frequent first"));
  table += Element("thead", HeaderRow()) + Element("tbody", rows);
  if (!averages.empty()) table += Element("tfoot", averages);
  return Element("div",
                 {{"class", "scroll tall"}, {"tabindex", "0"}, {"role", "region"}, {"aria-label", "Scores per term"}},
                 Element("table", {{"class", "scores sortable"}}, table));
}

Html SkippedTerms(const std::vector<SkippedEvaluation>& skipped) {
  const std::size_t count = skipped.size();
  if (count == 0) return {};
  Html rows;
  for (const SkippedEvaluation& term : skipped) rows += Element("tr", Cell(term.term) + Cell(term.reason));
  return Folded(Counted(count, "term", "terms") + " left out of the table, and why",
                TableElement("Terms without scores", {"Term", "Reason"}, rows));
}

}  // namespace flyscribe
