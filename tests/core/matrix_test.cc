#include "core/matrix.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

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

}  // namespace
}  // namespace flyscribe
