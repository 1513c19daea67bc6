#include "sparse/batches.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace flyscribe {
namespace {

using ::testing::ElementsAre;

using Items = std::vector<std::size_t>;

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

}  // namespace
}  // namespace flyscribe
