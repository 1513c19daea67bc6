#include "sparse/block_coder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "tests/sparse/every_set.h"
#include "tests/sparse/random_patches.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr float kLambda = 0.125F;

// Atoms along the axes, all sums exact: c_j is entry j of the residual.
PaddedRows Axes(std::size_t count) {
  PaddedRows atoms(count, count);
  for (std::size_t j = 0; j < count; ++j) atoms.Row(j)[j] = 1.0F;
  return atoms;
}

std::vector<std::size_t> Places(std::size_t count) {
  std::vector<std::size_t> places(count);
  std::iota(places.begin(), places.end(), std::size_t{0});
  return places;
}

class BlockCoderTest : public EverySetTest {
 protected:
  BlockCoder Coder(const PaddedRows& atoms, bool nonnegative = false) {
    panels_ = Panels(kernels_, atoms);
    return {kernels_, atoms, panels_, {kLambda, nonnegative}};
  }
  // One patch, searched.
  void AddAndSearch(BlockCoder& coder, const std::vector<float>& x) const {
    coder.Clear();
    const std::size_t place = coder.Add(x, {}, {});
    coder.Search({&place, 1});
  }

 private:
  Panels panels_;
};
INSTANTIATE_TEST_SUITE_P(EverySet, BlockCoderTest, ::testing::ValuesIn(SimdTargets()), SetName);

TEST_P(BlockCoderTest, AddBeginsFromACode) {
  const PaddedRows atoms = Axes(5);
  BlockCoder coder = Coder(atoms);
  const std::vector<float> x = {1, 2, 3, 4, 5};
  EXPECT_EQ(coder.Add(x, {}, {}), 0U);
  EXPECT_EQ(coder.Add(x, std::vector<std::int32_t>{1, 4}, std::vector<float>{-2.0F, 0.5F}), 1U);
  EXPECT_EQ(coder.patches(), 2U);
  EXPECT_THAT(std::vector<float>(coder.residual(0), coder.residual(0) + 5), ElementsAre(1, 2, 3, 4, 5));
  EXPECT_THAT(std::vector<float>(coder.residual(1), coder.residual(1) + 5), ElementsAre(1, 4, 3, 4, 4.5F));
  EXPECT_THAT(std::vector<float>(coder.patch(1), coder.patch(1) + 5), ElementsAre(1, 2, 3, 4, 5));
  EXPECT_THAT(coder.set(1).ids, ElementsAre(1, 4));
  EXPECT_EQ(coder.cycles(1), 0);
  EXPECT_EQ(coder.Objective(0), 0.5 * 55.0);
  EXPECT_EQ(coder.Objective(1), 0.5 * (1.0 + 16.0 + 9.0 + 16.0 + 20.25) + 0.125 * 2.5);
}

TEST_P(BlockCoderTest, ABlockIsFullAtSomePoint) {
  const PaddedRows atoms = Axes(2);
  BlockCoder coder = Coder(atoms);
  for (std::size_t place = 0; place < kBlockPatches; ++place) {
    EXPECT_EQ(coder.Add(std::vector<float>{1, 2}, {}, {}), place);
  }
  EXPECT_EQ(ExpectError([&] { coder.Add(std::vector<float>{1, 2}, {}, {}); }).code, ErrorCode::kInternal);
  coder.Clear();
  EXPECT_EQ(coder.patches(), 0U);
  EXPECT_EQ(coder.Add(std::vector<float>{3, 4}, {}, {}), 0U);
  EXPECT_THAT(coder.set(0).ids, IsEmpty());
}

TEST_P(BlockCoderTest, SearchFindsTheProductsOfTheSet) {
  for (const std::size_t count : {1U, 5U, 33U, 100U}) {
    const PaddedRows atoms = RandomPaddedRows(count, 40, 1, 0.3);
    const FloatMatrix patches = RandomUnitRows(7, 40, 2);
    BlockCoder coder = Coder(atoms);
    const std::vector<std::int32_t> ids = {
        0, static_cast<std::int32_t>(count / 2), static_cast<std::int32_t>(count - 1)};
    const std::size_t members = count == 1 ? 1 : 3;
    const std::vector<float> weights = {0.5F, -0.25F, 0.75F};
    for (std::size_t i = 0; i < patches.rows(); ++i) {
      coder.Add(patches.Row(i), std::span(ids).first(members), std::span(weights).first(members));
    }
    const std::vector<std::size_t> searched = {1, 4, 6};
    coder.Search(searched);
    for (const std::size_t place : searched) {
      double largest = 0.0;
      for (std::size_t j = 0; j < count; ++j) {
        const double product = ExactDot(atoms.Row(j), coder.residual(place), atoms.length());
        const auto member = std::find(ids.begin(), ids.end(), static_cast<std::int32_t>(j)) - ids.begin();
        if (static_cast<std::size_t>(member) < members) {
          EXPECT_NEAR(coder.set(place).products[static_cast<std::size_t>(member)], product, 2e-6);
        } else {
          largest = std::max(largest, std::abs(product));
        }
      }
      EXPECT_NEAR(coder.LargestOutside(place), largest, 2e-6) << count << " atoms";
      EXPECT_EQ(coder.LargestOutside(place), coder.LargestOutside(place)) << "asking changes nothing";
    }
    EXPECT_THAT(coder.set(0).products, ::testing::Each(0.0F)) << "not searched";
  }
}

TEST_P(BlockCoderTest, AdmitTakesTheLargestAboveTheBound) {
  const PaddedRows atoms = Axes(8);
  BlockCoder coder = Coder(atoms);
  const std::vector<float> x = {0.5F, -0.75F, 0.25F, 1.0F, -0.25F, 0.0F, 0.625F, -2.0F};
  AddAndSearch(coder, x);
  EXPECT_EQ(coder.LargestOutside(0), 2.0F);
  coder.Admit(0, 0.25F, 3);  // five are above it; the bounds 0.46875 and 0.6875 let 5 and 3 in
  EXPECT_THAT(coder.set(0).ids, ElementsAre(1, 3, 7));
  EXPECT_THAT(coder.set(0).weights, ElementsAre(0, 0, 0));
  EXPECT_THAT(coder.set(0).products, ElementsAre(-0.75F, 1.0F, -2.0F));
  EXPECT_EQ(coder.LargestOutside(0), 0.625F);
  coder.Admit(0, 0.25F, 100);
  EXPECT_THAT(coder.set(0).ids, ElementsAre(0, 1, 3, 6, 7)) << "members once, and 0.25 is not above 0.25";
  coder.Admit(0, 0.0F, 0);
  EXPECT_EQ(coder.set(0).size(), 5U);
  coder.Admit(0, 0.0F, 100);
  EXPECT_THAT(coder.set(0).ids, ElementsAre(0, 1, 2, 3, 4, 6, 7));
  EXPECT_EQ(coder.LargestOutside(0), 0.0F);
}

TEST_P(BlockCoderTest, OfEqualProductsTheFirstJoin) {
  const PaddedRows atoms = Axes(6);
  BlockCoder coder = Coder(atoms);
  AddAndSearch(coder, {0.5F, -1.0F, 1.0F, 0.5F, -1.0F, 1.0F});
  coder.Admit(0, kLambda, 2);
  EXPECT_THAT(coder.set(0).ids, ElementsAre(1, 2));
  coder.Admit(0, kLambda, 3);
  EXPECT_THAT(coder.set(0).ids, ElementsAre(1, 2, 4, 5)) << "two at 1, none in between, two at 0.5 would be four";
  coder.Admit(0, kLambda, 3);
  EXPECT_THAT(coder.set(0).ids, ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST_P(BlockCoderTest, NeighboursAmongTheNumbersCanBeTold) {
  const PaddedRows atoms = Axes(3);
  BlockCoder coder = Coder(atoms);
  const float next = std::nextafter(kLambda, 1.0F);
  AddAndSearch(coder, {next, next, next});
  coder.Admit(0, kLambda, 2);
  EXPECT_THAT(coder.set(0).ids, ElementsAre(0, 1));
}

TEST_P(BlockCoderTest, NonnegativeCodesLookAtPositiveProductsOnly) {
  const PaddedRows atoms = Axes(4);
  BlockCoder coder = Coder(atoms, true);
  AddAndSearch(coder, {-1.0F, 0.5F, -0.25F, 0.25F});
  EXPECT_EQ(coder.LargestOutside(0), 0.5F);
  coder.Admit(0, kLambda, 10);
  EXPECT_THAT(coder.set(0).ids, ElementsAre(1, 3));
  EXPECT_EQ(coder.LargestOutside(0), 0.0F);
  AddAndSearch(coder, {-1.0F, -0.5F, -0.25F, 0.0F});
  EXPECT_EQ(coder.LargestOutside(0), 0.0F);
  coder.Admit(0, 0.0F, 10);
  EXPECT_THAT(coder.set(0).ids, IsEmpty());
  AddAndSearch(coder, {-1.0F, 0.5F, -0.25F, 0.25F});
  EXPECT_EQ(coder.Revisit(0, -0.5F), 0.5F);
  coder.AdmitRevisited(0, kLambda, 10);
  EXPECT_THAT(coder.set(0).ids, ElementsAre(1, 3));
}

TEST_P(BlockCoderTest, RevisitLooksAtTheResidualAsItIsNow) {
  // Atom 1 leans on atom 0: once atom 0 is fitted, little is left for it.
  PaddedRows atoms(3, 3);
  atoms.Set(0, std::vector<float>{1, 0, 0});
  atoms.Set(1, std::vector<float>{0.75F, 0.5F, 0});
  atoms.Set(2, std::vector<float>{0, 0, 1});
  BlockCoder coder = Coder(atoms);
  const std::size_t place = 0;
  AddAndSearch(coder, {1.0F, 0.25F, 0.5F});
  coder.Admit(place, 0.25F, 1);
  EXPECT_THAT(coder.set(place).ids, ElementsAre(0));
  coder.Descend({&place, 1}, 10);
  EXPECT_THAT(coder.set(place).weights, ElementsAre(0.875F));
  // r = (0.125, 0.25, 0.5): atom 0 rests at lambda, atom 1 has 0.09375 + 0.125, atom 2 has 0.5.
  EXPECT_EQ(coder.Revisit(place, 0.25F), 0.5F);
  EXPECT_THAT(coder.set(place).products, ElementsAre(0.125F));
  coder.AdmitRevisited(place, 0.125F, 1);
  EXPECT_THAT(coder.set(place).ids, ElementsAre(0, 2));
  EXPECT_EQ(coder.Revisit(place, 0.25F), 0.21875F);
  coder.AdmitRevisited(place, 0.21875F, 10);
  EXPECT_THAT(coder.set(place).ids, ElementsAre(0, 2)) << "0.21875 is not above 0.21875, and members stay single";
  coder.AdmitRevisited(place, 0.21F, 10);
  EXPECT_THAT(coder.set(place).ids, ElementsAre(0, 1, 2));
  EXPECT_THAT(coder.set(place).products, ElementsAre(0.125F, 0.21875F, 0.5F));
  EXPECT_EQ(coder.Revisit(place, 0.25F), 0.0F) << "all that were above the bound are members";
}

TEST_P(BlockCoderTest, RevisitSeesOnlyWhatWasAboveTheBound) {
  const PaddedRows atoms = Axes(5);
  BlockCoder coder = Coder(atoms);
  AddAndSearch(coder, {0.25F, -0.5F, 0.75F, 0.0F, 0.25F});
  EXPECT_EQ(coder.Revisit(0, 0.25F), 0.75F);
  coder.AdmitRevisited(0, 0.0F, 100);
  EXPECT_THAT(coder.set(0).ids, ElementsAre(1, 2));
  EXPECT_EQ(coder.Revisit(0, -1.0F), 0.25F);  // every atom, but not what fills the rows up
  coder.AdmitRevisited(0, 0.125F, 100);
  EXPECT_THAT(coder.set(0).ids, ElementsAre(0, 1, 2, 4));
}

TEST_P(BlockCoderTest, AdmitRevisitedTakesTheLargest) {
  const PaddedRows atoms = Axes(6);
  BlockCoder coder = Coder(atoms);
  AddAndSearch(coder, {0.5F, -1.0F, 1.0F, 0.5F, -1.0F, 0.25F});
  coder.Revisit(0, 0.0F);
  coder.AdmitRevisited(0, kLambda, 3);
  EXPECT_THAT(coder.set(0).ids, ElementsAre(1, 2, 4));
}

TEST_P(BlockCoderTest, ANewPatchInheritsNothing) {
  const PaddedRows atoms = Axes(4);
  BlockCoder coder = Coder(atoms);
  const std::size_t place = 0;
  AddAndSearch(coder, {1, 1, 1, 1});
  coder.Admit(place, 0.0F, 4);
  coder.Descend({&place, 1}, 3);
  EXPECT_GT(coder.cycles(place), 0);
  coder.Clear();
  coder.Add(std::vector<float>{2, 0, 0, 0}, {}, {});
  EXPECT_EQ(coder.cycles(place), 0);
  EXPECT_THAT(coder.set(place).ids, IsEmpty());
}

// The code of place `place` as the tests compare it.
struct Code {
  std::vector<std::int32_t> ids;
  std::vector<float> weights;
  std::vector<float> residual;
  int cycles = 0;
  friend bool operator==(const Code&, const Code&) = default;
};

Code CodeAt(BlockCoder& coder, std::size_t place, std::size_t length) {
  return {coder.set(place).ids,
          coder.set(place).weights,
          {coder.residual(place), coder.residual(place) + length},
          coder.cycles(place)};
}

// As the encoder and the learners use it.
void CodeBlock(BlockCoder& coder, std::span<const std::size_t> places) {
  coder.Search(places);
  for (const std::size_t place : places) {
    coder.Admit(place, 0.5F * (kLambda + coder.LargestOutside(place)), 8);
  }
  coder.Descend(places, 5);
  for (const std::size_t place : places) {
    coder.Revisit(place, 0.5F * kLambda);
    coder.AdmitRevisited(place, kLambda, 16);
  }
  coder.Solve(places, 1000, 1e-6F);
  for (int round = 0; round < 3; ++round) {
    coder.Search(places);
    for (const std::size_t place : places) coder.Admit(place, kLambda, 100);
    coder.Solve(places, 1000, 1e-6F);
  }
}

TEST_P(BlockCoderTest, CodesReachTheOptimumOverAllAtoms) {
  for (const bool nonnegative : {false, true}) {
    const PaddedRows atoms = RandomPaddedRows(60, 40, 3, 0.5);
    const FloatMatrix patches = PlantedPatches(20, atoms.ToMatrix(), 4);
    BlockCoder coder = Coder(atoms, nonnegative);
    for (std::size_t i = 0; i < patches.rows(); ++i) coder.Add(patches.Row(i), {}, {});
    CodeBlock(coder, Places(patches.rows()));
    for (std::size_t place = 0; place < patches.rows(); ++place) {
      const ActiveSet& set = coder.set(place);
      std::vector<double> dense(atoms.rows(), 0.0);
      std::vector<double> r(patches.Row(place).begin(), patches.Row(place).end());
      for (std::size_t k = 0; k < set.size(); ++k) {
        const auto atom = static_cast<std::size_t>(set.ids[k]);
        const double weight = set.weights[k];
        ASSERT_NE(weight, 0.0) << "zeros are dropped";
        ASSERT_TRUE(!nonnegative || weight > 0.0);
        dense[atom] = weight;
        for (std::size_t i = 0; i < r.size(); ++i) r[i] -= weight * static_cast<double>(atoms.Row(atom)[i]);
      }
      for (std::size_t i = 0; i < r.size(); ++i) ASSERT_NEAR(coder.residual(place)[i], r[i], 1e-6) << "r = x - D z";
      for (std::size_t j = 0; j < atoms.rows(); ++j) {
        const double product = ExactDot(atoms.Row(j), coder.residual(place), atoms.length());
        const double sign = dense[j] > 0.0 ? 1.0 : -1.0;
        const double miss = dense[j] != 0.0 ? std::abs(product - sign * kLambda)
                                            : (nonnegative ? product : std::abs(product)) - kLambda;
        ASSERT_LT(miss, 2e-5) << "patch " << place << ", atom " << j;
      }
      EXPECT_NEAR(coder.Objective(place), NaiveObjective(patches.Row(place), atoms.ToMatrix(), dense, kLambda), 1e-6);
      EXPECT_GT(coder.cycles(place), 0);
    }
  }
}

TEST_P(BlockCoderTest, APatchDoesNotSeeItsNeighbours) {
  const PaddedRows atoms = RandomPaddedRows(70, 40, 5, 0.5);
  const FloatMatrix patches = PlantedPatches(kBlockPatches, atoms.ToMatrix(), 6);
  BlockCoder coder = Coder(atoms);
  for (std::size_t i = 0; i < patches.rows(); ++i) coder.Add(patches.Row(i), {}, {});
  CodeBlock(coder, Places(patches.rows()));
  std::vector<Code> expected;
  for (std::size_t i = 0; i < patches.rows(); ++i) expected.push_back(CodeAt(coder, i, atoms.length()));
  for (std::size_t i = 0; i < patches.rows(); i += 5) {
    coder.Clear();
    const std::size_t place = coder.Add(patches.Row(i), {}, {});
    CodeBlock(coder, {&place, 1});
    EXPECT_EQ(CodeAt(coder, place, atoms.length()), expected[i]) << "patch " << i << " alone";
  }
  coder.Clear();
  for (std::size_t i = patches.rows(); i-- > 3;) coder.Add(patches.Row(i), {}, {});
  std::vector<std::size_t> odd;
  for (std::size_t place = 1; place < coder.patches(); place += 2) odd.push_back(place);
  CodeBlock(coder, odd);
  for (const std::size_t place : odd) {
    EXPECT_EQ(CodeAt(coder, place, atoms.length()), expected[patches.rows() - 1 - place]) << "backwards, some of them";
  }
  EXPECT_EQ(coder.cycles(0), 0) << "not asked for";
}

TEST_P(BlockCoderTest, DescendKeepsToItsCycles) {
  const PaddedRows atoms = RandomPaddedRows(50, 24, 7);
  const FloatMatrix patches = PlantedPatches(12, atoms.ToMatrix(), 8);
  BlockCoder coder = Coder(atoms);
  for (std::size_t i = 0; i < patches.rows(); ++i) coder.Add(patches.Row(i), {}, {});
  const std::vector<std::size_t> places = Places(12);
  coder.Search(places);
  std::vector<double> before;
  for (const std::size_t place : places) {
    coder.Admit(place, kLambda, 100);
    before.push_back(coder.Objective(place));
  }
  coder.Descend(places, 2);
  for (const std::size_t place : places) {
    EXPECT_LE(coder.cycles(place), 2);
    EXPECT_GE(coder.cycles(place), 1);
    EXPECT_LT(coder.Objective(place), before[place]);
  }
  const int spent = coder.cycles(3);
  coder.Search(places);
  coder.Descend(places, 1);
  EXPECT_EQ(coder.cycles(3), spent + 1) << "cycles add up";
}

}  // namespace
}  // namespace flyscribe
