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

std::vector<std::int32_t> Order(const AtomOrder& order, std::size_t atoms, std::uint64_t visit) {
  std::vector<std::int32_t> all(atoms);
  order.Visit(visit, all);
  return all;
}

class AtomOrderTest : public ::testing::TestWithParam<std::size_t> {};

TEST_P(AtomOrderTest, IsAPermutation) {
  const std::size_t atoms = GetParam();
  AtomOrder order;
  order.StartEpoch(7, 1, atoms);
  for (std::uint64_t visit = 0; visit < 50; ++visit) {
    std::vector<std::int32_t> all = Order(order, atoms, visit);
    std::sort(all.begin(), all.end());
    for (std::size_t k = 0; k < atoms; ++k) ASSERT_EQ(all[k], static_cast<std::int32_t>(k)) << "visit " << visit;
  }
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
  // All places that Next gives, from `begin` on.
  static std::vector<std::int32_t> Doubtful(Screen& screen,
                                            const std::vector<float>& weights,
                                            std::size_t begin = 0,
                                            const std::int32_t* ids = nullptr) {
    std::vector<std::int32_t> places;
    std::uint32_t which = 0;
    for (std::size_t k = screen.Next(ids, weights.data(), begin, &which); k < weights.size();
         k = screen.Next(ids, weights.data(), k + 8, &which)) {
      for (int b = 0; b < 8; ++b) {
        if ((which >> b & 1U) != 0) places.push_back(static_cast<std::int32_t>(k) + b);
      }
    }
    return places;
  }

  // The atoms not found stay within lambda after a movement of `distance` wherever it goes, and those found have some
  // reason to be.
  void ExpectSound(const PaddedRows& atoms, const PaddedRows& r, float distance) const {
    const std::size_t length = atoms.length();
    Screen screen(kernels_, atoms, kLambda);
    screen.Aim(r.data());
    screen.Follow(r.data(), distance);
    const std::vector<std::int32_t> found = Doubtful(screen, std::vector<float>(atoms.rows(), 0.0F));
    const std::set<std::int32_t> doubtful(found.begin(), found.end());
    const double norm = std::sqrt(ExactDot(r.data(), r.data(), length));
    const double blur = 2.1 * norm * (std::sqrt(static_cast<double>(length)) / 32000.0 + 1e-5) + 1e-5;
    for (std::size_t j = 0; j < atoms.rows(); ++j) {
      const double product = ExactDot(atoms.Row(j), r.data(), length);
      const double atom_norm = std::sqrt(ExactDot(atoms.Row(j), atoms.Row(j), length));
      if (!doubtful.contains(static_cast<std::int32_t>(j))) {
        // The worst that a movement can do: straight along the atom.
        ASSERT_LE(std::abs(product) + atom_norm * static_cast<double>(distance), static_cast<double>(kLambda))
            << "atom " << j << " was missed, length " << length << ", distance " << distance << ", norm " << norm;
      } else {
        ASSERT_GT(std::abs(product) + static_cast<double>(distance), static_cast<double>(kLambda) - blur)
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
        for (const float distance : {0.0F, 0.001F, 0.005F, 0.0099F}) ExpectSound(atoms, r, distance);
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

TEST_P(ScreenTest, SparesMostAtoms) {
  const PaddedRows atoms = RandomPaddedRows(200, 48, 1);
  Screen screen(kernels_, atoms, kLambda);
  std::size_t doubtful = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    PaddedRows r = RandomPaddedRows(1, 48, 50 + seed);
    ScaleToNorm({r.data(), 48}, 0.3);
    screen.Aim(r.data());
    doubtful += Doubtful(screen, std::vector<float>(200, 0.0F)).size();
  }
  EXPECT_LT(doubtful, 400U) << "of 4000: a screen that spares nothing is of no use";
}

TEST_P(ScreenTest, AFarMovementIsAimedAtAnew) {
  PaddedRows atoms(3, 16);
  for (std::size_t j = 0; j < 3; ++j) atoms.Row(j)[j] = 1.0F;
  const std::vector<float> weights(3, 0.0F);
  PaddedRows r(1, 16);
  r.data()[0] = 0.5F;
  Screen screen(kernels_, atoms, kLambda);
  screen.Aim(r.data());
  EXPECT_THAT(Doubtful(screen, weights), ElementsAre(0));
  r.data()[0] = 0.0F;
  r.data()[1] = 0.5F;
  screen.Follow(r.data(), 0.001F);  // said to be near: it is not looked at
  EXPECT_THAT(Doubtful(screen, weights), ElementsAre(0));
  for (int i = 0; i < 9; ++i) screen.Follow(r.data(), 0.001F);
  EXPECT_THAT(Doubtful(screen, weights), ElementsAre(1)) << "movements add up";
}

TEST_P(ScreenTest, AtomsWithAWeightAreAlwaysIn) {
  const PaddedRows atoms = RandomPaddedRows(60, 32, 2);
  PaddedRows r = RandomPaddedRows(1, 32, 3);
  ScaleToNorm({r.data(), 32}, 0.01);
  std::vector<float> weights(60, 0.0F);
  weights[4] = 0.5F;
  weights[17] = -1e-20F;
  weights[59] = 2.0F;
  Screen screen(kernels_, atoms, kLambda);
  screen.Aim(r.data());
  EXPECT_THAT(Doubtful(screen, weights), ElementsAre(4, 17, 59));
  EXPECT_THAT(Doubtful(screen, weights, 5), ElementsAre(17, 59));
  EXPECT_THAT(Doubtful(screen, weights, 59), ElementsAre(59));
  EXPECT_THAT(Doubtful(screen, weights, 60), ElementsAre());
  std::vector<std::int32_t> backwards = AllIds(60);
  std::ranges::reverse(backwards);
  EXPECT_THAT(Doubtful(screen, weights, 0, backwards.data()), ElementsAre(0, 42, 55)) << "places, not atoms";
}

TEST_P(ScreenTest, AResidualTooSmallToSquareIsNoProblem) {
  const PaddedRows atoms = RandomPaddedRows(20, 128, 8);
  std::vector<float> weights(20, 0.0F);
  weights[3] = 1.0F;
  Screen screen(kernels_, atoms, kLambda);
  for (const float value : {0.0F, 1e-19F, 3e-23F, 1e-30F, 1e-42F}) {
    PaddedRows r(1, 128);
    std::fill_n(r.data(), 128, value);
    screen.Aim(r.data());
    EXPECT_THAT(Doubtful(screen, weights), ::testing::Contains(3)) << value;
  }
}

TEST_P(ScreenTest, ChangedAtomsAreLookedAtAnew) {
  PaddedRows atoms(3, 16);
  for (std::size_t j = 0; j < 3; ++j) atoms.Row(j)[j] = 1.0F;
  PaddedRows r(1, 16);
  r.data()[5] = 1.0F;  // at right angles to all of them
  const std::vector<float> weights(3, 0.0F);
  Screen screen(kernels_, atoms, kLambda);
  screen.Aim(r.data());
  EXPECT_THAT(Doubtful(screen, weights), ElementsAre());
  atoms.Row(1)[1] = 0.0F;
  atoms.Row(1)[5] = 0.5F;
  EXPECT_THAT(Doubtful(screen, weights), ElementsAre()) << "nobody has told it yet";
  screen.Copy(1);
  EXPECT_THAT(Doubtful(screen, weights), ElementsAre(1));
}

}  // namespace
}  // namespace flyscribe
