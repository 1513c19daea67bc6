#include "simulate/frame.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "data/image.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

// An ellipse without any distortion.
Pose PlainPose() {
  Pose pose;
  pose.blunt_front = 2.0F;
  pose.blunt_back = 2.0F;
  return pose;
}

// The distance of a pixel to the reference ellipse, by walking along it.
float SlowDistance(float x, float y) {
  float best = 1e9F;
  for (int i = 0; i < 20000; ++i) {
    const double angle = 2.0 * std::numbers::pi * i / 20000.0;
    const float ex = 159.5F + kHalfLength * static_cast<float>(std::cos(angle));
    const float ey = 63.5F + kHalfHeight * static_cast<float>(std::sin(angle));
    best = std::min(best, std::hypot(x - ex, y - ey));
  }
  return best;
}

TEST(MakeFrame, CoordinatesRunFromPoleToPoleAndBackToBelly) {
  const Frame frame = MakeFrame(PlainPose(), View::kLateral);
  ASSERT_EQ(frame.u.rows(), static_cast<std::size_t>(kEmbryoHeight));
  ASSERT_EQ(frame.u.cols(), static_cast<std::size_t>(kEmbryoWidth));
  EXPECT_NEAR(frame.u(64, 4), (4 - 159.5F) / 156.0F, 1e-5);
  EXPECT_NEAR(frame.u(64, 315), (315 - 159.5F) / 156.0F, 1e-5);
  EXPECT_NEAR(frame.v(4, 160), (4 - 63.5F) / 60.0F, 1e-5);
  EXPECT_NEAR(frame.v(123, 160), (123 - 63.5F) / 60.0F, 1e-5);
}

TEST(MakeFrame, DepthIsTheDistanceToTheOutline) {
  const Frame frame = MakeFrame(PlainPose(), View::kLateral);
  for (const auto& [x, y] : {std::pair{160, 6}, std::pair{60, 30}, std::pair{250, 110}, std::pair{12, 64}}) {
    const float depth = frame.depth(static_cast<std::size_t>(y), static_cast<std::size_t>(x));
    EXPECT_GT(depth, 0.0F);
    EXPECT_NEAR(depth, SlowDistance(static_cast<float>(x), static_cast<float>(y)), 1.0) << x << ' ' << y;
  }
  EXPECT_LT(frame.depth(0, 0), 0.0F);
  EXPECT_LT(frame.depth(127, 319), 0.0F);
  EXPECT_GT(frame.depth(63, 159), 40.0F);
}

TEST(MakeFrame, ArcGoesFromAnteriorOverVentralToPosteriorAndDorsal) {
  const Frame frame = MakeFrame(PlainPose(), View::kLateral);
  EXPECT_NEAR(frame.arc(64, 4), 0.0, 0.01);
  EXPECT_NEAR(frame.arc(122, 160), 0.25, 0.01);
  EXPECT_NEAR(frame.arc(64, 315), 0.5, 0.01);
  EXPECT_NEAR(frame.arc(4, 160), 0.75, 0.01);
}

TEST(MakeFrame, ArcIsMeasuredByLength) {
  // Ramanujan's approximation of the ellipse's circumference.
  const double a = kHalfLength;
  const double b = kHalfHeight;
  const double circumference = std::numbers::pi * (3.0 * (a + b) - std::sqrt((3.0 * a + b) * (a + 3.0 * b)));
  EXPECT_NEAR(OutlineLength(), circumference, 0.5);
  // Along the flat belly ten pixels of x are about ten pixels of outline.
  const Frame frame = MakeFrame(PlainPose(), View::kLateral);
  EXPECT_NEAR((frame.arc(122, 165) - frame.arc(122, 155)) * OutlineLength(), 10.0, 1.0);
}

TEST(MakeFrame, HeightFollowsTheOutline) {
  const Frame frame = MakeFrame(PlainPose(), View::kLateral);
  for (const std::size_t x : {40U, 100U, 160U, 280U}) {
    for (std::size_t y = 0; y < 64; ++y) {
      // Height -1 is where depth changes its sign.
      if (std::abs(frame.depth(y, x)) > 1.0F) {
        EXPECT_EQ(frame.height(y, x) > -1.0F, frame.depth(y, x) > 0.0F) << x << ' ' << y;
      }
    }
  }
}

TEST(MakeFrame, DorsalViewIsMirrorSymmetric) {
  const Frame frame = MakeFrame(PlainPose(), View::kDorsal);
  for (std::size_t y = 0; y < 64; ++y) EXPECT_FLOAT_EQ(frame.v(y, 100), frame.v(127 - y, 100)) << y;
  EXPECT_LT(frame.v(63, 100), -0.7F);  // the middle shows the back
  EXPECT_EQ(frame.depth, MakeFrame(PlainPose(), View::kLateral).depth);
}

TEST(MakeFrame, DentsAndTiltMoveTheOutline) {
  Pose pose = PlainPose();
  pose.dents = {{0.0F, 0.05F, 0.2F}};
  const Frame dented = MakeFrame(pose, View::kLateral);
  EXPECT_LT(dented.depth(10, 159), 0.0F);
  EXPECT_GT(dented.depth(10, 200), 0.0F);
  EXPECT_GT(dented.depth(117, 159), 0.0F);
  pose = PlainPose();
  pose.tilt = 0.05F;
  const Frame tilted = MakeFrame(pose, View::kLateral);
  EXPECT_LT(tilted.v(64, 300), tilted.v(64, 20));
}

TEST(Roughen, BendsCoordinatesAFewPixelsAndKeepsTheOutline) {
  const Frame plain = MakeFrame(PlainPose(), View::kLateral);
  Frame rough = plain;
  Rng rng(4);
  Roughen(rough, rng);
  EXPECT_EQ(rough.depth, plain.depth);
  EXPECT_EQ(rough.arc, plain.arc);
  float most = 0.0F;
  double ragged = 0.0;
  for (std::size_t i = 0; i < plain.u.values().size(); ++i) {
    most = std::max(most, std::abs(rough.u.data()[i] - plain.u.data()[i]) * kHalfLength);
    ragged += rough.ragged.data()[i] * rough.ragged.data()[i];
  }
  EXPECT_GT(most, 2.0F);
  EXPECT_LT(most, 12.0F);
  EXPECT_NEAR(std::sqrt(ragged / static_cast<double>(plain.u.values().size())), 1.0, 0.15);
}

TEST(RandomPose, FillsThePictureAndStaysInside) {
  for (const StageRange range : StageRange::All()) {
    for (std::uint64_t i = 0; i < 40; ++i) {
      Rng rng(11, i);
      const Frame frame = MakeFrame(RandomPose(range, rng), View::kLateral);
      const auto inside = std::ranges::count_if(frame.depth.values(), [](float depth) { return depth > 0.0F; });
      const double share = static_cast<double>(inside) / (kEmbryoWidth * kEmbryoHeight);
      EXPECT_GT(share, 0.62) << range.name() << ' ' << i;
      EXPECT_LT(share, 0.85) << range.name() << ' ' << i;
      EXPECT_LT(frame.depth(64, 0), 0.5F);
      EXPECT_LT(frame.depth(64, 319), 0.5F);
    }
  }
}

TEST(RandomPose, VariesWithTheStreamOnly) {
  Rng first(11, 1);
  Rng same(11, 1);
  Rng other(11, 2);
  const Pose pose = RandomPose(StageRange::FromName("4-6"), first);
  EXPECT_EQ(pose.half_length, RandomPose(StageRange::FromName("4-6"), same).half_length);
  EXPECT_NE(pose.half_length, RandomPose(StageRange::FromName("4-6"), other).half_length);
}

TEST(DepthAround, ContinuesTheFramesDepth) {
  Rng rng(3);
  const Pose pose = RandomPose(StageRange::FromName("11-12"), rng);
  const Frame frame = MakeFrame(pose, View::kLateral);
  constexpr std::size_t kMargin = 7;
  const FloatMatrix around = DepthAround(pose, kMargin);
  ASSERT_EQ(around.rows(), frame.depth.rows() + 2 * kMargin);
  ASSERT_EQ(around.cols(), frame.depth.cols() + 2 * kMargin);
  for (std::size_t y = 0; y < frame.depth.rows(); ++y) {
    for (std::size_t x = 0; x < frame.depth.cols(); ++x) {
      ASSERT_EQ(around(y + kMargin, x + kMargin), frame.depth(y, x)) << x << ' ' << y;
    }
  }
  EXPECT_LT(around(0, 0), -static_cast<float>(kMargin));
  EXPECT_LT(around(kMargin + 64, 0), around(kMargin + 64, kMargin)) << "depth falls on beyond the picture";
}

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
