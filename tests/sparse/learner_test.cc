#include "sparse/learner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "core/rng.h"
#include "tests/sparse/random_patches.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Items = std::vector<std::size_t>;

TEST(VisitOrderTest, IsAShuffleOfItsStream) {
  LearnOptions options;
  const Items order = VisitOrder(50, options, kFirstEpochStream);
  Items sorted = order;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(sorted, AllRows(FloatMatrix(50, 1)));
  EXPECT_NE(order, sorted);
  EXPECT_EQ(VisitOrder(50, options, kFirstEpochStream), order);
  EXPECT_NE(VisitOrder(50, options, kFirstEpochStream + 1), order);
  options.seed = 2;
  EXPECT_NE(VisitOrder(50, options, kFirstEpochStream), order);
}

TEST(VisitOrderTest, FileOrderIsAsStored) {
  LearnOptions options;
  options.patch_order = LearnOptions::PatchOrder::kFile;
  EXPECT_THAT(VisitOrder(4, options, kFirstEpochStream), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(VisitOrder(0, options, kFirstEpochStream), IsEmpty());
}

TEST(StreamsTest, NoTwoUsesShareANumber) {
  constexpr std::uint64_t kMostEpochs = 10000;  // as learn.epochs allows
  EXPECT_LT(kInitialStream, kFirstEpochStream);
  EXPECT_LT(kFirstEpochStream + kMostEpochs, kDealStream);
  EXPECT_LT(kDealStream, kCoordinateStream);
}

TEST(LearnProblemTest, PatchesAreThoseThatTakePart) {
  const FloatMatrix patches = RandomUnitRows(5, 3, 1);
  const Items rows = {4, 1};
  const LearnOptions options;
  const LearnProblem problem = {patches, rows, options, KernelsFor("plain")};
  EXPECT_EQ(problem.size(), 2U);
  EXPECT_EQ(problem.Patch(0).data(), patches.Row(4).data());
  EXPECT_EQ(problem.Patch(1).data(), patches.Row(1).data());
}

LearnState SomeState() {
  LearnState state;
  state.epochs_done = 2;
  state.steps = 77;
  state.atoms = RandomUnitRows(3, 20, 2);
  state.curvature = {1.0, 2.0, 3.0};
  state.epoch_curvature = {0.5, 0.25, 0.125};
  state.moments = FloatMatrix(3, 23, 1.5F);
  state.codes.atoms = 3;
  state.codes.AppendDense(std::vector<float>{0, 2, 0});
  state.codes.AppendDense(std::vector<float>{1, 0, -1});
  return state;
}

TEST(LearnerMemoryTest, GoesOnFromAState) {
  const LearnState state = SomeState();
  const LearnerMemory memory(state, 2);
  EXPECT_EQ(memory.atoms.ToMatrix(), state.atoms);
  EXPECT_EQ(memory.atoms.length(), 32U);
  EXPECT_EQ(memory.curvature, state.curvature);
  EXPECT_EQ(memory.epoch_curvature, state.epoch_curvature);
  EXPECT_EQ(memory.moments, state.moments);
  EXPECT_EQ(memory.steps, 77U);
  EXPECT_EQ(memory.codes.ToCodes(3), state.codes);
  EXPECT_THAT(memory.errors, IsEmpty());
}

TEST(LearnerMemoryTest, AFirstStateHasNoCodes) {
  LearnState state = SomeState();
  state.codes = {};
  const LearnerMemory memory(state, 4);
  EXPECT_EQ(memory.codes.rows(), 4U);
  EXPECT_EQ(memory.codes.nonzeros(), 0U);
}

LearnOptions Options(int batch, LearnOptions::PatchOrder order = LearnOptions::PatchOrder::kShuffled) {
  LearnOptions options;
  options.batch = batch;
  options.patch_order = order;
  return options;
}

Items UpTo(std::size_t count) {
  Items items(count);
  std::iota(items.begin(), items.end(), std::size_t{0});
  return items;
}

Items Sorted(Items items) {
  std::sort(items.begin(), items.end());
  return items;
}

// All patches in the order of the batches.
Items Dealt(const Batches& batches) {
  Items all;
  for (std::size_t batch = 0; batch < batches.count(); ++batch) {
    all.insert(all.end(), batches.Batch(batch).begin(), batches.Batch(batch).end());
  }
  return all;
}

TEST(BatchesTest, EveryPatchIsInOneBatch) {
  for (const std::size_t patches : {1U, 2U, 9U, 10U, 11U, 100U, 105U}) {
    for (const int size : {1, 2, 10, 1000}) {
      const LearnOptions options = Options(size);
      const Batches batches(patches, options);
      const auto batch_size = static_cast<std::size_t>(size);
      ASSERT_EQ(batches.count(), (patches + batch_size - 1) / batch_size);
      for (std::size_t batch = 0; batch + 1 < batches.count(); ++batch) {
        ASSERT_EQ(batches.Batch(batch).size(), batch_size) << "all but the last are full";
      }
      EXPECT_EQ(Sorted(Dealt(batches)), UpTo(patches));
    }
  }
}

TEST(BatchesTest, ShuffledPatchesAreDealtOnceForAllEpochs) {
  const LearnOptions options = Options(10);
  const Batches batches(95, options);
  const Items dealt = Dealt(batches);
  EXPECT_NE(dealt, UpTo(95));
  const Items first = batches.VisitOrder(1);
  const Items second = batches.VisitOrder(2);
  EXPECT_EQ(Sorted(first), UpTo(10));
  EXPECT_EQ(Sorted(second), UpTo(10));
  EXPECT_NE(first, second) << "another order every epoch";
  EXPECT_EQ(Dealt(batches), dealt);
  EXPECT_EQ(Dealt(Batches(95, options)), dealt) << "the same in another process";
  EXPECT_EQ(Batches(95, options).VisitOrder(2), second);
}

TEST(BatchesTest, TheSeedDecides) {
  LearnOptions options = Options(10);
  const Batches one(95, options);
  LearnOptions other = Options(10);
  other.seed = 2;
  const Batches two(95, other);
  EXPECT_NE(Dealt(one), Dealt(two));
  EXPECT_NE(one.VisitOrder(1), two.VisitOrder(1));
}

TEST(BatchesTest, FileOrder) {
  const LearnOptions options = Options(4, LearnOptions::PatchOrder::kFile);
  const Batches batches(10, options);
  EXPECT_THAT(batches.Batch(0), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(batches.Batch(2), ElementsAre(8, 9));
  EXPECT_THAT(batches.VisitOrder(1), ElementsAre(0, 1, 2));
  EXPECT_THAT(batches.VisitOrder(7), ElementsAre(0, 1, 2));
}

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
