#include "imaging/pose_score.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flyscribe {
namespace {

const EmbryoPose kTruth = {400.0, 300.0, 30.0, 320.0, 125.0};  // twice the standard size

TEST(ComparePoses, MeasuresAtTheStandardScale) {
  const PoseError error = ComparePoses({406.0, 308.0, 28.0, 336.0, 120.0}, kTruth);
  EXPECT_DOUBLE_EQ(error.centre, 5.0);
  EXPECT_DOUBLE_EQ(error.angle, 2.0);
  EXPECT_NEAR(error.length, 0.05, 1e-12);
  EXPECT_NEAR(error.height, -0.04, 1e-12);
  EXPECT_FALSE(error.swapped);
  EXPECT_FALSE(error.IsWithinLimits());  // the centre
}

TEST(ComparePoses, HalfATurnIsNoAngleButSwapsTheEnds) {
  const PoseError error = ComparePoses({400.0, 300.0, -149.0, 320.0, 125.0}, kTruth);
  EXPECT_NEAR(error.angle, 1.0, 1e-9);
  EXPECT_TRUE(error.swapped);
  EXPECT_TRUE(error.IsWithinLimits());
}

TEST(ComparePoses, EveryLimitCounts) {
  EXPECT_TRUE(ComparePoses(kTruth, kTruth).IsWithinLimits());
  EXPECT_FALSE(ComparePoses({400.0, 300.0, 33.1, 320.0, 125.0}, kTruth).IsWithinLimits());
  EXPECT_FALSE(ComparePoses({400.0, 300.0, 30.0, 337.0, 125.0}, kTruth).IsWithinLimits());
  EXPECT_FALSE(ComparePoses({400.0, 300.0, 30.0, 320.0, 118.0}, kTruth).IsWithinLimits());
}

ImageQuality Found(const std::string& image, const EmbryoPose& pose, bool doubtful) {
  ImageQuality quality;
  quality.image = image;
  quality.way = ImageQuality::Way::kFound;
  quality.pose = pose;
  if (doubtful) quality.doubts = {"outline unclear"};
  return quality;
}

TEST(ScorePoses, CountsRightWrongAndDoubtful) {
  const EmbryoPose off = {430.0, 300.0, 30.0, 320.0, 125.0};
  EmbryoPose swapped = kTruth;
  swapped.angle -= 180.0;
  const PoseScore score = ScorePoses({Found("insitu1", kTruth, false),
                                      Found("2", kTruth, true),
                                      Found("insitu3", off, true),
                                      Found("insitu4", off, false),
                                      Found("insitu5", swapped, false),
                                      Found("unknown", kTruth, false)},
                                     {{"1", kTruth}, {"2", kTruth}, {"3", kTruth}, {"4", kTruth}, {"5", kTruth}});
  EXPECT_EQ(score.scored, 5U);
  EXPECT_EQ(score.right, 3U);
  EXPECT_EQ(score.swapped, 1U);
  EXPECT_EQ(score.right_and_doubtful, 1U);
  EXPECT_EQ(score.wrong_and_doubtful, 1U);
  EXPECT_THAT(score.wrong, testing::ElementsAre("insitu3", "insitu4"));
}

}  // namespace
}  // namespace flyscribe
