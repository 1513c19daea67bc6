#include "sparse/lars.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "core/matrix.h"
#include "core/rng.h"
#include "core/simd.h"
#include "tests/sparse/random_patches.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

struct Code {
  std::vector<std::int32_t> indices;
  std::vector<float> weights;
  LarsTrace trace;
};

std::vector<double> Dense(const Code& code, std::size_t atoms) {
  std::vector<double> dense(atoms, 0.0);
  for (std::size_t k = 0; k < code.indices.size(); ++k) {
    dense[static_cast<std::size_t>(code.indices[k])] = static_cast<double>(code.weights[k]);
  }
  return dense;
}

double DotInDouble(std::span<const float> a, std::span<const float> b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  return sum;
}

// G of a dictionary.
PaddedRows GramOf(const FloatMatrix& atoms) {
  PaddedRows gram(atoms.rows(), atoms.rows());
  for (std::size_t i = 0; i < atoms.rows(); ++i) {
    for (std::size_t j = 0; j < atoms.rows(); ++j) {
      gram.Row(i)[j] = static_cast<float>(DotInDouble(atoms.Row(i), atoms.Row(j)));
    }
  }
  return gram;
}

// c of a patch: one padded row.
PaddedRows CorrelationsOf(const FloatMatrix& atoms, std::span<const float> patch) {
  PaddedRows correlations(1, atoms.rows());
  for (std::size_t j = 0; j < atoms.rows(); ++j) {
    correlations.Row(0)[j] = static_cast<float>(DotInDouble(atoms.Row(j), patch));
  }
  return correlations;
}

Code SolveGram(LarsSolver& solver,
               const PaddedRows& gram,
               const PaddedRows& correlations,
               float lambda,
               bool nonnegative = false) {
  const LarsProblem problem = {.gram = gram.data(),
                               .stride = gram.length(),
                               .correlations = correlations.data(),
                               .lambda = lambda,
                               .nonnegative = nonnegative};
  Code code = {.indices = {7, 7, 7}, .weights = {7.0F}, .trace = {}};  // to be replaced
  code.trace = solver.Solve(problem, code.indices, code.weights);
  return code;
}

Code SolvePatch(const FloatMatrix& atoms, std::span<const float> patch, float lambda, bool nonnegative = false) {
  LarsSolver solver(ActiveKernels(), atoms.rows());
  return SolveGram(solver, GramOf(atoms), CorrelationsOf(atoms, patch), lambda, nonnegative);
}

// x - D z.
std::vector<double> ResidualOf(const FloatMatrix& atoms,
                               std::span<const float> patch,
                               const std::vector<double>& code) {
  std::vector<double> residual(patch.begin(), patch.end());
  for (std::size_t j = 0; j < atoms.rows(); ++j) {
    for (std::size_t i = 0; i < patch.size(); ++i) residual[i] -= code[j] * static_cast<double>(atoms(j, i));
  }
  return residual;
}

double CorrelationWith(std::span<const float> atom, const std::vector<double>& residual) {
  double sum = 0.0;
  for (std::size_t i = 0; i < atom.size(); ++i) sum += static_cast<double>(atom[i]) * residual[i];
  return sum;
}

// By how much the optimality conditions are missed at most, in double precision and from D and x, not from G and c.
double WorstKkt(const FloatMatrix& atoms,
                std::span<const float> patch,
                const std::vector<double>& code,
                double lambda,
                bool nonnegative) {
  const std::vector<double> residual = ResidualOf(atoms, patch, code);
  double worst = 0.0;
  for (std::size_t j = 0; j < atoms.rows(); ++j) {
    const double correlation = CorrelationWith(atoms.Row(j), residual);
    if (code[j] != 0.0) {
      worst = std::max(worst, std::abs(correlation - std::copysign(lambda, code[j])));
    } else {
      worst = std::max(worst, (nonnegative ? correlation : std::abs(correlation)) - lambda);
    }
    if (nonnegative) worst = std::max(worst, -code[j]);
  }
  return worst;
}

// The naive way: cyclic coordinate descent in double precision until the optimality conditions hold to 1e-9.
std::vector<double> NaiveLasso(const FloatMatrix& atoms,
                               std::span<const float> patch,
                               double lambda,
                               bool nonnegative) {
  std::vector<double> code(atoms.rows(), 0.0);
  std::vector<double> residual(patch.begin(), patch.end());
  for (int cycle = 0; cycle < 200000; ++cycle) {
    double largest = 0.0;
    for (std::size_t j = 0; j < atoms.rows(); ++j) {
      const double curvature = DotInDouble(atoms.Row(j), atoms.Row(j));
      if (curvature == 0.0) continue;
      const double target = CorrelationWith(atoms.Row(j), residual) + curvature * code[j];
      const double size = std::max(0.0, (nonnegative ? target : std::abs(target)) - lambda);
      const double updated = std::copysign(size, target) / curvature;
      const double change = updated - code[j];
      for (std::size_t i = 0; i < patch.size(); ++i) residual[i] -= change * static_cast<double>(atoms(j, i));
      code[j] = updated;
      largest = std::max(largest, std::abs(change) * curvature);
    }
    if (largest < 1e-10) break;
  }
  EXPECT_LE(WorstKkt(atoms, patch, code, lambda, nonnegative), 1e-9) << "the reference itself is not solved";
  return code;
}

// Whether the code is in order (rising, no zeros), meets the optimality conditions, and is as good as the naive one.
void ExpectSolved(
    const FloatMatrix& atoms, std::span<const float> patch, const Code& code, float lambda, bool nonnegative) {
  ASSERT_EQ(code.indices.size(), code.weights.size());
  EXPECT_TRUE(std::is_sorted(code.indices.begin(), code.indices.end(), std::less_equal<>()));
  EXPECT_EQ(std::count(code.weights.begin(), code.weights.end(), 0.0F), 0);
  const bool any_negative = std::any_of(code.weights.begin(), code.weights.end(), [](float w) { return w < 0.0F; });
  EXPECT_FALSE(nonnegative && any_negative);
  const std::vector<double> dense = Dense(code, atoms.rows());
  const auto exact_lambda = static_cast<double>(lambda);
  EXPECT_LE(WorstKkt(atoms, patch, dense, exact_lambda, nonnegative), 1e-4);
  const std::vector<double> naive = NaiveLasso(atoms, patch, exact_lambda, nonnegative);
  const double best = NaiveObjective(patch, atoms, naive, exact_lambda);
  EXPECT_NEAR(NaiveObjective(patch, atoms, dense, exact_lambda), best, 1e-5);
}

// Makes the norms anything between `shortest` and 1.
void Shorten(FloatMatrix& atoms, double shortest, std::uint64_t seed) {
  Rng rng(seed);
  for (std::size_t j = 0; j < atoms.rows(); ++j) ScaleToNorm(atoms.Row(j), rng.Uniform(shortest, 1.0));
}

// A few directions, each with several noisy copies of norm 1.
FloatMatrix CoherentRows(std::size_t rows, std::size_t cols, std::size_t directions, double noise) {
  FloatMatrix atoms = RandomUnitRows(rows, cols, 31);
  for (std::size_t j = directions; j < rows; ++j) {
    Rng rng(32, j);
    for (std::size_t i = 0; i < cols; ++i) {
      atoms(j, i) = atoms(j % directions, i) + static_cast<float>(rng.Normal(0.0, noise));
    }
    ScaleToNorm(atoms.Row(j), 1.0);
  }
  return atoms;
}

// ---- CholeskyFactor ----

// A grown and shrunk G beside its factor; checks the factor by solving G v = b.
class TrackedFactor {
 public:
  explicit TrackedFactor(const FloatMatrix& atoms) : atoms_(atoms) {}

  bool Append(std::size_t row) {
    std::vector<double> cross;
    for (const std::size_t other : rows_) cross.push_back(DotInDouble(atoms_.Row(row), atoms_.Row(other)));
    if (!factor_.Append(cross, DotInDouble(atoms_.Row(row), atoms_.Row(row)))) return false;
    rows_.push_back(row);
    return true;
  }

  void Remove(std::size_t position) {
    factor_.Remove(position);
    rows_.erase(rows_.begin() + static_cast<std::ptrdiff_t>(position));
  }

  // The largest |G v - b|, b = (1, 2, 3, ...), v solved for in two goes from the `resume_at`-th value on.
  double SolveError(std::size_t resume_at) const {
    EXPECT_EQ(factor_.size(), rows_.size());
    std::vector<double> v(rows_.size());
    std::iota(v.begin(), v.end(), 1.0);
    factor_.SolveLower({v.data(), resume_at});
    factor_.SolveLower(v, resume_at);
    factor_.SolveUpper(v);
    double worst = 0.0;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      double sum = -static_cast<double>(i + 1);
      for (std::size_t j = 0; j < rows_.size(); ++j)
        sum += DotInDouble(atoms_.Row(rows_[i]), atoms_.Row(rows_[j])) * v[j];
      worst = std::max(worst, std::abs(sum));
    }
    return worst;
  }

  std::size_t size() const { return rows_.size(); }

 private:
  const FloatMatrix& atoms_;
  CholeskyFactor factor_;
  std::vector<std::size_t> rows_;
};

TEST(CholeskyFactor, TwoRowsByHand) {
  // G = (4 2; 2 10), L = (2 0; 1 3). L y = (2, 7): y = (1, 2). L^T v = (4, 6): v = (1, 2).
  CholeskyFactor factor;
  ASSERT_TRUE(factor.Append({}, 4.0));
  ASSERT_TRUE(factor.Append(std::vector<double>{2.0}, 10.0));
  std::vector<double> values = {2.0, 7.0};
  factor.SolveLower(values);
  EXPECT_EQ(values, (std::vector<double>{1.0, 2.0}));
  values = {4.0, 6.0};
  factor.SolveUpper(values);
  EXPECT_EQ(values, (std::vector<double>{1.0, 2.0}));
  // Without the first row G = (10).
  factor.Remove(0);
  ASSERT_EQ(factor.size(), 1U);
  values = {std::sqrt(10.0)};
  factor.SolveLower(values);
  EXPECT_DOUBLE_EQ(values[0], 1.0);
}

TEST(CholeskyFactor, StaysTrueWhileRowsComeAndGo) {
  const FloatMatrix atoms = RandomUnitRows(30, 40, 11);
  TrackedFactor tracked(atoms);
  Rng rng(12);
  std::size_t removals = 0;
  for (std::size_t round = 0; round < 10; ++round) {
    for (std::size_t row = round * 3; row < round * 3 + 3; ++row) ASSERT_TRUE(tracked.Append(row));
    EXPECT_LT(tracked.SolveError(tracked.size() / 2), 1e-10);
    // First, last, and somewhere between.
    const std::size_t position = round == 1 ? 0 : round == 2 ? tracked.size() - 1 : rng.Below(tracked.size());
    tracked.Remove(position);
    ++removals;
    EXPECT_LT(tracked.SolveError(0), 1e-10) << "without position " << position;
  }
  EXPECT_EQ(tracked.size(), 30 - removals);
  while (tracked.size() > 0) tracked.Remove(0);
  ASSERT_TRUE(tracked.Append(5));
  EXPECT_LT(tracked.SolveError(0), 1e-10);
}

TEST(CholeskyFactor, RefusesWhatDependsOnTheRest) {
  FloatMatrix atoms = RandomUnitRows(5, 8, 13);
  for (std::size_t i = 0; i < 8; ++i) {
    atoms(2, i) = 0.6F * atoms(0, i) - 0.3F * atoms(1, i);
    atoms(3, i) = 0.0F;
  }
  TrackedFactor tracked(atoms);
  ASSERT_TRUE(tracked.Append(0));
  ASSERT_TRUE(tracked.Append(1));
  EXPECT_FALSE(tracked.Append(0));
  EXPECT_FALSE(tracked.Append(2));
  EXPECT_FALSE(tracked.Append(3));
  EXPECT_LT(tracked.SolveError(0), 1e-12);
  ASSERT_TRUE(tracked.Append(4));
  EXPECT_LT(tracked.SolveError(0), 1e-12);
}

// ---- By hand ----

TEST(Lars, TwoUnitAtomsByHand) {
  // c = (1, 0.8), G_12 = 0.6. Atom 0 alone down to 0.8 - 0.6 t = 1 - t, level 0.5; then w = (1, 1) / 1.6.
  const FloatMatrix atoms(2, 2, {1.0F, 0.0F, 0.6F, 0.8F});
  const std::vector<float> patch = {1.0F, 0.25F};
  EXPECT_TRUE(SolvePatch(atoms, patch, 1.0F).indices.empty());
  const Code one = SolvePatch(atoms, patch, 0.75F);
  EXPECT_EQ(one.indices, (std::vector<std::int32_t>{0}));
  EXPECT_NEAR(one.weights[0], 0.25, 1e-6);
  const Code two = SolvePatch(atoms, patch, 0.2F);
  ASSERT_EQ(two.indices, (std::vector<std::int32_t>{0, 1}));
  EXPECT_NEAR(two.weights[0], 0.6875, 1e-6);
  EXPECT_NEAR(two.weights[1], 0.1875, 1e-6);
  EXPECT_EQ(two.trace.joins, 2);
  EXPECT_EQ(two.trace.leaves, 0);
  EXPECT_EQ(two.trace.descent_cycles, 0);
}

TEST(Lars, AnAtomLeavesByHand) {
  // d_1 has norm 0.5. G = (1 0.4; 0.4 0.25), c = (1, 0.85). Atom 1 joins at level 0.75 with z = (0.25, 0); from there
  // w = (-5/3, 20/3), so atom 0 leaves at level 0.6 with z = (0, 1). Then z_1 = (0.85 - lambda) / 0.25.
  const FloatMatrix atoms(2, 2, {1.0F, 0.0F, 0.4F, 0.3F});
  const std::vector<float> patch = {1.0F, 1.5F};
  const Code both = SolvePatch(atoms, patch, 0.65F);
  ASSERT_EQ(both.indices, (std::vector<std::int32_t>{0, 1}));
  EXPECT_NEAR(both.weights[0], 0.25 - 0.1 * 5 / 3, 1e-6);
  EXPECT_NEAR(both.weights[1], 0.1 * 20 / 3, 1e-6);
  EXPECT_EQ(both.trace.leaves, 0);
  const Code after = SolvePatch(atoms, patch, 0.3F);
  ASSERT_EQ(after.indices, (std::vector<std::int32_t>{1}));
  EXPECT_NEAR(after.weights[0], 2.2, 1e-5);
  EXPECT_EQ(after.trace.joins, 2);
  EXPECT_EQ(after.trace.leaves, 1);
  EXPECT_EQ(after.trace.descent_cycles, 0);
}

TEST(Lars, OneAtom) {
  const FloatMatrix atoms(1, 2, {0.5F, 0.0F});
  const Code up = SolvePatch(atoms, std::vector<float>{1.0F, 3.0F}, 0.25F);
  ASSERT_EQ(up.indices, (std::vector<std::int32_t>{0}));
  EXPECT_FLOAT_EQ(up.weights[0], 1.0F);  // (0.5 - 0.25) / 0.25
  const Code down = SolvePatch(atoms, std::vector<float>{-1.0F, 3.0F}, 0.25F);
  ASSERT_EQ(down.indices, (std::vector<std::int32_t>{0}));
  EXPECT_FLOAT_EQ(down.weights[0], -1.0F);
  EXPECT_TRUE(SolvePatch(atoms, std::vector<float>{-1.0F, 3.0F}, 0.25F, true).indices.empty());
}

TEST(Lars, EmptyCodes) {
  const FloatMatrix atoms = RandomUnitRows(20, 10, 21);
  const FloatMatrix patch = RandomUnitRows(1, 10, 22);
  const PaddedRows correlations = CorrelationsOf(atoms, patch.Row(0));
  float largest = 0.0F;
  for (const float value : correlations.Values(0)) largest = std::max(largest, std::abs(value));
  EXPECT_TRUE(SolvePatch(atoms, patch.Row(0), 5.0F).indices.empty());
  EXPECT_TRUE(SolvePatch(atoms, patch.Row(0), largest).indices.empty());
  EXPECT_EQ(SolvePatch(atoms, patch.Row(0), std::nextafter(largest, 0.0F)).indices.size(), 1U);
  const Code zero = SolvePatch(atoms, std::vector<float>(10, 0.0F), 0.1F);
  EXPECT_TRUE(zero.indices.empty());
  EXPECT_TRUE(zero.weights.empty());
  EXPECT_EQ(zero.trace.joins, 0);
  EXPECT_TRUE(SolvePatch(atoms, std::vector<float>(10, 0.0F), 0.0F).indices.empty());
}

// ---- Against the naive reference ----

enum class Kind { kUnit, kShort, kCoherent, kVeryCoherent };

FloatMatrix AtomsOf(Kind kind, std::size_t atoms, std::size_t cols) {
  if (kind == Kind::kCoherent) return CoherentRows(atoms, cols, atoms / 4, 0.05);
  if (kind == Kind::kVeryCoherent) return CoherentRows(atoms, cols, atoms / 4, 0.02);
  FloatMatrix matrix = RandomUnitRows(atoms, cols, 33);
  if (kind == Kind::kShort) Shorten(matrix, 0.3, 34);
  return matrix;
}

class LarsAgainstNaive : public testing::TestWithParam<std::tuple<Kind, bool>> {};

TEST_P(LarsAgainstNaive, SameSolutions) {
  const auto [kind, nonnegative] = GetParam();
  const FloatMatrix atoms = AtomsOf(kind, 60, 24);
  const FloatMatrix patches = PlantedPatches(8, atoms, 35);
  int leaves = 0;
  for (const float lambda : {0.4F, 0.1F, 0.02F}) {
    for (std::size_t row = 0; row < patches.rows(); ++row) {
      SCOPED_TRACE("patch " + std::to_string(row) + ", lambda " + std::to_string(lambda));
      const Code code = SolvePatch(atoms, patches.Row(row), lambda, nonnegative);
      ExpectSolved(atoms, patches.Row(row), code, lambda, nonnegative);
      EXPECT_EQ(code.trace.descent_cycles, 0) << "the path alone should do";
      EXPECT_EQ(code.trace.passed_over, 0);
      EXPECT_EQ(static_cast<std::size_t>(code.trace.joins - code.trace.leaves), code.indices.size());
      leaves += code.trace.leaves;
    }
  }
  EXPECT_GT(leaves, 0) << "problems too easy: no atom ever left";
}

INSTANTIATE_TEST_SUITE_P(
    Kinds,
    LarsAgainstNaive,
    testing::Combine(testing::Values(Kind::kUnit, Kind::kShort, Kind::kCoherent, Kind::kVeryCoherent),
                     testing::Bool()));

// Where the solution is well determined, the weights themselves agree, not only what they are worth.
TEST(Lars, SameWeightsAsTheNaiveWay) {
  FloatMatrix atoms = RandomUnitRows(100, 40, 41);
  Shorten(atoms, 0.5, 42);
  const FloatMatrix patches = PlantedPatches(10, atoms, 43);
  for (std::size_t row = 0; row < patches.rows(); ++row) {
    const std::vector<double> code = Dense(SolvePatch(atoms, patches.Row(row), 0.08F), atoms.rows());
    const std::vector<double> naive = NaiveLasso(atoms, patches.Row(row), static_cast<double>(0.08F), false);
    for (std::size_t j = 0; j < atoms.rows(); ++j)
      EXPECT_NEAR(code[j], naive[j], 1e-5) << "patch " << row << " atom " << j;
  }
}

TEST(Lars, ManySmallProblems) {
  int leaves = 0;
  int descents = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Rng rng(seed, 51);
    const std::size_t atom_count = 1 + rng.Below(20);
    FloatMatrix atoms = RandomUnitRows(atom_count, 2 + rng.Below(8), seed);
    if (rng.Chance(0.5)) Shorten(atoms, 0.2, seed);
    const FloatMatrix patch = RandomUnitRows(1, atoms.cols(), seed + 1000);
    const auto lambda = static_cast<float>(rng.Uniform(0.05, 0.6));
    const bool nonnegative = rng.Chance(0.3);
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Code code = SolvePatch(atoms, patch.Row(0), lambda, nonnegative);
    ExpectSolved(atoms, patch.Row(0), code, lambda, nonnegative);
    EXPECT_LE(code.trace.largest_violation, 1e-4F);
    leaves += code.trace.leaves;
    descents += code.trace.descent_cycles > 0 ? 1 : 0;
  }
  EXPECT_GT(leaves, 10);
  EXPECT_EQ(descents, 0) << "the path alone should do";
}

TEST(Lars, LeastSquaresAtLambdaZero) {
  const FloatMatrix atoms = RandomUnitRows(6, 20, 61);
  const FloatMatrix patch = RandomUnitRows(1, 20, 62);
  const Code code = SolvePatch(atoms, patch.Row(0), 0.0F);
  EXPECT_EQ(code.indices.size(), 6U);
  EXPECT_LE(WorstKkt(atoms, patch.Row(0), Dense(code, 6), 0.0, false), 1e-6);
  // More atoms than dimensions: the patch is met exactly.
  const FloatMatrix many = RandomUnitRows(30, 8, 63);
  const FloatMatrix short_patch = RandomUnitRows(1, 8, 64);
  const Code exact = SolvePatch(many, short_patch.Row(0), 0.0F);
  EXPECT_LE(WorstKkt(many, short_patch.Row(0), Dense(exact, 30), 0.0, false), 1e-4);
}

// ---- What breaks naive homotopies ----

TEST(Lars, CopiesOfAtoms) {
  FloatMatrix atoms = RandomUnitRows(40, 12, 71);
  for (std::size_t j = 20; j < 40; ++j) {
    const float sign = j % 3 == 0 ? -1.0F : 1.0F;  // copies and mirror images
    for (std::size_t i = 0; i < 12; ++i) atoms(j, i) = sign * atoms(j - 20, i);
  }
  const FloatMatrix patches = PlantedPatches(10, atoms, 72);
  for (const bool nonnegative : {false, true}) {
    for (std::size_t row = 0; row < patches.rows(); ++row) {
      SCOPED_TRACE("patch " + std::to_string(row));
      const Code code = SolvePatch(atoms, patches.Row(row), 0.05F, nonnegative);
      ExpectSolved(atoms, patches.Row(row), code, 0.05F, nonnegative);
      EXPECT_LE(code.indices.size(), 12U);
    }
  }
}

TEST(Lars, AtomsThatAlmostDependAreLeftToCoordinateDescent) {
  int passed_over = 0;
  for (const double noise : {3e-4, 1e-4, 1e-5}) {
    const FloatMatrix atoms = CoherentRows(40, 16, 8, noise);
    const FloatMatrix patches = RandomUnitRows(10, 16, 73);
    for (std::size_t row = 0; row < patches.rows(); ++row) {
      SCOPED_TRACE("noise " + std::to_string(noise) + ", patch " + std::to_string(row));
      const Code code = SolvePatch(atoms, patches.Row(row), 0.05F);
      EXPECT_LE(WorstKkt(atoms, patches.Row(row), Dense(code, 40), static_cast<double>(0.05F), false), 1e-4);
      EXPECT_LE(code.trace.largest_violation, 1e-4F);
      passed_over += code.trace.passed_over;
    }
  }
  EXPECT_GT(passed_over, 0) << "problems too easy: no pivot was ever too small";
}

TEST(Lars, AtomsOfNormZeroAreNeverUsed) {
  FloatMatrix atoms = RandomUnitRows(30, 10, 74);
  for (const std::size_t j : {0U, 7U, 29U}) std::fill(atoms.Row(j).begin(), atoms.Row(j).end(), 0.0F);
  const FloatMatrix patches = PlantedPatches(8, RandomUnitRows(30, 10, 74), 75);
  for (const float lambda : {0.05F, 0.0F}) {
    for (std::size_t row = 0; row < patches.rows(); ++row) {
      const Code code = SolvePatch(atoms, patches.Row(row), lambda);
      EXPECT_LE(WorstKkt(atoms, patches.Row(row), Dense(code, 30), static_cast<double>(lambda), false), 1e-4);
      for (const std::int32_t index : code.indices) EXPECT_TRUE(index != 0 && index != 7 && index != 29) << index;
    }
  }
  const FloatMatrix nothing(3, 10);
  EXPECT_TRUE(SolvePatch(nothing, patches.Row(0), 0.05F).indices.empty());
}

TEST(Lars, TiesOfOrthogonalAtoms) {
  // Every atom is at the level from the start: all join before it has fallen.
  FloatMatrix atoms(20, 20);
  for (std::size_t j = 0; j < 20; ++j) atoms(j, j) = 1.0F;
  std::vector<float> patch(20, 0.5F);
  for (std::size_t j = 0; j < 20; j += 2) patch[j] = -0.5F;
  const Code code = SolvePatch(atoms, patch, 0.25F);
  ASSERT_EQ(code.indices.size(), 20U);
  for (std::size_t j = 0; j < 20; ++j) EXPECT_FLOAT_EQ(code.weights[j], j % 2 == 0 ? -0.25F : 0.25F);
  EXPECT_EQ(SolvePatch(atoms, patch, 0.25F, true).indices.size(), 10U);
}

TEST(Lars, TiesOfDependentAtoms) {
  // All vectors of (+-1, 0)^4 but zero, normalised, and a patch as regular as they are: ties and dependence everywhere.
  FloatMatrix atoms(80, 4);
  std::size_t row = 0;
  for (std::size_t number = 0; number < 81; ++number) {
    if (number == 40) continue;  // the zero vector
    std::size_t digits = number;
    for (std::size_t i = 0; i < 4; ++i, digits /= 3) atoms(row, i) = static_cast<float>(digits % 3) - 1.0F;
    ScaleToNorm(atoms.Row(row), 1.0);
    ++row;
  }
  const std::vector<std::vector<float>> patches = {
      {0.5F, 0.5F, 0.5F, 0.5F}, {1.0F, 0.0F, 0.0F, 0.0F}, {0.8F, 0.6F, 0.0F, 0.0F}, {0.9F, 0.3F, 0.3F, 0.1F}};
  for (const std::vector<float>& patch : patches) {
    for (const float lambda : {0.3F, 0.01F}) {
      for (const bool nonnegative : {false, true}) {
        ExpectSolved(atoms, patch, SolvePatch(atoms, patch, lambda, nonnegative), lambda, nonnegative);
      }
    }
  }
}

TEST(Lars, ManyProblemsFullOfTies) {
  int passed_over = 0;
  for (std::uint64_t seed = 0; seed < 20000; ++seed) {
    Rng rng(seed, 76);
    FloatMatrix atoms(1 + rng.Below(40), 1 + rng.Below(12));
    FloatMatrix patch(1, atoms.cols());
    for (std::size_t j = 0; j < atoms.rows(); ++j) {
      for (float& value : atoms.Row(j)) value = static_cast<float>(rng.Below(3)) - 1.0F;
      if (DotInDouble(atoms.Row(j), atoms.Row(j)) > 0.0) ScaleToNorm(atoms.Row(j), 1.0);
    }
    for (float& value : patch.Row(0)) value = static_cast<float>(rng.Below(5)) - 2.0F;
    const auto lambda = static_cast<float>(rng.Chance(0.1) ? 0.0 : std::exp(rng.Uniform(-6.0, 0.0)));
    const bool nonnegative = rng.Chance(0.3);
    const Code code = SolvePatch(atoms, patch.Row(0), lambda, nonnegative);
    const std::vector<double> dense = Dense(code, atoms.rows());
    const double scale = std::sqrt(DotInDouble(patch.Row(0), patch.Row(0)));
    ASSERT_LE(WorstKkt(atoms, patch.Row(0), dense, static_cast<double>(lambda), nonnegative), 1e-4 * scale) << seed;
    const int events = code.trace.joins + code.trace.leaves + code.trace.passed_over;
    ASSERT_LT(events, 4 * static_cast<int>(atoms.rows())) << "seed " << seed << " goes in circles";
    ASSERT_TRUE(!nonnegative || std::none_of(dense.begin(), dense.end(), [](double w) { return w < 0.0; })) << seed;
    passed_over += code.trace.passed_over;
  }
  EXPECT_GT(passed_over, 1000);
}

TEST(Lars, CoordinateDescentFinishesWhereWalkingEnds) {
  FloatMatrix atoms = RandomUnitRows(60, 24, 81);
  Shorten(atoms, 0.4, 82);
  const FloatMatrix patches = RandomUnitRows(6, 24, 83);
  const PaddedRows gram = GramOf(atoms);
  for (const std::size_t most_steps : {0U, 1U, 5U}) {
    LarsSolver solver(ActiveKernels(), atoms.rows(), most_steps);
    for (std::size_t row = 0; row < patches.rows(); ++row) {
      for (const bool nonnegative : {false, true}) {
        const PaddedRows correlations = CorrelationsOf(atoms, patches.Row(row));
        const Code code = SolveGram(solver, gram, correlations, 0.03F, nonnegative);
        EXPECT_GT(code.trace.descent_cycles, 0);
        EXPECT_LE(code.trace.joins, static_cast<int>(most_steps));
        ExpectSolved(atoms, patches.Row(row), code, 0.03F, nonnegative);
      }
    }
  }
}

TEST(Lars, ScalesWithThePatch) {
  const FloatMatrix atoms = RandomUnitRows(50, 20, 84);
  const FloatMatrix patch = RandomUnitRows(1, 20, 85);
  const Code code = SolvePatch(atoms, patch.Row(0), 0.05F);
  for (const float scale : {1024.0F, 1.0F / 1024.0F}) {
    std::vector<float> scaled(patch.Row(0).begin(), patch.Row(0).end());
    for (float& value : scaled) value *= scale;
    const Code other = SolvePatch(atoms, scaled, 0.05F * scale);
    ASSERT_EQ(other.indices, code.indices);
    for (std::size_t k = 0; k < code.weights.size(); ++k) {
      EXPECT_NEAR(other.weights[k] / scale, code.weights[k], 1e-5);
    }
  }
}

// ---- The solver as an object ----

TEST(Lars, ACodeDoesNotDependOnWhatWasSolvedBefore) {
  const FloatMatrix atoms = CoherentRows(50, 20, 10, 1e-4);
  const FloatMatrix patches = RandomUnitRows(10, 20, 91);
  const PaddedRows gram = GramOf(atoms);
  LarsSolver used(ActiveKernels(), atoms.rows());
  for (std::size_t row = 0; row < patches.rows(); ++row) {
    const PaddedRows correlations = CorrelationsOf(atoms, patches.Row(row));
    const Code code = SolveGram(used, gram, correlations, 0.05F);
    LarsSolver fresh(ActiveKernels(), atoms.rows());
    const Code again = SolveGram(fresh, gram, correlations, 0.05F);
    EXPECT_EQ(code.indices, again.indices);
    EXPECT_EQ(code.weights, again.weights);
  }
}

TEST(Lars, RowsMayBeFartherApartThanNeeded) {
  const FloatMatrix atoms = RandomUnitRows(20, 12, 92);
  const FloatMatrix patch = RandomUnitRows(1, 12, 93);
  const PaddedRows tight_gram = GramOf(atoms);
  const PaddedRows tight_row = CorrelationsOf(atoms, patch.Row(0));
  PaddedRows gram(20, 60);
  PaddedRows correlations(1, 60);
  for (std::size_t j = 0; j < 20; ++j) gram.Set(j, tight_gram.Values(j));
  correlations.Set(0, tight_row.Values(0));
  LarsSolver solver(ActiveKernels(), 20);
  const Code tight = SolveGram(solver, tight_gram, tight_row, 0.05F);
  const Code wide = SolveGram(solver, gram, correlations, 0.05F);
  const Code tight_again = SolveGram(solver, tight_gram, tight_row, 0.05F);
  EXPECT_FALSE(tight.indices.empty());
  EXPECT_EQ(wide.indices, tight.indices);
  EXPECT_EQ(wide.weights, tight.weights);
  EXPECT_EQ(tight_again.weights, tight.weights);
}

TEST(Lars, AllInstructionSetsAgree) {
  const FloatMatrix atoms = RandomUnitRows(70, 30, 94);
  const FloatMatrix patches = PlantedPatches(5, atoms, 95);
  const PaddedRows gram = GramOf(atoms);
  LarsSolver plain(KernelsFor("plain"), atoms.rows());
  for (const std::string& name : SimdTargets()) {
    LarsSolver solver(KernelsFor(name), atoms.rows());
    for (std::size_t row = 0; row < patches.rows(); ++row) {
      const PaddedRows correlations = CorrelationsOf(atoms, patches.Row(row));
      const Code expected = SolveGram(plain, gram, correlations, 0.05F);
      const Code code = SolveGram(solver, gram, correlations, 0.05F);
      ASSERT_EQ(code.indices, expected.indices) << name;
      for (std::size_t k = 0; k < code.weights.size(); ++k) EXPECT_NEAR(code.weights[k], expected.weights[k], 1e-6);
    }
  }
}

TEST(Lars, RefusesProblemsThatAreNone) {
  const PaddedRows rows(20, 20);
  std::vector<std::int32_t> indices;
  std::vector<float> weights;
  LarsSolver solver(KernelsFor("plain"), 20);
  const auto solve = [&](std::size_t stride, float lambda) {
    solver.Solve(
        {.gram = rows.data(), .stride = stride, .correlations = rows.data(), .lambda = lambda}, indices, weights);
  };
  for (const std::size_t stride : {16U, 24U}) {
    const CaughtError error = ExpectError([&] { solve(stride, 0.1F); });
    EXPECT_EQ(error.code, ErrorCode::kInternal);
    EXPECT_NE(error.text.find("rows of the Gram matrix must be at least 20 floats"), std::string::npos) << error.text;
  }
  for (const float lambda : {-0.1F, std::nanf("")}) {
    const CaughtError error = ExpectError([&] { solve(32, lambda); });
    EXPECT_EQ(error.code, ErrorCode::kInternal);
    EXPECT_NE(error.text.find("lambda must not be negative"), std::string::npos) << error.text;
  }
}

}  // namespace
}  // namespace flyscribe
