#include "sparse/pursuit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
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

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using Vector = std::vector<double>;

double Inner(const Vector& a, const Vector& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// Matching pursuit by its definition in double precision: the least squares by Gram-Schmidt, nothing kept from step to
// step.
class NaivePursuit {
 public:
  explicit NaivePursuit(const FloatMatrix& atoms) {
    for (std::size_t j = 0; j < atoms.rows(); ++j) atoms_.emplace_back(atoms.Row(j).begin(), atoms.Row(j).end());
  }

  // The atoms in the order in which they join; r is what is left of x.
  std::vector<std::size_t> Run(std::span<const float> x, std::size_t nonzeros, double error, Vector& r) const {
    r.assign(x.begin(), x.end());
    std::vector<std::size_t> chosen;
    std::vector<Vector> basis;  // orthonormal, of the span of the chosen atoms
    while (chosen.size() < nonzeros && std::sqrt(Inner(r, r)) > error) {
      std::size_t best = atoms_.size();
      double largest = 1e-6 * std::sqrt(Inner({x.begin(), x.end()}, {x.begin(), x.end()}));
      for (std::size_t j = 0; j < atoms_.size(); ++j) {
        const double norm = std::sqrt(Inner(atoms_[j], atoms_[j]));
        if (norm == 0.0 || std::count(chosen.begin(), chosen.end(), j) > 0) continue;
        const double size = std::abs(Inner(atoms_[j], r)) / norm;
        if (size > largest + 1e-9) {
          largest = size;
          best = j;
        }
      }
      if (best == atoms_.size()) break;
      chosen.push_back(best);
      Vector direction = atoms_[best];
      for (int twice = 0; twice < 2; ++twice) {
        for (const Vector& b : basis) AddScaled(-Inner(b, direction), b, direction);
      }
      const double norm = std::sqrt(Inner(direction, direction));
      for (double& value : direction) value /= norm;
      basis.push_back(direction);
      AddScaled(-Inner(direction, r), direction, r);
    }
    return chosen;
  }

 private:
  static void AddScaled(double scale, const Vector& x, Vector& y) {
    for (std::size_t i = 0; i < x.size(); ++i) y[i] += scale * x[i];
  }

  std::vector<Vector> atoms_;
};

PursuitResult PursueAll(const FloatMatrix& patches, const FloatMatrix& atoms, const PursuitControl& control) {
  return Pursue(patches, atoms, control, NoProgress());
}

class PursuitTest : public EverySetTest {
 protected:
  // Holds codes and report against the naive pursuit.
  void Check(const FloatMatrix& patches, const FloatMatrix& atoms, const PursuitControl& control) const {
    SCOPED_TRACE(std::to_string(control.nonzeros) + " atoms, error " + std::to_string(control.error));
    const PursuitResult result = PursueAll(patches, atoms, control);
    ASSERT_EQ(result.codes.rows(), patches.rows());
    const NaivePursuit naive(atoms);
    const Matrix<double> exact = InDouble(atoms);
    double objective = 0.0;
    double worst = 0.0;
    std::size_t unreached = 0;
    for (std::size_t row = 0; row < patches.rows(); ++row) {
      Vector left;
      std::vector<std::size_t> chosen = naive.Run(patches.Row(row), control.nonzeros, control.error, left);
      std::sort(chosen.begin(), chosen.end());
      const auto found = result.codes.RowIndices(row);
      ASSERT_EQ(std::vector<std::size_t>(found.begin(), found.end()), chosen) << "row " << row;
      const Vector r = NaiveLasso{patches.Row(row), exact, 0.0}.Residual(DenseCode(result.codes, row));
      for (std::size_t i = 0; i < r.size(); ++i) ASSERT_NEAR(r[i], left[i], 1e-5) << "row " << row;
      const double error = std::sqrt(Inner(left, left));
      objective += 0.5 * error * error / static_cast<double>(patches.rows());
      worst = std::max(worst, error);
      unreached += error > control.error ? 1U : 0U;
    }
    EXPECT_NEAR(result.objective, objective, 1e-6);
    EXPECT_NEAR(result.worst_error, worst, 1e-5);
    EXPECT_EQ(result.unreached, unreached);
    EXPECT_EQ(result.nonzeros_per_code,
              static_cast<double>(result.codes.data.size()) / static_cast<double>(patches.rows()));
  }
};
INSTANTIATE_TEST_SUITE_P(EverySet, PursuitTest, ::testing::ValuesIn(SimdTargets()), SetName);

TEST_P(PursuitTest, FollowsItsDefinition) {
  const FloatMatrix atoms = RandomUnitRows(60, 32, 4);
  const FloatMatrix patches = PlantedPatches(100, RandomUnitRows(40, 32, 3), 6);
  for (const std::size_t nonzeros : {1U, 2U, 7U, 20U}) Check(patches, atoms, {.nonzeros = nonzeros});
  for (const double error : {0.8, 0.3, 0.1}) Check(patches, atoms, {.nonzeros = 32, .error = error});
  Check(ClusteredPatches(70, 100, 10, 0.1, 7), ClusteredPatches(90, 100, 10, 0.1, 8), {.nonzeros = 6, .error = 0.2});
}

TEST_P(PursuitTest, AtomsOfAnyLength) {
  FloatMatrix atoms = RandomUnitRows(50, 20, 5);
  Rng rng(1);
  for (std::size_t j = 0; j < 50; ++j) ScaleToNorm(atoms.Row(j), rng.Uniform(0.1, 3.0));
  std::fill(atoms.Row(9).begin(), atoms.Row(9).end(), 0.0F);
  Check(RandomUnitRows(60, 20, 6), atoms, {.nonzeros = 5});
}

TEST_P(PursuitTest, OfEqualAtomsTheLowestJoins) {
  const FloatMatrix atoms(4, 2, {0.0F, 1.0F, 1.0F, 0.0F, 1.0F, 0.0F, -1.0F, 0.0F});
  const PursuitResult result = PursueAll(FloatMatrix(1, 2, {2.0F, 1.0F}), atoms, {.nonzeros = 4});
  EXPECT_THAT(result.codes.indices, ElementsAre(0, 1));
  EXPECT_THAT(result.codes.data, ElementsAre(1.0F, 2.0F));
  EXPECT_EQ(result.worst_error, 0.0);
  EXPECT_EQ(result.unreached, 0U);
}

TEST_P(PursuitTest, FindsWhatWasPlanted) {
  const FloatMatrix atoms = RandomUnitRows(40, 64, 3);
  FloatMatrix patches(50, 64);
  for (std::size_t row = 0; row < 50; ++row) {
    for (const std::size_t atom : {row % 40, (row + 11) % 40}) {
      for (std::size_t i = 0; i < 64; ++i) patches(row, i) += (atom == row % 40 ? 2.0F : -1.0F) * atoms(atom, i);
    }
  }
  const PursuitResult result = PursueAll(patches, atoms, {.nonzeros = 10, .error = 1e-4});
  EXPECT_EQ(result.unreached, 0U);
  EXPECT_LT(result.nonzeros_per_code, 3.0);
}

TEST_P(PursuitTest, ACodeDependsOnItsPatchAloneAndNotOnThreads) {
  const FloatMatrix atoms = ClusteredPatches(50, 40, 10, 0.1, 19);
  const FloatMatrix patches = ClusteredPatches(600, 40, 10, 0.1, 17);
  PursuitControl control = {.nonzeros = 8, .error = 0.15};
  const PursuitResult one = PursueAll(patches, atoms, control);
  control.threads = 3;
  const PursuitResult three = PursueAll(patches, atoms, control);
  EXPECT_EQ(one.codes, three.codes);
  EXPECT_EQ(one.objective, three.objective);
  for (const std::size_t row : {0U, 31U, 599U}) {
    const FloatMatrix alone(1, 40, {patches.Row(row).begin(), patches.Row(row).end()});
    const SparseCodes codes = PursueAll(alone, atoms, control).codes;
    EXPECT_TRUE(std::ranges::equal(codes.RowIndices(0), one.codes.RowIndices(row)));
    EXPECT_TRUE(std::ranges::equal(codes.RowData(0), one.codes.RowData(row)));
  }
  // As on the plain set.
  const SimdChoice choice("plain");
  EXPECT_EQ(PursueAll(patches, atoms, control).codes, one.codes);
}

TEST_P(PursuitTest, NothingToDo) {
  const FloatMatrix atoms = RandomUnitRows(5, 8, 11);
  EXPECT_THAT(PursueAll(FloatMatrix(3, 8, 0.0F), atoms, {}).codes.data, IsEmpty());
  EXPECT_THAT(PursueAll(RandomUnitRows(3, 8, 1), atoms, {.error = 1.1}).codes.data, IsEmpty());
  EXPECT_THAT(PursueAll(RandomUnitRows(3, 8, 1), FloatMatrix(4, 8, 0.0F), {}).codes.data, IsEmpty());
  EXPECT_EQ(PursueAll(FloatMatrix(0, 8), atoms, {}).codes.rows(), 0U);
}

TEST(PursuitErrors, BadInput) {
  const CaughtError lengths = ExpectError([] { PursueAll(RandomUnitRows(2, 64, 1), RandomUnitRows(3, 128, 2), {}); });
  EXPECT_EQ(lengths.code, ErrorCode::kInput);
  EXPECT_THAT(lengths.text, HasSubstr("the patches have 64 values each, the dictionary's atoms 128"));
  FloatMatrix patches = RandomUnitRows(600, 8, 3);
  patches(301, 0) = std::numeric_limits<float>::infinity();
  const CaughtError patch = ExpectError([&] { PursueAll(patches, RandomUnitRows(4, 8, 4), {}); });
  EXPECT_THAT(patch.text, HasSubstr("patch 301 holds a value that is not a finite number"));
}

TEST(PursuitProgress, CountsPatchesAndStops) {
  const FloatMatrix atoms = RandomUnitRows(4, 8, 6);
  const FloatMatrix patches = RandomUnitRows(600, 8, 7);
  RecordingProgress progress;
  Pursue(patches, atoms, {.threads = 2}, progress);
  EXPECT_EQ(progress.total, 600U);
  EXPECT_EQ(progress.done, 600U);
  progress.stop = AtOnce;
  EXPECT_EQ(ExpectError([&] { Pursue(patches, atoms, {.threads = 2}, progress); }).code, ErrorCode::kInterrupted);
}

}  // namespace
}  // namespace flyscribe
