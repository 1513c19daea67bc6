#include "imaging/blur.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/rng.h"

namespace flyscribe {
namespace {

FloatMatrix RandomPicture(std::size_t rows, std::size_t cols) {
  Rng rng(5, rows * 1000 + cols);
  FloatMatrix picture(rows, cols);
  for (std::size_t row = 0; row < rows; ++row) {
    for (float& value : picture.Row(row)) value = 255.0F * static_cast<float>(rng.Uniform());
  }
  return picture;
}

// cb|abc, and aa|abc.
int Place(int i, int count, BlurBorder border) {
  if (border == BlurBorder::kRepeated || count == 1) return std::clamp(i, 0, count - 1);
  while (i < 0 || i >= count) i = i < 0 ? -i : 2 * (count - 1) - i;
  return i;
}

// The double sum, in double precision.
double Blurred(const FloatMatrix& picture, int row, int col, double sigma, BlurBorder border) {
  const int reach = static_cast<int>(std::lround(8.0 * sigma + 1.0)) / 2;
  double sum = 0.0;
  double weights = 0.0;
  for (int y = -reach; y <= reach; ++y) {
    for (int x = -reach; x <= reach; ++x) {
      const double weight = std::exp(-(x * x + y * y) / (2.0 * sigma * sigma));
      const int from_row = Place(row + y, static_cast<int>(picture.rows()), border);
      const int from_col = Place(col + x, static_cast<int>(picture.cols()), border);
      sum +=
          weight * static_cast<double>(picture(static_cast<std::size_t>(from_row), static_cast<std::size_t>(from_col)));
      weights += weight;
    }
  }
  return sum / weights;
}

TEST(GaussianBlur, IsTheDefinition) {
  for (const auto& [rows, cols] : {std::pair{1, 1}, {1, 9}, {5, 3}, {24, 37}}) {
    const FloatMatrix picture = RandomPicture(static_cast<std::size_t>(rows), static_cast<std::size_t>(cols));
    for (const BlurBorder border : {BlurBorder::kRepeated, BlurBorder::kMirrored}) {
      for (const double sigma : {0.6, 0.8, 2.0}) {
        const FloatMatrix blurred = GaussianBlur(picture, sigma, border);
        for (int row = 0; row < rows; ++row) {
          for (int col = 0; col < cols; ++col) {
            EXPECT_NEAR(blurred(static_cast<std::size_t>(row), static_cast<std::size_t>(col)),
                        Blurred(picture, row, col, sigma, border),
                        1e-4);
          }
        }
      }
    }
  }
}

// Bit by bit, with one rounding for every addition: the loops may take several values at a time, but not otherwise.
TEST(GaussianBlur, TakesTheStatedOrder) {
  const FloatMatrix picture = RandomPicture(7, 29);
  const FloatMatrix blurred = GaussianBlur(picture, 0.6, BlurBorder::kRepeated);
  std::vector<double> weights;
  double all = 0.0;
  for (int i = -3; i <= 3; ++i) all += weights.emplace_back(std::exp(-0.5 / 0.36 * i * i));
  const auto weight = [&](int i) { return static_cast<float>(weights[static_cast<std::size_t>(i + 3)] / all); };
  const auto across = [&](int row, int col) {
    float sum = 0.0F;
    for (int i = -3; i <= 3; ++i) {
      sum = std::fma(weight(i),
                     picture(static_cast<std::size_t>(std::clamp(row, 0, 6)),
                             static_cast<std::size_t>(std::clamp(col + i, 0, 28))),
                     sum);
    }
    return sum;
  };
  for (int row = 0; row < 7; ++row) {
    for (int col = 0; col < 29; ++col) {
      float sum = weight(0) * across(row, col);
      for (int i = 1; i <= 3; ++i) sum = std::fma(weight(i), across(row + i, col) + across(row - i, col), sum);
      EXPECT_EQ(blurred(static_cast<std::size_t>(row), static_cast<std::size_t>(col)), sum) << row << ", " << col;
    }
  }
}

}  // namespace
}  // namespace flyscribe
