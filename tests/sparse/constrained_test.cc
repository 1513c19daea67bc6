#include "sparse/constrained.h"

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

namespace flyscribe {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Kind = ConstrainedControl::Kind;

double Norm(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) sum += value * value;
  return std::sqrt(sum);
}

double Sum(const std::vector<double>& z) {
  double sum = 0.0;
  for (const double weight : z) sum += std::abs(weight);
  return sum;
}

// The lasso whose solution meets the limit, by bisection over lambda in double precision: |x - D z| rises and |z|_1
// falls with it.
std::vector<double> NaiveConstrained(NaiveLasso lasso, Kind kind, double limit) {
  double low = 1e-5;
  double high = 2.0;
  for (int halving = 0; halving < 45; ++halving) {
    lasso.lambda = 0.5 * (low + high);
    const std::vector<double> z = lasso.Solve();
    const bool too_sparse = kind == Kind::kError ? Norm(lasso.Residual(z)) > limit : Sum(z) < limit;
    (too_sparse ? high : low) = lasso.lambda;
  }
  return lasso.Solve();
}

ConstrainedResult EncodeAll(const FloatMatrix& patches, const FloatMatrix& atoms, const ConstrainedControl& control) {
  return EncodeConstrained(patches, atoms, control, NoProgress());
}

class ConstrainedTest : public EverySetTest {};
INSTANTIATE_TEST_SUITE_P(EverySet, ConstrainedTest, ::testing::ValuesIn(SimdTargets()), SetName);

TEST_P(ConstrainedTest, ReachesTheMinimum) {
  FloatMatrix atoms = RandomUnitRows(16, 12, 3);
  for (std::size_t j = 0; j < 16; j += 4) ScaleToNorm(atoms.Row(j), 0.6);
  const FloatMatrix patches = PlantedPatches(12, RandomUnitRows(10, 12, 4), 5);
  const Matrix<double> exact = InDouble(atoms);
  for (const bool nonnegative : {false, true}) {
    for (const Kind kind : {Kind::kError, Kind::kBudget}) {
      for (const double limit : {0.4, 0.8}) {
        SCOPED_TRACE((kind == Kind::kError ? "error " : "budget ") + std::to_string(limit) +
                     (nonnegative ? ", nonnegative" : ""));
        const ConstrainedResult result =
            EncodeAll(patches, atoms, {.kind = kind, .limit = limit, .nonnegative = nonnegative});
        std::size_t unreached = 0;
        for (std::size_t row = 0; row < patches.rows(); ++row) {
          const NaiveLasso lasso = {patches.Row(row), exact, 0.0, nonnegative};
          const std::vector<double> z = DenseCode(result.codes, row);
          const std::vector<double> minimum = NaiveConstrained(lasso, kind, limit);
          const double error = Norm(lasso.Residual(z));
          const double least = Norm(lasso.Residual(minimum));
          EXPECT_NEAR(error, least, 2e-4) << "row " << row;
          EXPECT_NEAR(Sum(z), Sum(minimum), 1e-3) << "row " << row;
          EXPECT_LE(Sum(z), kind == Kind::kBudget ? limit + 1e-5 : std::numeric_limits<double>::infinity()) << row;
          if (kind == Kind::kError && error > limit + 1e-4) ++unreached;
        }
        EXPECT_EQ(result.unreached, unreached);
        EXPECT_TRUE(nonnegative || unreached == 0) << unreached;
        EXPECT_LE(result.worst_kkt, 2e-4);
      }
    }
  }
}

TEST_P(ConstrainedTest, LimitsAreMetInsideAStep) {
  const FloatMatrix atoms = ClusteredPatches(80, 40, 10, 0.1, 8);
  const FloatMatrix patches = ClusteredPatches(100, 40, 10, 0.1, 9);
  for (const double limit : {0.3, 0.5, 0.9}) {
    const ConstrainedResult near = EncodeAll(patches, atoms, {.kind = Kind::kError, .limit = limit});
    EXPECT_EQ(near.unreached, 0U);
    EXPECT_NEAR(near.worst_error, limit, 1e-4);
    EXPECT_NEAR(near.objective, 0.5 * limit * limit, 1e-4) << "none is nearer than it must be";
    const ConstrainedResult few = EncodeAll(patches, atoms, {.kind = Kind::kBudget, .limit = limit});
    EXPECT_NEAR(few.weight, limit, 1e-4);
  }
}

TEST(Constrained, ByHand) {
  // Two atoms side by side, x = (0.9, 0.5). The path: z = (0.9 - l, max(0, 0.5 - l)), so |x - D z|^2 = 2 l^2 for l <
  // 0.5.
  const FloatMatrix atoms(2, 2, {1.0F, 0.0F, 0.0F, 1.0F});
  const FloatMatrix patch(1, 2, {0.9F, 0.5F});
  const ConstrainedResult near = EncodeAll(patch, atoms, {.kind = Kind::kError, .limit = 0.2 * std::sqrt(2.0)});
  ASSERT_EQ(near.codes.data.size(), 2U);
  EXPECT_NEAR(near.codes.data[0], 0.7, 1e-5);
  EXPECT_NEAR(near.codes.data[1], 0.3, 1e-5);
  const ConstrainedResult few = EncodeAll(patch, atoms, {.kind = Kind::kBudget, .limit = 0.3});
  ASSERT_EQ(few.codes.indices, (std::vector<std::int32_t>{0}));
  EXPECT_NEAR(few.codes.data[0], 0.3, 1e-6);
  EXPECT_NEAR(few.worst_error, std::sqrt(0.36 + 0.25), 1e-5);
  EXPECT_THAT(EncodeAll(patch, atoms, {.kind = Kind::kError, .limit = 1.1}).codes.data, IsEmpty());
  EXPECT_THAT(EncodeAll(patch, atoms, {.kind = Kind::kBudget, .limit = 0.0}).codes.data, IsEmpty());
  // Out of reach: the second value has no atom.
  const FloatMatrix one(1, 2, {1.0F, 0.0F});
  const ConstrainedResult far = EncodeAll(patch, one, {.kind = Kind::kError, .limit = 0.1});
  EXPECT_EQ(far.unreached, 1U);
  EXPECT_NEAR(far.worst_error, 0.5, 1e-4);
}

TEST_P(ConstrainedTest, SameBytesOnEverySetAndForAnyThreads) {
  const FloatMatrix atoms = ClusteredPatches(50, 40, 10, 0.1, 19);
  const FloatMatrix patches = ClusteredPatches(600, 40, 10, 0.1, 17);
  for (const Kind kind : {Kind::kError, Kind::kBudget}) {
    ConstrainedControl control = {.kind = kind, .limit = 0.4};
    const ConstrainedResult one = EncodeAll(patches, atoms, control);
    control.threads = 3;
    const SimdChoice choice("plain");
    const ConstrainedResult three = EncodeAll(patches, atoms, control);
    EXPECT_EQ(one.codes, three.codes);
    EXPECT_EQ(one.objective, three.objective);
    EXPECT_GT(one.nonzeros_per_code, 1.0);
  }
  EXPECT_EQ(EncodeAll(FloatMatrix(0, 40), atoms, {}).codes.rows(), 0U);
  EXPECT_THAT(EncodeAll(FloatMatrix(2, 40, 0.0F), atoms, {}).codes.data, IsEmpty());
}

TEST(ConstrainedErrors, BadInput) {
  const CaughtError lengths = ExpectError([] { EncodeAll(RandomUnitRows(2, 64, 1), RandomUnitRows(3, 128, 2), {}); });
  EXPECT_EQ(lengths.code, ErrorCode::kInput);
  EXPECT_THAT(lengths.text, HasSubstr("the patches have 64 values each, the dictionary's atoms 128"));
  const CaughtError many = ExpectError([] { EncodeAll(FloatMatrix(1, 1), FloatMatrix(16385, 1), {}); });
  EXPECT_EQ(many.code, ErrorCode::kUsage);
  EXPECT_THAT(many.text, HasSubstr("16385 atoms are too many"));
  EXPECT_THAT(many.text, HasSubstr("hint: use at most 16384 atoms"));
}

}  // namespace
}  // namespace flyscribe
