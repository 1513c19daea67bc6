#include "sparse/atom_cycle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <set>
#include <vector>

#include "core/rng.h"
#include "tests/sparse/every_set.h"
#include "tests/sparse/random_patches.h"

namespace flyscribe {
namespace {

std::vector<std::int32_t> Order(AtomOrder& order, std::size_t atoms, std::uint64_t visit) {
  std::vector<std::int32_t> all(atoms);
  order.StartVisit(visit);
  order.All(all);
  return all;
}

class AtomOrderTest : public ::testing::TestWithParam<std::size_t> {};

TEST_P(AtomOrderTest, IsAPermutationWhosePlacesAreKnown) {
  const std::size_t atoms = GetParam();
  AtomOrder order;
  order.StartEpoch(7, 1, atoms);
  for (std::uint64_t visit = 0; visit < 50; ++visit) {
    std::vector<std::int32_t> all = Order(order, atoms, visit);
    for (std::size_t k = 0; k < atoms; ++k) ASSERT_EQ(order.Place(all[k]), k) << "visit " << visit;
    std::sort(all.begin(), all.end());
    for (std::size_t k = 0; k < atoms; ++k) ASSERT_EQ(all[k], static_cast<std::int32_t>(k));
  }
}

TEST_P(AtomOrderTest, SortsSomeAsAllWouldStand) {
  const std::size_t atoms = GetParam();
  AtomOrder order;
  order.StartEpoch(3, 2, atoms);
  const std::vector<std::int32_t> all = Order(order, atoms, 11);
  const std::size_t begin = atoms / 3;
  std::vector<std::int32_t> expected;
  for (std::size_t k = begin; k < atoms; ++k) {
    if (all[k] % 2 == 0) expected.push_back(all[k]);
  }
  std::vector<std::int32_t> even;
  for (std::size_t atom = 0; atom < atoms; atom += 2) even.push_back(static_cast<std::int32_t>(atom));
  const std::span<std::int32_t> sorted = order.Sort(even, begin);
  EXPECT_EQ(std::vector<std::int32_t>(sorted.begin(), sorted.end()), expected);
}

INSTANTIATE_TEST_SUITE_P(Sizes, AtomOrderTest, ::testing::Values(1, 2, 3, 4, 30, 97, 1000));

TEST(AtomOrder, ChangesWithSeedEpochAndVisit) {
  AtomOrder order;
  order.StartEpoch(1, 1, 100);
  const auto first = Order(order, 100, 0);
  EXPECT_EQ(Order(order, 100, 0), first);
  EXPECT_NE(Order(order, 100, 1), first);
  order.StartEpoch(1, 2, 100);
  EXPECT_NE(Order(order, 100, 0), first);
  order.StartEpoch(2, 1, 100);
  EXPECT_NE(Order(order, 100, 0), first);
}

TEST(AtomOrder, EveryAtomIsFirstAboutEquallyOften) {
  AtomOrder order;
  order.StartEpoch(5, 1, 10);
  std::map<std::int32_t, int> first;
  for (std::uint64_t visit = 0; visit < 5000; ++visit) ++first[Order(order, 10, visit).front()];
  ASSERT_EQ(first.size(), 10U);
  for (const auto& [atom, count] : first) EXPECT_NEAR(count, 500, 120) << atom;  // 5.6 standard deviations
}

using ::testing::ElementsAre;

constexpr float kLambda = 0.1F;

std::vector<std::int32_t> AllIds(std::size_t count) {
  std::vector<std::int32_t> ids(count);
  std::iota(ids.begin(), ids.end(), 0);
  return ids;
}

class ScreenTest : public EverySetTest {
 protected:
  static std::vector<std::int32_t> Copy(std::span<std::int32_t> ids) { return {ids.begin(), ids.end()}; }

  // The atoms not found stay within lambda wherever r goes, and those found have some reason to be.
  void ExpectSound(const PaddedRows& atoms, const PaddedRows& r, float reach) const {
    const std::size_t length = atoms.length();
    Screen screen(kernels_, atoms);
    screen.Start(r.data());
    const std::vector<float> weights(atoms.rows(), 0.0F);
    const std::vector<std::int32_t> found = Copy(screen.Doubtful(0, reach, kLambda, weights.data()));
    const std::set<std::int32_t> doubtful(found.begin(), found.end());
    const double norm = std::sqrt(ExactDot(r.data(), r.data(), length));
    const double blur = 2.1 * norm * (std::sqrt(static_cast<double>(length)) / 32000.0 + 1e-5);
    for (std::size_t j = 0; j < atoms.rows(); ++j) {
      const double product = ExactDot(atoms.Row(j), r.data(), length);
      const double atom_norm = std::sqrt(ExactDot(atoms.Row(j), atoms.Row(j), length));
      if (doubtful.count(static_cast<std::int32_t>(j)) == 0) {
        // The worst that a movement of length `reach` can do: straight along the atom.
        ASSERT_LE(std::abs(product) + atom_norm * static_cast<double>(reach), static_cast<double>(kLambda))
            << "atom " << j << " was missed, length " << length << ", reach " << reach << ", norm " << norm;
      } else {
        ASSERT_GT(std::abs(product) + static_cast<double>(reach), static_cast<double>(kLambda) - blur)
            << "atom " << j << " has no reason to be here";
      }
    }
  }
};
INSTANTIATE_TEST_SUITE_P(EverySet, ScreenTest, ::testing::ValuesIn(SimdTargets()), SetName);

TEST_P(ScreenTest, NeverMissesAnAtomThatMayChange) {
  for (const std::size_t length : kLengths) {
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      const PaddedRows atoms = RandomPaddedRows(101, length, seed, seed % 2 == 0 ? 1.0 : 0.2);
      for (const double norm : {0.01, 0.2, 0.7, 30.0}) {
        PaddedRows r = RandomPaddedRows(1, length, 100 + seed);
        ScaleToNorm({r.data(), length}, norm);
        for (const float reach : {0.0F, 0.01F, 0.05F, 0.09F}) ExpectSound(atoms, r, reach);
      }
    }
  }
}

TEST_P(ScreenTest, NeverMissesAnAtomNearTheBorder) {
  // Many products within a few roundings of lambda, on both sides.
  constexpr std::size_t kLength = 128;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const PaddedRows r = RandomPaddedRows(1, kLength, seed);
    PaddedRows atoms = RandomPaddedRows(400, kLength, 10 + seed);
    for (std::size_t j = 0; j < atoms.rows(); ++j) {
      // d = c r + sqrt(1 - c^2) e with e at right angles to r has norm 1 and d^T r = c.
      const double along = ExactDot(atoms.Row(j), r.data(), kLength);
      for (std::size_t i = 0; i < kLength; ++i) atoms.Row(j)[i] -= static_cast<float>(along) * r.data()[i];
      const double c = static_cast<double>(kLambda) + (static_cast<double>(j) - 200.0) * 5e-6;
      ScaleToNorm({atoms.Row(j), kLength}, std::sqrt(1.0 - c * c));
      for (std::size_t i = 0; i < kLength; ++i) atoms.Row(j)[i] += static_cast<float>(c) * r.data()[i];
    }
    ExpectSound(atoms, r, 0.0F);
  }
}

TEST_P(ScreenTest, NeverMissesAnAtomWhoseRoundingsAllGoOneWay) {
  // Every value loses nearly half a unit of its 16-bit copy, in the atoms as in the residual.
  constexpr std::size_t kLength = 128;
  PaddedRows atoms(40, kLength);
  for (std::size_t j = 0; j < atoms.rows(); ++j) {
    const float value = (2827.49F - 0.02F * static_cast<float>(j)) / 32000.0F;  // norm just below 1
    std::fill_n(atoms.Row(j), kLength, j % 2 == 0 ? value : -value);
  }
  for (int shift = -20; shift <= 20; ++shift) {
    PaddedRows r(1, kLength);
    const double norm = static_cast<double>(kLambda) * (1.0003 + 2e-5 * shift);
    std::fill_n(r.data(), kLength, static_cast<float>(norm / std::sqrt(128.0)));  // copies are 2828.43, rounded
    ExpectSound(atoms, r, 0.0F);
  }
}

TEST_P(ScreenTest, MovementsWithinReachChangeNothingElse) {
  constexpr std::size_t kLength = 48;
  const PaddedRows atoms = RandomPaddedRows(200, kLength, 1);
  const std::vector<float> weights(200, 0.0F);
  Screen screen(kernels_, atoms);
  std::size_t spared = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    PaddedRows r = RandomPaddedRows(1, kLength, 50 + seed);
    ScaleToNorm({r.data(), kLength}, 0.3);
    screen.Start(r.data());
    const float reach = 0.03F;
    const std::vector<std::int32_t> found = Copy(screen.Doubtful(0, reach, kLambda, weights.data()));
    PaddedRows moved = RandomPaddedRows(1, kLength, 80 + seed);
    ScaleToNorm({moved.data(), kLength}, 0.999 * static_cast<double>(reach));
    for (std::size_t i = 0; i < kLength; ++i) moved.data()[i] += r.data()[i];
    for (const std::int32_t j : AllIds(200)) {
      if (std::binary_search(found.begin(), found.end(), j)) continue;
      ++spared;
      EXPECT_LE(std::abs(ExactDot(atoms.Row(static_cast<std::size_t>(j)), moved.data(), kLength)), kLambda);
    }
  }
  EXPECT_GT(spared, 1000U) << "a screen that spares nothing is of no use";
}

TEST_P(ScreenTest, AtomsWithAWeightAreAlwaysIn) {
  const PaddedRows atoms = RandomPaddedRows(60, 32, 2);
  PaddedRows r = RandomPaddedRows(1, 32, 3);
  ScaleToNorm({r.data(), 32}, 0.01);
  std::vector<float> weights(60, 0.0F);
  weights[4] = 0.5F;
  weights[17] = -1e-20F;
  weights[59] = 2.0F;
  Screen screen(kernels_, atoms);
  screen.Start(r.data());
  EXPECT_THAT(Copy(screen.Doubtful(0, 0.0F, kLambda, weights.data())), ElementsAre(4, 17, 59));
  EXPECT_THAT(Copy(screen.Doubtful(5, 0.0F, kLambda, weights.data())), ElementsAre(17, 59));
  EXPECT_THAT(Copy(screen.Doubtful(59, 0.0F, kLambda, weights.data())), ElementsAre(59));
  EXPECT_TRUE(screen.Doubtful(60, 0.0F, kLambda, weights.data()).empty());
}

TEST_P(ScreenTest, TheListRisesAndBeginsWhereAsked) {
  const PaddedRows atoms = RandomPaddedRows(67, 16, 4);
  const PaddedRows r = RandomPaddedRows(1, 16, 5);
  const std::vector<float> weights(67, 0.0F);
  Screen screen(kernels_, atoms);
  screen.Start(r.data());
  const std::vector<std::int32_t> all = Copy(screen.Doubtful(0, 0.05F, kLambda, weights.data()));
  EXPECT_TRUE(std::is_sorted(all.begin(), all.end()));
  EXPECT_GT(all.size(), 10U);
  for (std::size_t begin = 0; begin <= 67; ++begin) {
    const auto first = std::lower_bound(all.begin(), all.end(), static_cast<std::int32_t>(begin));
    EXPECT_EQ(Copy(screen.Doubtful(begin, 0.05F, kLambda, weights.data())),
              std::vector<std::int32_t>(first, all.end()));
  }
}

TEST_P(ScreenTest, BeyondLambdaEveryAtomIsDoubtful) {
  const PaddedRows atoms = RandomPaddedRows(20, 16, 6);
  PaddedRows r = RandomPaddedRows(1, 16, 7);
  const std::vector<float> weights(20, 0.0F);
  Screen screen(kernels_, atoms);
  for (const double norm : {1e-3, 1.0}) {
    ScaleToNorm({r.data(), 16}, norm);
    screen.Start(r.data());
    for (const float reach : {0.1F, 0.2F, 100.0F}) {
      EXPECT_EQ(Copy(screen.Doubtful(0, reach, kLambda, weights.data())), AllIds(20)) << "reach " << reach;
    }
  }
  screen.Start(PaddedRows(1, 16).data());
  EXPECT_EQ(Copy(screen.Doubtful(0, 0.2F, kLambda, weights.data())), AllIds(20)) << "from a residual of zero";
}

TEST_P(ScreenTest, AResidualTooSmallToSquareIsNoProblem) {
  const PaddedRows atoms = RandomPaddedRows(20, 128, 8);
  std::vector<float> weights(20, 0.0F);
  weights[3] = 1.0F;
  Screen screen(kernels_, atoms);
  for (const float value : {1e-19F, 3e-23F, 1e-30F, 1e-42F}) {
    PaddedRows r(1, 128);
    std::fill_n(r.data(), 128, value);
    screen.Start(r.data());
    EXPECT_THAT(Copy(screen.Doubtful(0, 0.05F, kLambda, weights.data())), ::testing::Contains(3)) << value;
    EXPECT_EQ(Copy(screen.Doubtful(0, 0.2F, kLambda, weights.data())), AllIds(20)) << value;
  }
}

TEST_P(ScreenTest, TouchedAtomsAreLookedAtAnew) {
  PaddedRows atoms(3, 16);
  for (std::size_t j = 0; j < 3; ++j) atoms.Row(j)[j] = 1.0F;
  PaddedRows r(1, 16);
  r.data()[5] = 1.0F;  // at right angles to all of them
  const std::vector<float> weights(3, 0.0F);
  Screen screen(kernels_, atoms);
  const auto found = [&] {
    screen.Start(r.data());
    return Copy(screen.Doubtful(0, 0.0F, kLambda, weights.data()));
  };
  screen.Touch(0);  // before the first copies are made
  EXPECT_THAT(found(), ElementsAre());
  atoms.Row(1)[1] = 0.0F;
  atoms.Row(1)[5] = -1.0F;
  screen.Touch(1);
  EXPECT_THAT(found(), ElementsAre(1));
  atoms.Row(0)[5] = 0.5F;
  screen.Touch(0);
  atoms.Row(1)[5] = 0.0F;
  screen.Touch(1);
  screen.Touch(1);
  EXPECT_THAT(found(), ElementsAre(0));
  atoms.Row(0)[5] = 0.0F;
  atoms.Row(2)[5] = 0.5F;
  screen.TouchAll();
  screen.Touch(2);
  EXPECT_THAT(found(), ElementsAre(2));
  EXPECT_THAT(found(), ElementsAre(2)) << "and nothing is stale any more";
}

}  // namespace
}  // namespace flyscribe
