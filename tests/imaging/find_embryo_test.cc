#include "imaging/find_embryo.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "imaging/pose_score.h"
#include "tests/imaging/drawn_photograph.h"

namespace flyscribe {
namespace {

using testing::Contains;

void ExpectFound(const EmbryoPose& found, const EmbryoPose& truth) {
  const PoseError error = ComparePoses(found, truth);
  EXPECT_TRUE(error.IsWithinLimits()) << "centre " << error.centre << ", angle " << error.angle << ", length "
                                      << error.length << ", height " << error.height;
}

TEST(FindEmbryo, AtAnyAngleAndSize) {
  for (const double angle : {-65.0, -30.0, 0.0, 45.0}) {
    for (const double length : {90.0, 180.0, 250.0}) {
      DrawnPhotograph drawn;
      drawn.taper = 0.0;
      drawn.embryos = {{450.0, 290.0, angle, length, length / 2.5}};
      const auto found = FindEmbryo(Draw(drawn));
      ASSERT_TRUE(found.has_value());
      ExpectFound(found->quality.pose, drawn.embryos[0]);
      EXPECT_GE(found->quality.confidence, 0.5);
    }
  }
}

TEST(FindEmbryo, TellsWhatItMeasured) {
  DrawnPhotograph drawn;
  drawn.taper = 0.0;
  const auto found = FindEmbryo(Draw(drawn));
  ASSERT_TRUE(found.has_value());
  const ImageQuality& quality = found->quality;
  EXPECT_EQ(quality.way, ImageQuality::Way::kFound);
  EXPECT_NEAR(quality.aspect, 270.0 / 105.0, 0.15);
  EXPECT_NEAR(quality.area, 3.14159 * 270.0 * 105.0 / (900.0 * 600.0), 0.01);
  EXPECT_EQ(quality.border, 0.0);
  EXPECT_NEAR(found->background.At(0.0, 0.0), 205.0, 3.0);
}

TEST(FindEmbryo, ChoosesTheCentralOneAmongNeighbours) {
  DrawnPhotograph drawn;
  drawn.taper = 0.0;
  drawn.embryos = {{120.0, 80.0, 30.0, 220.0, 88.0},
                   {850.0, 420.0, 80.0, 220.0, 88.0},
                   {280.0, 560.0, -20.0, 220.0, 88.0},
                   {450.0, 300.0, -35.0, 220.0, 88.0}};
  const auto found = FindEmbryo(Draw(drawn));
  ASSERT_TRUE(found.has_value());
  ExpectFound(found->quality.pose, drawn.embryos[3]);
}

TEST(FindEmbryo, TakesTouchingOnesApart) {
  DrawnPhotograph drawn;
  drawn.taper = 0.0;
  drawn.embryos = {{420.0, 480.0, 4.0, 220.0, 88.0}, {450.0, 305.0, -2.0, 220.0, 88.0}};
  const auto found = FindEmbryo(Draw(drawn));
  ASSERT_TRUE(found.has_value());
  ExpectFound(found->quality.pose, drawn.embryos[1]);
}

TEST(FindEmbryo, AnUprightOneIsTurnedByItsPointedEnd) {
  for (const double angle : {85.0, -95.0, -85.0, 95.0}) {  // the anterior end up or down
    DrawnPhotograph drawn;
    drawn.taper = 0.25;
    drawn.embryos = {{450.0, 300.0, angle, 220.0, 88.0}};
    const auto found = FindEmbryo(Draw(drawn));
    ASSERT_TRUE(found.has_value());
    EXPECT_NEAR(std::remainder(found->quality.pose.angle - angle, 360.0), 0.0, 3.0) << angle;
  }
}

TEST(FindEmbryo, AnUprightOneWithEqualEndsIsDoubtful) {
  DrawnPhotograph drawn;
  drawn.taper = 0.0;
  drawn.embryos = {{450.0, 300.0, 88.0, 220.0, 88.0}};
  const auto found = FindEmbryo(Draw(drawn));
  ASSERT_TRUE(found.has_value());
  EXPECT_LT(found->quality.confidence, 0.5);
  EXPECT_THAT(found->quality.doubts, Contains(std::string(kDoubtEnds)));
}

TEST(FindEmbryo, LeavesTheAnteriorEndLeftOtherwise) {
  DrawnPhotograph drawn;
  drawn.taper = -0.25;  // pointed at the right: photographs are taken with the anterior end left all the same
  drawn.embryos = {{450.0, 300.0, 40.0, 220.0, 88.0}};
  const auto found = FindEmbryo(Draw(drawn));
  ASSERT_TRUE(found.has_value());
  EXPECT_NEAR(found->quality.pose.angle, 40.0, 3.0);
}

TEST(FindEmbryo, OneCutByTheBorderIsDoubtful) {
  DrawnPhotograph drawn;
  drawn.embryos = {{200.0, 300.0, 0.0, 270.0, 105.0}};
  const auto found = FindEmbryo(Draw(drawn));
  ASSERT_TRUE(found.has_value());
  EXPECT_LT(found->quality.confidence, 0.5);
  EXPECT_GT(found->quality.border, 0.05);
  EXPECT_THAT(found->quality.doubts, Contains(std::string(kDoubtBorder)));
}

TEST(FindEmbryo, AnEmptyPhotographHasNone) {
  DrawnPhotograph drawn;
  drawn.embryos.clear();
  PhotoTrace trace;
  EXPECT_FALSE(FindEmbryo(Draw(drawn), &trace).has_value());
  EXPECT_TRUE(trace.candidates.empty());
  EXPECT_FALSE(FindEmbryo(GrayImage(300, 200, 255)).has_value());
}

TEST(FindEmbryo, TraceHoldsWhatWasDecided) {
  PhotoTrace trace;
  const auto found = FindEmbryo(Draw(DrawnPhotograph{}), &trace);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(trace.blobs.areas.size(), 1U);
  ASSERT_FALSE(trace.candidates.empty());
  EXPECT_TRUE(std::is_sorted(trace.candidates.begin(), trace.candidates.end(), [](const auto& a, const auto& b) {
    return a.score > b.score;
  }));
  EXPECT_EQ(trace.chosen.size(), found->outline.size());
}

}  // namespace
}  // namespace flyscribe
