#include "sparse/code_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "core/rng.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Ids = std::vector<std::int32_t>;
using Floats = std::vector<float>;

TEST(CodeStoreTest, BeginsEmpty) {
  const CodeStore store(3);
  EXPECT_EQ(store.rows(), 3U);
  EXPECT_EQ(store.nonzeros(), 0U);
  for (std::size_t row = 0; row < 3; ++row) {
    EXPECT_THAT(store.Indices(row), IsEmpty());
    EXPECT_THAT(store.Weights(row), IsEmpty());
  }
  const SparseCodes codes = store.ToCodes(5);
  EXPECT_THAT(codes.indptr, ElementsAre(0, 0, 0, 0));
  EXPECT_EQ(codes.atoms, 5U);
}

TEST(CodeStoreTest, WhatIsWrittenIsReadAfterTheFlip) {
  CodeStore store(4);
  store.Write(2, Ids{1, 7}, Floats{0.5F, -0.5F});
  store.Write(0, Ids{3}, Floats{2.0F});
  EXPECT_THAT(store.Indices(2), IsEmpty());
  EXPECT_EQ(store.nonzeros(), 0U);
  store.Flip();
  EXPECT_EQ(store.rows(), 4U);
  EXPECT_EQ(store.nonzeros(), 3U);
  EXPECT_THAT(store.Indices(0), ElementsAre(3));
  EXPECT_THAT(store.Weights(0), ElementsAre(2.0F));
  EXPECT_THAT(store.Indices(1), IsEmpty());
  EXPECT_THAT(store.Indices(2), ElementsAre(1, 7));
  EXPECT_THAT(store.Weights(2), ElementsAre(0.5F, -0.5F));
  EXPECT_THAT(store.Indices(3), IsEmpty());
}

TEST(CodeStoreTest, RowsThatAreNotWrittenBecomeEmpty) {
  CodeStore store(2);
  store.Write(0, Ids{1}, Floats{1.0F});
  store.Write(1, Ids{2}, Floats{2.0F});
  store.Flip();
  store.Write(1, Ids{}, Floats{});
  EXPECT_THAT(store.Indices(0), ElementsAre(1)) << "until the epoch ends";
  EXPECT_THAT(store.Indices(1), ElementsAre(2));
  store.Flip();
  EXPECT_THAT(store.Indices(0), IsEmpty());
  EXPECT_THAT(store.Indices(1), IsEmpty());
  EXPECT_EQ(store.nonzeros(), 0U);
  store.Flip();
  EXPECT_EQ(store.rows(), 2U);
}

TEST(CodeStoreTest, OldRowsMayBeTheSourceOfNewOnes) {
  CodeStore store(1);
  store.Write(0, Ids{1, 2}, Floats{1.0F, 2.0F});
  store.Flip();
  store.Write(0, store.Indices(0), store.Weights(0));
  store.Flip();
  EXPECT_THAT(store.Indices(0), ElementsAre(1, 2));
  EXPECT_THAT(store.Weights(0), ElementsAre(1.0F, 2.0F));
}

TEST(CodeStoreTest, ACodeHasAsManyIndicesAsWeights) {
  CodeStore store(1);
  EXPECT_EQ(ExpectError([&] { store.Write(0, Ids{1, 2}, Floats{1.0F}); }).code, ErrorCode::kInternal);
}

// Row `row` of the large codes below; some are longer than a block of the store.
Ids LargeRow(std::size_t row) {
  const std::size_t count = row % 7 == 3 ? 300000 : (row * 37) % 4000;
  Ids ids(count);
  for (std::size_t k = 0; k < count; ++k) ids[k] = static_cast<std::int32_t>(2 * k + row);
  return ids;
}

Floats LargeWeights(std::size_t row, std::size_t count) {
  Floats weights(count);
  for (std::size_t k = 0; k < count; ++k) weights[k] = static_cast<float>(row) + static_cast<float>(k) * 0.5F;
  return weights;
}

TEST(CodeStoreTest, ManyWeightsInAnyOrder) {
  constexpr std::size_t kRows = 150;
  std::vector<std::size_t> order(kRows);
  for (std::size_t row = 0; row < kRows; ++row) order[row] = row;
  CodeStore store(kRows);
  for (std::uint64_t epoch = 0; epoch < 2; ++epoch) {
    Rng(epoch).Shuffle(order);
    std::size_t nonzeros = 0;
    for (const std::size_t row : order) {
      const Ids ids = LargeRow(row + epoch);
      store.Write(row, ids, LargeWeights(row, ids.size()));
      nonzeros += ids.size();
    }
    store.Flip();
    EXPECT_EQ(store.nonzeros(), nonzeros);
    EXPECT_GT(nonzeros, std::size_t{1} << 20);
    for (std::size_t row = 0; row < kRows; ++row) {
      const Ids ids = LargeRow(row + epoch);
      ASSERT_EQ(Ids(store.Indices(row).begin(), store.Indices(row).end()), ids) << "row " << row;
      ASSERT_EQ(Floats(store.Weights(row).begin(), store.Weights(row).end()), LargeWeights(row, ids.size()));
    }
  }
}

TEST(CodeStoreTest, CodesComeBack) {
  SparseCodes codes;
  codes.atoms = 6;
  codes.AppendDense(Floats{0, 1, 0, -2, 0, 3});
  codes.AppendDense(Floats{0, 0, 0, 0, 0, 0});
  codes.AppendDense(Floats{4, 0, 0, 0, 0, 0});
  const CodeStore store(codes);
  EXPECT_EQ(store.rows(), 3U);
  EXPECT_EQ(store.nonzeros(), 4U);
  EXPECT_THAT(store.Indices(0), ElementsAre(1, 3, 5));
  EXPECT_THAT(store.Weights(2), ElementsAre(4.0F));
  EXPECT_EQ(store.ToCodes(6), codes);
}

TEST(CodeStoreTest, RowsAreInTheirOrderWhateverTheOrderOfWriting) {
  CodeStore store(3);
  store.Write(2, Ids{0, 4}, Floats{1, 2});
  store.Write(1, Ids{2}, Floats{3});
  store.Write(0, Ids{1, 3}, Floats{4, 5});
  store.Flip();
  const SparseCodes codes = store.ToCodes(5);
  EXPECT_THAT(codes.indptr, ElementsAre(0, 2, 3, 5));
  EXPECT_THAT(codes.indices, ElementsAre(1, 3, 2, 0, 4));
  EXPECT_THAT(codes.data, ElementsAre(4, 5, 3, 1, 2));
}

TEST(CodeStoreTest, NoRows) {
  CodeStore store(0);
  store.Flip();
  EXPECT_EQ(store.rows(), 0U);
  EXPECT_EQ(store.ToCodes(0), SparseCodes{});
}

}  // namespace
}  // namespace flyscribe
