#include "sparse/learn.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "sparse/encoder.h"
#include "tests/sparse/every_set.h"
#include "tests/sparse/naive_lasso.h"
#include "tests/sparse/random_patches.h"

namespace flyscribe {
namespace {

LearnOptions MinibatchOptions(int atoms, int epochs, int batch) {
  LearnOptions options;
  options.method = LearnOptions::Method::kSccMinibatch;
  options.atoms = atoms;
  options.epochs = epochs;
  options.batch = batch;
  return options;
}

LearnResult LearnFrom(const FloatMatrix& patches, const LearnOptions& options, const LearnControl& control = {}) {
  return Learn(patches, AllRows(patches), options, control, NoProgress());
}

FloatMatrix FirstAtoms(const FloatMatrix& patches, const LearnOptions& options) {
  return InitialDictionary(patches, AllRows(patches), static_cast<std::size_t>(options.atoms), options.seed);
}

// The mean over the patches, each with the best code there is.
double ExactObjective(const FloatMatrix& patches, const FloatMatrix& atoms, double lambda) {
  return Encode(patches, atoms, {.lambda = lambda}, EncodeOptions{}, NoProgress()).objective;
}

// Steps 2 and 3 of minibatch.cc in double precision, for a batch whose codes are given.
class NaiveDictionary {
 public:
  NaiveDictionary(const FloatMatrix& initial, const LearnOptions& options)
      : options_(options), curvature_(initial.rows(), 0.0) {
    SetAtoms(initial);
  }

  void SetAtoms(const FloatMatrix& atoms) {
    atoms_.clear();
    for (std::size_t j = 0; j < atoms.rows(); ++j) atoms_.emplace_back(atoms.Row(j).begin(), atoms.Row(j).end());
  }

  // Patches first .. first + count - 1 are the batch.
  void VisitBatch(const FloatMatrix& patches, const SparseCodes& codes, std::size_t first, std::size_t count) {
    const double window = options_.memory * static_cast<double>(++batches_);
    const double kept = std::max(1.0 - options_.forgetting, 1.0 - 1.0 / std::max(1.0, window));
    for (double& h : curvature_) h *= kept;
    std::vector<std::vector<double>> z;
    std::vector<std::vector<double>> r;
    for (std::size_t row = first; row < first + count; ++row) {
      z.push_back(DenseCode(codes, row));
      r.emplace_back(patches.Row(row).begin(), patches.Row(row).end());
      for (std::size_t j = 0; j < atoms_.size(); ++j) AddScaled(-z.back()[j], atoms_[j], r.back());
    }
    for (std::size_t j = 0; j < atoms_.size(); ++j) MoveAtom(j, z, r);
  }

  const std::vector<double>& curvature() const { return curvature_; }

  void ExpectAtoms(const FloatMatrix& atoms, double tolerance) const {
    for (std::size_t j = 0; j < atoms_.size(); ++j) {
      for (std::size_t i = 0; i < atoms.cols(); ++i) ASSERT_NEAR(atoms(j, i), atoms_[j][i], tolerance) << "atom " << j;
    }
  }

 private:
  static void AddScaled(double scale, const std::vector<double>& x, std::vector<double>& y) {
    for (std::size_t i = 0; i < x.size(); ++i) y[i] += scale * x[i];
  }

  void MoveAtom(std::size_t j, const std::vector<std::vector<double>>& z, std::vector<std::vector<double>>& r) {
    std::vector<double> gradient(atoms_[j].size(), 0.0);
    double squares = 0.0;
    for (std::size_t i = 0; i < z.size(); ++i) {
      squares += z[i][j] * z[i][j];
      AddScaled(z[i][j], r[i], gradient);
    }
    curvature_[j] += squares;
    if (squares == 0.0) return;  // not used by this batch
    const std::vector<double> before = atoms_[j];
    AddScaled(1.0 / curvature_[j], gradient, atoms_[j]);
    for (double& value : atoms_[j]) {
      if (options_.nonnegative_atoms) value = std::max(0.0, value);
    }
    double norm = 0.0;
    for (const double value : atoms_[j]) norm += value * value;
    norm = std::sqrt(norm);
    if (norm > 1.0 || options_.projection == LearnOptions::Projection::kSphere) {
      for (double& value : atoms_[j]) value /= norm;
    }
    for (std::size_t i = 0; i < z.size(); ++i) {
      AddScaled(z[i][j], before, r[i]);
      AddScaled(-z[i][j], atoms_[j], r[i]);
    }
  }

  LearnOptions options_;
  std::vector<std::vector<double>> atoms_;
  std::vector<double> curvature_;
  int batches_ = 0;
};

class MinibatchTest : public EverySetTest {};
INSTANTIATE_TEST_SUITE_P(EverySet, MinibatchTest, ::testing::ValuesIn(SimdTargets()), SetName);

// All patches are one batch, so that what lies between two epochs is what lies between two visits.
TEST_P(MinibatchTest, TheDictionaryFollowsTheEquations) {
  const FloatMatrix patches = ClusteredPatches(80, 20, 6, 0.1, 1);
  for (const int variant : {0, 1, 2, 3}) {
    LearnOptions options = MinibatchOptions(11, 5, 80);
    options.projection = variant % 2 == 0 ? LearnOptions::Projection::kBall : LearnOptions::Projection::kSphere;
    options.nonnegative_atoms = variant >= 2;
    options.forgetting = 0.6;  // so that both sides of f's maximum have their turn
    options.memory = 0.9;
    FloatMatrix atoms = FirstAtoms(patches, options);
    for (std::size_t j = 0; options.nonnegative_atoms && j < 11; ++j) {
      for (float& value : atoms.Row(j)) value = std::max(0.0F, value);
      if (options.OnSphere()) ScaleToNorm(atoms.Row(j), 1.0);
    }
    NaiveDictionary naive(atoms, options);
    const auto check = [&](const FloatMatrix& found, const SparseCodes& codes, double objective) {
      double expected = 0.0;
      for (std::size_t row = 0; row < 80; ++row) {
        expected += NaiveObjective(patches.Row(row), atoms, DenseCode(codes, row), options.lambda) / 80.0;
      }
      EXPECT_NEAR(objective, expected, 1e-6);
      naive.SetAtoms(atoms);
      naive.VisitBatch(patches, codes, 0, 80);
      naive.ExpectAtoms(found, 1e-5);
      atoms = found;
    };
    const auto after_epoch = [&](const LearnPause& pause) {
      const LearnState state = pause.State();
      check(state.atoms, state.codes, state.objective_per_epoch.back());
      for (std::size_t j = 0; j < 11; ++j) EXPECT_NEAR(state.curvature[j], naive.curvature()[j], 1e-9);
      EXPECT_EQ(state.steps, static_cast<std::uint64_t>(state.epochs_done));
    };
    const LearnResult result = LearnFrom(patches, options, {.after_epoch = after_epoch});
    check(result.dictionary.atoms, result.codes, result.dictionary.summary.Objective());
  }
}

TEST_P(MinibatchTest, BatchesFollowOneAnother) {
  const FloatMatrix patches = ClusteredPatches(70, 20, 6, 0.1, 2);
  LearnOptions options = MinibatchOptions(9, 1, 40);
  options.patch_order = LearnOptions::PatchOrder::kFile;
  const FloatMatrix initial = FirstAtoms(patches, options);
  const LearnControl control = {.initial = &initial};
  std::vector<std::size_t> first_batch = AllRows(patches);
  first_batch.resize(40);
  const LearnResult first = Learn(patches, first_batch, options, control, NoProgress());
  const LearnResult both = LearnFrom(patches, options, control);
  for (std::size_t row = 0; row < 40; ++row) EXPECT_EQ(DenseCode(both.codes, row), DenseCode(first.codes, row));
  NaiveDictionary naive(initial, options);
  naive.VisitBatch(patches, both.codes, 0, 40);
  naive.ExpectAtoms(first.dictionary.atoms, 1e-5);
  naive.VisitBatch(patches, both.codes, 40, 30);
  naive.ExpectAtoms(both.dictionary.atoms, 1e-5);
}

// With enough cycles, the codes of a visit are optimal over their support, but for what a last cycle may leave.
TEST_P(MinibatchTest, CodesAreSolvedOverTheirSupport) {
  const FloatMatrix patches = ClusteredPatches(60, 32, 8, 0.1, 3);
  for (const bool nonnegative : {false, true}) {
    LearnOptions options = MinibatchOptions(30, 1, 60);
    options.cd_steps = 1000;
    options.nonnegative = nonnegative;
    const Matrix<double> atoms = InDouble(FirstAtoms(patches, options));
    const LearnResult result = LearnFrom(patches, options, {});
    std::size_t used = 0;
    for (std::size_t row = 0; row < 60; ++row) {
      const std::vector<double> code = DenseCode(result.codes, row);
      const NaiveLasso lasso = {patches.Row(row), atoms, options.lambda, nonnegative};
      const std::vector<double> r = lasso.Residual(code);
      for (std::size_t j = 0; j < 30; ++j) {
        if (code[j] == 0.0) continue;
        ++used;
        EXPECT_NEAR(lasso.AtomTimes(j, r), std::copysign(options.lambda, code[j]), 0.01 * options.lambda);
        EXPECT_TRUE(code[j] > 0.0 || !nonnegative);
      }
      EXPECT_LE(lasso.Objective(code), 0.5 + 1e-6);
    }
    EXPECT_GE(used, 60U);
  }
}

// Only few atoms are let in from zero, by what they say at first; those left out have their turn in the second visit.
TEST_P(MinibatchTest, TheSecondVisitFindsWhatTheFirstLeftOut) {
  const FloatMatrix patches = ClusteredPatches(60, 32, 8, 0.1, 3);
  for (const bool nonnegative : {false, true}) {
    LearnOptions options = MinibatchOptions(30, 1, 60);  // one batch: the dictionary moves between the visits alone
    options.cd_steps = 1000;
    options.nonnegative = nonnegative;
    FloatMatrix atoms = FirstAtoms(patches, options);
    for (const double share : {1.3, 1.02}) {
      const LearnResult result = LearnFrom(patches, options, {});
      for (std::size_t row = 0; row < 60; ++row) {
        const NaiveLasso lasso = {patches.Row(row), InDouble(atoms), options.lambda, nonnegative};
        EXPECT_LE(lasso.Objective(DenseCode(result.codes, row)), share * lasso.Objective(lasso.Solve()))
            << "visit " << options.epochs << ", patch " << row;
      }
      atoms = result.dictionary.atoms;
      ++options.epochs;
    }
  }
}

TEST_P(MinibatchTest, SameBytesForAnyNumberOfThreads) {
  const FloatMatrix patches = ClusteredPatches(900, 24, 12, 0.1, 4);
  const LearnOptions options = MinibatchOptions(40, 3, 200);
  const LearnResult one = LearnFrom(patches, options, {.threads = 1});
  for (const int threads : {2, 3}) {
    const LearnResult several = LearnFrom(patches, options, {.threads = threads});
    EXPECT_EQ(one.dictionary.atoms, several.dictionary.atoms);
    EXPECT_EQ(one.codes, several.codes);
    EXPECT_EQ(one.dictionary.summary, several.dictionary.summary);
  }
}

TEST(Minibatch, ObjectiveNeverRises) {
  const std::vector<FloatMatrix> sets = {PlantedPatches(2000, RandomUnitRows(10, 32, 7), 8),
                                         ClusteredPatches(2000, 32, 20, 0.1, 9),
                                         RandomUnitRows(2000, 32, 10)};
  for (const FloatMatrix& patches : sets) {
    for (const int batch : {50, 512}) {
      const LearnResult result = LearnFrom(patches, MinibatchOptions(40, 6, batch));
      const std::vector<double>& objective = result.dictionary.summary.objective_per_epoch;
      ASSERT_EQ(objective.size(), 6U);
      for (std::size_t epoch = 1; epoch < objective.size(); ++epoch) {
        EXPECT_LE(objective[epoch], objective[epoch - 1] * (1.0 + 1e-3)) << "epoch " << epoch + 1;
      }
      EXPECT_LT(objective.back(), 0.99 * objective.front());
    }
  }
}

TEST(Minibatch, FindsPlantedAtoms) {
  const FloatMatrix planted = RandomUnitRows(10, 32, 7);
  const FloatMatrix patches = PlantedPatches(2000, planted, 8);
  const LearnResult result = LearnFrom(patches, MinibatchOptions(20, 10, 64));
  EXPECT_GE(FoundAtoms(planted, result.dictionary.atoms, 0.95), 9U);
}

// On descriptors of real images it is a little better than online learning; on such patches it is level with it. Both
// need some hundred batches for that.
TEST(Minibatch, IsAsGoodAsOnlineLearningAndBetterThanScc) {
  const std::vector<FloatMatrix> sets = {PlantedPatches(3000, RandomUnitRows(30, 32, 11), 12),
                                         ClusteredPatches(3000, 32, 40, 0.2, 13)};
  for (const FloatMatrix& patches : sets) {
    LearnOptions options = MinibatchOptions(48, 4, 32);
    const auto learn = [&](LearnOptions::Method method) {
      options.method = method;
      const LearnResult result = LearnFrom(patches, options);
      return ExactObjective(patches, result.dictionary.atoms, options.lambda);
    };
    const double reached = learn(LearnOptions::Method::kSccMinibatch);
    EXPECT_LE(reached, 1.005 * learn(LearnOptions::Method::kOnline));
    EXPECT_LE(reached, 0.998 * learn(LearnOptions::Method::kScc));
    EXPECT_LE(reached, 0.9 * ExactObjective(patches, FirstAtoms(patches, options), options.lambda));
  }
}

TEST(Minibatch, RunningObjectiveIsNearTheExactOne) {
  const FloatMatrix patches = ClusteredPatches(1500, 32, 20, 0.1, 13);
  const LearnResult result = LearnFrom(patches, MinibatchOptions(48, 4, 64));
  const double exact = ExactObjective(patches, result.dictionary.atoms, 0.1);
  EXPECT_GE(result.dictionary.summary.Objective(), 0.99 * exact);
  EXPECT_LE(result.dictionary.summary.Objective(), 1.02 * exact);
}

TEST(Minibatch, AtomsStayInTheUnitBallOrOnTheSphere) {
  const FloatMatrix patches = RandomUnitRows(200, 16, 14);
  for (const auto projection : {LearnOptions::Projection::kBall, LearnOptions::Projection::kSphere}) {
    LearnOptions options = MinibatchOptions(30, 3, 50);
    options.projection = projection;
    const LearnResult result = LearnFrom(patches, options);
    for (std::size_t j = 0; j < 30; ++j) {
      const std::span<const float> atom = result.dictionary.atoms.Row(j);
      const double squared_norm = ExactDot(atom.data(), atom.data(), atom.size());
      EXPECT_LE(squared_norm, 1.0 + 1e-5);
      if (projection == LearnOptions::Projection::kSphere) {
        EXPECT_GE(squared_norm, 1.0 - 1e-5);
      }
    }
  }
}

TEST(Minibatch, BatchesOfAnySize) {
  const FloatMatrix patches = ClusteredPatches(130, 16, 8, 0.1, 15);
  for (const int batch : {1, 3, 33, 129, 130, 131, 65536}) {
    const LearnResult result = LearnFrom(patches, MinibatchOptions(12, 3, batch));
    const std::vector<double>& objective = result.dictionary.summary.objective_per_epoch;
    EXPECT_LT(objective.back(), objective.front()) << batch;
    EXPECT_EQ(result.codes.rows(), 130U);
    for (std::size_t row = 0; row < 130; ++row) EXPECT_FALSE(result.codes.RowIndices(row).empty()) << batch;
  }
}

TEST(Minibatch, CodesStayWithTheirPatches) {
  const FloatMatrix patches = PlantedPatches(400, RandomUnitRows(10, 32, 4), 5);
  const LearnOptions options = MinibatchOptions(20, 4, 37);
  const LearnResult result = LearnFrom(patches, options);
  const FloatMatrix& atoms = result.dictionary.atoms;
  double own = 0.0;
  double other = 0.0;
  for (std::size_t row = 0; row + 1 < 400; ++row) {
    own += NaiveObjective(patches.Row(row), atoms, DenseCode(result.codes, row), options.lambda);
    other += NaiveObjective(patches.Row(row), atoms, DenseCode(result.codes, row + 1), options.lambda);
  }
  EXPECT_LT(own, 0.5 * other);
}

TEST(Minibatch, OrdersAreSeeded) {
  const FloatMatrix patches = RandomUnitRows(90, 16, 6);
  const FloatMatrix initial = RandomUnitRows(10, 16, 7);
  const auto atoms = [&](LearnOptions::PatchOrder order, std::int64_t seed) {
    LearnOptions options = MinibatchOptions(10, 2, 20);
    options.patch_order = order;
    options.seed = seed;
    return LearnFrom(patches, options, {.initial = &initial}).dictionary.atoms;
  };
  using Order = LearnOptions::PatchOrder;
  EXPECT_EQ(atoms(Order::kShuffled, 1), atoms(Order::kShuffled, 1));
  EXPECT_NE(atoms(Order::kShuffled, 1), atoms(Order::kShuffled, 2));
  EXPECT_NE(atoms(Order::kShuffled, 1), atoms(Order::kFile, 1));
  EXPECT_EQ(atoms(Order::kFile, 1), atoms(Order::kFile, 2));
}

}  // namespace
}  // namespace flyscribe
