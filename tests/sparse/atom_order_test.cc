#include "sparse/atom_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

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

}  // namespace
}  // namespace flyscribe
