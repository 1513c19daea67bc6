#include "simulate/noise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <vector>

#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

double Mean(const FloatMatrix& field) {
  double sum = 0.0;
  for (const float value : field.values()) sum += value;
  return sum / static_cast<double>(field.values().size());
}

double Deviation(const FloatMatrix& field) {
  const double mean = Mean(field);
  double sum = 0.0;
  for (const float value : field.values()) sum += (value - mean) * (value - mean);
  return std::sqrt(sum / static_cast<double>(field.values().size()));
}

// Correlation of pixels `lag` columns apart.
double Correlation(const FloatMatrix& field, std::size_t lag) {
  double together = 0.0;
  double alone = 0.0;
  for (std::size_t y = 0; y < field.rows(); ++y) {
    for (std::size_t x = 0; x + lag < field.cols(); ++x) {
      together += static_cast<double>(field(y, x)) * field(y, x + lag);
      alone += static_cast<double>(field(y, x)) * field(y, x);
    }
  }
  return together / alone;
}

// The uniform cubic B-spline, by its definition on four pieces.
double Spline(double t) {
  const double size = std::abs(t);
  if (size >= 2.0) return 0.0;
  if (size >= 1.0) return (2.0 - size) * (2.0 - size) * (2.0 - size) / 6.0;
  return (4.0 - 6.0 * size * size + 3.0 * size * size * size) / 6.0;
}

TEST(SmoothNoise, IsTheSplineOfTheLattice) {
  constexpr std::size_t kRows = 9;
  constexpr std::size_t kCols = 23;
  constexpr double kCell = 2.5;
  Rng rng(21);
  const FloatMatrix field = SmoothNoise(kRows, kCols, static_cast<float>(kCell), rng);
  Rng again(21);
  const double across = again.Uniform();
  const double down = again.Uniform();
  const auto lattice_cols = static_cast<std::size_t>((kCols - 1) / kCell + across) + 4;
  const auto lattice_rows = static_cast<std::size_t>((kRows - 1) / kCell + down) + 4;
  std::vector<double> lattice;
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < lattice_rows * lattice_cols; ++i) {
    bits = i % 4 == 0 ? again.Next() : bits >> 16;
    lattice.push_back(static_cast<double>(bits & 0xffff) / 65535.0 * 2.0 - 1.0);
  }
  for (std::size_t y = 0; y < kRows; ++y) {
    for (std::size_t x = 0; x < kCols; ++x) {
      double sum = 0.0;
      for (std::size_t j = 0; j < lattice_rows; ++j) {
        for (std::size_t i = 0; i < lattice_cols; ++i) {
          sum += lattice[j * lattice_cols + i] *
                 Spline(static_cast<double>(x) / kCell + across + 1.0 - static_cast<double>(i)) *
                 Spline(static_cast<double>(y) / kCell + down + 1.0 - static_cast<double>(j));
        }
      }
      const double unit = std::sqrt(3.0) * 315.0 / 151.0;
      EXPECT_NEAR(field(y, x), unit * sum, 1e-4) << x << ' ' << y;
    }
  }
}

TEST(SmoothNoise, HasZeroMeanAndUnitDeviation) {
  for (const float cell : {1.0F, 1.7F, 5.0F}) {
    Rng rng(7);
    const FloatMatrix field = SmoothNoise(256, 256, cell, rng);
    EXPECT_NEAR(Mean(field), 0.0, 0.05) << cell;
    EXPECT_NEAR(Deviation(field), 1.0, 0.05) << cell;
  }
}

TEST(SmoothNoise, IsSmoothWithinACellAndUnrelatedBeyondFour) {
  Rng rng(8);
  const FloatMatrix field = SmoothNoise(200, 200, 8.0F, rng);
  EXPECT_GT(Correlation(field, 1), 0.97);
  EXPECT_LT(std::abs(Correlation(field, 40)), 0.15);
}

// A cubic B-spline's second differences are bounded by the lattice's: no kinks at the lattice lines.
TEST(SmoothNoise, HasNoKinks) {
  Rng rng(9);
  constexpr float kCell = 16.0F;
  const FloatMatrix field = SmoothNoise(64, 256, kCell, rng);
  for (std::size_t y = 0; y < field.rows(); ++y) {
    for (std::size_t x = 1; x + 1 < field.cols(); ++x) {
      const float bend = field(y, x + 1) - 2.0F * field(y, x) + field(y, x - 1);
      ASSERT_LT(std::abs(bend), 3.62F * 4.0F / (kCell * kCell)) << x << ' ' << y;
    }
  }
}

TEST(SmoothNoise, FollowsTheGenerator) {
  Rng first(1, 5);
  Rng same(1, 5);
  Rng other(1, 6);
  const FloatMatrix field = SmoothNoise(20, 30, 3.0F, first);
  EXPECT_EQ(field, SmoothNoise(20, 30, 3.0F, same));
  EXPECT_FALSE(field == SmoothNoise(20, 30, 3.0F, other));
  EXPECT_EQ(field.rows(), 20U);
  EXPECT_EQ(field.cols(), 30U);
}

TEST(SmoothNoise, OnePixelIsEnough) {
  Rng rng(3);
  EXPECT_EQ(SmoothNoise(1, 1, 50.0F, rng).values().size(), 1U);
}

TEST(SmoothNoise, RefusesCellsBelowAPixel) {
  Rng rng(3);
  const CaughtError error = ExpectError([&] { SmoothNoise(4, 4, 0.5F, rng); });
  EXPECT_EQ(error.code, ErrorCode::kInternal);
  EXPECT_NE(error.text.find("noise finer than a pixel"), std::string::npos) << error.text;
}

TEST(CubicWeights, AreTheSplineAtFourNeighbours) {
  for (const float t : {0.0F, 0.25F, 0.5F, 0.99F}) {
    const std::array<float, 4> weights = CubicWeights(t);
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_NEAR(weights[i], Spline(t + 1.0F - static_cast<float>(i)), 1e-6) << t << ' ' << i;
    }
    EXPECT_NEAR(weights[0] + weights[1] + weights[2] + weights[3], 1.0F, 1e-6);
  }
}

}  // namespace
}  // namespace flyscribe
