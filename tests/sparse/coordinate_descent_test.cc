#include "sparse/coordinate_descent.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/sparse/random_patches.h"

namespace flyscribe {
namespace {

std::vector<double> DenseCode(const LassoState& state, std::size_t atoms) {
  std::vector<double> code(atoms);
  for (std::size_t j = 0; j < atoms; ++j) code[j] = state.weight(j);
  return code;
}

TEST(SoftThreshold, MovesTowardsZeroByLambda) {
  EXPECT_EQ(SoftThreshold(1.0F, 0.25F), 0.75F);
  EXPECT_EQ(SoftThreshold(-1.0F, 0.25F), -0.75F);
  EXPECT_EQ(SoftThreshold(0.25F, 0.25F), 0.0F);
  EXPECT_EQ(SoftThreshold(-0.25F, 0.25F), 0.0F);
  EXPECT_EQ(SoftThreshold(0.0F, 0.25F), 0.0F);
}

TEST(LassoState, OneUpdateByHand) {
  // d = (1, 0), x = (1, 2), lambda 0.25: b = 1, z = 0.75, r = (0.25, 2).
  const FloatMatrix atoms(1, 2, {1.0F, 0.0F});
  LassoState state(atoms, 0.25);
  state.Start(std::vector<float>{1.0F, 2.0F}, {}, {});
  EXPECT_EQ(state.Update(0, 1.0F), 0.75F);
  EXPECT_EQ(state.weight(0), 0.75F);
  EXPECT_EQ(state.residual()[0], 0.25F);
  EXPECT_EQ(state.residual()[1], 2.0F);
  EXPECT_DOUBLE_EQ(state.Objective(std::vector<std::int32_t>{0}), 0.5 * (0.0625 + 4.0) + 0.25 * 0.75);
  EXPECT_EQ(state.Violation(0), 0.0);
  EXPECT_EQ(state.Update(0, 1.0F), 0.0F);
}

TEST(LassoState, ExactCurvatureMinimisesOverAShortAtom) {
  // d = (0.5, 0), x = (1, 0): min 0.5 (1 - 0.5 z)^2 + 0.25 z is at z = (0.5 - 0.25) / 0.25 = 1.
  const FloatMatrix atoms(1, 2, {0.5F, 0.0F});
  LassoState exact(atoms, 0.25);
  exact.Start(std::vector<float>{1.0F, 0.0F}, {}, {});
  exact.Update(0, 0.25F);
  EXPECT_EQ(exact.weight(0), 1.0F);
  // The paper's step goes a part of the way: h(0.5) = 0.25, then h(0.4375 + 0.25 - ...) and so on towards 1.
  LassoState paper(atoms, 0.25);
  paper.Start(std::vector<float>{1.0F, 0.0F}, {}, {});
  paper.Update(0, 1.0F);
  EXPECT_EQ(paper.weight(0), 0.25F);
  for (int step = 0; step < 100; ++step) paper.Update(0, 1.0F);
  EXPECT_NEAR(paper.weight(0), 1.0, 1e-6);
}

TEST(LassoState, ViolationOfEachCase) {
  const FloatMatrix atoms(1, 1, {1.0F});
  LassoState state(atoms, 0.25);
  const std::vector<float> x = {1.0F};
  const std::vector<std::int32_t> support = {0};
  const auto violation_with_weight = [&](float weight) {
    state.Start(x, support, std::vector<float>{weight});
    return state.Violation(0);
  };
  EXPECT_EQ(violation_with_weight(0.0F), 0.75);   // |1| - 0.25
  EXPECT_EQ(violation_with_weight(0.75F), 0.0);   // the optimum
  EXPECT_EQ(violation_with_weight(0.5F), 0.25);   // |0.5 - 0.25|
  EXPECT_EQ(violation_with_weight(-0.5F), 1.75);  // |1.5 + 0.25|
  EXPECT_EQ(violation_with_weight(1.25F), 0.5);   // |-0.25 - 0.25|
}

TEST(LassoState, StartsFromAGivenCodeAndClears) {
  const FloatMatrix atoms = RandomUnitRows(4, 6, 1);
  const FloatMatrix patch = RandomUnitRows(1, 6, 2);
  const std::vector<std::int32_t> indices = {1, 3};
  LassoState state(atoms, 0.1);
  state.Start(patch.Row(0), indices, std::vector<float>{0.5F, -0.25F});
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_NEAR(state.residual()[i], patch(0, i) - 0.5F * atoms(1, i) + 0.25F * atoms(3, i), 1e-6);
  }
  std::vector<std::int32_t> support;
  FindSupport(state, 4, support);
  EXPECT_EQ(support, indices);
  state.Clear(support);
  FindSupport(state, 4, support);
  EXPECT_TRUE(support.empty());
}

// The property the paper's convergence rests on: no update raises the patch's objective, with atoms inside the ball and
// with either curvature.
TEST(LassoState, NoUpdateRaisesTheObjective) {
  constexpr std::size_t kAtoms = 20;
  const FloatMatrix patches = RandomUnitRows(20, 12, 3);
  FloatMatrix atoms = RandomUnitRows(kAtoms, 12, 4);
  Rng rng(5);
  for (std::size_t j = 0; j < kAtoms; ++j) ScaleToNorm(atoms.Row(j), rng.Uniform(0.2, 1.0));
  for (const bool exact : {false, true}) {
    for (std::size_t row = 0; row < patches.rows(); ++row) {
      LassoState state(atoms, 0.05);
      state.Start(patches.Row(row), {}, {});
      double last = NaiveObjective(patches.Row(row), atoms, DenseCode(state, kAtoms), 0.05);
      for (std::size_t step = 0; step < 5 * kAtoms; ++step) {
        const std::size_t j = step % kAtoms;
        state.Update(j, exact ? Dot(atoms.Row(j).data(), atoms.Row(j).data(), 12) : 1.0F);
        const double objective = NaiveObjective(patches.Row(row), atoms, DenseCode(state, kAtoms), 0.05);
        EXPECT_LE(objective, last + 1e-6) << "patch " << row << " step " << step;
        last = objective;
      }
      std::vector<std::int32_t> support;
      FindSupport(state, kAtoms, support);
      EXPECT_NEAR(state.Objective(support), last, 1e-6);
    }
  }
}

TEST(LassoState, RefreshedResidualIsTheOneUpdated) {
  const FloatMatrix atoms = RandomUnitRows(10, 8, 6);
  const FloatMatrix patch = RandomUnitRows(1, 8, 7);
  LassoState state(atoms, 0.02);
  state.Start(patch.Row(0), {}, {});
  for (std::size_t step = 0; step < 50; ++step) state.Update(step % 10, 1.0F);
  const std::vector<float> updated(state.residual().begin(), state.residual().end());
  std::vector<std::int32_t> support;
  FindSupport(state, 10, support);
  ASSERT_FALSE(support.empty());
  state.RefreshResidual(patch.Row(0), support);
  for (std::size_t i = 0; i < 8; ++i) EXPECT_NEAR(state.residual()[i], updated[i], 1e-5);
}

TEST(AllFinite, FindsNanAndInfinity) {
  EXPECT_TRUE(AllFinite({}));
  EXPECT_TRUE(AllFinite(std::vector<float>{0.0F, -3.0e38F}));
  EXPECT_FALSE(AllFinite(std::vector<float>{0.0F, std::numeric_limits<float>::infinity()}));
  EXPECT_FALSE(AllFinite(std::vector<float>{std::nanf("")}));
}

}  // namespace
}  // namespace flyscribe
