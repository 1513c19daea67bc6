// descend_group and finish_group: sixteen lassos side by side.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "sparse/kernels.h"
#include "sparse/padded_rows.h"
#include "tests/sparse/every_set.h"
#include "tests/sparse/lane_lasso.h"

namespace flyscribe {
namespace {

constexpr float kLambda = 0.1F;
constexpr double kObjectiveRounding = 1e-6;

// What a lane holds after a call.
struct LaneState {
  std::vector<float> weights;
  std::vector<float> products;
  bool awake = false;
  int cycles = 0;

  friend bool operator==(const LaneState&, const LaneState&) = default;
};

// The arrays of a GroupProblem, filled from lanes in the places of a list; other places are empty and asleep.
class Group {
 public:
  explicit Group(std::size_t width, std::size_t spare = 3)
      : width_(width),
        capacity_(width + spare),
        gram_(capacity_ * capacity_ * kGroupLanes, 0.0F),
        factor_(kMostFinished * kMostFinished * kGroupLanes, std::numeric_limits<float>::quiet_NaN()),
        inverse_(capacity_ * kGroupLanes, 1.0F),
        weights_(capacity_ * kGroupLanes, 0.0F),
        products_(capacity_ * kGroupLanes, 0.0F) {
    for (std::size_t place = 0; place < kGroupLanes; ++place) Fill(place, 0.0F);
  }

  // Replaces what the place held.
  void Put(std::size_t place, const LaneLasso& lane) {
    Fill(place, 0.0F);
    const std::vector<double> products = lane.Products(lane.weights);
    for (std::size_t k = 0; k < lane.size(); ++k) {
      for (std::size_t t = 0; t < lane.size(); ++t) GramAt(k, t, place) = static_cast<float>(lane.Gram(k, t));
      inverse_[k * kGroupLanes + place] = 1.0F / GramAt(k, k, place);
      weights_[k * kGroupLanes + place] = lane.weights[k];
      products_[k * kGroupLanes + place] = static_cast<float>(products[k]);
    }
    awake_[place] = -1;
  }
  // A number that ruins everything it is mixed with.
  void PutPoison(std::size_t place) {
    Fill(place, std::numeric_limits<float>::quiet_NaN());
    awake_[place] = -1;
  }
  void Sleep(std::size_t place) { awake_[place] = 0; }

  void Descend(const Kernels& kernels, int max_cycles, float rest = 0.0F) {
    kernels.descend_group(Problem(max_cycles, rest), cycles_);
  }
  void Finish(const Kernels& kernels) { kernels.finish_group(Problem(0, 0.0F)); }

  LaneState State(std::size_t place, std::size_t size) const {
    LaneState state;
    for (std::size_t k = 0; k < size; ++k) {
      state.weights.push_back(weights_[k * kGroupLanes + place]);
      state.products.push_back(products_[k * kGroupLanes + place]);
    }
    state.awake = awake_[place] != 0;
    state.cycles = cycles_[place];
    return state;
  }

  bool nonnegative = false;

 private:
  // Coordinates of their own, at `value`.
  void Fill(std::size_t place, float value) {
    for (std::size_t k = 0; k < width_; ++k) {
      for (std::size_t t = 0; t < width_; ++t) GramAt(k, t, place) = k == t ? 1.0F : value;
      inverse_[k * kGroupLanes + place] = 1.0F;
      weights_[k * kGroupLanes + place] = value;
      products_[k * kGroupLanes + place] = value;
    }
  }
  float& GramAt(std::size_t k, std::size_t t, std::size_t lane) {
    return gram_[(k * capacity_ + t) * kGroupLanes + lane];
  }
  GroupProblem Problem(int max_cycles, float rest) {
    return {.width = width_,
            .capacity = capacity_,
            .gram = gram_.data(),
            .inverse_curvatures = inverse_.data(),
            .weights = weights_.data(),
            .correlations = products_.data(),
            .lambda = kLambda,
            .nonnegative = nonnegative,
            .max_cycles = max_cycles,
            .rest = rest,
            .awake = awake_,
            .factor = factor_.data()};
  }

  std::size_t width_;
  std::size_t capacity_;
  AlignedVector<float> gram_;
  AlignedVector<float> factor_;
  AlignedVector<float> inverse_;
  AlignedVector<float> weights_;
  AlignedVector<float> products_;
  std::int32_t awake_[kGroupLanes] = {};
  int cycles_[kGroupLanes] = {};
};

// Lanes of sizes 1, 2, ... 16 times `step`.
std::vector<LaneLasso> LanesOfRisingSize(LaneKind kind, std::uint64_t seed, std::size_t step = 1) {
  std::vector<LaneLasso> lanes;
  for (std::size_t lane = 0; lane < kGroupLanes; ++lane) {
    kind.size = (lane + 1) * step;
    lanes.push_back(RandomLane(kind, seed * 100 + lane));
  }
  return lanes;
}

Group GroupOf(const std::vector<LaneLasso>& lanes, bool nonnegative) {
  std::size_t width = 0;
  for (const LaneLasso& lane : lanes) width = std::max(width, lane.size());
  Group group(width);
  group.nonnegative = nonnegative;
  for (std::size_t place = 0; place < lanes.size(); ++place) group.Put(place, lanes[place]);
  return group;
}

// The products a lane reports belong to its weights.
void ExpectProductsFit(const LaneLasso& lane, const LaneState& state) {
  const std::vector<double> expected = lane.Products(state.weights);
  for (std::size_t k = 0; k < lane.size(); ++k) ASSERT_NEAR(state.products[k], expected[k], 1e-5);
}

class GroupKernelsTest : public EverySetTest {
 protected:
  // Puts a lane into every place beside every kind of neighbour, and expects `run` to leave the same each time.
  template <class Run>
  void ExpectSeesNoNeighbours(const LaneLasso& lane, Run&& run) const {
    enum class Others { kNone, kLassos, kPoison };
    std::optional<LaneState> expected;
    for (std::size_t place = 0; place < kGroupLanes; ++place) {
      for (const Others others : {Others::kNone, Others::kLassos, Others::kPoison}) {
        const std::size_t width = lane.size() + (others == Others::kNone ? 0 : 3);
        Group group(width, place);
        for (std::size_t other = 0; other < kGroupLanes; ++other) {
          if (others == Others::kLassos) group.Put(other, RandomLane({.size = width}, 1000 + other));
          if (others == Others::kPoison) group.PutPoison(other);
        }
        group.Put(place, lane);
        run(group);
        const LaneState state = group.State(place, lane.size());
        if (!expected) expected = state;
        ASSERT_EQ(state, *expected) << "place " << place << ", neighbours of kind " << static_cast<int>(others);
      }
    }
  }
};
INSTANTIATE_TEST_SUITE_P(EverySet, GroupKernelsTest, ::testing::ValuesIn(SimdTargets()), SetName);

// ---- descend_group ----

TEST_P(GroupKernelsTest, DescendIsANaiveCycleInEveryLane) {
  for (const bool nonnegative : {false, true}) {
    for (const double shortest : {0.3, 1.0}) {
      const std::vector<LaneLasso> lanes =
          LanesOfRisingSize({.length = 24, .shortest = shortest, .nonnegative = nonnegative}, 1, 3);
      for (const int cycles : {1, 2, 5}) {
        Group group = GroupOf(lanes, nonnegative);
        group.Descend(kernels_, cycles);
        for (std::size_t place = 0; place < kGroupLanes; ++place) {
          const LaneLasso& lane = lanes[place];
          std::vector<double> z(lane.weights.begin(), lane.weights.end());
          for (int cycle = 0; cycle < cycles; ++cycle) NaiveCycle(lane, kLambda, nonnegative, z);
          const LaneState state = group.State(place, lane.size());
          for (std::size_t k = 0; k < lane.size(); ++k) {
            ASSERT_NEAR(state.weights[k], z[k], 2e-5) << "lane " << place << ", atom " << k;
            ASSERT_EQ(state.weights[k] == 0.0F, z[k] == 0.0) << "lane " << place << ", atom " << k;
          }
          ExpectProductsFit(lane, state);
        }
      }
    }
  }
}

TEST_P(GroupKernelsTest, DescendNeverRaisesTheObjective) {
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    const bool nonnegative = seed % 2 == 1;
    const std::vector<LaneLasso> lanes = LanesOfRisingSize({.length = 16,
                                                            .shortest = seed % 3 == 0 ? 0.1 : 1.0,
                                                            .coherence = seed % 4 < 2 ? 0.0 : 2.0,
                                                            .nonnegative = nonnegative},
                                                           seed);
    Group group = GroupOf(lanes, nonnegative);
    std::vector<double> before;
    for (const LaneLasso& lane : lanes) before.push_back(lane.Objective(lane.weights, kLambda));
    for (int cycle = 0; cycle < 8; ++cycle) {
      group.Descend(kernels_, 1);
      for (std::size_t place = 0; place < kGroupLanes; ++place) {
        const std::vector<float> z = group.State(place, lanes[place].size()).weights;
        const double after = lanes[place].Objective(z, kLambda);
        ASSERT_LE(after, before[place] + kObjectiveRounding) << "seed " << seed << ", lane " << place;
        before[place] = after;
        if (nonnegative) {
          ASSERT_GE(*std::min_element(z.begin(), z.end()), 0.0F);
        }
      }
    }
  }
}

TEST_P(GroupKernelsTest, ADescendingLaneSeesNoNeighbours) {
  for (const std::size_t size : {1U, 2U, 7U, 12U}) {
    const LaneLasso lane = RandomLane({.size = size, .shortest = 0.5}, size);
    ExpectSeesNoNeighbours(lane, [&](Group& group) { group.Descend(kernels_, 4, 1e-4F); });
    ExpectSeesNoNeighbours(lane, [&](Group& group) { group.Descend(kernels_, 200, 1e-4F); });
  }
}

TEST_P(GroupKernelsTest, SleepingLanesStayAsTheyAre) {
  const std::vector<LaneLasso> lanes = LanesOfRisingSize({.size = 0}, 2);
  Group group = GroupOf(lanes, false);
  std::vector<LaneState> before;
  for (const std::size_t place : {1U, 4U, 6U}) group.Sleep(place);
  for (std::size_t place = 0; place < kGroupLanes; ++place) before.push_back(group.State(place, place + 1));
  group.Descend(kernels_, 5);
  group.Finish(kernels_);
  for (std::size_t place = 0; place < kGroupLanes; ++place) {
    const bool slept = place == 1 || place == 4 || place == 6;
    EXPECT_EQ(group.State(place, place + 1) == before[place], slept) << "lane " << place;
  }
}

// One atom d = (1, 0, ...) and x = (product, 0, ...): one update finds the minimum.
LaneLasso OneAtom(float product) {
  LaneLasso lane = {FloatMatrix(1, 16), std::vector<float>(16, 0.0F), {0.0F}};
  lane.atoms(0, 0) = 1.0F;
  lane.x[0] = product;
  return lane;
}

TEST_P(GroupKernelsTest, CyclesAreCountedLaneByLane) {
  Group group(6);
  group.Put(0, OneAtom(0.6F));   // moves, then rests
  group.Put(1, OneAtom(0.05F));  // rests at zero
  LaneLasso slow = RandomLane({.size = 6, .coherence = 3.0}, 3);
  for (std::size_t i = 0; i < slow.x.size(); ++i) slow.x[i] = slow.atoms(0, i) + slow.atoms(3, i) - slow.atoms(5, i);
  group.Put(2, slow);
  group.Put(3, OneAtom(-0.6F));
  group.Sleep(3);
  group.Descend(kernels_, 4);
  const auto expect = [&](std::size_t place, int cycles, bool awake) {
    EXPECT_EQ(group.State(place, 1).cycles, cycles) << "lane " << place;
    EXPECT_EQ(group.State(place, 1).awake, awake) << "lane " << place;
  };
  expect(0, 2, false);
  expect(1, 1, false);
  expect(2, 4, true);
  expect(3, 0, false);
  expect(7, 0, false);
  EXPECT_NEAR(group.State(0, 1).weights[0], 0.5F, 1e-6F);
  group.Descend(kernels_, 3);
  expect(0, 0, false);
  expect(2, 3, true);
  group.Descend(kernels_, 0);
  expect(2, 0, true);
  group.Descend(kernels_, 100000, 1e-6F);
  expect(2, group.State(2, 1).cycles, false);
  EXPECT_LT(slow.Violation(group.State(2, 6).weights, kLambda, false), 1e-5);
}

TEST_P(GroupKernelsTest, ALaneThatMovesNoMoreThanItsRestSleeps) {
  // The only change of d^T r is from 0.6 to 0.1.
  for (const float rest : {0.4F, 0.51F}) {
    Group group(1);
    group.Put(5, OneAtom(0.6F));
    group.Descend(kernels_, 10, rest);
    EXPECT_EQ(group.State(5, 1).cycles, rest > 0.5F ? 1 : 2);
    EXPECT_FALSE(group.State(5, 1).awake);
  }
}

// ---- finish_group ----

// Solves A s = b by elimination with pivoting.
std::vector<double> Solution(std::vector<std::vector<double>> a, std::vector<double> b) {
  const std::size_t size = b.size();
  for (std::size_t k = 0; k < size; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < size; ++i) pivot = std::abs(a[i][k]) > std::abs(a[pivot][k]) ? i : pivot;
    std::swap(a[k], a[pivot]);
    std::swap(b[k], b[pivot]);
    for (std::size_t i = 0; i < size; ++i) {
      if (i == k) continue;
      const double factor = a[i][k] / a[k][k];
      for (std::size_t j = k; j < size; ++j) a[i][j] -= factor * a[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (std::size_t k = 0; k < size; ++k) b[k] /= a[k][k];
  return b;
}

// Where the step over the non-zero weights leads, and which weight stops it by becoming zero, if one does.
struct ExpectedFinish {
  std::vector<double> weights;
  std::optional<std::size_t> stopped_by;
  double margin = 1.0;  // between the first and the second weight that would stop it
};

ExpectedFinish FinishInDouble(const LaneLasso& lane) {
  std::vector<std::size_t> used;
  for (std::size_t k = 0; k < lane.size(); ++k) {
    if (lane.weights[k] != 0.0F) used.push_back(k);
  }
  const std::vector<double> c = lane.Products(lane.weights);
  std::vector<std::vector<double>> a(used.size());
  std::vector<double> b;
  for (std::size_t i = 0; i < used.size(); ++i) {
    for (const std::size_t t : used) a[i].push_back(lane.Gram(used[i], t));
    b.push_back(c[used[i]] - (lane.weights[used[i]] > 0.0F ? kLambda : -kLambda));
  }
  const std::vector<double> step = Solution(a, b);
  ExpectedFinish expected = {{lane.weights.begin(), lane.weights.end()}, {}};
  double reach = 1.0;
  for (std::size_t i = 0; i < used.size(); ++i) {
    const double z = lane.weights[used[i]];
    const double zero_at = step[i] == 0.0 ? 2.0 : -z / step[i];
    if (zero_at <= 0.0) continue;
    expected.margin = std::min(expected.margin, std::abs(zero_at - reach));
    if (zero_at >= reach) continue;
    reach = zero_at;
    expected.stopped_by = used[i];
  }
  for (std::size_t i = 0; i < used.size(); ++i) expected.weights[used[i]] += reach * step[i];
  return expected;
}

TEST_P(GroupKernelsTest, FinishGoesToTheMinimumOrToTheFirstZero) {
  std::size_t full_steps = 0;
  std::size_t stopped = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const bool nonnegative = seed % 2 == 1;
    std::vector<LaneLasso> lanes =
        LanesOfRisingSize({.shortest = seed % 3 == 0 ? 0.3 : 1.0, .used = 0.7, .nonnegative = nonnegative}, 10 + seed);
    // Half of them begin near their minimum, where no sign changes.
    for (std::size_t place = 0; place < kGroupLanes; place += 2) {
      std::vector<double> z(lanes[place].weights.begin(), lanes[place].weights.end());
      for (int cycle = 0; cycle < 6; ++cycle) NaiveCycle(lanes[place], kLambda, nonnegative, z);
      lanes[place].weights.assign(z.begin(), z.end());
    }
    Group group = GroupOf(lanes, nonnegative);
    group.Finish(kernels_);
    for (std::size_t place = 0; place < kGroupLanes; ++place) {
      const LaneLasso& lane = lanes[place];
      const LaneState state = group.State(place, lane.size());
      const ExpectedFinish expected = FinishInDouble(lane);
      for (std::size_t k = 0; k < lane.size(); ++k) {
        ASSERT_NEAR(state.weights[k], expected.weights[k], 2e-5) << "seed " << seed << ", lane " << place;
        ASSERT_GE(state.weights[k] * lane.weights[k], 0.0F) << "no sign changes";
        if (lane.weights[k] == 0.0F) {
          ASSERT_EQ(state.weights[k], 0.0F) << "what is not used stays so";
        }
      }
      ExpectProductsFit(lane, state);
      ASSERT_LE(lane.Objective(state.weights, kLambda), lane.Objective(lane.weights, kLambda) + kObjectiveRounding);
      if (expected.margin < 1e-4) continue;  // too near to call
      if (expected.stopped_by) {
        ++stopped;
        ASSERT_EQ(state.weights[*expected.stopped_by], 0.0F) << "seed " << seed << ", lane " << place;
      } else {
        ++full_steps;
        for (std::size_t k = 0; k < lane.size(); ++k) {
          if (state.weights[k] == 0.0F) continue;
          ASSERT_NEAR(state.products[k], state.weights[k] > 0.0F ? kLambda : -kLambda, 1e-5F);
        }
      }
    }
  }
  EXPECT_GT(full_steps, 50U);
  EXPECT_GT(stopped, 50U);
}

TEST_P(GroupKernelsTest, FinishNeverRaisesTheObjectiveOfNearlyDependentAtoms) {
  std::size_t moved = 0;
  std::size_t refused = 0;
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    // With this much in common, the last pivots lie around kSmallestPivot.
    const LaneKind kind = {.coherence = 20.0 * static_cast<double>(1 + seed), .used = 1.0};
    const std::vector<LaneLasso> lanes = LanesOfRisingSize(kind, seed);
    Group group = GroupOf(lanes, false);
    group.Descend(kernels_, 1);
    std::vector<LaneState> before;
    for (std::size_t place = 0; place < kGroupLanes; ++place) before.push_back(group.State(place, place + 1));
    group.Finish(kernels_);
    for (std::size_t place = 0; place < kGroupLanes; ++place) {
      const LaneState after = group.State(place, place + 1);
      EXPECT_LE(lanes[place].Objective(after.weights, kLambda),
                lanes[place].Objective(before[place].weights, kLambda) + kObjectiveRounding)
          << "seed " << seed << ", lane " << place;
      ++(after == before[place] ? refused : moved);
    }
  }
  EXPECT_GT(moved, 20U);
  EXPECT_GT(refused, 20U);
}

TEST_P(GroupKernelsTest, AFinishingLaneSeesNoNeighbours) {
  for (const std::size_t size : {1U, 2U, 7U, 12U}) {
    const LaneLasso lane = RandomLane({.size = size, .shortest = 0.5}, 20 + size);
    ExpectSeesNoNeighbours(lane, [&](Group& group) { group.Finish(kernels_); });
  }
}

TEST_P(GroupKernelsTest, FinishLeavesDependentAtomsAlone) {
  LaneLasso twins = RandomLane({.size = 5, .used = 1.0}, 30);
  std::copy(twins.atoms.Row(1).begin(), twins.atoms.Row(1).end(), twins.atoms.Row(3).begin());
  LaneLasso one_twin = twins;
  one_twin.weights[3] = 0.0F;
  LaneLasso crowd = RandomLane({.size = 20, .length = 16, .used = 1.0}, 31);  // more atoms than dimensions
  Group group(20);
  group.Put(2, twins);
  group.Put(3, one_twin);
  group.Put(6, crowd);
  const LaneState twins_before = group.State(2, 5);
  const LaneState one_before = group.State(3, 5);
  const LaneState crowd_before = group.State(6, 20);
  group.Finish(kernels_);
  EXPECT_EQ(group.State(2, 5), twins_before);
  EXPECT_EQ(group.State(6, 20), crowd_before);
  EXPECT_NE(group.State(3, 5), one_before) << "an unused atom is in nobody's way";
}

TEST_P(GroupKernelsTest, FinishLeavesLanesWithManyWeightsAlone) {
  const std::size_t width = kMostFinished + 1;
  Group group(width);
  group.Put(4, RandomLane({.size = width, .length = 512, .used = 1.0}, 40));
  group.Put(5, RandomLane({.size = kMostFinished, .length = 512, .used = 1.0}, 41));
  group.Put(6, RandomLane({.size = 10, .length = 512, .used = 1.0}, 42));
  const LaneState wide = group.State(4, width);
  const LaneState widest = group.State(5, kMostFinished);
  const LaneState narrow = group.State(6, 10);
  group.Finish(kernels_);
  EXPECT_EQ(group.State(4, width), wide);
  EXPECT_NE(group.State(5, kMostFinished), widest);
  EXPECT_NE(group.State(6, 10), narrow) << "a wide neighbour is no reason";
}

TEST_P(GroupKernelsTest, NothingToFinish) {
  Group group(3);
  const LaneLasso unused = RandomLane({.size = 3, .used = 0.0}, 50);
  group.Put(1, unused);
  const LaneState before = group.State(1, 3);
  group.Finish(kernels_);
  EXPECT_EQ(group.State(1, 3), before);
  Group none(0);
  none.Finish(kernels_);
  none.Descend(kernels_, 3);
}

}  // namespace
}  // namespace flyscribe
