#include "core/matrix.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <thread>
#include <vector>

#include "core/parallel.h"
#include "core/rng.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

using ::testing::ElementsAre;

TEST(MatrixTest, IsRowMajor) {
  Matrix<int> matrix(2, 3, std::vector<int>{1, 2, 3, 4, 5, 6});
  EXPECT_EQ(matrix(0, 2), 3);
  EXPECT_EQ(matrix(1, 0), 4);
  EXPECT_THAT(matrix.Row(1), ElementsAre(4, 5, 6));
  matrix.Row(0)[1] = 20;
  matrix(1, 2) = 60;
  EXPECT_THAT(matrix.values(), ElementsAre(1, 20, 3, 4, 5, 60));
}

TEST(MatrixTest, FillsWithTheValue) {
  EXPECT_THAT(FloatMatrix(2, 2).values(), ElementsAre(0.0F, 0.0F, 0.0F, 0.0F));
  EXPECT_THAT(Matrix<int>(1, 3, 7).values(), ElementsAre(7, 7, 7));
}

TEST(MatrixTest, EmptyOnesKeepTheirShape) {
  EXPECT_EQ(FloatMatrix().rows(), 0U);
  EXPECT_EQ(FloatMatrix(0, 5).cols(), 5U);
  EXPECT_EQ(FloatMatrix(4, 0).rows(), 4U);
  EXPECT_TRUE(FloatMatrix(4, 0).Row(3).empty());
}

TEST(MatrixTest, ShapeAndDataMustAgree) {
  const CaughtError error = ExpectError([] { Matrix<int>(2, 2, std::vector<int>{1, 2, 3}); });
  EXPECT_EQ(error.code, ErrorCode::kInternal);
  EXPECT_THAT(error.text, ::testing::HasSubstr("matrix shape and data differ"));
}

TEST(MatrixTest, EqualityLooksAtShapeAndValues) {
  const Matrix<int> a(2, 3, 1);
  EXPECT_EQ(a, Matrix<int>(2, 3, 1));
  EXPECT_FALSE(a == Matrix<int>(3, 2, 1));
  EXPECT_FALSE(a == Matrix<int>(2, 3, 2));
}

TEST(MatrixViewTest, ShowsTheMatrixWithoutACopy) {
  Matrix<int> matrix(2, 2, std::vector<int>{1, 2, 3, 4});
  const MatrixView<int> view = matrix;
  EXPECT_EQ(view.data(), matrix.data());
  matrix(1, 1) = 9;
  EXPECT_EQ(view(1, 1), 9);
  EXPECT_THAT(view.Row(0), ElementsAre(1, 2));
  EXPECT_THAT(view.values(), ElementsAre(1, 2, 3, 9));
  EXPECT_EQ(MatrixView<int>().rows(), 0U);
  EXPECT_TRUE(MatrixView<int>().values().empty());
}

// Small whole numbers: every sum is exact, so results must be equal, whatever the order of the additions.
std::vector<float> SmallIntegers(std::size_t count, std::uint64_t stream) {
  Rng rng(3, stream);
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>(rng.Below(17)) - 8.0F;
  return values;
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

TEST(MultiplyTransposed, EqualsALoop) {
  const FloatMatrix a(2, 3, {1, 2, 3, 4, 5, 6});
  const FloatMatrix b(4, 3, {1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1});
  FloatMatrix out(2, 4);
  MultiplyTransposed(a, b, out.data());
  EXPECT_EQ(out, FloatMatrix(2, 4, {1, 2, 3, 6, 4, 5, 6, 15}));
  MultiplyTransposed(FloatMatrix(0, 3), b, out.data());
  EXPECT_EQ(out(0, 0), 1.0F);
}

}  // namespace
}  // namespace flyscribe
