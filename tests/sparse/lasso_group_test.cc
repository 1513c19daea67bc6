#include "sparse/lasso_group.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "tests/sparse/every_set.h"
#include "tests/sparse/lane_lasso.h"
#include "tests/sparse/random_patches.h"

namespace flyscribe {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr float kLambda = 0.1F;

TEST(ActiveSetTest, KeepsItsOrder) {
  ActiveSet set;
  EXPECT_EQ(set.size(), 0U);
  EXPECT_FALSE(set.Contains(0));
  set.Insert(std::vector<AtomProduct>{{2, 1.0F}, {7, 3.5F}});
  set.Insert(std::vector<AtomProduct>{{0, 0.0F}, {5, 2.5F}, {9, 4.5F}});
  set.Insert({});
  EXPECT_THAT(set.ids, ElementsAre(0, 2, 5, 7, 9));
  EXPECT_THAT(set.weights, ElementsAre(0, 0, 0, 0, 0));
  EXPECT_THAT(set.products, ElementsAre(0, 1, 2.5F, 3.5F, 4.5F));
  EXPECT_TRUE(set.Contains(0));
  EXPECT_TRUE(set.Contains(9));
  EXPECT_FALSE(set.Contains(6));
  EXPECT_FALSE(set.Contains(10));
}

TEST(ActiveSetTest, DropsWhatHasNoWeight) {
  ActiveSet set = {{1, 3, 4, 8}, {0.0F, -2.0F, -0.0F, 1.0F}, {0.1F, 0.3F, 0.4F, 0.8F}};
  set.DropZeros();
  EXPECT_THAT(set.ids, ElementsAre(3, 8));
  EXPECT_THAT(set.weights, ElementsAre(-2.0F, 1.0F));
  EXPECT_THAT(set.products, ElementsAre(0.3F, 0.8F));
  set.weights.assign(2, 0.0F);
  set.DropZeros();
  EXPECT_THAT(set.ids, IsEmpty());
  EXPECT_THAT(set.products, IsEmpty());
}

// A patch, the atoms it may use, and its lasso in double precision.
struct SmallProblem {
  ActiveSet set;
  LaneLasso lane;
};

// Draws `size` of the atoms. A patch is near to a few of them, so that some weights matter.
SmallProblem Problem(const PaddedRows& atoms, std::size_t size, std::uint64_t seed, bool nonnegative = false) {
  SmallProblem problem;
  std::vector<std::int32_t> ids(atoms.rows());
  std::iota(ids.begin(), ids.end(), 0);
  Rng rng(seed);
  rng.Shuffle(ids);
  ids.resize(size);
  std::sort(ids.begin(), ids.end());
  problem.set.ids = ids;
  problem.lane = RandomLane({.size = size, .length = atoms.cols(), .nonnegative = nonnegative}, seed);
  for (std::size_t k = 0; k < size; ++k) {
    const auto from = atoms.Values(static_cast<std::size_t>(ids[k]));
    std::copy(from.begin(), from.end(), problem.lane.atoms.Row(k).begin());
    const auto share = static_cast<float>(k % 3 == 0 ? rng.Normal(0.0, 0.5) : 0.0);
    for (std::size_t i = 0; i < atoms.cols(); ++i) problem.lane.x[i] += share * from[i];
  }
  problem.set.weights = problem.lane.weights;
  for (const double product : problem.lane.Products(problem.set.weights)) {
    problem.set.products.push_back(static_cast<float>(product));
  }
  return problem;
}

// Atoms that have something in common, as those of real dictionaries.
PaddedRows CoherentAtoms(std::size_t count, std::size_t length, double shortest = 1.0) {
  return PaddedRows(
      FloatView(RandomLane({.size = count, .length = length, .shortest = shortest, .coherence = 0.7}, count).atoms));
}

std::vector<ActiveSet*> Pointers(std::vector<SmallProblem>& problems) {
  std::vector<ActiveSet*> sets;
  for (SmallProblem& problem : problems) sets.push_back(&problem.set);
  return sets;
}

class LassoGroupTest : public EverySetTest {};
INSTANTIATE_TEST_SUITE_P(EverySet, LassoGroupTest, ::testing::ValuesIn(SimdTargets()), SetName);

TEST_P(LassoGroupTest, SolveReachesTheOptimumOverTheSet) {
  for (const bool nonnegative : {false, true}) {
    for (const double shortest : {0.3, 1.0}) {
      const PaddedRows atoms = CoherentAtoms(100, 40, shortest);
      std::vector<SmallProblem> problems;
      // Empty and single ones, and one that finish_group leaves alone.
      std::uint64_t seed = 0;
      for (const std::size_t size : {0U, 1U, 2U, 5U, 8U, 17U, 30U, 70U}) {
        problems.push_back(Problem(atoms, size, ++seed, nonnegative));
      }
      LassoGroup group(kernels_, {kLambda, nonnegative});
      const std::span<const int> cycles = group.Solve(atoms, Pointers(problems), 20000, 1e-5F);
      for (std::size_t i = 0; i < problems.size(); ++i) {
        const auto& [set, lane] = problems[i];
        EXPECT_LT(lane.Violation(set.weights, kLambda, nonnegative), 1e-4) << set.size() << " atoms";
        EXPECT_LT(cycles[i], 20000) << set.size() << " atoms";
        const std::vector<double> products = lane.Products(set.weights);
        for (std::size_t k = 0; k < set.size(); ++k) ASSERT_NEAR(set.products[k], products[k], 2e-5);
        for (const float weight : set.weights) ASSERT_TRUE(!nonnegative || weight >= 0.0F);
      }
      EXPECT_EQ(cycles[0], 0) << "nothing to do";
      const std::vector<float>& weights = problems[6].set.weights;
      EXPECT_LT(std::count(weights.begin(), weights.end(), 0.0F), 29) << "all zero would be too easy";
    }
  }
}

TEST_P(LassoGroupTest, SolveNeverEndsAboveItsStart) {
  const PaddedRows atoms = CoherentAtoms(60, 24, 0.2);
  for (const int max_cycles : {0, 1, 6, 7, 12, 40}) {
    std::vector<SmallProblem> problems;
    for (std::uint64_t seed = 0; seed < 8; ++seed) problems.push_back(Problem(atoms, 3 * seed + 1, seed));
    LassoGroup group(kernels_, {kLambda, false});
    const std::span<const int> cycles = group.Solve(atoms, Pointers(problems), max_cycles, 0.0F);
    for (std::size_t i = 0; i < problems.size(); ++i) {
      const auto& [set, lane] = problems[i];
      EXPECT_LE(lane.Objective(set.weights, kLambda), lane.Objective(lane.weights, kLambda) + 1e-6);
      EXPECT_LE(cycles[i], max_cycles);
      if (max_cycles == 0) {
        EXPECT_EQ(set.weights, lane.weights);
      }
    }
  }
}

TEST_P(LassoGroupTest, SolveSparesCycles) {
  const PaddedRows atoms = CoherentAtoms(60, 64);
  std::vector<SmallProblem> solved = {Problem(atoms, 30, 1)};
  std::vector<SmallProblem> descended = solved;
  LassoGroup group(kernels_, {kLambda, false});
  const int with_steps = group.Solve(atoms, Pointers(solved), 20000, 1e-6F)[0];
  const int without = group.Descend(atoms, Pointers(descended), 20000, 1e-6F)[0];
  EXPECT_LT(with_steps, without);
  for (std::size_t k = 0; k < 30; ++k) {
    EXPECT_NEAR(solved[0].set.weights[k], descended[0].set.weights[k], 1e-3F) << "the same minimum";
  }
}

TEST_P(LassoGroupTest, DescendRunsAsManyCyclesAsAskedFor) {
  const PaddedRows atoms = CoherentAtoms(60, 40, 0.5);
  for (const int cycles : {1, 3, 10}) {
    std::vector<SmallProblem> problems;
    for (const std::size_t size : {9U, 15U, 20U}) problems.push_back(Problem(atoms, size, size));
    LassoGroup group(kernels_, {kLambda, false});
    const std::span<const int> spent = group.Descend(atoms, Pointers(problems), cycles, 0.0F);
    EXPECT_EQ(std::vector<int>(spent.begin(), spent.end()), std::vector<int>(3, cycles));
    for (const auto& [set, lane] : problems) {
      std::vector<double> z(lane.weights.begin(), lane.weights.end());
      for (int cycle = 0; cycle < cycles; ++cycle) NaiveCycle(lane, kLambda, false, z);
      for (std::size_t k = 0; k < set.size(); ++k) ASSERT_NEAR(set.weights[k], z[k], 3e-5) << cycles << " cycles";
    }
  }
}

TEST_P(LassoGroupTest, ASolvedSetTakesOneCycle) {
  const PaddedRows atoms = CoherentAtoms(30, 40);
  std::vector<SmallProblem> problems = {Problem(atoms, 12, 1)};
  LassoGroup group(kernels_, {kLambda, false});
  group.Solve(atoms, Pointers(problems), 20000, 1e-6F);
  EXPECT_EQ(group.Solve(atoms, Pointers(problems), 100, 1e-4F)[0], 1);
  EXPECT_EQ(group.Descend(atoms, Pointers(problems), 100, 1e-4F)[0], 1);
}

TEST_P(LassoGroupTest, AResultDoesNotDependOnItsGroup) {
  const PaddedRows atoms = CoherentAtoms(80, 40, 0.5);
  std::vector<SmallProblem> together;
  for (const std::size_t size : {3U, 40U, 1U, 12U, 0U, 25U, 8U, 9U}) together.push_back(Problem(atoms, size, size));
  std::vector<SmallProblem> reversed(together.rbegin(), together.rend());
  std::vector<SmallProblem> alone = together;
  LassoGroup group(kernels_, {kLambda, false});
  const auto run = [&](std::vector<SmallProblem>& problems, bool solve) {
    const std::vector<ActiveSet*> sets = Pointers(problems);
    const auto cycles = solve ? group.Solve(atoms, sets, 30, 1e-4F) : group.Descend(atoms, sets, 5, 1e-4F);
    return std::vector<int>(cycles.begin(), cycles.end());
  };
  for (const bool solve : {false, true}) {
    const std::vector<int> cycles = run(together, solve);
    std::vector<int> reversed_cycles = run(reversed, solve);
    std::reverse(reversed_cycles.begin(), reversed_cycles.end());
    EXPECT_EQ(cycles, reversed_cycles);
    for (std::size_t i = 0; i < alone.size(); ++i) {
      std::vector<SmallProblem> one = {alone[i]};
      EXPECT_EQ(run(one, solve)[0], cycles[i]);
      alone[i] = one[0];
      EXPECT_EQ(alone[i].set.weights, together[i].set.weights) << "set " << i;
      EXPECT_EQ(alone[i].set.products, together[i].set.products) << "set " << i;
      EXPECT_EQ(reversed[alone.size() - 1 - i].set.weights, together[i].set.weights) << "set " << i;
    }
  }
}

TEST_P(LassoGroupTest, NoSetsAtAll) {
  LassoGroup group(kernels_, {kLambda, false});
  EXPECT_TRUE(group.Solve(PaddedRows(2, 16), {}, 10, 0.0F).empty());
  ActiveSet empty;
  ActiveSet* const sets[] = {&empty};
  EXPECT_THAT(group.Descend(PaddedRows(2, 16), sets, 10, 0.0F), ElementsAre(0));
}

TEST_P(LassoGroupTest, AtomsWithoutLengthKeepAWeightOfZero) {
  for (const float tiny : {0.0F, 1e-30F, 1e-20F}) {  // squares that vanish, or whose inverse does
    PaddedRows atoms = CoherentAtoms(3, 16);
    for (std::size_t i = 0; i < 16; ++i) atoms.Row(1)[i] *= tiny;
    std::vector<SmallProblem> problems = {Problem(atoms, 3, 5)};
    problems[0].set.weights = {0.0F, 0.0F, 0.0F};
    problems[0].set.products.clear();
    for (const double product : problems[0].lane.Products(problems[0].set.weights)) {
      problems[0].set.products.push_back(static_cast<float>(product));
    }
    LassoGroup group(kernels_, {kLambda, false});
    group.Solve(atoms, Pointers(problems), 100, 1e-6F);
    EXPECT_EQ(problems[0].set.weights[1], 0.0F) << tiny;
    EXPECT_LT(problems[0].lane.Violation(problems[0].set.weights, kLambda, false), 1e-5) << tiny;
  }
}

}  // namespace
}  // namespace flyscribe
