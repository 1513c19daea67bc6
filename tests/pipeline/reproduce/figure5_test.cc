#include "pipeline/reproduce/figure5.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/pipeline/reproduce/made_up.h"

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
  const Config config = StudyConfig(", annotation_epochs: 4");
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
  EXPECT_EQ(strict.pool.codes, PoolOptions::Codes::kEncoded);
}

std::vector<AnnotationScore> SomeScores(double scc_minus_online) {
  std::vector<AnnotationScore> scores;
  for (const AnnotationPoint& point : AnnotationPoints(StudyConfig())) {
    for (const std::string range : {"4-6", "7-8"}) {
      AnnotationScore score{point, range, 10, {}, std::nullopt, std::nullopt};
      score.metrics.accuracy = 0.9;
      score.metrics.auc = 0.8 + (point.atoms == 1000 ? 0.01 : 0.0);
      if (point.method == AnnotationPoint::Method::kScc) score.metrics.auc += scc_minus_online;
      if (point.protocol == Protocol::kStrict) {
        score.low = score.metrics;
        score.high = score.metrics;
        score.low->auc -= 0.05;
        score.high->auc += 0.05;
      }
      scores.push_back(score);
    }
  }
  return scores;
}

TEST(TellFigure5, ShowsEverySizeAndProtocol) {
  const ReproductionPart part = TellFigure5(StudyConfig(), SomeScores(0.005));
  EXPECT_EQ(part.name, "Figure 5");
  EXPECT_TRUE(Rectangular(part));
  ASSERT_EQ(part.tables.size(), 4U);
  EXPECT_EQ(part.tables[0].caption, "Protocol paper, m = 500");
  EXPECT_EQ(part.tables[0].rows[0][4], "0.800");
  EXPECT_EQ(part.tables[2].rows[0][4], "0.800 (0.75-0.85)");
  EXPECT_EQ(part.tables[2].rows[0].back(), "+0.005");
  ASSERT_EQ(part.bars.size(), 8U);
  EXPECT_EQ(part.bars[0].bars.size(), 2U);
  EXPECT_EQ(part.bars[0].members.size(), 4U);
  EXPECT_GT(part.bars[0].bars[0][1].low, part.bars[0].bars[0][1].high) << "no interval";
  EXPECT_THAT(part.differs, IsEmpty());
  EXPECT_EQ(part.agrees.size(), 4U + 4U);
  EXPECT_THAT(part.incomparable.back(), HasSubstr("simulated"));
}

TEST(TellFigure5, SaysWhatDiffers) {
  const ReproductionPart part = TellFigure5(StudyConfig(), SomeScores(-0.1));
  ASSERT_EQ(part.differs.size(), 4U);
  EXPECT_THAT(part.differs.front(), HasSubstr("0.800 with OL and 0.700 with SCC"));
}

TEST(TellFigure5, RangesWithoutScoresAreLeftOpen) {
  const ReproductionPart part = TellFigure5(StudyConfig(), {});
  EXPECT_TRUE(Rectangular(part));
  EXPECT_EQ(part.tables[0].rows[0][2], "-");
}

}  // namespace
}  // namespace flyscribe
