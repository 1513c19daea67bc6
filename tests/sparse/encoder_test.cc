#include "sparse/encoder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "tests/sparse/every_set.h"
#include "tests/sparse/naive_lasso.h"
#include "tests/sparse/random_patches.h"
#include "tests/support/expect_error.h"
#include "tests/support/recording_progress.h"

namespace flyscribe {
namespace {

using ::testing::HasSubstr;

EncodeResult EncodePatches(const FloatMatrix& patches, const FloatMatrix& atoms, const EncodeControl& control) {
  return Encode(patches, atoms, control, EncodeOptions{}, NoProgress());
}

FloatMatrix OneRow(const FloatMatrix& matrix, std::size_t row) {
  return {1, matrix.cols(), {matrix.Row(row).begin(), matrix.Row(row).end()}};
}

// Holds the codes against the conditions they must meet, and the report against the codes.
void ExpectSolved(const EncodeResult& result,
                  const FloatMatrix& patches,
                  const FloatMatrix& atoms,
                  const EncodeControl& control,
                  double tolerance = 1e-4) {
  ASSERT_EQ(result.codes.rows(), patches.rows());
  ASSERT_EQ(result.codes.atoms, atoms.rows());
  const Matrix<double> exact = InDouble(atoms);
  double worst_violation = 0.0;
  double worst_gap = 0.0;
  double objective = 0.0;
  for (std::size_t row = 0; row < patches.rows(); ++row) {
    const NaiveLasso lasso = {patches.Row(row),
                              exact,
                              control.lambda,
                              control.nonnegative,
                              control.ridge,
                              {control.weights.begin(), control.weights.end()}};
    const std::vector<double> code = DenseCode(result.codes, row);
    worst_violation = std::max(worst_violation, lasso.Violation(code));
    worst_gap = std::max(worst_gap, lasso.Gap(code));
    objective += lasso.Objective(code) / static_cast<double>(patches.rows());
    if (control.nonnegative) {
      EXPECT_TRUE(std::all_of(code.begin(), code.end(), [](double weight) { return weight >= 0.0; }));
    }
    EXPECT_EQ(std::count(result.codes.RowData(row).begin(), result.codes.RowData(row).end(), 0.0F), 0);
  }
  EXPECT_LE(worst_violation, tolerance + 1e-6);
  EXPECT_NEAR(result.worst_kkt, worst_violation, 1e-6);
  EXPECT_GE(result.worst_gap, 0.0);
  EXPECT_GE(result.worst_gap, worst_gap - 1e-6);
  EXPECT_LE(result.worst_gap, 20 * tolerance);
  EXPECT_EQ(result.unconverged, 0U);
  EXPECT_NEAR(result.objective, objective, 1e-6);
  EXPECT_DOUBLE_EQ(result.nonzeros_per_code,
                   static_cast<double>(result.codes.data.size()) / static_cast<double>(patches.rows()));
}

// A patch's code is compared with others by these.
struct Row {
  std::vector<std::int32_t> indices;
  std::vector<float> weights;

  friend bool operator==(const Row&, const Row&) = default;
};

Row RowOf(const SparseCodes& codes, std::size_t row) {
  return {{codes.RowIndices(row).begin(), codes.RowIndices(row).end()},
          {codes.RowData(row).begin(), codes.RowData(row).end()}};
}

TEST(Encode, TwoAtomsByHand) {
  // d1 = (1, 0), d2 = (0.6, 0.8), x = (1, 1), lambda = 0.1. With both weights positive the conditions read
  //   z1 + 0.6 z2 = 1 - 0.1,   0.6 z1 + z2 = 1.4 - 0.1   =>   z2 = 0.76 / 0.64 = 1.1875,   z1 = 0.1875.
  const FloatMatrix atoms(2, 2, {1.0F, 0.0F, 0.6F, 0.8F});
  const FloatMatrix patch(1, 2, {1.0F, 1.0F});
  EncodeOptions options;
  options.kkt_tolerance = 1e-6;
  const EncodeResult result = Encode(patch, atoms, {.lambda = 0.1}, options, NoProgress());
  ASSERT_EQ(result.codes.indices, (std::vector<std::int32_t>{0, 1}));
  EXPECT_NEAR(result.codes.data[0], 0.1875, 1e-5);
  EXPECT_NEAR(result.codes.data[1], 1.1875, 1e-5);
  // r = (1 - 0.1875 - 0.7125, 1 - 0.95) = (0.1, 0.05).
  EXPECT_NEAR(result.objective, 0.5 * (0.01 + 0.0025) + 0.1 * 1.375, 1e-6);
  EXPECT_EQ(result.nonzeros_per_code, 2.0);
  EXPECT_EQ(result.unconverged, 0U);
}

TEST(Encode, OneOfTwoAtomsByHand) {
  // x = -d1, so d2 correlates 0.6 * lambda with the residual -0.1 d1 and stays out.
  const FloatMatrix atoms(2, 2, {1.0F, 0.0F, 0.6F, 0.8F});
  const FloatMatrix patch(1, 2, {-1.0F, 0.0F});
  const EncodeResult result = EncodePatches(patch, atoms, {.lambda = 0.1});
  ASSERT_EQ(result.codes.indices, (std::vector<std::int32_t>{0}));
  EXPECT_NEAR(result.codes.data[0], -0.9, 1e-4);
  // No weight may be negative: nothing helps.
  const EncodeResult nonnegative = EncodePatches(patch, atoms, {.lambda = 0.1, .nonnegative = true});
  EXPECT_TRUE(nonnegative.codes.data.empty());
  EXPECT_NEAR(nonnegative.objective, 0.5, 1e-6);
  EXPECT_EQ(nonnegative.worst_kkt, 0.0);
}

TEST(Encode, ShortAtomByHand) {
  // One atom of norm 0.5: z = (0.5 - 0.1) / 0.25.
  const FloatMatrix atoms(1, 2, {0.5F, 0.0F});
  const FloatMatrix patch(1, 2, {1.0F, 0.0F});
  const EncodeResult result = EncodePatches(patch, atoms, {.lambda = 0.1});
  ASSERT_EQ(result.codes.data.size(), 1U);
  EXPECT_NEAR(result.codes.data[0], 1.6, 1e-5);
}

class EncodeTest : public EverySetTest {
 protected:
  EncodeControl Control(double lambda, bool nonnegative) const {
    return {.lambda = lambda, .nonnegative = nonnegative};
  }
  void Check(const FloatMatrix& patches, const FloatMatrix& atoms, double lambda) const {
    for (const bool nonnegative : {false, true}) {
      SCOPED_TRACE(std::to_string(patches.cols()) + " values, " + std::to_string(atoms.rows()) + " atoms, lambda " +
                   std::to_string(lambda) + (nonnegative ? ", nonnegative" : ""));
      const EncodeControl control = Control(lambda, nonnegative);
      ExpectSolved(EncodePatches(patches, atoms, control), patches, atoms, control);
    }
  }
};
INSTANTIATE_TEST_SUITE_P(EverySet, EncodeTest, ::testing::ValuesIn(SimdTargets()), SetName);

TEST_P(EncodeTest, MeetsTheOptimalityConditions) {
  Check(PlantedPatches(100, RandomUnitRows(40, 32, 3), 6), RandomUnitRows(60, 32, 4), 0.05);
  Check(ClusteredPatches(100, 128, 20, 0.1, 7), ClusteredPatches(300, 128, 20, 0.1, 8), 0.1);
  Check(RandomUnitRows(100, 128, 9), RandomUnitRows(70, 128, 10), 0.02);
}

TEST_P(EncodeTest, AnyShape) {
  for (const std::size_t cols : {1U, 3U, 15U, 16U, 17U, 200U}) {
    for (const std::size_t atoms : {1U, 2U, 15U, 33U}) {
      Check(RandomUnitRows(11, cols, cols), RandomUnitRows(atoms, cols, 100 + cols), 0.1);
    }
  }
}

TEST_P(EncodeTest, ShortZeroAndTwinAtoms) {
  FloatMatrix atoms = ClusteredPatches(60, 32, 10, 0.1, 11);
  Rng rng(12);
  for (std::size_t j = 0; j < 60; j += 2) ScaleToNorm(atoms.Row(j), rng.Uniform(0.2, 1.0));
  for (const std::size_t j : {7U, 59U}) std::fill(atoms.Row(j).begin(), atoms.Row(j).end(), 0.0F);
  for (const std::size_t j : {4U, 5U, 20U, 58U}) std::copy_n(atoms.Row(3).begin(), 32, atoms.Row(j).begin());
  for (std::size_t i = 0; i < 32; ++i) atoms(21, i) = -atoms(3, i);
  const FloatMatrix patches = ClusteredPatches(90, 32, 10, 0.1, 11);
  Check(patches, atoms, 0.05);
  const EncodeResult result = EncodePatches(patches, atoms, Control(0.05, false));
  for (const std::int32_t zero : {7, 59}) {
    EXPECT_EQ(std::count(result.codes.indices.begin(), result.codes.indices.end(), zero), 0);
  }
  const auto uses = [&](std::int32_t atom) {
    return std::count(result.codes.indices.begin(), result.codes.indices.end(), atom);
  };
  EXPECT_GT(uses(3) + uses(4) + uses(5) + uses(20) + uses(21) + uses(58), 0);
}

// Codes near their optimum have objectives nearer still.
TEST_P(EncodeTest, ReachesTheMinimum) {
  const FloatMatrix atoms = ClusteredPatches(40, 24, 6, 0.1, 13);
  const FloatMatrix patches = ClusteredPatches(30, 24, 6, 0.1, 14);
  const Matrix<double> exact = InDouble(atoms);
  for (const bool nonnegative : {false, true}) {
    const EncodeResult result = EncodePatches(patches, atoms, Control(0.1, nonnegative));
    for (std::size_t row = 0; row < patches.rows(); ++row) {
      const NaiveLasso lasso = {patches.Row(row), exact, 0.1, nonnegative};
      const double minimum = lasso.Objective(lasso.Solve());
      const double reached = lasso.Objective(DenseCode(result.codes, row));
      EXPECT_NEAR(reached, minimum, 1e-5);
      EXPECT_LE(reached - minimum, result.worst_gap + 1e-6);
    }
  }
}

TEST_P(EncodeTest, ARidgeReachesTheMinimumOfTheElasticNet) {
  // Atoms of many lengths, and copies of one: a ridge shares a weight among those.
  FloatMatrix atoms = ClusteredPatches(40, 24, 6, 0.1, 13);
  for (std::size_t j = 0; j < 40; j += 3) ScaleToNorm(atoms.Row(j), 0.4);
  std::copy_n(atoms.Row(1).begin(), 24, atoms.Row(2).begin());
  std::fill(atoms.Row(5).begin(), atoms.Row(5).end(), 0.0F);
  const FloatMatrix patches = ClusteredPatches(70, 24, 6, 0.1, 14);
  const Matrix<double> exact = InDouble(atoms);
  bool shared = false;
  for (const double ridge : {1e-3, 0.2, 5.0}) {
    for (const bool nonnegative : {false, true}) {
      SCOPED_TRACE(std::to_string(ridge) + (nonnegative ? ", nonnegative" : ""));
      const EncodeControl control = {.lambda = 0.1, .nonnegative = nonnegative, .ridge = ridge};
      const EncodeResult result = EncodePatches(patches, atoms, control);
      ExpectSolved(result, patches, atoms, control);
      for (std::size_t row = 0; row < patches.rows(); ++row) {
        const NaiveLasso net = {patches.Row(row), exact, 0.1, nonnegative, ridge};
        const std::vector<double> code = DenseCode(result.codes, row);
        const std::vector<double> minimum = net.Solve();
        EXPECT_NEAR(net.Objective(code), net.Objective(minimum), 1e-5);
        shared = shared || (code[1] != 0.0 && code[2] != 0.0);
        // The elastic net has one minimum, and how far f lies above it says how far away the code is.
        double squares = 0.0;
        for (std::size_t j = 0; j < 40; ++j) squares += (code[j] - minimum[j]) * (code[j] - minimum[j]);
        EXPECT_LE(0.5 * ridge * squares, result.worst_gap + 1e-6);
      }
    }
  }
  EXPECT_TRUE(shared);
}

TEST_P(EncodeTest, WeightsReachTheMinimumOfTheWeightedLasso) {
  FloatMatrix atoms = ClusteredPatches(40, 24, 6, 0.1, 13);
  for (std::size_t j = 0; j < 40; j += 3) ScaleToNorm(atoms.Row(j), 0.4);
  const FloatMatrix patches = ClusteredPatches(70, 24, 6, 0.1, 14);
  const Matrix<double> exact = InDouble(atoms);
  std::vector<double> weights(40);
  Rng rng(21);
  for (double& weight : weights) weight = rng.Uniform(0.5, 3.0);
  weights[7] = 1e30;  // is never used
  for (const double ridge : {0.0, 0.2}) {
    for (const bool nonnegative : {false, true}) {
      SCOPED_TRACE(std::to_string(ridge) + (nonnegative ? ", nonnegative" : ""));
      const EncodeControl control = {.lambda = 0.1, .nonnegative = nonnegative, .ridge = ridge, .weights = weights};
      const EncodeResult result = EncodePatches(patches, atoms, control);
      ExpectSolved(result, patches, atoms, control);
      EXPECT_EQ(std::count(result.codes.indices.begin(), result.codes.indices.end(), 7), 0);
      for (std::size_t row = 0; row < patches.rows(); ++row) {
        const NaiveLasso lasso = {patches.Row(row), exact, 0.1, nonnegative, ridge, weights};
        EXPECT_NEAR(lasso.Objective(DenseCode(result.codes, row)), lasso.Objective(lasso.Solve()), 1e-5);
      }
    }
  }
}

// Only the products lambda w_j matter; and where all are equal, it is the lasso, to the last bit.
TEST_P(EncodeTest, EqualWeightsAreALambda) {
  const FloatMatrix atoms = ClusteredPatches(40, 24, 6, 0.1, 13);
  const FloatMatrix patches = ClusteredPatches(30, 24, 6, 0.1, 14);
  const std::vector<double> weights(40, 0.25);
  const EncodeResult weighted = EncodePatches(patches, atoms, {.lambda = 0.4, .weights = weights});
  const EncodeResult lasso = EncodePatches(patches, atoms, {.lambda = 0.1});
  EXPECT_EQ(weighted.codes, lasso.codes);
  EXPECT_EQ(weighted.objective, lasso.objective);
}

TEST(Encode, WeightsByHand) {
  // Two atoms side by side: z_j = 1 - 0.1 w_j, and nothing of the second once 0.1 w_2 > 1.
  const FloatMatrix atoms(2, 2, {1.0F, 0.0F, 0.0F, 1.0F});
  const FloatMatrix patch(1, 2, {1.0F, 1.0F});
  const std::vector<double> weights = {2.0, 5.0};
  const EncodeResult result = EncodePatches(patch, atoms, {.lambda = 0.1, .weights = weights});
  ASSERT_EQ(result.codes.indices, (std::vector<std::int32_t>{0, 1}));
  EXPECT_NEAR(result.codes.data[0], 0.8, 1e-6);
  EXPECT_NEAR(result.codes.data[1], 0.5, 1e-6);
  EXPECT_NEAR(result.objective, 0.5 * (0.04 + 0.25) + 0.2 * 0.8 + 0.5 * 0.5, 1e-6);
  const std::vector<double> steep = {2.0, 11.0};
  EXPECT_EQ(EncodePatches(patch, atoms, {.lambda = 0.1, .weights = steep}).codes.indices,
            (std::vector<std::int32_t>{0}));
}

TEST(Encode, ARidgeByHand) {
  // One atom: z = (1 - 0.1) / (1 + 0.5).
  const FloatMatrix atoms(1, 2, {1.0F, 0.0F});
  const FloatMatrix patch(1, 2, {1.0F, 0.0F});
  const EncodeResult result = EncodePatches(patch, atoms, {.lambda = 0.1, .ridge = 0.5});
  ASSERT_EQ(result.codes.data.size(), 1U);
  EXPECT_NEAR(result.codes.data[0], 0.6, 1e-6);
  EXPECT_NEAR(result.objective, 0.5 * 0.16 + 0.1 * 0.6 + 0.25 * 0.36, 1e-6);
}

TEST_P(EncodeTest, ToleranceIsKept) {
  const FloatMatrix atoms = ClusteredPatches(80, 32, 10, 0.1, 15);
  const FloatMatrix patches = ClusteredPatches(60, 32, 10, 0.1, 16);
  for (const double tolerance : {1e-2, 1e-3, 1e-5}) {
    EncodeOptions options;
    options.kkt_tolerance = tolerance;
    const EncodeControl control = Control(0.1, false);
    ExpectSolved(Encode(patches, atoms, control, options, NoProgress()), patches, atoms, control, tolerance);
  }
}

TEST_P(EncodeTest, ACodeDependsOnItsPatchAlone) {
  // Codes of many sizes side by side: some patches are zero, some long, some hard.
  FloatMatrix patches = ClusteredPatches(75, 32, 10, 0.1, 17);
  for (std::size_t row = 0; row < 75; row += 7)
    std::copy_n(RandomUnitRows(75, 32, 18).Row(row).begin(), 32, patches.Row(row).begin());
  for (std::size_t row = 3; row < 75; row += 11) std::fill(patches.Row(row).begin(), patches.Row(row).end(), 0.0F);
  for (std::size_t row = 5; row < 75; row += 13) ScaleToNorm(patches.Row(row), 3.0);
  const FloatMatrix atoms = ClusteredPatches(50, 32, 10, 0.1, 19);
  for (const bool nonnegative : {false, true}) {
    const EncodeControl control = Control(0.05, nonnegative);
    const EncodeResult all = EncodePatches(patches, atoms, control);
    for (std::size_t row = 0; row < 75; ++row) {
      ASSERT_EQ(RowOf(EncodePatches(OneRow(patches, row), atoms, control).codes, 0), RowOf(all.codes, row)) << row;
    }
    FloatMatrix reversed(75, 32);
    for (std::size_t row = 0; row < 75; ++row)
      std::copy_n(patches.Row(74 - row).begin(), 32, reversed.Row(row).begin());
    const EncodeResult backwards = EncodePatches(reversed, atoms, control);
    for (std::size_t row = 0; row < 75; ++row) {
      ASSERT_EQ(RowOf(backwards.codes, 74 - row), RowOf(all.codes, row)) << row;
    }
  }
}

TEST_P(EncodeTest, LargeLambdaZeroPatchesAndNoPatches) {
  const FloatMatrix atoms = RandomUnitRows(5, 8, 11);
  const EncodeResult large = EncodePatches(RandomUnitRows(10, 8, 12), atoms, Control(1.5, false));
  EXPECT_TRUE(large.codes.data.empty());
  EXPECT_EQ(large.codes.rows(), 10U);
  EXPECT_NEAR(large.objective, 0.5, 1e-6);
  EXPECT_EQ(large.worst_kkt, 0.0);
  EXPECT_NEAR(large.worst_gap, 0.0, 1e-6);
  EXPECT_EQ(large.unconverged, 0U);

  const EncodeResult zero = EncodePatches(FloatMatrix(3, 8, 0.0F), atoms, Control(0.1, false));
  EXPECT_EQ(zero.codes.rows(), 3U);
  EXPECT_TRUE(zero.codes.data.empty());
  EXPECT_EQ(zero.objective, 0.0);
  EXPECT_EQ(zero.worst_gap, 0.0);

  const EncodeResult none = EncodePatches(FloatMatrix(0, 8), atoms, Control(0.1, false));
  EXPECT_EQ(none.codes.rows(), 0U);
  EXPECT_EQ(none.codes.atoms, 5U);
  EXPECT_EQ(none.objective, 0.0);
  EXPECT_EQ(none.nonzeros_per_code, 0.0);
}

TEST_P(EncodeTest, SaysWhenCyclesRunOut) {
  const FloatMatrix atoms = ClusteredPatches(40, 16, 5, 0.1, 13);
  const FloatMatrix patches = RandomUnitRows(50, 16, 14);
  EncodeOptions options;
  options.max_cycles = 1;
  const EncodeResult hasty = Encode(patches, atoms, Control(0.02, false), options, NoProgress());
  EXPECT_GT(hasty.unconverged, 40U);
  EXPECT_GT(hasty.worst_kkt, options.kkt_tolerance);
  const Matrix<double> exact = InDouble(atoms);
  double worst_violation = 0.0;
  double worst_gap = 0.0;
  for (std::size_t row = 0; row < 50; ++row) {
    const NaiveLasso lasso = {patches.Row(row), exact, 0.02};
    worst_violation = std::max(worst_violation, lasso.Violation(DenseCode(hasty.codes, row)));
    worst_gap = std::max(worst_gap, lasso.Gap(DenseCode(hasty.codes, row)));
  }
  EXPECT_NEAR(hasty.worst_kkt, worst_violation, 1e-5);
  EXPECT_GE(hasty.worst_gap, worst_gap - 1e-6);
  const EncodeResult patient = EncodePatches(patches, atoms, Control(0.02, false));
  EXPECT_EQ(patient.unconverged, 0U);
  EXPECT_LT(patient.objective, hasty.objective);
}

TEST_P(EncodeTest, SameBytesForAnyNumberOfThreads) {
  const FloatMatrix atoms = RandomUnitRows(32, 16, 15);
  const FloatMatrix patches = RandomUnitRows(1100, 16, 16);
  EncodeControl control = Control(0.1, false);
  const EncodeResult one = EncodePatches(patches, atoms, control);
  for (const int threads : {2, 3}) {
    control.threads = threads;
    const EncodeResult several = EncodePatches(patches, atoms, control);
    EXPECT_EQ(one.codes, several.codes);
    EXPECT_EQ(one.objective, several.objective);
    EXPECT_EQ(one.worst_kkt, several.worst_kkt);
    EXPECT_EQ(one.worst_gap, several.worst_gap);
    EXPECT_EQ(one.nonzeros_per_code, several.nonzeros_per_code);
  }
}

TEST_P(EncodeTest, DivergenceIsAnError) {
  const FloatMatrix atoms(1, 4, 0.5F);
  FloatMatrix patches = RandomUnitRows(300, 4, 1);
  std::fill(patches.Row(290).begin(), patches.Row(290).end(), 3.0e38F);
  const CaughtError error = ExpectError([&] { EncodePatches(patches, atoms, Control(0.1, false)); });
  EXPECT_EQ(error.code, ErrorCode::kInput);
  EXPECT_THAT(error.text, HasSubstr("coding diverged between patch 288 and 299"));
  EXPECT_THAT(error.text, HasSubstr("hint: atoms must lie in the unit ball and patches are expected to have norm 1"));
}

TEST(EncodeErrors, LengthsDiffer) {
  const CaughtError error =
      ExpectError([] { EncodePatches(RandomUnitRows(2, 64, 1), RandomUnitRows(3, 128, 2), {.lambda = 0.1}); });
  EXPECT_EQ(error.code, ErrorCode::kInput);
  EXPECT_THAT(error.text, HasSubstr("the patches have 64 values each, the dictionary's atoms 128"));
  EXPECT_THAT(error.text, HasSubstr("hint: code patches with a dictionary learned from"));
}

TEST(EncodeErrors, NotFinite) {
  FloatMatrix patches = RandomUnitRows(600, 8, 3);
  FloatMatrix atoms = RandomUnitRows(4, 8, 4);
  patches(599, 0) = std::nanf("");
  patches(301, 0) = std::numeric_limits<float>::infinity();
  const CaughtError patch = ExpectError([&] { EncodePatches(patches, atoms, {.lambda = 0.1, .threads = 3}); });
  EXPECT_EQ(patch.code, ErrorCode::kInput);
  EXPECT_THAT(patch.text, HasSubstr("patch 301 holds a value that is not a finite number"));
  EXPECT_THAT(patch.text, HasSubstr("hint: patches count from 0; compute the descriptors again"));
  atoms(2, 0) = std::nanf("");
  const CaughtError atom = ExpectError([&] { EncodePatches(RandomUnitRows(2, 8, 5), atoms, {.lambda = 0.1}); });
  EXPECT_EQ(atom.code, ErrorCode::kCorrupt);
  EXPECT_THAT(atom.text, HasSubstr("atom 2 of the dictionary holds a value that is not a finite number"));
  EXPECT_THAT(atom.text, HasSubstr("hint: learn the dictionary again"));
}

TEST(EncodeProgress, CountsPatchesAndStops) {
  const FloatMatrix atoms = RandomUnitRows(4, 8, 6);
  const FloatMatrix patches = RandomUnitRows(600, 8, 7);
  RecordingProgress progress;
  Encode(patches, atoms, {.lambda = 0.1, .threads = 2}, EncodeOptions{}, progress);
  EXPECT_EQ(progress.total, 600U);
  EXPECT_EQ(progress.done, 600U);
  EXPECT_EQ(progress.unit, "patches");
  progress.stop = AtOnce;
  const CaughtError error =
      ExpectError([&] { Encode(patches, atoms, {.lambda = 0.1, .threads = 2}, EncodeOptions{}, progress); });
  EXPECT_EQ(error.code, ErrorCode::kInterrupted);
}

TEST(EncodeOptions, KeyTextNamesEveryField) {
  EXPECT_EQ(KeyText(EncodeOptions{}), "kkt_tolerance: 1e-04\nmax_cycles: 1000\n");
}

}  // namespace
}  // namespace flyscribe
