#include "evaluate/evaluate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>

#include "core/rng.h"
#include "core/statistics.h"
#include "evaluate/metrics.h"
#include "evaluate/resample.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Bag MakeBag(const std::string& id, int fold, std::vector<std::string> terms) {
  Bag bag;
  bag.id = id;
  bag.gene = id;
  bag.fold = fold;
  bag.terms = std::move(terms);
  return bag;
}

// Models whose scores are given: one row per bag, one column per term.
TermModels ModelsOf(const std::vector<std::string>& terms, const std::vector<std::vector<double>>& scores) {
  TermModels models;
  for (const std::string& term : terms) {
    TermModel model;
    model.term = term;
    models.terms.push_back(model);
  }
  models.scores = Matrix<double>(scores.size(), terms.size());
  for (std::size_t bag = 0; bag < scores.size(); ++bag) {
    for (std::size_t column = 0; column < terms.size(); ++column) models.scores(bag, column) = scores[bag][column];
  }
  return models;
}

// Six bags in two folds. "gut" has 4 bags, "brain" 2 (both in fold 0), "eye" 1.
struct TwoFolds {
  std::vector<Bag> bags = {MakeBag("a", 0, {"brain", "gut"}),
                           MakeBag("b", 0, {"brain"}),
                           MakeBag("c", 0, {}),
                           MakeBag("d", 1, {"gut"}),
                           MakeBag("e", 1, {"eye", "gut"}),
                           MakeBag("f", 1, {"gut"})};
  LabelTable labels = LabelTable::FromBags(bags);
  // Scores of bags a fold does not test are absurd on purpose: they must not be looked at.
  TermModels fold0 = ModelsOf({"brain", "gut"}, {{1, 2}, {-1, 1}, {-2, -1}, {99, 99}, {99, 99}, {99, 99}});
  TermModels fold1 = ModelsOf({"gut"}, {{99}, {99}, {99}, {1}, {-1}, {0}});

  Evaluation Run(const EvaluateOptions& options = {}) const {
    const std::vector<FoldScores> folds = {{0, &fold0}, {1, &fold1}};
    return Evaluate(bags, labels, folds, options);
  }
};

TEST(Evaluate, TermsByHand) {
  TwoFolds data;
  data.fold1.skipped = {{"eye", 1, "1 positive bag, fewer than train.min_positives = 2"}};
  const Evaluation evaluation = data.Run();
  ASSERT_EQ(evaluation.terms.size(), 2U);

  // "gut": fold 0 tests a (yes), b and c (no); fold 1 tests only bags with it, so it is in no average but in the curve.
  const TermEvaluation& gut = evaluation.terms[0];
  EXPECT_EQ(gut.term, "gut");
  EXPECT_EQ(gut.folds, 1U);
  EXPECT_EQ(gut.bags, 6U);
  EXPECT_EQ(gut.positives, 4U);
  EXPECT_DOUBLE_EQ(gut.metrics.accuracy, 2.0 / 3.0);
  EXPECT_DOUBLE_EQ(gut.metrics.baseline, 2.0 / 3.0);
  EXPECT_DOUBLE_EQ(gut.metrics.auc, 1.0);
  EXPECT_DOUBLE_EQ(gut.metrics.sensitivity, 1.0);
  EXPECT_DOUBLE_EQ(gut.metrics.specificity, 0.5);
  EXPECT_EQ(gut.roc, RocCurve(std::vector<double>{2, 1, -1, 1, -1, 0}, std::vector<std::uint8_t>{1, 0, 0, 1, 1, 1}));
  EXPECT_EQ(gut.precision_recall.back(), (CurvePoint{1.0, 4.0 / 6.0}));

  // "brain" has a model in fold 0 alone.
  const TermEvaluation& brain = evaluation.terms[1];
  EXPECT_EQ(brain.term, "brain");
  EXPECT_EQ(brain.bags, 3U);
  EXPECT_EQ(brain.positives, 2U);
  EXPECT_DOUBLE_EQ(brain.metrics.sensitivity, 0.5);
  EXPECT_DOUBLE_EQ(brain.metrics.specificity, 1.0);

  EXPECT_THAT(evaluation.skipped,
              ElementsAre(SkippedEvaluation{"eye", "not trained: 1 positive bag, fewer than train.min_positives = 2"}));
}

TEST(Evaluate, AveragesByHand) {
  const Evaluation evaluation = TwoFolds().Run();
  ASSERT_EQ(evaluation.averages.size(), 6U);
  const Metrics& gut = evaluation.terms[0].metrics;
  const Metrics& brain = evaluation.terms[1].metrics;
  EXPECT_EQ(evaluation.averages[0].terms.name(), "top 10");
  EvaluateOptions three;
  three.top_terms = 3;
  EXPECT_EQ(TwoFolds().Run(three).averages[0].terms.name(), "top 3");
  EXPECT_EQ(evaluation.averages[0].kind, AverageKind::kMacro);
  EXPECT_EQ(evaluation.averages[0].count, 2U);
  EXPECT_DOUBLE_EQ(evaluation.averages[0].metrics.sensitivity, (gut.sensitivity + brain.sensitivity) / 2.0);
  EXPECT_EQ(evaluation.averages[1].kind, AverageKind::kWeighted);
  // "gut" has 4 bags in the whole table, "brain" 2.
  EXPECT_DOUBLE_EQ(evaluation.averages[1].metrics.sensitivity, (4.0 * gut.sensitivity + 2.0 * brain.sensitivity) / 6.0);
  EXPECT_DOUBLE_EQ(evaluation.averages[1].metrics.baseline, (4.0 * gut.baseline + 2.0 * brain.baseline) / 6.0);
  EXPECT_DOUBLE_EQ(evaluation.averages[1].metrics.f1, (4.0 * gut.f1 + 2.0 * brain.f1) / 6.0);
  EXPECT_EQ(evaluation.averages[2].kind, AverageKind::kMicro);
  EXPECT_EQ(evaluation.averages[3].terms.name(), "all");
  EXPECT_EQ(evaluation.averages[3].kind, AverageKind::kMacro);
  EXPECT_EQ(evaluation.averages[4].kind, AverageKind::kWeighted);
  EXPECT_EQ(evaluation.averages[5].kind, AverageKind::kMicro);
  ASSERT_NE(TopTerms(evaluation.averages, AverageKind::kWeighted), nullptr);
  EXPECT_EQ(*TopTerms(evaluation.averages, AverageKind::kWeighted), evaluation.averages[1]);
}

TEST(Evaluate, TopTermsAreTheMostFrequent) {
  EvaluateOptions options;
  options.top_terms = 1;
  const Evaluation evaluation = TwoFolds().Run(options);
  EXPECT_EQ(evaluation.averages[0].count, 1U);
  EXPECT_EQ(evaluation.averages[0].metrics, evaluation.terms[0].metrics);
  EXPECT_EQ(evaluation.averages[1].metrics, evaluation.terms[0].metrics);
  EXPECT_EQ(evaluation.averages[3].count, 2U);
}

TEST(Evaluate, PredictionsAreOfTestedBagsOnly) {
  const Evaluation evaluation = TwoFolds().Run();
  ASSERT_EQ(evaluation.predictions.size(), 9U);
  EXPECT_EQ(evaluation.predictions[0], (Prediction{"a", "a", "gut", 0, true, 2.0, 0.5, 0.5, true}));
  EXPECT_EQ(evaluation.predictions[2], (Prediction{"c", "c", "gut", 0, false, -1.0, 0.5, 0.5, false}));
  EXPECT_EQ(evaluation.predictions[5], (Prediction{"f", "f", "gut", 1, true, 0.0, 0.5, 0.5, false}));
  EXPECT_EQ(evaluation.predictions[7], (Prediction{"b", "b", "brain", 0, true, -1.0, 0.5, 0.5, false}));
}

TEST(Evaluate, MetricsAreAveragedOverFoldsNotPooled) {
  // Fold 0 is perfect, fold 1 is all wrong; pooled, the shifted scores would give something else.
  const std::vector<Bag> bags = {
      MakeBag("a", 0, {"t"}), MakeBag("b", 0, {}), MakeBag("c", 1, {"t"}), MakeBag("d", 1, {})};
  const TermModels fold0 = ModelsOf({"t"}, {{12}, {11}, {0}, {0}});
  const TermModels fold1 = ModelsOf({"t"}, {{0}, {0}, {1}, {2}});
  const std::vector<FoldScores> folds = {{0, &fold0}, {1, &fold1}};
  const Evaluation evaluation = Evaluate(bags, LabelTable::FromBags(bags), folds, {});
  ASSERT_EQ(evaluation.terms.size(), 1U);
  EXPECT_EQ(evaluation.terms[0].folds, 2U);
  EXPECT_DOUBLE_EQ(evaluation.terms[0].metrics.auc, 0.5);
  EXPECT_DOUBLE_EQ(evaluation.terms[0].metrics.specificity, 0.0);
}

TEST(Evaluate, FoldsWithoutOneClassAreReported) {
  const std::vector<Bag> bags = {MakeBag("a", 0, {"both", "first", "never"}),
                                 MakeBag("b", 0, {"first", "all"}),
                                 MakeBag("c", 1, {"all"}),
                                 MakeBag("d", 2, {"untested"})};
  LabelTable labels = LabelTable::FromBags(bags);
  const TermModels fold0 = ModelsOf({"both", "first", "untested"}, {{1, 1, 1}, {-1, 1, 1}, {0, 0, 0}, {0, 0, 0}});
  const TermModels fold1 = ModelsOf({"all", "first"}, {{0, 0}, {0, 0}, {1, 1}, {0, 0}});
  const std::vector<FoldScores> folds = {{0, &fold0}, {1, &fold1}};
  const Evaluation evaluation = Evaluate(bags, labels, folds, {});
  ASSERT_EQ(evaluation.terms.size(), 1U);
  EXPECT_EQ(evaluation.terms[0].term, "both");
  EXPECT_THAT(evaluation.skipped,
              ElementsAre(SkippedEvaluation{"all", "all tested bags have the term"},
                          SkippedEvaluation{"first", "no fold tests bags with and without the term"},
                          SkippedEvaluation{"never", "not trained"},
                          SkippedEvaluation{"untested", "no tested bag has the term"}));
}

TEST(Evaluate, NothingToEvaluate) {
  const TwoFolds data;
  const Evaluation no_fold = Evaluate(data.bags, data.labels, {}, {});
  EXPECT_THAT(no_fold.terms, IsEmpty());
  EXPECT_THAT(no_fold.averages, IsEmpty());
  EXPECT_EQ(no_fold.skipped.size(), 3U);
  EXPECT_EQ(TopTerms(no_fold.averages, AverageKind::kMacro), nullptr);

  const TermModels models = ModelsOf({"gut"}, {{1}, {1}, {1}, {1}, {1}, {1}});
  const std::vector<FoldScores> empty_fold = {{7, &models}};
  EXPECT_EQ(Evaluate(data.bags, data.labels, empty_fold, {}).skipped[0],
            (SkippedEvaluation{"gut", "no bag was tested"}));
}

TEST(Evaluate, LongCurvesAreThinned) {
  std::vector<Bag> bags;
  std::vector<std::vector<double>> scores;
  Rng rng(1);
  for (int i = 0; i < 500; ++i) {
    bags.push_back(MakeBag("bag" + std::to_string(i), 0, {}));
    if (rng.Chance(0.5)) bags.back().terms = {"t"};
    scores.push_back({rng.Normal()});
  }
  const TermModels models = ModelsOf({"t"}, scores);
  const std::vector<FoldScores> folds = {{0, &models}};
  const Evaluation evaluation = Evaluate(bags, LabelTable::FromBags(bags), folds, {});
  EXPECT_EQ(evaluation.terms[0].roc.size(), 200U);
  EXPECT_EQ(evaluation.terms[0].roc.back(), (CurvePoint{1.0, 1.0}));
  EXPECT_EQ(evaluation.terms[0].precision_recall.size(), 200U);
  EXPECT_NEAR(evaluation.terms[0].metrics.auc, 0.5, 0.1);
}

TEST(Evaluate, CallsAboveTheCutAndCalibrates) {
  TwoFolds data;
  data.fold0.terms[1].cut = 1.5;  // of "gut"
  data.fold0.terms[1].c = 0.25;
  data.fold0.terms[1].calibration = {.slope = 0.0, .offset = 0.0, .knots = {{-1.0, 0.0}, {2.0, 0.75}}};
  const Evaluation evaluation = data.Run();
  const std::vector<Prediction>& predictions = evaluation.predictions;
  EXPECT_EQ(predictions[0], (Prediction{"a", "a", "gut", 0, true, 2.0, 0.75, 0.625, true}));
  EXPECT_EQ(predictions[1], (Prediction{"b", "b", "gut", 0, false, 1.0, 0.5, 0.625, false}));
  EXPECT_EQ(predictions[2], (Prediction{"c", "c", "gut", 0, false, -1.0, 0.0, 0.625, false}));
  const TermEvaluation& gut = evaluation.terms[0];
  EXPECT_DOUBLE_EQ(gut.metrics.specificity, 1.0);
  EXPECT_DOUBLE_EQ(gut.metrics.precision, 1.0);
  EXPECT_DOUBLE_EQ(gut.metrics.brier, (0.25 * 0.25 + 0.5 * 0.5) / 3.0);
  EXPECT_THAT(gut.models, ElementsAre(FoldModel{0, 0.25, 0.625}, FoldModel{1, 1.0, 0.5}));
  std::size_t counted = 0;
  for (const ReliabilityBin& bin : gut.reliability) counted += bin.count;
  EXPECT_EQ(counted, 6U);
  counted = 0;
  for (const ReliabilityBin& bin : evaluation.reliability) counted += bin.count;
  EXPECT_EQ(counted, 9U) << "gut 6, brain 3";
}

// Forty genes with up to two bags each in three folds, two terms.
struct RandomFolds {
  std::vector<Bag> bags;
  LabelTable labels;
  std::vector<TermModels> models;
  std::vector<FoldScores> folds;

  explicit RandomFolds(std::uint64_t seed, int genes = 40) {
    Rng rng(seed);
    std::vector<std::vector<double>> scores;
    for (int i = 0; i < genes; ++i) {
      const int copies = rng.Chance(0.3) ? 2 : 1;
      for (int copy = 0; copy < copies; ++copy) {
        bags.push_back(MakeBag("bag" + std::to_string(i) + "-" + std::to_string(copy), i % 3, {}));
        bags.back().gene = "gene" + std::to_string(i);
        for (const char* term : {"brain", "gut"}) {
          if (rng.Chance(0.4)) bags.back().terms.emplace_back(term);
        }
        scores.push_back({rng.Normal() + (bags.back().terms.empty() ? 0.0 : 0.8), rng.Normal()});
      }
    }
    labels = LabelTable::FromBags(bags);
    for (int fold = 0; fold < 3; ++fold) {
      models.push_back(ModelsOf(labels.terms, scores));
      for (TermModel& model : models.back().terms) model.calibration.slope = 1.0;
    }
    for (int fold = 0; fold < 3; ++fold) folds.push_back({fold, &models[static_cast<std::size_t>(fold)]});
  }
};

// The definition: lists in which every bag stands as often as its gene was drawn.
std::optional<double> NaiveAuc(const RandomFolds& data, std::size_t term, const Draws& draws) {
  double sum = 0.0;
  int folds = 0;
  for (int fold = 0; fold < 3; ++fold) {
    std::vector<double> scores;
    std::vector<std::uint8_t> labels;
    std::size_t positives = 0;
    std::map<std::string, std::uint32_t> number;
    for (std::size_t bag = 0; bag < data.bags.size(); ++bag) {
      // Genes are numbered in the order their bags are tested: fold by fold.
      if (data.bags[bag].fold != fold) continue;
      std::size_t gene = 0;
      for (int before = 0; before < fold; ++before) gene += (40 - static_cast<std::size_t>(before) + 2) / 3;
      gene += number.try_emplace(data.bags[bag].gene, static_cast<std::uint32_t>(number.size())).first->second;
      for (std::uint32_t k = 0; k < draws[gene]; ++k) {
        scores.push_back(data.models[0].scores(bag, term));
        labels.push_back(data.labels.values(bag, term));
        positives += labels.back();
      }
    }
    if (positives == 0 || positives == labels.size()) continue;
    sum += Auc(scores, labels);
    ++folds;
  }
  return folds == 0 ? std::nullopt : std::optional(sum / folds);
}

TEST(EvaluateIntervals, EqualTheDefinition) {
  const RandomFolds data(5);
  EvaluateOptions options;
  options.bootstrap = 50;
  options.seed = 9;
  const Evaluation evaluation = Evaluate(data.bags, data.labels, data.folds, options);
  std::vector<double> macro;
  std::vector<std::vector<double>> by_term(2);
  for (std::size_t resample = 0; resample < 50; ++resample) {
    const Draws draws = DrawGenes(40, 9, resample);
    for (std::size_t term = 0; term < 2; ++term) by_term[term].push_back(NaiveAuc(data, term, draws).value());
    macro.push_back((by_term[0].back() + by_term[1].back()) / 2.0);
  }
  for (std::size_t term = 0; term < 2; ++term) {
    const Interval naive = PercentileInterval(by_term[term]);
    ASSERT_TRUE(evaluation.terms[term].interval);
    EXPECT_NEAR(evaluation.terms[term].interval->low.auc, naive.low, 1e-12);
    EXPECT_NEAR(evaluation.terms[term].interval->high.auc, naive.high, 1e-12);
  }
  EXPECT_NEAR(evaluation.averages[0].interval->low.auc, PercentileInterval(macro).low, 1e-12);
  EXPECT_NEAR(evaluation.averages[0].interval->high.auc, PercentileInterval(macro).high, 1e-12);
}

TEST(EvaluateIntervals, AreTheSameForAnyNumberOfThreads) {
  const RandomFolds data(6);
  const Evaluation one = Evaluate(data.bags, data.labels, data.folds, {}, 1);
  const Evaluation four = Evaluate(data.bags, data.labels, data.folds, {}, 4);
  EXPECT_EQ(one.terms, four.terms);
  EXPECT_EQ(one.averages, four.averages);
  for (const AverageEvaluation& average : one.averages) {
    ASSERT_TRUE(average.interval);
    for (const Measure& measure : kMeasures) {
      const Interval interval = average.interval->Of(measure.value);
      EXPECT_LE(interval.low, interval.high) << measure.name;
    }
    EXPECT_LT(average.interval->low.auc, average.metrics.auc);
    EXPECT_GT(average.interval->high.auc, average.metrics.auc);
  }
}

TEST(EvaluateIntervals, AreLeftOutWithoutResamples) {
  EvaluateOptions options;
  options.bootstrap = 0;
  const Evaluation evaluation = TwoFolds().Run(options);
  EXPECT_FALSE(evaluation.terms[0].interval);
  EXPECT_FALSE(evaluation.averages[0].interval);
}

// Scores are normal with means 0 and 1, so the true AUC is P(N(1, 2) > 0) = 0.7602.
TEST(EvaluateIntervals, CoverTheTruthAboutAsOftenAsTheySay) {
  constexpr double kTruth = 0.7602499389;
  constexpr int kTrials = 200;
  int covered = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    Rng rng(21, static_cast<std::uint64_t>(trial));
    std::vector<Bag> bags;
    std::vector<std::vector<double>> scores;
    for (int i = 0; i < 120; ++i) {
      const bool positive = i % 3 == 0;
      bags.push_back(MakeBag("bag" + std::to_string(i), i % 2, {}));
      if (positive) bags.back().terms = {"t"};
      scores.push_back({rng.Normal() + (positive ? 1.0 : 0.0)});
    }
    const TermModels models = ModelsOf({"t"}, scores);
    const std::vector<FoldScores> folds = {{0, &models}, {1, &models}};
    EvaluateOptions options;
    options.bootstrap = 200;
    const Evaluation evaluation = Evaluate(bags, LabelTable::FromBags(bags), folds, options);
    const Interval interval = evaluation.terms[0].interval->Of(&Metrics::auc);
    covered += interval.low <= kTruth && kTruth <= interval.high ? 1 : 0;
  }
  EXPECT_GT(covered, 0.89 * kTrials);
  EXPECT_LT(covered, 0.99 * kTrials);
}

TEST(EvaluateErrors, AGeneOnBothSides) {
  TwoFolds data;
  data.bags[4].gene = "a";  // fold 1; bag a is in fold 0
  const CaughtError error = ExpectError([&] { data.Run(); });
  EXPECT_EQ(error.code, ErrorCode::kInput);
  EXPECT_THAT(error.text, HasSubstr("gene a has bags in fold 0 and in fold 1"));
}

TEST(EvaluateErrors, ScoresThatAreNotFinite) {
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    TwoFolds data;
    data.fold0.scores(1, 1) = bad;
    const CaughtError error = ExpectError([&] { data.Run(); });
    EXPECT_EQ(error.code, ErrorCode::kInput);
    EXPECT_THAT(error.text, HasSubstr("the decision value of bag b for 'gut' is not a finite number"));
    EXPECT_THAT(error.text, HasSubstr("hint: run the train step again"));
  }
  TwoFolds data;
  data.fold0.scores(5, 1) = std::nan("");  // fold 0 does not test this bag
  EXPECT_EQ(data.Run().terms.size(), 2U);
}

TEST(EvaluateErrors, BrokenContracts) {
  const TwoFolds data;
  const std::vector<FoldScores> twice = {{0, &data.fold0}, {0, &data.fold0}};
  EXPECT_EQ(ExpectError([&] { Evaluate(data.bags, data.labels, twice, {}); }).code, ErrorCode::kInternal);
  const std::vector<FoldScores> folds = {{0, &data.fold0}};
  EXPECT_EQ(ExpectError([&] { Evaluate({}, LabelTable{}, folds, {}); }).code, ErrorCode::kInternal);
}

TEST(EvaluateOptions, KeyTextNamesEveryField) {
  EXPECT_EQ(KeyText(EvaluateOptions{}), "top_terms: 10\nbootstrap: 1000\nseed: 0\n");
}

// Eight genes of one bag each; "gut" in every other one. The last two are the outer fold's tested bags.
struct SomeBags {
  std::vector<Bag> bags;
  std::vector<int> inner_folds = {0, 0, 0, 0, 1, 1, -1, -1};
  TermModels models;

  explicit SomeBags(const std::vector<double>& scores) {
    for (std::size_t i = 0; i < scores.size(); ++i) {
      Bag bag;
      bag.id = bag.gene = "gene " + std::to_string(i);
      bag.fold = 3;
      if (i % 2 == 0) bag.terms = {"gut"};
      bags.push_back(bag);
    }
    models.terms.resize(1);
    models.terms[0].term = "gut";
    models.scores = Matrix<double>(scores.size(), 1);
    for (std::size_t i = 0; i < scores.size(); ++i) models.scores(i, 0) = scores[i];
  }
  std::optional<double> Auc() const {
    return InnerMacroAuc(bags, LabelTable::FromBags(bags), models, inner_folds, EvaluateOptions());
  }
};

TEST(InnerMacroAuc, IsTheMeanOverInnerFolds) {
  // Fold 0: of the four pairs (0 or 2 against 1 or 3) three are in order. Fold 1: the one pair is not.
  EXPECT_DOUBLE_EQ(*SomeBags({4, 1, 2, 3, -1, 1, 0, 0}).Auc(), (0.75 + 0.0) / 2.0);
}

TEST(InnerMacroAuc, KnowsNothingOfTheTestedBags) {
  const double auc = *SomeBags({4, 1, 2, 3, 1, -1, 0, 0}).Auc();
  EXPECT_DOUBLE_EQ(*SomeBags({4, 1, 2, 3, 1, -1, -99, 99}).Auc(), auc);
  EXPECT_DOUBLE_EQ(*SomeBags({4, 1, 2, 3, 1, -1, 99, -99}).Auc(), auc);
}

TEST(InnerMacroAuc, IsNothingWithoutATermToScore) {
  SomeBags some({4, 1, 2, 3, 1, -1, 0, 0});
  some.inner_folds = {0, -1, 0, -1, 1, -1, -1, -1};  // no inner fold has a bag without the term
  EXPECT_EQ(some.Auc(), std::nullopt);
  some.inner_folds.assign(8, -1);
  EXPECT_EQ(some.Auc(), std::nullopt);
}

}  // namespace
}  // namespace flyscribe
