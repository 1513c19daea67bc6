#include "sparse/learn.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "sparse/encoder.h"
#include "tests/sparse/every_set.h"
#include "tests/sparse/naive_lasso.h"
#include "tests/sparse/random_patches.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

using ::testing::HasSubstr;
using Solver = LearnOptions::Solver;

LearnOptions OnlineOptions(int atoms, int epochs, int batch, Solver solver = Solver::kLars) {
  LearnOptions options;
  options.method = LearnOptions::Method::kOnline;
  options.atoms = atoms;
  options.epochs = epochs;
  options.batch = batch;
  options.solver = solver;
  return options;
}

LearnResult LearnFrom(const FloatMatrix& patches, const LearnOptions& options, const LearnControl& control = {}) {
  return Learn(patches, AllRows(patches), options, control, NoProgress());
}

FloatMatrix FirstAtoms(const FloatMatrix& patches, const LearnOptions& options) {
  return InitialDictionary(patches, AllRows(patches), static_cast<std::size_t>(options.atoms), options.seed);
}

// online.cc in double precision: A and B in full, one atom after the other. How patches are dealt to batches and the
// order of these repeat the learner's choice of random streams.
class NaiveOnline {
 public:
  NaiveOnline(const FloatMatrix& patches, const LearnOptions& options)
      : NaiveOnline(patches, FirstAtoms(patches, options), options) {}
  NaiveOnline(const FloatMatrix& patches, const FloatMatrix& initial, const LearnOptions& options)
      : patches_(patches),
        options_(options),
        dealt_(Order(patches.rows(), std::uint64_t{1} << 40)),
        atoms_(InDouble(initial)),
        a_(atoms_.rows(), atoms_.rows()),
        b_(atoms_.rows(), atoms_.cols()) {
    for (std::size_t j = 0; options_.nonnegative_atoms && j < atoms_.rows(); ++j) {
      for (double& value : atoms_.Row(j)) value = std::max(0.0, value);
    }
  }

  // Returns the running objective.
  double RunEpoch() {
    const auto eta = static_cast<std::size_t>(options_.batch);
    double sum = 0.0;
    for (const std::size_t batch : Order((dealt_.size() + eta - 1) / eta, ++epoch_)) {
      const std::size_t end = std::min(dealt_.size(), (batch + 1) * eta);
      sum += VisitBatch({dealt_.begin() + static_cast<std::ptrdiff_t>(batch * eta),
                         dealt_.begin() + static_cast<std::ptrdiff_t>(end)});
    }
    return sum / static_cast<double>(dealt_.size());
  }

  const Matrix<double>& atoms() const { return atoms_; }
  const Matrix<double>& a() const { return a_; }
  const Matrix<double>& b() const { return b_; }

 private:
  std::vector<std::size_t> Order(std::size_t count, std::uint64_t stream) const {
    std::vector<std::size_t> order(count);
    for (std::size_t i = 0; i < count; ++i) order[i] = i;
    if (options_.patch_order == LearnOptions::PatchOrder::kShuffled) {
      Rng(static_cast<std::uint64_t>(options_.seed), stream).Shuffle(order);
    }
    return order;
  }

  double VisitBatch(const std::vector<std::size_t>& items) {
    const double eta = options_.batch;
    const double t = ++batches_;
    const double theta = t < eta ? t * eta : eta * eta + t - eta;
    const double beta = (theta + 1.0 - eta) / (theta + 1.0);
    for (std::size_t j = 0; j < atoms_.rows(); ++j) {
      for (double& value : a_.Row(j)) value *= beta;
      for (double& value : b_.Row(j)) value *= beta;
    }
    double objective = 0.0;
    for (const std::size_t item : items) {
      const NaiveLasso lasso = {patches_.Row(item), atoms_, options_.lambda, options_.nonnegative};
      const std::vector<double> z = lasso.Solve();
      objective += lasso.Objective(z);
      for (std::size_t j = 0; j < z.size(); ++j) {
        for (std::size_t k = 0; k < z.size(); ++k) a_(j, k) += z[j] * z[k];
        for (std::size_t i = 0; i < atoms_.cols(); ++i) b_(j, i) += z[j] * static_cast<double>(patches_(item, i));
      }
    }
    for (std::size_t j = 0; j < atoms_.rows(); ++j) MoveAtom(j);
    return objective;
  }

  void MoveAtom(std::size_t j) {
    if (a_(j, j) == 0.0) return;
    std::vector<double> moved(atoms_.cols());
    double norm = 0.0;
    for (std::size_t i = 0; i < moved.size(); ++i) {
      double sum = 0.0;
      for (std::size_t k = 0; k < atoms_.rows(); ++k) sum += a_(j, k) * atoms_(k, i);
      moved[i] = atoms_(j, i) + (b_(j, i) - sum) / a_(j, j);
      if (options_.nonnegative_atoms) moved[i] = std::max(0.0, moved[i]);
      norm += moved[i] * moved[i];
    }
    const double scale = std::max(1.0, std::sqrt(norm));
    for (std::size_t i = 0; i < moved.size(); ++i) atoms_(j, i) = moved[i] / scale;
  }

  const FloatMatrix& patches_;
  LearnOptions options_;
  std::vector<std::size_t> dealt_;
  Matrix<double> atoms_;
  Matrix<double> a_;
  Matrix<double> b_;
  std::uint64_t epoch_ = 0;
  int batches_ = 0;
};

void ExpectNear(const FloatMatrix& found, const Matrix<double>& expected, double tolerance) {
  ASSERT_EQ(found.rows(), expected.rows());
  for (std::size_t j = 0; j < expected.rows(); ++j) {
    for (std::size_t i = 0; i < expected.cols(); ++i) {
      ASSERT_NEAR(found(j, i), expected(j, i), tolerance * std::max(1.0, std::abs(expected(j, i)))) << j << ", " << i;
    }
  }
}

// Moments are A and B side by side.
void ExpectMoments(const FloatMatrix& moments, const NaiveOnline& naive, double tolerance) {
  const std::size_t atoms = naive.a().rows();
  ASSERT_EQ(moments.cols(), atoms + naive.b().cols());
  FloatMatrix a(atoms, atoms);
  FloatMatrix b(atoms, naive.b().cols());
  for (std::size_t j = 0; j < atoms; ++j) {
    std::copy_n(moments.Row(j).begin(), atoms, a.Row(j).begin());
    std::copy_n(moments.Row(j).begin() + static_cast<std::ptrdiff_t>(atoms), b.cols(), b.Row(j).begin());
  }
  ExpectNear(a, naive.a(), tolerance);
  ExpectNear(b, naive.b(), tolerance);
}

class OnlineTest : public EverySetTest {
 protected:
  void ExpectFollowsTheEquations(const LearnOptions& options, double tolerance) const {
    SCOPED_TRACE(KeyText(options));
    const FloatMatrix patches = ClusteredPatches(30, 20, 5, 0.1, 1);
    NaiveOnline naive(patches, options);
    const auto after_epoch = [&](const LearnPause& pause) {
      const LearnState state = pause.State();
      EXPECT_NEAR(state.objective_per_epoch.back(), naive.RunEpoch(), tolerance);
      ASSERT_NO_FATAL_FAILURE(ExpectNear(state.atoms, naive.atoms(), tolerance));
      ASSERT_NO_FATAL_FAILURE(ExpectMoments(state.moments, naive, tolerance));
    };
    const LearnResult result = LearnFrom(patches, options, {.after_epoch = after_epoch});
    EXPECT_NEAR(result.dictionary.summary.Objective(), naive.RunEpoch(), tolerance);
    ExpectNear(result.dictionary.atoms, naive.atoms(), tolerance);
  }
};
INSTANTIATE_TEST_SUITE_P(EverySet, OnlineTest, ::testing::ValuesIn(SimdTargets()), SetName);

// 30 patches in batches of 4: the last one is short.
TEST_P(OnlineTest, FollowsTheEquations) {
  for (const int batch : {1, 4, 30}) {
    for (const auto order : {LearnOptions::PatchOrder::kFile, LearnOptions::PatchOrder::kShuffled}) {
      LearnOptions options = OnlineOptions(7, 3, batch);
      options.patch_order = order;
      ExpectFollowsTheEquations(options, 1e-4);
      options.nonnegative_atoms = true;
      ExpectFollowsTheEquations(options, 1e-4);
      options.nonnegative_atoms = false;
      options.nonnegative = true;
      ExpectFollowsTheEquations(options, 1e-4);
      options.solver = Solver::kDescent;
      ExpectFollowsTheEquations(options, 1e-2);
    }
  }
}

TEST_P(OnlineTest, SameBytesForAnyNumberOfThreads) {
  const FloatMatrix patches = ClusteredPatches(400, 24, 12, 0.1, 4);
  for (const Solver solver : {Solver::kLars, Solver::kDescent}) {
    // More atoms than share a matrix product, and more patches in a batch than share an item of the encoder.
    const LearnOptions options = OnlineOptions(140, 2, 300, solver);
    const LearnResult one = LearnFrom(patches, options, {.threads = 1});
    for (const int threads : {2, 3}) {
      const LearnResult several = LearnFrom(patches, options, {.threads = threads});
      EXPECT_EQ(one.dictionary.atoms, several.dictionary.atoms);
      EXPECT_EQ(one.codes, several.codes);
      EXPECT_EQ(one.dictionary.summary, several.dictionary.summary);
    }
  }
}

// More atoms than one block of step 3 holds, and patches made of atoms from all blocks.
TEST_P(OnlineTest, ManyAtomsFollowTheEquations) {
  const FloatMatrix initial = RandomUnitRows(150, 64, 2);
  const FloatMatrix patches = PlantedPatches(200, initial, 3);
  const LearnOptions options = OnlineOptions(150, 1, 100);
  NaiveOnline naive(patches, initial, options);
  const double objective = naive.RunEpoch();
  const LearnResult result = LearnFrom(patches, options, {.initial = &initial});
  EXPECT_NEAR(result.dictionary.summary.Objective(), objective, 1e-5);
  ExpectNear(result.dictionary.atoms, naive.atoms(), 1e-4);
}

TEST(Online, LarsAndDescentAgree) {
  const std::vector<FloatMatrix> sets = {PlantedPatches(600, RandomUnitRows(20, 32, 5), 6),
                                         ClusteredPatches(600, 32, 20, 0.1, 7),
                                         RandomUnitRows(600, 32, 8)};
  for (const FloatMatrix& patches : sets) {
    for (const bool nonnegative : {false, true}) {
      LearnOptions options = OnlineOptions(40, 3, 50);
      options.nonnegative = nonnegative;
      const std::vector<double> lars = LearnFrom(patches, options).dictionary.summary.objective_per_epoch;
      options.solver = Solver::kDescent;
      const std::vector<double> descent = LearnFrom(patches, options).dictionary.summary.objective_per_epoch;
      for (std::size_t epoch = 0; epoch < 3; ++epoch) EXPECT_NEAR(lars[epoch], descent[epoch], 1e-3);
    }
  }
}

TEST(Online, ObjectiveNeverRisesAndPlantedAtomsAreFound) {
  const FloatMatrix planted = RandomUnitRows(10, 32, 7);
  const FloatMatrix patches = PlantedPatches(1000, planted, 8);
  for (const Solver solver : {Solver::kLars, Solver::kDescent}) {
    const LearnResult result = LearnFrom(patches, OnlineOptions(20, 5, 32, solver));
    const std::vector<double>& objective = result.dictionary.summary.objective_per_epoch;
    ASSERT_EQ(objective.size(), 5U);
    for (std::size_t epoch = 1; epoch < 5; ++epoch) EXPECT_LE(objective[epoch], objective[epoch - 1] * (1.0 + 1e-3));
    EXPECT_LT(objective.back(), 0.97 * objective.front());
    EXPECT_GE(FoundAtoms(planted, result.dictionary.atoms, 0.95), 9U);
  }
}

TEST(Online, CodesAreOptimalForTheDictionaryOfTheirBatch) {
  // One batch: its dictionary is the first one.
  const FloatMatrix patches = ClusteredPatches(50, 24, 8, 0.1, 9);
  for (const Solver solver : {Solver::kLars, Solver::kDescent}) {
    const LearnOptions options = OnlineOptions(30, 1, 50, solver);
    const Matrix<double> atoms = InDouble(FirstAtoms(patches, options));
    const LearnResult result = LearnFrom(patches, options);
    for (std::size_t row = 0; row < 50; ++row) {
      const NaiveLasso lasso = {patches.Row(row), atoms, options.lambda};
      EXPECT_LE(lasso.Violation(DenseCode(result.codes, row)), 1.1e-4);
    }
  }
}

TEST(Online, AtomsStayInTheUnitBall) {
  const FloatMatrix patches = RandomUnitRows(200, 16, 10);
  LearnOptions options = OnlineOptions(30, 3, 20);
  options.projection = LearnOptions::Projection::kSphere;  // is for the other methods
  const LearnResult result = LearnFrom(patches, options);
  for (std::size_t j = 0; j < 30; ++j) {
    const std::span<const float> atom = result.dictionary.atoms.Row(j);
    EXPECT_LE(ExactDot(atom.data(), atom.data(), atom.size()), 1.0 + 1e-5);
  }
}

TEST(OnlineErrors, TooManyAtoms) {
  const FloatMatrix patches = RandomUnitRows(2, 2, 11);
  const CaughtError error = ExpectError([&] { LearnFrom(patches, OnlineOptions(16385, 1, 1)); });
  EXPECT_EQ(error.code, ErrorCode::kUsage);
  EXPECT_THAT(error.text, HasSubstr("online learning keeps statistics of atoms x atoms numbers: 16385 atoms are too"));
  EXPECT_THAT(error.text, HasSubstr("hint: use at most 16384 atoms, or learn.method: scc-minibatch"));
}

}  // namespace
}  // namespace flyscribe
