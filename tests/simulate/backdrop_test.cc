#include "simulate/backdrop.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace flyscribe {
namespace {

TEST(MakeBackdrop, IsPlainWithoutNoise) {
  Rng rng(1);
  const Backdrop backdrop = MakeBackdrop(263, 113, 0.0F, rng);
  ASSERT_EQ(backdrop.light.rows(), 113U);
  ASSERT_EQ(backdrop.light.cols(), 263U);
  for (const float light : backdrop.light.values()) ASSERT_EQ(light, 1.0F);
}

TEST(MakeBackdrop, IsLightAndUnevenButNeverEmpty) {
  double widest = 0.0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Rng rng(seed);
    const Backdrop backdrop = MakeBackdrop(400, 200, 1.0F, rng);
    const auto [least, most] = std::ranges::minmax(backdrop.light.values());
    widest = std::max(widest, static_cast<double>(most) - least);
    double sum = 0.0;
    for (const float light : backdrop.light.values()) sum += light;
    EXPECT_NEAR(sum / 80000.0, 1.0, 0.13) << seed;
    EXPECT_GT(least, 0.2F) << seed;
    EXPECT_LT(most, 1.5F) << seed;
    EXPECT_GT(most - least, 0.02F) << seed;
    for (const float gray : backdrop.colour) {
      EXPECT_GE(gray, 145.0F);
      EXPECT_LE(gray, 240.0F);
    }
  }
  EXPECT_GT(widest, 0.3) << "no dust anywhere";
}

TEST(MakeBackdrop, SameStateSameBackdrop) {
  Rng first(7);
  Rng second(7);
  Rng other(8);
  const Backdrop a = MakeBackdrop(300, 150, 1.0F, first);
  const Backdrop b = MakeBackdrop(300, 150, 1.0F, second);
  EXPECT_EQ(a.light, b.light);
  EXPECT_EQ(a.colour, b.colour);
  EXPECT_NE(a.light, MakeBackdrop(300, 150, 1.0F, other).light);
}

TEST(MakeBackdrop, ManyTimesTheNoiseStaysFinite) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Rng rng(seed);
    const Backdrop backdrop = MakeBackdrop(263, 113, 3.0F, rng);
    for (const float light : backdrop.light.values()) {
      ASSERT_GT(light, -1.0F);
      ASSERT_LT(light, 3.0F);
    }
  }
}

}  // namespace
}  // namespace flyscribe
