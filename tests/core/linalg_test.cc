#include "core/linalg.h"

#include <gtest/gtest.h>

#include <cmath>
#include <thread>
#include <vector>

#include "core/parallel.h"
#include "core/rng.h"

namespace flyscribe {
namespace {

// Small whole numbers: every sum is exact, so results must be equal, whatever the order of the additions.
std::vector<float> SmallIntegers(std::size_t count, std::uint64_t stream) {
  Rng rng(3, stream);
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>(rng.Below(17)) - 8.0F;
  return values;
}

TEST(DotTest, EqualsTheNaiveSumForEveryLength) {
  for (std::size_t length = 0; length <= 300; ++length) {
    const std::vector<float> a = SmallIntegers(length, 2 * length);
    const std::vector<float> b = SmallIntegers(length, 2 * length + 1);
    double expected = 0.0;
    for (std::size_t i = 0; i < length; ++i) expected += static_cast<double>(a[i]) * static_cast<double>(b[i]);
    EXPECT_EQ(static_cast<double>(Dot(a.data(), b.data(), length)), expected) << "length " << length;
  }
}

TEST(DotTest, AddsInTheDocumentedOrder) {
  Rng rng(5);
  for (const std::size_t length : {1U, 15U, 16U, 17U, 128U, 131U}) {
    std::vector<float> a(length);
    std::vector<float> b(length);
    for (float& value : a) value = static_cast<float>(rng.Normal());
    for (float& value : b) value = static_cast<float>(rng.Normal());
    std::vector<float> sums(16, 0.0F);
    for (std::size_t i = 0; i < length; ++i) sums[i % 16] += a[i] * b[i];
    for (const std::size_t width : {8U, 4U, 2U, 1U}) {
      for (std::size_t lane = 0; lane < width; ++lane) sums[lane] += sums[lane + width];
    }
    EXPECT_EQ(Dot(a.data(), b.data(), length), sums[0]) << "length " << length;
  }
}

TEST(DotTest, UnalignedVectors) {
  const std::vector<float> a = SmallIntegers(130, 1);
  EXPECT_EQ(Dot(a.data() + 1, a.data() + 1, 129) + a[0] * a[0], Dot(a.data(), a.data(), 130));
}

TEST(AddScaledTest, EqualsTheFormulaAndStaysInside) {
  for (std::size_t length = 0; length <= 70; ++length) {
    const std::vector<float> x = SmallIntegers(length, length);
    std::vector<float> y = SmallIntegers(length + 1, 1000 + length);
    const std::vector<float> before = y;
    AddScaled(-2.5F, x.data(), y.data(), length);
    for (std::size_t i = 0; i < length; ++i) EXPECT_EQ(y[i], before[i] - 2.5F * x[i]);
    EXPECT_EQ(y[length], before[length]) << "wrote past the end";
  }
}

TEST(GramMatrixTest, EqualsTheNaiveProducts) {
  for (const std::size_t rows : {1U, 2U, 7U, 33U}) {
    for (const std::size_t cols : {1U, 3U, 64U, 129U}) {
      const FloatMatrix a(rows, cols, SmallIntegers(rows * cols, rows * 1000 + cols));
      const Matrix<double> gram = GramMatrix(a);
      ASSERT_EQ(gram.rows(), rows);
      ASSERT_EQ(gram.cols(), rows);
      for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < rows; ++j) {
          double expected = 0.0;
          for (std::size_t k = 0; k < cols; ++k)
            expected += static_cast<double>(a(i, k)) * static_cast<double>(a(j, k));
          EXPECT_EQ(gram(i, j), expected) << rows << " x " << cols << " at " << i << ", " << j;
        }
      }
    }
  }
}

TEST(GramMatrixTest, IsComputedInDoublePrecision) {
  // In single precision 1 + 2^-30 is 1.
  const FloatMatrix a(1, 2, std::vector<float>{1.0F, 0x1.0p-15F});
  EXPECT_EQ(GramMatrix(a)(0, 0), 1.0 + 0x1.0p-30);
}

TEST(GramMatrixTest, EmptyMatrices) {
  EXPECT_EQ(GramMatrix(FloatMatrix(0, 5)).rows(), 0U);
  EXPECT_EQ(GramMatrix(FloatMatrix(3, 0)), Matrix<double>(3, 3, 0.0));
}

TEST(GramMatrixTest, SameBytesFromEveryThread) {
  Rng rng(9);
  FloatMatrix a(60, 200);
  for (std::size_t i = 0; i < 60; ++i) {
    for (float& value : a.Row(i)) value = static_cast<float>(rng.Normal());
  }
  const Matrix<double> expected = GramMatrix(a);
  std::vector<Matrix<double>> results(12);
  ParallelFor(3, results.size(), [&](std::size_t i) { results[i] = GramMatrix(a); });
  for (const Matrix<double>& result : results) EXPECT_EQ(result, expected);
}

TEST(BlasVersionTest, IsNotEmptyAndDoesNotChange) {
  EXPECT_FALSE(BlasVersion().empty());
  EXPECT_EQ(BlasVersion(), BlasVersion());
}

}  // namespace
}  // namespace flyscribe
