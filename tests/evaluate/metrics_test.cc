#include "evaluate/metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/rng.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Scores = std::vector<double>;
using Labels = std::vector<std::uint8_t>;

// The definition: every pair of a positive and a negative.
double PairAuc(const Scores& scores, const Labels& labels) {
  double wins = 0.0;
  double pairs = 0.0;
  for (std::size_t p = 0; p < scores.size(); ++p) {
    for (std::size_t n = 0; n < scores.size(); ++n) {
      if (labels[p] != 1 || labels[n] != 0) continue;
      pairs += 1.0;
      if (scores[p] > scores[n]) wins += 1.0;
      if (scores[p] == scores[n]) wins += 0.5;
    }
  }
  return wins / pairs;
}

struct Sample {
  Scores scores;
  Labels labels;
};

// Few distinct scores, so that ties are common.
Sample RandomSample(std::uint64_t seed) {
  Rng rng(seed);
  Sample sample;
  for (int i = 0; i < 40; ++i) {
    sample.labels.push_back(rng.Chance(0.3) ? 1 : 0);
    sample.scores.push_back(static_cast<double>(rng.Below(12)) - 6.0 + (sample.labels.back() != 0 ? 2.0 : 0.0));
  }
  sample.labels[0] = 1;
  sample.labels[1] = 0;
  return sample;
}

TEST(Auc, ByHand) {
  EXPECT_EQ(Auc(Scores{3, 2, 1, 0}, Labels{1, 1, 0, 0}), 1.0);
  EXPECT_EQ(Auc(Scores{3, 2, 1, 0}, Labels{0, 0, 1, 1}), 0.0);
  EXPECT_EQ(Auc(Scores{3, 2, 1, 0}, Labels{1, 0, 1, 0}), 0.75);
  EXPECT_EQ(Auc(Scores{1, 1, 1, 1}, Labels{1, 0, 1, 0}), 0.5);
  EXPECT_EQ(Auc(Scores{2, 1, 1}, Labels{1, 1, 0}), 0.75);
}

TEST(Auc, EqualsCountingAllPairs) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Sample sample = RandomSample(seed);
    EXPECT_NEAR(Auc(sample.scores, sample.labels), PairAuc(sample.scores, sample.labels), 1e-12);
  }
}

TEST(Auc, RefusesScoresWithoutLabels) {
  EXPECT_EQ(ExpectError([] { Auc(Scores{1.0}, Labels{}); }).code, ErrorCode::kInternal);
}

TEST(Auc, IsOneHalfWithoutAClass) {
  EXPECT_EQ(Auc(Scores{}, Labels{}), 0.5);
  EXPECT_EQ(Auc(Scores{1, 2}, Labels{1, 1}), 0.5);
  EXPECT_EQ(Auc(Scores{1, 2}, Labels{0, 0}), 0.5);
}

TEST(RocCurve, ByHand) {
  EXPECT_THAT(RocCurve(Scores{3, 2, 2, 1}, Labels{1, 1, 0, 0}),
              ElementsAre(CurvePoint{0, 0}, CurvePoint{0, 0.5}, CurvePoint{0.5, 1}, CurvePoint{1, 1}));
  EXPECT_THAT(RocCurve(Scores{1, 2}, Labels{1, 1}), IsEmpty());
  EXPECT_THAT(RocCurve(Scores{1, 2}, Labels{0, 0}), IsEmpty());
  EXPECT_THAT(RocCurve(Scores{}, Labels{}), IsEmpty());
}

TEST(RocCurve, EnclosesTheAuc) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Sample sample = RandomSample(seed);
    const std::vector<CurvePoint> points = RocCurve(sample.scores, sample.labels);
    double area = 0.0;
    for (std::size_t k = 1; k < points.size(); ++k) {
      area += (points[k].x - points[k - 1].x) * 0.5 * (points[k].y + points[k - 1].y);
    }
    EXPECT_NEAR(area, PairAuc(sample.scores, sample.labels), 1e-12);
  }
}

TEST(PrecisionRecallCurve, ByHand) {
  EXPECT_THAT(PrecisionRecallCurve(Scores{3, 2, 2, 1}, Labels{1, 1, 0, 0}),
              ElementsAre(CurvePoint{0, 1}, CurvePoint{0.5, 1}, CurvePoint{1, 2.0 / 3.0}, CurvePoint{1, 0.5}));
  EXPECT_THAT(PrecisionRecallCurve(Scores{1, 2}, Labels{0, 0}), IsEmpty());
}

TEST(ThinCurve, KeepsBothEnds) {
  std::vector<CurvePoint> points;
  for (int k = 0; k < 1000; ++k) points.push_back({k * 1.0, k * 2.0});
  const std::vector<CurvePoint> thinned = ThinCurve(points, 200);
  ASSERT_EQ(thinned.size(), 200U);
  EXPECT_EQ(thinned.front(), points.front());
  EXPECT_EQ(thinned.back(), points.back());
  for (std::size_t k = 1; k < thinned.size(); ++k) EXPECT_GT(thinned[k].x, thinned[k - 1].x);
  EXPECT_EQ(ThinCurve({{0, 0}, {1, 1}}, 2).size(), 2U);
  EXPECT_THAT(ThinCurve({}, 2), IsEmpty());
}

}  // namespace
}  // namespace flyscribe
