#include "sparse/learner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/sparse/random_patches.h"

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

}  // namespace
}  // namespace flyscribe
