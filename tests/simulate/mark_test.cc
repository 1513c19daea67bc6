#include "simulate/mark.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "data/image.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

class MarkTest : public testing::Test {
 protected:
  MarkTest() {
    Pose pose;
    pose.blunt_front = 2.0F;
    pose.blunt_back = 2.0F;
    frame_ = MakeFrame(pose, View::kLateral);
    sharp_.softness = 0.01F;
  }

  FloatMatrix Draw(const Mark& mark) const { return Draw(mark, sharp_); }
  FloatMatrix Draw(const Mark& mark, const MarkVariation& variation) const {
    FloatMatrix plane(kEmbryoHeight, kEmbryoWidth);
    DrawMark(mark, variation, frame_, plane);
    return plane;
  }
  static std::size_t Count(const FloatMatrix& plane) {
    return static_cast<std::size_t>(std::ranges::count_if(plane.values(), [](float m) { return m > 0.5F; }));
  }
  // Stretches of marked pixels along a row.
  static int Runs(const FloatMatrix& plane, std::size_t row) {
    int runs = 0;
    for (std::size_t x = 1; x < plane.cols(); ++x) {
      if (plane(row, x) > 0.5F && plane(row, x - 1) <= 0.5F) ++runs;
    }
    return runs;
  }

  Frame frame_;
  MarkVariation sharp_;
};

TEST_F(MarkTest, DiscAgreesWithTheNaiveDistance) {
  const FloatMatrix plane = Draw(Mark::Path({{0.2F, -0.3F}}, 15.0F));
  for (std::size_t y = 0; y < plane.rows(); ++y) {
    for (std::size_t x = 0; x < plane.cols(); ++x) {
      const float dx = (frame_.u(y, x) - 0.2F) * kHalfLength;
      const float dy = (frame_.v(y, x) + 0.3F) * kHalfHeight;
      const float inside = 15.0F - std::hypot(dx, dy);
      if (std::abs(inside) > 0.05F) {
        ASSERT_EQ(plane(y, x), inside > 0.0F ? 1.0F : 0.0F) << x << ' ' << y;
      }
    }
  }
}

TEST_F(MarkTest, TubeIsTheUnionOfItsDiscs) {
  const AtlasPoint a{-0.5F, 0.1F};
  const AtlasPoint b{0.3F, -0.4F};
  FloatMatrix discs(kEmbryoHeight, kEmbryoWidth);
  for (int i = 0; i <= 200; ++i) {
    const float t = static_cast<float>(i) / 200.0F;
    DrawMark(Mark::Path({{a.u + t * (b.u - a.u), a.v + t * (b.v - a.v)}}, 8.0F), sharp_, frame_, discs);
  }
  const auto tube = Count(Draw(Mark::Path({a, b}, 8.0F)));
  EXPECT_NEAR(static_cast<double>(tube), static_cast<double>(Count(discs)), 0.02 * static_cast<double>(tube));
}

TEST_F(MarkTest, BentPathIsSmoothedButKeepsItsEnds) {
  const FloatMatrix plane = Draw(Mark::Path({{-0.5F, 0.0F}, {0.0F, -0.8F}, {0.5F, 0.0F}}, 4.0F));
  EXPECT_GT(plane(63, 82), 0.5F);
  EXPECT_GT(plane(63, 237), 0.5F);
  EXPECT_LT(plane(15, 159), 0.5F);  // the corner is cut
}

TEST_F(MarkTest, RepeatedPathIsARowOfRoundDots) {
  const FloatMatrix plane = Draw(Mark::Path({{-0.6F, 0.0F}, {0.6F, 0.0F}}, 5.0F).Repeated(6));
  EXPECT_EQ(Runs(plane, 63), 6);
  EXPECT_NEAR(static_cast<double>(Count(plane)), 6.0 * 3.14159 * 25.0, 25.0);
}

TEST_F(MarkTest, RimFollowsDepthAndArc) {
  const FloatMatrix plane = Draw(Mark::Rim(0.1F, 0.4F, 4.0F, 12.0F));
  for (std::size_t i = 0; i < plane.values().size(); ++i) {
    const float depth = frame_.depth.data()[i];
    const float arc = frame_.arc.data()[i];
    if (plane.data()[i] > 0.5F) {
      EXPECT_TRUE(depth > 3.9F && depth < 12.1F && arc > 0.099F && arc < 0.401F) << depth << ' ' << arc;
    }
  }
  EXPECT_GT(plane(116, 160), 0.5F);  // about seven pixels deep on the belly
  EXPECT_LT(plane(100, 160), 0.5F);
}

TEST_F(MarkTest, RimMaySpanTheAnteriorPole) {
  const FloatMatrix plane = Draw(Mark::Rim(-0.1F, 0.1F, 2.0F, 12.0F));
  EXPECT_GT(plane(58, 10), 0.5F);
  EXPECT_GT(plane(70, 10), 0.5F);
  EXPECT_LT(plane(64, 309), 0.5F);
}

TEST_F(MarkTest, RimAllAroundHasNoSeam) {
  const FloatMatrix plane = Draw(Mark::Rim(-1.0F, 2.0F, 2.0F, 12.0F));
  for (std::size_t i = 0; i < plane.values().size(); ++i) {
    const float depth = frame_.depth.data()[i];
    if (depth > 2.1F && depth < 11.9F) {
      EXPECT_GT(plane.data()[i], 0.5F);
    }
  }
}

TEST_F(MarkTest, AreaIsBoundedBySidesAndHeights) {
  const FloatMatrix plane = Draw(Mark::Area(-0.2F, 0.4F, -2.0F, -0.3F));
  for (std::size_t i = 0; i < plane.values().size(); ++i) {
    if (plane.data()[i] <= 0.5F) continue;
    EXPECT_TRUE(frame_.u.data()[i] > -0.21F && frame_.u.data()[i] < 0.41F && frame_.height.data()[i] < -0.29F);
  }
  EXPECT_GT(Count(plane), 1500U);
}

TEST_F(MarkTest, RepeatedAreaIsStripes) {
  EXPECT_EQ(Runs(Draw(Mark::Area(-0.4F, 0.7F, -2.0F, 2.0F).Repeated(7)), 63), 7);
  const auto thin = Count(Draw(Mark::Area(-0.4F, 0.7F, -2.0F, 2.0F).Repeated(7, 0.25F)));
  const auto wide = Count(Draw(Mark::Area(-0.4F, 0.7F, -2.0F, 2.0F).Repeated(7, 0.5F)));
  EXPECT_NEAR(static_cast<double>(wide) / static_cast<double>(thin), 2.0, 0.2);
}

TEST_F(MarkTest, SlantShiftsWithHeight) {
  const FloatMatrix plane = Draw(Mark::Area(-0.05F, 0.05F, -2.0F, 2.0F).Slanted(0.2F));
  EXPECT_GT(plane(104, 180), 0.5F);  // below, to the right
  EXPECT_LT(plane(23, 180), 0.5F);
  EXPECT_GT(plane(23, 139), 0.5F);  // above, to the left
}

TEST_F(MarkTest, VariationShiftsGrowsAndSoftens) {
  const Mark disc = Mark::Path({{0.0F, 0.0F}}, 10.0F);
  MarkVariation variation = sharp_;
  variation.du = 0.5F;
  EXPECT_GT(Draw(disc, variation)(63, 237), 0.5F);
  EXPECT_EQ(Draw(disc, variation)(63, 159), 0.0F);
  variation = sharp_;
  variation.grow = 5.0F;
  EXPECT_GT(Count(Draw(disc, variation)), 2 * Count(Draw(disc)));
  variation = sharp_;
  variation.softness = 6.0F;
  const FloatMatrix soft = Draw(disc, variation);
  EXPECT_NEAR(soft(63, 169), 0.5, 0.15);
  EXPECT_EQ(soft(63, 159), 1.0F);
  EXPECT_EQ(soft(63, 190), 0.0F);
}

TEST_F(MarkTest, MarksAreUnitedNotAdded) {
  FloatMatrix plane = Draw(Mark::Path({{0.0F, 0.0F}}, 10.0F));
  const FloatMatrix once = plane;
  DrawMark(Mark::Path({{0.0F, 0.0F}}, 10.0F), sharp_, frame_, plane);
  EXPECT_EQ(plane, once);
}

TEST_F(MarkTest, PathWithoutPointsIsABug) {
  const CaughtError error = ExpectError([] { Mark::Path({}, 3.0F); });
  EXPECT_EQ(error.code, ErrorCode::kInternal);
  EXPECT_NE(error.text.find("a path needs a point"), std::string::npos) << error.text;
}

}  // namespace
}  // namespace flyscribe
