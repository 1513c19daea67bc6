#include "sparse/padded_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace flyscribe {
namespace {

using ::testing::ElementsAre;

TEST(PaddedRowsTest, LengthsAreRoundedUp) {
  EXPECT_EQ(PaddedLength(0), 0U);
  EXPECT_EQ(PaddedLength(1), 16U);
  EXPECT_EQ(PaddedLength(16), 16U);
  EXPECT_EQ(PaddedLength(17), 32U);
  EXPECT_EQ(PaddedLength(128), 128U);
}

TEST(PaddedRowsTest, RowsAreAlignedAndFilledUpWithZeros) {
  const FloatMatrix matrix(3, 5, std::vector<float>(15, 7.0F));
  const PaddedRows rows{FloatView(matrix)};
  EXPECT_EQ(rows.rows(), 3U);
  EXPECT_EQ(rows.cols(), 5U);
  EXPECT_EQ(rows.length(), 16U);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(rows.data()) % 64, 0U);
  for (std::size_t row = 0; row < 3; ++row) {
    EXPECT_EQ(rows.Row(row), rows.data() + 16 * row);
    for (std::size_t i = 0; i < 16; ++i) EXPECT_EQ(rows.Row(row)[i], i < 5 ? 7.0F : 0.0F);
  }
}

TEST(PaddedRowsTest, MatricesComeBack) {
  FloatMatrix matrix(4, 17);
  for (std::size_t i = 0; i < 68; ++i) matrix.data()[i] = static_cast<float>(i) - 30.0F;
  const PaddedRows rows{FloatView(matrix)};
  EXPECT_EQ(rows.length(), 32U);
  EXPECT_EQ(rows.ToMatrix(), matrix);
  EXPECT_EQ(rows.Values(2).size(), 17U);
  EXPECT_EQ(rows.Values(2)[16], matrix(2, 16));
}

TEST(PaddedRowsTest, SetChangesOneRow) {
  PaddedRows rows(2, 3);
  rows.Set(1, std::vector<float>{1, 2, 3});
  EXPECT_THAT(rows.Values(0), ElementsAre(0, 0, 0));
  EXPECT_THAT(rows.Values(1), ElementsAre(1, 2, 3));
  EXPECT_EQ(rows.Row(1)[3], 0.0F);
}

TEST(PaddedRowsTest, CopiesAreTheirOwn) {
  PaddedRows rows(1, 3);
  PaddedRows copy = rows;
  copy.Row(0)[0] = 5.0F;
  EXPECT_EQ(rows.Row(0)[0], 0.0F);
  const float* data = copy.data();
  const PaddedRows moved = std::move(copy);
  EXPECT_EQ(moved.data(), data);
}

TEST(PaddedRowsTest, Empty) {
  EXPECT_EQ(PaddedRows().rows(), 0U);
  EXPECT_EQ(PaddedRows(0, 128).ToMatrix(), FloatMatrix(0, 128));
  EXPECT_EQ(PaddedRows(FloatView(FloatMatrix())).length(), 0U);
}

}  // namespace
}  // namespace flyscribe
