#include "evaluate/evaluate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/rng.h"
#include "evaluate/metrics.h"
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
  ASSERT_EQ(evaluation.averages.size(), 4U);
  const Metrics& gut = evaluation.terms[0].metrics;
  const Metrics& brain = evaluation.terms[1].metrics;
  EXPECT_EQ(evaluation.averages[0].terms, "top 10");
  EvaluateOptions three;
  three.top_terms = 3;
  EXPECT_EQ(TwoFolds().Run(three).averages[0].terms, "top 3");
  EXPECT_EQ(evaluation.averages[0].kind, "macro");
  EXPECT_EQ(evaluation.averages[0].count, 2U);
  EXPECT_DOUBLE_EQ(evaluation.averages[0].metrics.sensitivity, (gut.sensitivity + brain.sensitivity) / 2.0);
  EXPECT_EQ(evaluation.averages[1].kind, "weighted");
  // "gut" has 4 bags in the whole table, "brain" 2.
  EXPECT_DOUBLE_EQ(evaluation.averages[1].metrics.sensitivity, (4.0 * gut.sensitivity + 2.0 * brain.sensitivity) / 6.0);
  EXPECT_DOUBLE_EQ(evaluation.averages[1].metrics.baseline, (4.0 * gut.baseline + 2.0 * brain.baseline) / 6.0);
  EXPECT_DOUBLE_EQ(evaluation.averages[1].metrics.f1, (4.0 * gut.f1 + 2.0 * brain.f1) / 6.0);
  EXPECT_EQ(evaluation.averages[2].terms, "all");
  EXPECT_EQ(evaluation.averages[2].kind, "macro");
  EXPECT_EQ(evaluation.averages[3].kind, "weighted");
  ASSERT_NE(evaluation.TopTerms("weighted"), nullptr);
  EXPECT_EQ(*evaluation.TopTerms("weighted"), evaluation.averages[1]);
}

TEST(Evaluate, TopTermsAreTheMostFrequent) {
  EvaluateOptions options;
  options.top_terms = 1;
  const Evaluation evaluation = TwoFolds().Run(options);
  EXPECT_EQ(evaluation.averages[0].count, 1U);
  EXPECT_EQ(evaluation.averages[0].metrics, evaluation.terms[0].metrics);
  EXPECT_EQ(evaluation.averages[1].metrics, evaluation.terms[0].metrics);
  EXPECT_EQ(evaluation.averages[2].count, 2U);
}

TEST(Evaluate, PredictionsAreOfTestedBagsOnly) {
  const Evaluation evaluation = TwoFolds().Run();
  ASSERT_EQ(evaluation.predictions.size(), 9U);
  EXPECT_EQ(evaluation.predictions[0], (Prediction{"a", "gut", 0, true, 2.0, true}));
  EXPECT_EQ(evaluation.predictions[2], (Prediction{"c", "gut", 0, false, -1.0, false}));
  EXPECT_EQ(evaluation.predictions[5], (Prediction{"f", "gut", 1, true, 0.0, false}));
  EXPECT_EQ(evaluation.predictions[7], (Prediction{"b", "brain", 0, true, -1.0, false}));
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
  EXPECT_EQ(no_fold.TopTerms("macro"), nullptr);

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

TEST(EvaluateOptions, KeyTextNamesEveryField) { EXPECT_EQ(KeyText(EvaluateOptions{}), "top_terms: 10\n"); }

}  // namespace
}  // namespace flyscribe
