#include "report/scores.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>

#include "core/text.h"

namespace flyscribe {
namespace {

constexpr int kDigits = 3;

// What scripts sort by: empty for what is no number, which sorts last.
std::string SortValue(double value) { return std::isfinite(value) ? FormatFixed(value, 6) : std::string(); }

Html ScoreCell(double value, const std::string& style = "n") {
  return Element("td", {{"class", style}, {"data-v", SortValue(value)}}, Text(Number(value, kDigits)));
}

// "0.941–0.972".
std::string IntervalText(const Interval& interval) {
  return Number(interval.low, kDigits) + "–" + Number(interval.high, kDigits);
}

// A bar over 0..1 with a tick at chance, 0.5, and a whisker over the interval, beside the number.
Html AucCell(double auc, const std::optional<MetricsInterval>& interval) {
  Html bar = Element("i", {{"style", "width:" + Percent(auc)}});
  if (interval) {
    const Interval range = interval->Of(&Metrics::auc);
    bar += Element("u", {{"style", "left:" + Percent(range.low) + ";width:" + Percent(range.high - range.low)}});
  }
  return Element("td",
                 {{"class", "n auc"}, {"data-v", SortValue(auc)}},
                 Element("span", {{"class", "bar"}, {"aria-hidden", "true"}}, bar) + Text(Number(auc, kDigits)));
}

// Sorts by the lower end.
Html IntervalCell(const std::optional<MetricsInterval>& interval) {
  if (!interval) return Element("td", {{"class", "n baseline"}, {"data-v", ""}}, Text("–"));
  const Interval range = interval->Of(&Metrics::auc);
  return Element("td", {{"class", "n baseline"}, {"data-v", SortValue(range.low)}}, Text(IntervalText(range)));
}

Html PositivesCell(const TermEvaluation& term) {
  Html content = Text(Count(term.positives)) + Element("small", Text(" of " + Count(term.bags)));
  if (term.positives < kFewPositives) {
    content += Element("span", {{"class", "few"}, {"title", "scores rest on few positive bags"}}, Text("few"));
  }
  const std::string folds = "in " + Counted(term.folds, "fold", "folds") + " with positive and negative bags";
  return Element("td", {{"class", "n"}, {"data-v", fmt::to_string(term.positives)}, {"title", folds}}, content);
}

// "0.740 (+0.021)": a baseline, and how far a score is above it.
std::string BesideNote(double baseline, double score) {
  const double gain = score - baseline;
  return Number(baseline, kDigits) + " (" + (gain > 0.0 ? "+" : "") + Number(gain, kDigits) + ")";
}

// The AUC of raw pixels, by term and by average. What it has no score for is not a number, which is shown as a dash.
class PixelAucs {
 public:
  explicit PixelAucs(const Evaluation* pixels) : pixels_(pixels) {}

  double Of(const TermEvaluation& shown) const {
    return Find(pixels_->terms, [&](const TermEvaluation& term) { return term.term == shown.term; });
  }
  double Of(const AverageEvaluation& shown) const {
    return Find(pixels_->averages, [&](const AverageEvaluation& average) {
      return average.terms == shown.terms && average.kind == shown.kind;
    });
  }
  // No cell where there is no baseline.
  template <class Scored>
  Html Cell(const Scored& shown) const {
    return pixels_ == nullptr ? Html() : ScoreCell(Of(shown), "n baseline");
  }
  // "raw pixels 0.740 (+0.021)": how much better the shown score is.
  std::string Note(const AverageEvaluation& shown) const {
    return pixels_ == nullptr ? "" : "raw pixels " + BesideNote(Of(shown), shown.metrics.auc);
  }

 private:
  template <class Scored, class Is>
  static double Find(const std::vector<Scored>& list, Is is) {
    const auto found = std::ranges::find_if(list, is);
    return found == list.end() ? std::numeric_limits<double>::quiet_NaN() : found->metrics.auc;
  }

  const Evaluation* pixels_;
};

template <class Scored>
Html MetricCells(const Scored& scored, const PixelAucs& pixels) {
  const Metrics& metrics = scored.metrics;
  const double gain = metrics.accuracy - metrics.baseline;
  const std::string accuracy_style = gain > 0.0 ? "n up" : gain < 0.0 ? "n down" : "n";
  return AucCell(metrics.auc, scored.interval) + IntervalCell(scored.interval) + pixels.Cell(scored) +
         ScoreCell(metrics.average_precision) + ScoreCell(metrics.accuracy, accuracy_style) +
         ScoreCell(metrics.baseline, "n baseline") + ScoreCell(metrics.balanced_accuracy) +
         ScoreCell(metrics.precision) + ScoreCell(metrics.sensitivity) + ScoreCell(metrics.specificity) +
         ScoreCell(metrics.f1) + ScoreCell(metrics.f1_of_means) + ScoreCell(metrics.brier);
}

Html HeaderRow(bool with_pixels) {
  struct Column {
    const char* name;
    const char* meaning;
  };
  std::vector<Column> columns = {
      {"Term", "word of the controlled vocabulary"},
      {"Positive bags", "tested bags that carry the term"},
      {"AUC", "area under the ROC curve; the tick marks chance, 0.5, the whisker the interval"},
      {"95 % interval", "of the AUC, by drawing the tested genes again and again"},
      {"Av. prec.", "average precision: area under the precision-recall curve"},
      {"Acc.", "accuracy: share of right calls"},
      {"Base.", "baseline: accuracy of always answering with the majority class"},
      {"Bal. acc.", "balanced accuracy: mean of sensitivity and specificity"},
      {"Prec.", "precision: share of the called bags that carry the term"},
      {"Sens.", "sensitivity: share of the positive bags that are called"},
      {"Spec.", "specificity: share of the negative bags that are not called"},
      {"F1", "mean over folds and terms of the harmonic mean of precision and sensitivity"},
      {"F1 of means", "harmonic mean of the averaged precision and the averaged sensitivity"},
      {"Brier", "mean squared error of the probabilities: less is better"},
  };
  constexpr std::ptrdiff_t kBesideAuc = 4;
  const Column pixels = {"AUC, raw pixels", "AUC of the same classifiers on 40 x 16 raw pixels, same folds"};
  if (with_pixels) columns.insert(columns.begin() + kBesideAuc, pixels);
  Html cells;
  for (const Column& column : columns) {
    cells += Element("th", {{"scope", "col"}, {"title", column.meaning}}, Text(column.name));
  }
  return Element("tr", cells);
}

Html TermRow(const TermEvaluation& term, const PixelAucs& pixels) {
  return Element("tr",
                 Element("th", {{"scope", "row"}, {"data-v", term.term}}, Text(term.term)) + PositivesCell(term) +
                     MetricCells(term, pixels));
}

Html AverageRow(const AverageEvaluation& average, const PixelAucs& pixels) {
  const std::string kind = NameOf(average.kind);
  const std::string how = average.kind == AverageKind::kWeighted ? "weighted by positive bags"
                          : average.kind == AverageKind::kMicro  ? "all pairs of bag and term as one list"
                                                                 : kind;
  const Html name = Text(average.terms.name() + ", " + kind);
  return Element(
      "tr",
      Element("th", {{"class", "name"}, {"scope", "row"}, {"title", average.terms.name() + " terms, " + how}}, name) +
          Element("td", {{"class", "n"}}, Text(Counted(average.count, "term", "terms"))) +
          MetricCells(average, pixels));
}

}  // namespace

Html HeadlineTiles(const Evaluation& evaluation, const Evaluation* pixels) {
  const AverageEvaluation* macro = TopTerms(evaluation.averages, AverageKind::kMacro);
  const AverageEvaluation* weighted = TopTerms(evaluation.averages, AverageKind::kWeighted);
  if (macro == nullptr || weighted == nullptr) return {};
  const std::string top = fmt::format("top\u00a0{}", macro->count);
  const PixelAucs beside(pixels);
  // "95 %: 0.941–0.972 · raw pixels 0.740 (+0.021)", of which either may be missing.
  const auto note = [&](const AverageEvaluation& average) {
    std::string pixel_note = beside.Note(average);
    if (!average.interval) return pixel_note;
    const std::string interval = "95\u00a0%: " + IntervalText(average.interval->Of(&Metrics::auc));
    return pixel_note.empty() ? interval : interval + " · " + pixel_note;
  };
  const std::string majority = "majority baseline " + BesideNote(macro->metrics.baseline, macro->metrics.accuracy);
  return Tile(Number(macro->metrics.auc, kDigits), "macro AUC, " + top, note(*macro)) +
         Tile(Number(weighted->metrics.auc, kDigits), "weighted AUC, " + top, note(*weighted)) +
         Tile(Number(macro->metrics.accuracy, kDigits), "macro accuracy, " + top, majority);
}

Html ScoreTable(const Evaluation& evaluation, const Evaluation* pixels) {
  if (evaluation.terms.empty()) return Note("No term could be evaluated.");
  const PixelAucs beside(pixels);
  Html rows;
  for (const TermEvaluation& term : evaluation.terms) rows += TermRow(term, beside);
  Html averages;
  for (const AverageEvaluation& average : evaluation.averages) averages += AverageRow(average, beside);
  Html table = Element("caption", Text("Scores per term, most frequent first"));
  table += Element("thead", HeaderRow(pixels != nullptr)) + Element("tbody", rows);
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

Html LeftOutInputs(const std::vector<Skipped>& skipped) {
  if (skipped.empty()) return Note("Nothing was left out.");
  const auto kind = [](bool fault) { return fault ? "fault" : "filter"; };
  Html counts;
  for (const ReasonCount& reason : CountReasons(skipped)) {
    counts += Element("tr", Cell(reason.reason) + Cell(kind(reason.fault)) + NumberCell(Count(reason.count)));
  }
  std::vector<Skipped> listed = skipped;
  std::stable_partition(listed.begin(), listed.end(), [](const Skipped& input) { return input.fault; });
  listed.resize(std::min(kListedInputs, listed.size()));
  Html rows;
  for (const Skipped& input : listed) {
    rows += Element("tr", Cell(input.input) + Cell(input.reason) + Cell(kind(input.fault)));
  }
  Html list = TableElement("Inputs left out", {"Input", "Reason", "Kind"}, rows);
  if (skipped.size() > listed.size()) list += Note("and " + Count(skipped.size() - listed.size()) + " more");
  return TableElement("Inputs left out, by reason", {"Reason", "Kind", "Inputs"}, counts) +
         Folded("Which inputs", list);
}

}  // namespace flyscribe
