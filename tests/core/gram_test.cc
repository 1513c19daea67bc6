#include "core/gram.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/parallel.h"
#include "core/rng.h"
#include "tests/support/simd_choice.h"

namespace flyscribe {
namespace {

FloatMatrix RandomRows(std::size_t rows, std::size_t cols, std::uint64_t stream) {
  Rng rng(3, stream);
  FloatMatrix matrix(rows, cols);
  for (std::size_t i = 0; i < rows; ++i) {
    for (float& value : matrix.Row(i)) value = static_cast<float>(rng.Normal());
  }
  return matrix;
}

// As the header says it, with fused additions.
Matrix<double> NaiveGram(const FloatMatrix& a) {
  Matrix<double> gram(a.rows(), a.rows());
  for (std::size_t i = 0; i < a.rows(); ++i) {
    for (std::size_t j = 0; j < a.rows(); ++j) {
      for (std::size_t k = 0; k < a.cols(); ++k) {
        gram(i, j) = std::fma(static_cast<double>(a(i, k)), static_cast<double>(a(j, k)), gram(i, j));
      }
    }
  }
  return gram;
}

// Below, at and beyond the sizes of tiles, panels and blocks, of rows as of columns.
TEST(GramMatrixTest, EqualsTheNaiveSumsBitForBitOnEverySet) {
  for (const std::size_t rows : {1U, 2U, 5U, 8U, 23U, 24U, 25U, 97U, 200U}) {
    for (const std::size_t cols : {1U, 3U, 255U, 256U, 257U, 600U}) {
      const FloatMatrix a = RandomRows(rows, cols, rows * 1000 + cols);
      const Matrix<double> expected = NaiveGram(a);
      for (const std::string& set : SimdTargets()) {
        const SimdChoice choice(set);
        EXPECT_EQ(GramMatrix(a), expected) << set << ", " << rows << " x " << cols;
      }
    }
  }
}

TEST(GramMatrixTest, IsComputedInDoublePrecision) {
  // In single precision 1 + 2^-30 is 1.
  const FloatMatrix a(1, 2, std::vector<float>{1.0F, 0x1.0p-15F});
  EXPECT_EQ(GramMatrix(a)(0, 0), 1.0 + 0x1.0p-30);
}

// In any other order the small ones would add up to something.
TEST(GramMatrixTest, AddsInTheOrderOfTheColumns) {
  FloatMatrix a(1, 300, 0.0F);
  a(0, 0) = 0x1.0p30F;
  for (std::size_t k = 1; k < 300; ++k) a(0, k) = 0x1.0p3F;  // 2^6: a quarter of the last digit of 2^60
  for (const std::string& set : SimdTargets()) {
    const SimdChoice choice(set);
    EXPECT_EQ(GramMatrix(a)(0, 0), 0x1.0p60) << set;
  }
}

TEST(GramMatrixTest, EmptyMatrices) {
  EXPECT_EQ(GramMatrix(FloatMatrix(0, 5)).rows(), 0U);
  EXPECT_EQ(GramMatrix(FloatMatrix(3, 0)), Matrix<double>(3, 3, 0.0));
}

TEST(GramMatrixTest, SameBytesFromEveryThread) {
  const FloatMatrix a = RandomRows(60, 200, 9);
  const Matrix<double> expected = GramMatrix(a);
  std::vector<Matrix<double>> results(12);
  ParallelFor(3, results.size(), [&](std::size_t i) { results[i] = GramMatrix(a); });
  for (const Matrix<double>& result : results) EXPECT_EQ(result, expected);
}

}  // namespace
}  // namespace flyscribe
