#include "evaluate/score_sheet.h"

#include <gtest/gtest.h>

#include "evaluate/resample.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

Tested Test(double score, double probability, bool call, bool label, std::uint32_t gene) {
  return {score, probability, call, label, gene};
}

// Two folds, genes 0-3 and 4-5. "gut" is perfect in fold 0 and wrong in fold 1; "brain" has a model in fold 0 alone.
struct TwoTerms {
  TermTests gut{3.0,
                {{Test(2, 0.9, true, true, 0),
                  Test(1, 0.6, true, true, 1),
                  Test(-1, 0.2, false, false, 2),
                  Test(-2, 0.1, false, false, 3)},
                 {Test(1, 0.8, true, false, 4), Test(0, 0.3, false, true, 5)}}};
  TermTests brain{1.0,
                  {{Test(5, 0.7, true, true, 0),
                    Test(4, 0.4, false, false, 1),
                    Test(3, 0.5, true, false, 2),
                    Test(2, 0.3, false, false, 3)},
                   {}}};
};

TEST(ScoreSheet, TermsAreMeansOverFolds) {
  const TwoTerms data;
  const Figures figures = ScoreSheet({data.gut, data.brain}).Measure(EachGeneOnce(6));
  ASSERT_TRUE(figures.terms[0] && figures.terms[1]);
  EXPECT_DOUBLE_EQ(figures.terms[0]->auc, 0.5);
  EXPECT_DOUBLE_EQ(figures.terms[0]->precision, 0.5);
  EXPECT_DOUBLE_EQ(figures.terms[0]->sensitivity, 0.5);
  EXPECT_DOUBLE_EQ(figures.terms[0]->f1, 0.5);
  EXPECT_DOUBLE_EQ(figures.terms[1]->auc, 1.0);
  EXPECT_DOUBLE_EQ(figures.terms[1]->precision, 0.5);
  EXPECT_DOUBLE_EQ(figures.terms[1]->f1, 2.0 / 3.0);
  EXPECT_TRUE(figures.averages.empty());
}

TEST(ScoreSheet, AveragesByHand) {
  const TwoTerms data;
  ScoreSheet sheet({data.gut, data.brain});
  sheet.AddAverage(AverageKind::kMacro, 2);
  sheet.AddAverage(AverageKind::kWeighted, 2);
  sheet.AddAverage(AverageKind::kMicro, 2);
  sheet.AddAverage(AverageKind::kMacro, 1);
  const Figures figures = sheet.Measure(EachGeneOnce(6));
  EXPECT_DOUBLE_EQ(figures.averages[0]->auc, 0.75);
  EXPECT_DOUBLE_EQ(figures.averages[1]->auc, (3.0 * 0.5 + 1.0) / 4.0);
  EXPECT_EQ(figures.averages[3], figures.terms[0]);

  // The two kinds of F1: mean of 0.5 and 2/3, against precision 0.5 and sensitivity 0.75.
  EXPECT_DOUBLE_EQ(figures.averages[0]->f1, (0.5 + 2.0 / 3.0) / 2.0);
  EXPECT_DOUBLE_EQ(figures.averages[0]->f1_of_means, 2.0 * 0.5 * 0.75 / 1.25);

  // Micro, fold 0: eight pairs, tp 3, fp 1, fn 0, tn 4; the majorities are right 2 + 3 times. By probability the
  // positives 0.9, 0.7, 0.6 are above all negatives. Fold 1: all wrong.
  const Metrics& micro = *figures.averages[2];
  EXPECT_DOUBLE_EQ(micro.auc, (1.0 + 0.0) / 2.0);
  EXPECT_DOUBLE_EQ(micro.accuracy, (7.0 / 8.0 + 0.0) / 2.0);
  EXPECT_DOUBLE_EQ(micro.baseline, (5.0 / 8.0 + 1.0 / 2.0) / 2.0);
  EXPECT_DOUBLE_EQ(micro.precision, (3.0 / 4.0 + 0.0) / 2.0);
  EXPECT_DOUBLE_EQ(micro.sensitivity, 0.5);
}

TEST(ScoreSheet, AFoldThatLosesAClassUnderADrawDoesNotCount) {
  const TwoTerms data;
  ScoreSheet sheet({data.gut, data.brain});
  sheet.AddAverage(AverageKind::kMacro, 2);
  // Gene 5, the only positive of gut's fold 1, and gene 0, the only positive of brain, are not drawn.
  const Figures figures = sheet.Measure({0, 2, 1, 1, 2, 0});
  ASSERT_TRUE(figures.terms[0]);
  EXPECT_DOUBLE_EQ(figures.terms[0]->auc, 1.0) << "of fold 0 alone";
  EXPECT_FALSE(figures.terms[1]);
  EXPECT_EQ(figures.averages[0], figures.terms[0]);
  EXPECT_FALSE(sheet.Measure({0, 0, 3, 3, 0, 0}).averages[0]);
}

TEST(ScoreSheet, BrokenContracts) {
  const TwoTerms data;
  ScoreSheet sheet({data.gut});
  EXPECT_EQ(ExpectError([&] { sheet.AddAverage(AverageKind::kMacro, 2); }).code, ErrorCode::kInternal);
  TermTests other = data.brain;
  other.folds.pop_back();
  EXPECT_EQ(ExpectError([&] { ScoreSheet({data.gut, other}); }).code, ErrorCode::kInternal);
}

}  // namespace
}  // namespace flyscribe
