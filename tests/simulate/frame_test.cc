#include "simulate/frame.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "data/image.h"

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

}  // namespace
}  // namespace flyscribe
