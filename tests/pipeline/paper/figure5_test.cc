#include "pipeline/paper/figure5.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/file.h"
#include "tests/pipeline/paper/made_up.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using Protocol = AnnotationPoint::Protocol;

TEST(AnnotationPoints, AreMethodsSizesAndProtocols) {
  const std::vector<AnnotationPoint> points = AnnotationPoints(StudyConfig());
  ASSERT_EQ(points.size(), 8U);
  EXPECT_EQ(points.front().Name(), "online m=500 paper");
  EXPECT_EQ(points.back().Name(), "scc m=1000 strict");
}

TEST(AnnotationConfig, FollowsTheProtocol) {
  const PaperConfig config = StudyConfig(", annotation_epochs: 4");
  const Config paper = AnnotationConfig(config, {AnnotationPoint::Method::kScc, 1000, Protocol::kPaper});
  EXPECT_EQ(paper.learn.method, Method::kScc);
  EXPECT_EQ(paper.learn.atoms, 1000);
  EXPECT_EQ(paper.learn.epochs, 4);
  EXPECT_EQ(paper.protocol.dictionary, ProtocolOptions::DictionaryFrom::kAll);
  EXPECT_EQ(paper.protocol.test_folds, 1);
  EXPECT_EQ(paper.pool.codes, PoolOptions::Codes::kLearned);
  const Config strict = AnnotationConfig(config, {AnnotationPoint::Method::kOnline, 500, Protocol::kStrict});
  EXPECT_EQ(strict.learn.method, Method::kOnline);
  EXPECT_EQ(strict.learn.batch, 512);
  EXPECT_EQ(strict.protocol.dictionary, ProtocolOptions::DictionaryFrom::kTraining);
  EXPECT_EQ(strict.protocol.test_folds, 5);
  PaperConfig ten = config;
  ten.ingest.folds = 10;
  EXPECT_EQ(AnnotationConfig(ten, {AnnotationPoint::Method::kScc, 500, Protocol::kStrict}).protocol.test_folds, 10)
      << "every gene is tested";
  EXPECT_EQ(strict.pool.codes, PoolOptions::Codes::kEncoded);
}

// SCC that much from OL at every size, give or take 0.03.
AnnotationResults SomeResults(double scc_minus_online) {
  AnnotationResults results;
  for (const AnnotationPoint& point : AnnotationPoints(StudyConfig())) {
    for (const std::string range : {"4-6", "7-8"}) {
      AverageEvaluation average{{10}, AverageKind::kWeighted, 10, {}, std::nullopt};
      average.metrics.accuracy = 0.9;
      average.metrics.baseline = 0.7;
      average.metrics.auc = 0.8 + (point.atoms == 1000 ? 0.01 : 0.0);
      if (point.method == AnnotationPoint::Method::kScc) average.metrics.auc += scc_minus_online;
      if (point.protocol == Protocol::kStrict) {
        average.interval = {average.metrics, average.metrics};
        average.interval->low.auc -= 0.05;
        average.interval->high.auc += 0.05;
      }
      results.scores.push_back({point, range, average});
    }
    if (point.method != AnnotationPoint::Method::kScc) continue;
    PairedAuc auc;
    auc.first = 0.8;
    auc.second = 0.8 + scc_minus_online;
    auc.difference_interval = Interval{scc_minus_online - 0.03, scc_minus_online + 0.03};
    results.differences.push_back({point.atoms, point.protocol, auc});
  }
  return results;
}

TEST(TellFigure5, ShowsEverySizeAndProtocol) {
  const ReproductionPart part = TellFigure5(StudyConfig(), SomeResults(0.005));
  EXPECT_EQ(part.name, "Figure 5");
  EXPECT_TRUE(Rectangular(part));
  ASSERT_EQ(part.tables.size(), 5U);
  EXPECT_EQ(part.tables[0].rows[0],
            (std::vector<std::string>{"paper", "500", "0.800", "0.805", "+0.005 (-0.025 to +0.035)"}));
  EXPECT_EQ(part.tables[1].caption, "Protocol paper, m = 500");
  EXPECT_EQ(part.tables[1].header[2], "majority accuracy");
  EXPECT_EQ(part.tables[1].rows[0][2], "0.700");
  EXPECT_EQ(part.tables[1].rows[0][5], "0.800");
  EXPECT_EQ(part.tables[3].rows[0][5], "0.800 (0.75-0.85)");
  ASSERT_EQ(part.bars.size(), 8U);
  EXPECT_EQ(part.bars[0].bars.size(), 2U);
  EXPECT_EQ(part.bars[0].members.size(), 4U);
  EXPECT_GT(part.bars[0].bars[0][1].low, part.bars[0].bars[0][1].high) << "no interval";
  EXPECT_THAT(part.differs, IsEmpty());
  EXPECT_EQ(part.agrees.size(), 4U + 4U);
  EXPECT_THAT(part.incomparable.back(), HasSubstr("simulated"));
}

TEST(TellFigure5, SaysWhatDiffers) {
  const ReproductionPart behind = TellFigure5(StudyConfig(), SomeResults(-0.1));
  ASSERT_EQ(behind.differs.size(), 2U) << "at m = 500 the paper has OL ahead too";
  EXPECT_EQ(behind.differs.front(),
            "Protocol paper, m = 1000: the paper finds them comparable; here the AUC of SCC is -0.100 (-0.130 to "
            "-0.070) from OL's.");
  EXPECT_EQ(TellFigure5(StudyConfig(), SomeResults(0.1)).differs.size(), 4U);
}

TEST(TellFigure5, RangesWithoutScoresAreLeftOpen) {
  const ReproductionPart part = TellFigure5(StudyConfig(), {});
  EXPECT_TRUE(Rectangular(part));
  EXPECT_TRUE(part.tables[0].rows.empty());
  EXPECT_EQ(part.tables[1].rows[0][2], "-");
}

// One term, all genes on the right side or all on the wrong one.
Evaluation OneTerm(bool right) {
  Evaluation evaluation;
  evaluation.averages = {{{10}, AverageKind::kWeighted, 1, {}, std::nullopt}};
  for (int gene = 0; gene < 8; ++gene) {
    Prediction prediction;
    prediction.bag = "bag" + std::to_string(gene);
    prediction.gene = "gene" + std::to_string(gene);
    prediction.term = "brain";
    prediction.label = gene % 2 == 0;
    prediction.decision_value = prediction.label == right ? 1.0 : -1.0;
    prediction.probability = 0.5;
    evaluation.predictions.push_back(prediction);
  }
  return evaluation;
}

TEST(ReadAnnotations, ComparesMethodsOnTheSameGenes) {
  const TempFolder folder;
  for (const bool right : {true, false}) {
    CreateFolder(folder / (right ? "scc" : "online"));
    OneTerm(right).Save(folder / (right ? "scc" : "online"));
  }
  const AnnotationResults results =
      ReadAnnotations(StudyConfig(),
                      {{{AnnotationPoint::Method::kOnline, 500, Protocol::kStrict}, {{"4-6", folder / "online"}}},
                       {{AnnotationPoint::Method::kScc, 500, Protocol::kStrict}, {{"4-6", folder / "scc"}}}});
  EXPECT_EQ(results.scores.size(), 2U);
  ASSERT_EQ(results.differences.size(), 1U);
  EXPECT_EQ(results.differences[0].atoms, 500);
  EXPECT_EQ(results.differences[0].protocol, Protocol::kStrict);
  EXPECT_EQ(results.differences[0].auc.first, 0.0) << "OL";
  EXPECT_EQ(results.differences[0].auc.second, 1.0) << "SCC";
}

TEST(ReadAnnotations, WithoutScoresThereIsNothingToCompare) {
  const TempFolder folder;
  Evaluation().Save(folder.path());
  const AnnotationResults results =
      ReadAnnotations(StudyConfig(),
                      {{{AnnotationPoint::Method::kOnline, 500, Protocol::kStrict}, {{"4-6", folder.path()}}},
                       {{AnnotationPoint::Method::kScc, 500, Protocol::kStrict}, {{"4-6", folder.path()}}}});
  EXPECT_TRUE(results.scores.empty());
  EXPECT_TRUE(results.differences.empty());
}

}  // namespace
}  // namespace flyscribe
