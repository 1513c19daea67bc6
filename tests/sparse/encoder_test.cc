#include "sparse/encoder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "tests/sparse/random_patches.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

using ::testing::HasSubstr;

std::vector<double> DenseRow(const SparseCodes& codes, std::size_t row) {
  std::vector<double> dense(codes.atoms, 0.0);
  for (std::size_t k = 0; k < codes.RowIndices(row).size(); ++k) {
    dense[static_cast<std::size_t>(codes.RowIndices(row)[k])] = codes.RowData(row)[k];
  }
  return dense;
}

// The worst violation of the optimality conditions, from their definition and in double precision.
double NaiveViolation(std::span<const float> x,
                      const FloatMatrix& atoms,
                      const std::vector<double>& code,
                      double lambda) {
  std::vector<double> r(x.begin(), x.end());
  for (std::size_t j = 0; j < atoms.rows(); ++j) {
    for (std::size_t i = 0; i < x.size(); ++i) r[i] -= static_cast<double>(atoms(j, i)) * code[j];
  }
  double worst = 0.0;
  for (std::size_t j = 0; j < atoms.rows(); ++j) {
    double inner = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) inner += static_cast<double>(atoms(j, i)) * r[i];
    const double violation =
        code[j] == 0.0 ? std::abs(inner) - lambda : std::abs(inner - (code[j] > 0.0 ? lambda : -lambda));
    worst = std::max(worst, violation);
  }
  return worst;
}

// Many cycles of plain coordinate descent over all atoms, in double precision.
std::vector<double> NaiveLasso(std::span<const float> x, const FloatMatrix& atoms, double lambda) {
  std::vector<double> code(atoms.rows(), 0.0);
  std::vector<double> r(x.begin(), x.end());
  for (int cycle = 0; cycle < 500; ++cycle) {
    for (std::size_t j = 0; j < atoms.rows(); ++j) {
      double inner = 0.0;
      double norm = 0.0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        inner += static_cast<double>(atoms(j, i)) * r[i];
        norm += static_cast<double>(atoms(j, i)) * static_cast<double>(atoms(j, i));
      }
      if (norm == 0.0) continue;
      const double b = inner + norm * code[j];
      const double updated = std::copysign(std::max(0.0, std::abs(b) - lambda), b) / norm;
      for (std::size_t i = 0; i < x.size(); ++i) r[i] -= (updated - code[j]) * static_cast<double>(atoms(j, i));
      code[j] = updated;
    }
  }
  return code;
}

EncodeResult EncodePatches(const FloatMatrix& patches, const FloatMatrix& atoms, double lambda, int threads = 1) {
  return Encode(patches, atoms, lambda, EncodeOptions{}, threads, NoProgress());
}

TEST(Encode, TwoAtomsByHand) {
  // d1 = (1, 0), d2 = (0.6, 0.8), x = (1, 1), lambda = 0.1. With both weights positive the conditions read
  //   z1 + 0.6 z2 = 1 - 0.1,   0.6 z1 + z2 = 1.4 - 0.1   =>   z2 = 0.76 / 0.64 = 1.1875,   z1 = 0.1875.
  const FloatMatrix atoms(2, 2, {1.0F, 0.0F, 0.6F, 0.8F});
  const FloatMatrix patch(1, 2, {1.0F, 1.0F});
  EncodeOptions options;
  options.kkt_tolerance = 1e-6;
  const EncodeResult result = Encode(patch, atoms, 0.1, options, 1, NoProgress());
  ASSERT_EQ(result.codes.indices, (std::vector<std::int32_t>{0, 1}));
  EXPECT_NEAR(result.codes.data[0], 0.1875, 1e-5);
  EXPECT_NEAR(result.codes.data[1], 1.1875, 1e-5);
  // r = (1 - 0.1875 - 0.7125, 1 - 0.95) = (0.1, 0.05).
  EXPECT_NEAR(result.objective, 0.5 * (0.01 + 0.0025) + 0.1 * 1.375, 1e-6);
  EXPECT_EQ(result.nonzeros_per_code, 2.0);
  EXPECT_EQ(result.unconverged, 0U);
}

TEST(Encode, OneOfTwoAtomsByHand) {
  // x = d1, so d2 correlates 0.6 * lambda with the residual 0.1 d1 and stays out.
  const FloatMatrix atoms(2, 2, {1.0F, 0.0F, 0.6F, 0.8F});
  const FloatMatrix patch(1, 2, {-1.0F, 0.0F});
  const EncodeResult result = EncodePatches(patch, atoms, 0.1);
  ASSERT_EQ(result.codes.indices, (std::vector<std::int32_t>{0}));
  EXPECT_NEAR(result.codes.data[0], -0.9, 1e-4);
}

TEST(Encode, EqualsANaiveSolver) {
  const FloatMatrix atoms = RandomUnitRows(24, 16, 1);
  const FloatMatrix patches = RandomUnitRows(30, 16, 2);
  const EncodeResult result = EncodePatches(patches, atoms, 0.1);
  double objective = 0.0;
  for (std::size_t row = 0; row < patches.rows(); ++row) {
    const std::vector<double> naive = NaiveLasso(patches.Row(row), atoms, 0.1);
    const double best = NaiveObjective(patches.Row(row), atoms, naive, 0.1);
    EXPECT_NEAR(NaiveObjective(patches.Row(row), atoms, DenseRow(result.codes, row), 0.1), best, 1e-5);
    objective += best;
  }
  EXPECT_NEAR(result.objective, objective / 30.0, 1e-5);
}

TEST(Encode, MeetsTheOptimalityConditionsItReports) {
  const FloatMatrix planted = RandomUnitRows(40, 32, 3);
  FloatMatrix atoms = RandomUnitRows(60, 32, 4);
  Rng rng(5);
  for (std::size_t j = 0; j < 40; ++j) std::copy(planted.Row(j).begin(), planted.Row(j).end(), atoms.Row(j).begin());
  for (std::size_t j = 0; j < 60; j += 2) ScaleToNorm(atoms.Row(j), rng.Uniform(0.3, 1.0));
  const FloatMatrix patches = PlantedPatches(300, planted, 6);
  const EncodeResult result = EncodePatches(patches, atoms, 0.05);
  double worst = 0.0;
  for (std::size_t row = 0; row < patches.rows(); ++row) {
    worst = std::max(worst, NaiveViolation(patches.Row(row), atoms, DenseRow(result.codes, row), 0.05));
  }
  EXPECT_LE(worst, 1e-4 + 1e-6);
  EXPECT_NEAR(result.worst_kkt, worst, 1e-6);
  EXPECT_EQ(result.unconverged, 0U);
  EXPECT_EQ(result.codes.rows(), 300U);
  EXPECT_DOUBLE_EQ(result.nonzeros_per_code, static_cast<double>(result.codes.data.size()) / 300.0);
}

TEST(Encode, ShortAtomsAreSolvedExactly) {
  // One atom of norm 0.5: z = (0.5 - 0.1) / 0.25.
  const FloatMatrix atoms(1, 2, {0.5F, 0.0F});
  const FloatMatrix patch(1, 2, {1.0F, 0.0F});
  const EncodeResult result = EncodePatches(patch, atoms, 0.1);
  ASSERT_EQ(result.codes.data.size(), 1U);
  EXPECT_NEAR(result.codes.data[0], 1.6, 1e-5);
}

TEST(Encode, AtomsOfNormZeroStayOut) {
  FloatMatrix atoms = RandomUnitRows(3, 8, 7);
  std::fill(atoms.Row(1).begin(), atoms.Row(1).end(), 0.0F);
  const EncodeResult result = EncodePatches(RandomUnitRows(20, 8, 8), atoms, 0.01);
  EXPECT_FALSE(result.codes.indices.empty());
  EXPECT_EQ(std::count(result.codes.indices.begin(), result.codes.indices.end(), 1), 0);
}

TEST(Encode, TwinAtomsShareWithoutHarm) {
  FloatMatrix atoms = RandomUnitRows(4, 8, 9);
  std::copy(atoms.Row(0).begin(), atoms.Row(0).end(), atoms.Row(1).begin());
  const FloatMatrix patches = RandomUnitRows(20, 8, 10);
  const EncodeResult result = EncodePatches(patches, atoms, 0.05);
  for (std::size_t row = 0; row < 20; ++row) {
    EXPECT_LE(NaiveViolation(patches.Row(row), atoms, DenseRow(result.codes, row), 0.05), 1e-4 + 1e-6);
  }
}

TEST(Encode, LargeLambdaZeroPatchesAndNoPatches) {
  const FloatMatrix atoms = RandomUnitRows(5, 8, 11);
  const EncodeResult large = EncodePatches(RandomUnitRows(10, 8, 12), atoms, 1.5);
  EXPECT_TRUE(large.codes.data.empty());
  EXPECT_NEAR(large.objective, 0.5, 1e-6);
  EXPECT_EQ(large.worst_kkt, 0.0);

  const EncodeResult zero = EncodePatches(FloatMatrix(3, 8, 0.0F), atoms, 0.1);
  EXPECT_EQ(zero.codes.rows(), 3U);
  EXPECT_TRUE(zero.codes.data.empty());
  EXPECT_EQ(zero.objective, 0.0);

  const EncodeResult none = EncodePatches(FloatMatrix(0, 8), atoms, 0.1);
  EXPECT_EQ(none.codes.rows(), 0U);
  EXPECT_EQ(none.codes.atoms, 5U);
  EXPECT_EQ(none.objective, 0.0);
  EXPECT_EQ(none.nonzeros_per_code, 0.0);
}

TEST(Encode, SaysWhenCyclesRunOut) {
  const FloatMatrix atoms = RandomUnitRows(40, 16, 13);
  const FloatMatrix patches = RandomUnitRows(50, 16, 14);
  EncodeOptions options;
  options.max_cycles = 1;
  const EncodeResult hasty = Encode(patches, atoms, 0.05, options, 1, NoProgress());
  EXPECT_GT(hasty.unconverged, 40U);
  EXPECT_GT(hasty.worst_kkt, options.kkt_tolerance);
  const EncodeResult patient = EncodePatches(patches, atoms, 0.05);
  EXPECT_EQ(patient.unconverged, 0U);
  EXPECT_LT(patient.objective, hasty.objective);
}

TEST(Encode, SameBytesForAnyNumberOfThreads) {
  const FloatMatrix atoms = RandomUnitRows(32, 16, 15);
  const FloatMatrix patches = RandomUnitRows(1100, 16, 16);
  const EncodeResult one = EncodePatches(patches, atoms, 0.1, 1);
  const EncodeResult three = EncodePatches(patches, atoms, 0.1, 3);
  EXPECT_EQ(one.codes, three.codes);
  EXPECT_EQ(one.objective, three.objective);
  EXPECT_EQ(one.worst_kkt, three.worst_kkt);
  EXPECT_EQ(one.nonzeros_per_code, three.nonzeros_per_code);
}

TEST(Encode, ACodeDependsOnItsPatchAlone) {
  const FloatMatrix atoms = RandomUnitRows(32, 16, 17);
  const FloatMatrix patches = RandomUnitRows(20, 16, 18);
  const EncodeResult all = EncodePatches(patches, atoms, 0.1);
  for (std::size_t row = 0; row < 20; ++row) {
    const EncodeResult alone = EncodePatches({1, 16, {patches.Row(row).begin(), patches.Row(row).end()}}, atoms, 0.1);
    EXPECT_EQ(DenseRow(alone.codes, 0), DenseRow(all.codes, row));
  }
}

TEST(EncodeErrors, LengthsDiffer) {
  const CaughtError error =
      ExpectError([] { EncodePatches(RandomUnitRows(2, 64, 1), RandomUnitRows(3, 128, 2), 0.1); });
  EXPECT_EQ(error.code, ErrorCode::kInput);
  EXPECT_THAT(error.text, HasSubstr("the patches have 64 values each, the dictionary's atoms 128"));
  EXPECT_THAT(error.text, HasSubstr("hint: code patches with a dictionary learned from"));
}

TEST(EncodeErrors, NotFinite) {
  FloatMatrix patches = RandomUnitRows(600, 8, 3);
  FloatMatrix atoms = RandomUnitRows(4, 8, 4);
  patches(599, 0) = std::nanf("");
  patches(301, 0) = std::numeric_limits<float>::infinity();
  const CaughtError patch = ExpectError([&] { EncodePatches(patches, atoms, 0.1, 3); });
  EXPECT_EQ(patch.code, ErrorCode::kInput);
  EXPECT_THAT(patch.text, HasSubstr("patch 301 holds a value that is not a finite number"));
  atoms(2, 0) = std::nanf("");
  const CaughtError atom = ExpectError([&] { EncodePatches(RandomUnitRows(2, 8, 5), atoms, 0.1); });
  EXPECT_EQ(atom.code, ErrorCode::kCorrupt);
  EXPECT_THAT(atom.text, HasSubstr("atom 2 of the dictionary holds a value that is not a finite number"));
}

TEST(EncodeErrors, Diverged) {
  const FloatMatrix atoms(1, 4, 0.5F);
  const CaughtError error = ExpectError([&] { EncodePatches(FloatMatrix(2, 4, 3.0e38F), atoms, 0.1); });
  EXPECT_EQ(error.code, ErrorCode::kInput);
  EXPECT_THAT(error.text, HasSubstr("coding patch 0 diverged"));
}

class CountingProgress : public Progress {
 public:
  void Begin(std::uint64_t total, std::string_view /*unit*/) override { total_ = total; }
  void Advance(std::uint64_t done) override { done_ += done; }
  bool StopRequested() const override { return stop_; }

  std::uint64_t total_ = 0;
  std::atomic<std::uint64_t> done_ = 0;
  bool stop_ = false;
};

TEST(EncodeProgress, CountsPatchesAndStops) {
  const FloatMatrix atoms = RandomUnitRows(4, 8, 6);
  const FloatMatrix patches = RandomUnitRows(600, 8, 7);
  CountingProgress progress;
  Encode(patches, atoms, 0.1, EncodeOptions{}, 2, progress);
  EXPECT_EQ(progress.total_, 600U);
  EXPECT_EQ(progress.done_, 600U);
  progress.stop_ = true;
  const CaughtError error = ExpectError([&] { Encode(patches, atoms, 0.1, EncodeOptions{}, 2, progress); });
  EXPECT_EQ(error.code, ErrorCode::kInterrupted);
}

TEST(EncodeOptions, KeyTextNamesEveryField) {
  EXPECT_EQ(KeyText(EncodeOptions{}), "kkt_tolerance: 1e-04\nmax_cycles: 1000\n");
}

}  // namespace
}  // namespace flyscribe
