#include "evaluate/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>

#include "core/error.h"
#include "core/parallel.h"
#include "evaluate/metrics.h"
#include "evaluate/resample.h"
#include "evaluate/score_sheet.h"

namespace flyscribe {
namespace {

constexpr std::size_t kMaxCurvePoints = 200;
constexpr std::size_t kBins = 10;
constexpr std::size_t kBinsOfATerm = 5;

// One fold made ready: where its terms are, and which bags it tests.
struct TestedFold {
  int fold = 0;
  const TermModels* models = nullptr;
  std::map<std::string, std::size_t> column_of;
  std::vector<std::size_t> bags;
};

std::size_t Positives(const std::vector<Tested>& tests) {
  return static_cast<std::size_t>(std::ranges::count(tests, true, &Tested::label));
}

// Of every measure, over the resamples that have it; nothing if none has.
template <class FigureOf>
std::optional<MetricsInterval> IntervalOf(const std::vector<Figures>& resamples, const FigureOf& figure_of) {
  MetricsInterval interval;
  for (const Measure& measure : kMeasures) {
    std::vector<double> values;
    for (const Figures& figures : resamples) {
      if (const std::optional<Metrics> metrics = figure_of(figures)) values.push_back((*metrics).*measure.value);
    }
    if (values.empty()) return std::nullopt;
    const Interval found = PercentileInterval(std::move(values));
    interval.low.*measure.value = found.low;
    interval.high.*measure.value = found.high;
  }
  return interval;
}

std::vector<TestedFold> PrepareFolds(const std::vector<Bag>& bags, std::span<const FoldScores> folds) {
  std::vector<TestedFold> prepared;
  std::set<int> seen;
  for (const FoldScores& given : folds) {
    FLYSCRIBE_CHECK(given.models != nullptr && given.models->scores.rows() == bags.size(), "one row of scores per bag");
    FLYSCRIBE_CHECK(seen.insert(given.fold).second, "a fold is evaluated twice");
    TestedFold fold;
    fold.fold = given.fold;
    fold.models = given.models;
    for (std::size_t column = 0; column < given.models->terms.size(); ++column) {
      fold.column_of[given.models->terms[column].term] = column;
    }
    for (std::size_t bag = 0; bag < bags.size(); ++bag) {
      if (bags[bag].fold == given.fold) fold.bags.push_back(bag);
    }
    prepared.push_back(std::move(fold));
  }
  return prepared;
}

class Evaluator {
 public:
  Evaluator(const std::vector<Bag>& bags, const LabelTable& labels, std::span<const FoldScores> folds)
      : bags_(bags), labels_(labels), folds_(PrepareFolds(bags, folds)) {
    FoldOfEachGene fold_of_gene;
    for (const Bag& bag : bags) fold_of_gene.Add(bag.gene, bag.fold);
  }

  Evaluation Run(const EvaluateOptions& options, int threads) {
    for (std::size_t term = 0; term < labels_.terms.size(); ++term) TestTerm(term);
    ScoreSheet sheet(tests_);
    const std::size_t all = evaluation_.terms.size();
    const std::size_t top = std::min(all, static_cast<std::size_t>(options.top_terms));
    AddAverages({static_cast<std::size_t>(options.top_terms)}, top, sheet);
    AddAverages({}, all, sheet);
    Fill(sheet, options, threads);
    std::vector<Tested> joined;
    for (const TermTests& term : tests_) {
      for (const std::vector<Tested>& fold : term.folds) joined.insert(joined.end(), fold.begin(), fold.end());
    }
    evaluation_.reliability = ReliabilityCurve(joined, kBins);
    return std::move(evaluation_);
  }

 private:
  // Takes down the tests of a term, or why it has none.
  void TestTerm(std::size_t term) {
    TermEvaluation result;
    result.term = labels_.terms[term];
    TermTests tests{static_cast<double>(labels_.positives[term]), {}};
    std::vector<Tested> all;
    for (const TestedFold& fold : folds_) {
      tests.folds.emplace_back();
      const auto column = fold.column_of.find(result.term);
      if (column == fold.column_of.end()) continue;
      const TermModel& model = fold.models->terms[column->second];
      result.models.push_back({fold.fold, model.c, model.Threshold()});
      tests.folds.back() = TestFold(fold, column->second, term);
      all.insert(all.end(), tests.folds.back().begin(), tests.folds.back().end());
      const std::size_t positives = Positives(tests.folds.back());
      if (positives > 0 && positives < tests.folds.back().size()) ++result.folds;
    }
    if (result.folds == 0) {
      const bool has_model = !result.models.empty();
      evaluation_.skipped.push_back({result.term, has_model ? ReasonOfClasses(all) : ReasonWithoutModel(result.term)});
      return;
    }
    result.positives = Positives(all);
    result.bags = all.size();
    std::vector<double> scores;
    std::vector<std::uint8_t> labels;
    for (const Tested& test : all) {
      scores.push_back(test.score);
      labels.push_back(test.label ? 1 : 0);
    }
    result.roc = ThinCurve(RocCurve(scores, labels), kMaxCurvePoints);
    result.precision_recall = ThinCurve(PrecisionRecallCurve(scores, labels), kMaxCurvePoints);
    result.reliability = ReliabilityCurve(all, kBinsOfATerm);
    evaluation_.terms.push_back(std::move(result));
    tests_.push_back(std::move(tests));
  }

  // Collects the fold's tested bags for a term, and lists them as predictions.
  std::vector<Tested> TestFold(const TestedFold& fold, std::size_t column, std::size_t term) {
    const TermModel& model = fold.models->terms[column];
    std::vector<Tested> tests;
    for (const std::size_t bag : fold.bags) {
      Prediction prediction;
      prediction.bag = bags_[bag].id;
      prediction.gene = bags_[bag].gene;
      prediction.term = labels_.terms[term];
      prediction.fold = fold.fold;
      prediction.label = labels_.values(bag, term) != 0;
      prediction.decision_value = fold.models->scores(bag, column);
      if (!std::isfinite(prediction.decision_value)) {
        throw Error(
            ErrorCode::kInput,
            fmt::format(
                "the decision value of bag {} for '{}' is not a finite number", prediction.bag, prediction.term),
            "run the train step again");
      }
      prediction.probability = model.calibration.Probability(prediction.decision_value);
      prediction.threshold = model.Threshold();
      prediction.call = prediction.decision_value > model.cut;
      tests.push_back({prediction.decision_value,
                       prediction.probability,
                       prediction.call,
                       prediction.label,
                       genes_.Of(prediction.gene)});
      evaluation_.predictions.push_back(std::move(prediction));
    }
    return tests;
  }

  static std::string ReasonOfClasses(const std::vector<Tested>& all) {
    if (all.empty()) return "no bag was tested";
    if (Positives(all) == 0) return "no tested bag has the term";
    if (Positives(all) == all.size()) return "all tested bags have the term";
    return "no fold tests bags with and without the term";
  }

  std::string ReasonWithoutModel(const std::string& term) const {
    for (const TestedFold& fold : folds_) {
      for (const SkippedTerm& skipped : fold.models->skipped) {
        if (skipped.term == term) return "not trained: " + skipped.reason;
      }
    }
    return "not trained";
  }

  // Over the first `count` evaluated terms, which are the most frequent.
  void AddAverages(const AveragedTerms& terms, std::size_t count, ScoreSheet& sheet) {
    if (count == 0) return;
    for (const AverageKind kind : kAverageKinds) {
      evaluation_.averages.push_back({terms, kind, count, {}, {}});
      sheet.AddAverage(kind, count);
    }
  }

  // The figures and their intervals.
  void Fill(const ScoreSheet& sheet, const EvaluateOptions& options, int threads) {
    const Figures figures = sheet.Measure(EachGeneOnce(genes_.size()));
    std::vector<Figures> resamples(evaluation_.terms.empty() ? 0 : static_cast<std::size_t>(options.bootstrap));
    ParallelFor(threads, resamples.size(), [&](std::size_t i) {
      resamples[i] = sheet.Measure(DrawGenes(genes_.size(), options.seed, i));
    });
    for (std::size_t i = 0; i < evaluation_.terms.size(); ++i) {
      evaluation_.terms[i].metrics = figures.terms[i].value();
      evaluation_.terms[i].interval = IntervalOf(resamples, [i](const Figures& resample) { return resample.terms[i]; });
    }
    for (std::size_t i = 0; i < evaluation_.averages.size(); ++i) {
      evaluation_.averages[i].metrics = figures.averages[i].value();
      evaluation_.averages[i].interval =
          IntervalOf(resamples, [i](const Figures& resample) { return resample.averages[i]; });
    }
  }

  const std::vector<Bag>& bags_;
  const LabelTable& labels_;
  std::vector<TestedFold> folds_;
  GeneNumbers genes_;  // with a tested bag
  Evaluation evaluation_;
  std::vector<TermTests> tests_;  // of evaluation_.terms; weights: positive bags in the whole table
};

}  // namespace

void EvaluateOptions::Fields(OptionsVisitor& visit) {
  visit.Integer(
      {.name = "top_terms",
       .doc = "How many of the most frequent evaluated terms the first averages are over; the paper takes 10.",
       .min = 1,
       .max = 100000},
      top_terms);
  visit.Integer({.name = "bootstrap",
                 .doc = "Resamples of genes for the 95 % confidence intervals; 0 leaves intervals out.",
                 .min = 0,
                 .max = 100000},  // all are kept until the end: a gigabyte of a large vocabulary
                bootstrap);
  visit.Integer({.name = "seed", .doc = "Seed of the resamples.", .min = 0, .max = 9007199254740992.0}, seed);
}

Evaluation Evaluate(const std::vector<Bag>& bags,
                    const LabelTable& labels,
                    std::span<const FoldScores> folds,
                    const EvaluateOptions& options,
                    int threads) {
  FLYSCRIBE_CHECK(labels.values.rows() == bags.size(), "one row of labels per bag");
  return Evaluator(bags, labels, folds).Run(options, threads);
}

std::optional<double> InnerMacroAuc(const std::vector<Bag>& bags,
                                    const LabelTable& labels,
                                    const TermModels& models,
                                    const std::vector<int>& inner_folds,
                                    EvaluateOptions options) {
  FLYSCRIBE_CHECK(inner_folds.size() == bags.size(), "one inner fold per bag");
  std::vector<Bag> trained_on = bags;
  int last = -1;
  for (std::size_t i = 0; i < bags.size(); ++i) {
    trained_on[i].fold = inner_folds[i];
    last = std::max(last, inner_folds[i]);
  }
  std::vector<FoldScores> folds;
  for (int fold = 0; fold <= last; ++fold) folds.push_back({fold, &models});
  options.bootstrap = 0;
  const Evaluation evaluation = Evaluate(trained_on, labels, folds, options);
  const AverageEvaluation* macro = TopTerms(evaluation.averages, AverageKind::kMacro);
  return macro == nullptr ? std::nullopt : std::optional(macro->metrics.auc);
}

}  // namespace flyscribe
