#include "sparse/scc.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>

#include "core/text.h"
#include "tests/sparse/random_patches.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

using ::testing::HasSubstr;

using Vector = std::vector<double>;

double Inner(const Vector& a, const Vector& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// Algorithm 1 of the paper, word by word, in double precision and dense.
struct NaiveScc {
  std::vector<Vector> d;  // atoms
  std::vector<Vector> z;  // codes
  Vector h;
  double lambda;
  int cd_steps;
  double objective = 0.0;  // of the last epoch

  NaiveScc(const FloatMatrix& initial, std::size_t patches, double lambda_value, int steps)
      : z(patches, Vector(initial.rows(), 0.0)), h(initial.rows(), 0.0), lambda(lambda_value), cd_steps(steps) {
    for (std::size_t j = 0; j < initial.rows(); ++j) d.emplace_back(initial.Row(j).begin(), initial.Row(j).end());
  }

  Vector Residual(const Vector& x, const Vector& code) const {
    Vector r = x;
    for (std::size_t j = 0; j < d.size(); ++j) {
      if (code[j] == 0.0) continue;
      for (std::size_t i = 0; i < x.size(); ++i) r[i] -= d[j][i] * code[j];
    }
    return r;
  }

  void UpdateCoordinate(const Vector& x, Vector& code, std::size_t j) const {
    const double b = Inner(d[j], Residual(x, code)) + code[j];
    code[j] = b < -lambda ? b + lambda : (b > lambda ? b - lambda : 0.0);
  }

  void Epoch(const FloatMatrix& patches) { Epoch(patches, AllRows(patches)); }
  void Epoch(const FloatMatrix& patches, const std::vector<std::size_t>& order) {
    objective = 0.0;
    for (const std::size_t i : order) {
      const Vector x(patches.Row(i).begin(), patches.Row(i).end());
      for (std::size_t j = 0; j < d.size(); ++j) UpdateCoordinate(x, z[i], j);
      std::vector<std::size_t> support;
      for (std::size_t j = 0; j < d.size(); ++j) {
        if (z[i][j] != 0.0) support.push_back(j);
      }
      for (int step = 1; step < cd_steps; ++step) {
        for (const std::size_t j : support) UpdateCoordinate(x, z[i], j);
      }
      const Vector r = Residual(x, z[i]);
      objective += 0.5 * Inner(r, r);
      for (const double weight : z[i]) objective += lambda * std::abs(weight);
      for (std::size_t j = 0; j < d.size(); ++j) {
        if (z[i][j] == 0.0) continue;
        h[j] += z[i][j] * z[i][j];
        for (std::size_t k = 0; k < x.size(); ++k) d[j][k] += z[i][j] * r[k] / h[j];
        const double norm = std::sqrt(Inner(d[j], d[j]));
        if (norm <= 1.0) continue;
        for (double& value : d[j]) value /= norm;
      }
    }
    objective /= static_cast<double>(patches.rows());
  }
};

Vector DenseRow(const SparseCodes& codes, std::size_t row) {
  Vector dense(codes.atoms, 0.0);
  for (std::size_t k = 0; k < codes.RowIndices(row).size(); ++k) {
    dense[static_cast<std::size_t>(codes.RowIndices(row)[k])] = codes.RowData(row)[k];
  }
  return dense;
}

void ExpectNear(const LearnResult& result, const NaiveScc& naive, double tolerance) {
  for (std::size_t j = 0; j < naive.d.size(); ++j) {
    for (std::size_t i = 0; i < naive.d[j].size(); ++i) {
      ASSERT_NEAR(result.dictionary.atoms(j, i), naive.d[j][i], tolerance) << "atom " << j;
    }
  }
  for (std::size_t row = 0; row < naive.z.size(); ++row) {
    const Vector dense = DenseRow(result.codes, row);
    for (std::size_t j = 0; j < dense.size(); ++j) ASSERT_NEAR(dense[j], naive.z[row][j], tolerance) << "row " << row;
  }
  EXPECT_NEAR(result.dictionary.summary.Objective(), naive.objective, tolerance);
}

LearnOptions SmallOptions(int atoms, int epochs) {
  LearnOptions options;
  options.atoms = atoms;
  options.epochs = epochs;
  options.patch_order = PatchOrder::kFile;
  return options;
}

LearnResult Learn(const FloatMatrix& patches, const LearnOptions& options) {
  return LearnScc(patches, AllRows(patches), options, NoProgress());
}

// An atom's first weight may be tiny, and then its step 1/h_jj is huge: rounding errors grow from visit to visit. With
// these data they stay small, so that single precision can be held against double; with others (the next test) even two
// runs in double precision part if the data are moved by 1e-7.
TEST(LearnScc, OneEpochEqualsThePapersAlgorithm) {
  for (const std::uint64_t seed : {6U, 28U, 30U}) {
    const FloatMatrix patches = PlantedPatches(300, RandomUnitRows(40, 128, seed), seed + 100);
    LearnOptions options = SmallOptions(64, 1);
    options.lambda = 0.2;
    NaiveScc naive(InitialDictionary(patches, AllRows(patches), 64, options.seed), 300, options.lambda, 3);
    naive.Epoch(patches);
    ExpectNear(Learn(patches, options), naive, 1e-4);
  }
}

TEST(LearnScc, ReachesThePapersObjectiveOnPatchesWithoutStructure) {
  const FloatMatrix patches = RandomUnitRows(300, 128, 1);
  NaiveScc naive(InitialDictionary(patches, AllRows(patches), 64, 1), 300, 0.10, 3);
  naive.Epoch(patches);
  EXPECT_NEAR(Learn(patches, SmallOptions(64, 1)).dictionary.summary.Objective(), naive.objective, 0.003);
}

TEST(LearnScc, LaterEpochsStartFromTheCodesOfTheLast) {
  const FloatMatrix patches = PlantedPatches(60, RandomUnitRows(12, 16, 2), 3);
  for (const int steps : {1, 2, 5}) {
    LearnOptions options = SmallOptions(8, 3);
    options.cd_steps = steps;
    NaiveScc naive(InitialDictionary(patches, AllRows(patches), 8, options.seed), 60, options.lambda, steps);
    for (int epoch = 0; epoch < 3; ++epoch) naive.Epoch(patches);
    ExpectNear(Learn(patches, options), naive, 1e-3);
  }
}

TEST(LearnScc, EveryEpochHasAnOrderOfItsOwn) {
  const FloatMatrix patches = PlantedPatches(60, RandomUnitRows(12, 16, 2), 3);
  LearnOptions options = SmallOptions(8, 2);
  options.patch_order = PatchOrder::kShuffled;
  NaiveScc naive(InitialDictionary(patches, AllRows(patches), 8, options.seed), 60, options.lambda, options.cd_steps);
  for (const std::uint64_t epoch : {1U, 2U}) {
    std::vector<std::size_t> order = AllRows(patches);
    Rng(static_cast<std::uint64_t>(options.seed), epoch).Shuffle(order);
    naive.Epoch(patches, order);
  }
  ExpectNear(Learn(patches, options), naive, 1e-3);
}

TEST(LearnScc, ShuffledOrderKeepsCodesWithTheirPatches) {
  // With the same final dictionary, a patch's own code must describe it better than its neighbour's does.
  const FloatMatrix patches = PlantedPatches(400, RandomUnitRows(10, 32, 4), 5);
  LearnOptions options = SmallOptions(20, 4);
  options.patch_order = PatchOrder::kShuffled;
  const LearnResult result = Learn(patches, options);
  double own = 0.0;
  double other = 0.0;
  for (std::size_t row = 0; row + 1 < 400; ++row) {
    const FloatMatrix& atoms = result.dictionary.atoms;
    own += NaiveObjective(patches.Row(row), atoms, DenseRow(result.codes, row), options.lambda);
    other += NaiveObjective(patches.Row(row), atoms, DenseRow(result.codes, row + 1), options.lambda);
  }
  EXPECT_LT(own, 0.5 * other);
  EXPECT_NEAR(own / 399.0, result.dictionary.summary.Objective(), 0.02);
}

TEST(LearnScc, OrderOfVisitsIsSeeded) {
  const FloatMatrix patches = RandomUnitRows(80, 16, 6);
  LearnOptions options = SmallOptions(10, 2);
  options.patch_order = PatchOrder::kShuffled;
  const LearnResult first = Learn(patches, options);
  const LearnResult again = Learn(patches, options);
  EXPECT_EQ(first.dictionary.atoms, again.dictionary.atoms);
  EXPECT_EQ(first.codes, again.codes);
  EXPECT_EQ(first.dictionary.summary, again.dictionary.summary);
  options.patch_order = PatchOrder::kFile;
  EXPECT_NE(first.dictionary.atoms, Learn(patches, options).dictionary.atoms);
  options.patch_order = PatchOrder::kShuffled;
  options.seed = 2;
  EXPECT_NE(first.dictionary.atoms, Learn(patches, options).dictionary.atoms);
}

TEST(LearnScc, ObjectiveFallsAndPlantedAtomsAreFound) {
  const FloatMatrix planted = RandomUnitRows(10, 32, 7);
  const FloatMatrix patches = PlantedPatches(2000, planted, 8);
  LearnOptions options = SmallOptions(20, 6);
  options.patch_order = PatchOrder::kShuffled;
  const LearnResult result = Learn(patches, options);
  const std::vector<double>& objective = result.dictionary.summary.objective_per_epoch;
  ASSERT_EQ(objective.size(), 6U);
  for (std::size_t epoch = 1; epoch < objective.size(); ++epoch) EXPECT_LT(objective[epoch], objective[epoch - 1]);
  EXPECT_LT(objective.back(), 0.95 * objective.front());
  std::size_t found = 0;
  for (std::size_t k = 0; k < planted.rows(); ++k) {
    float best = 0.0F;
    for (std::size_t j = 0; j < 20; ++j) {
      float inner = 0.0F;
      for (std::size_t i = 0; i < 32; ++i) inner += planted(k, i) * result.dictionary.atoms(j, i);
      best = std::max(best, std::abs(inner));
    }
    found += best > 0.9F ? 1U : 0U;
  }
  EXPECT_GE(found, 8U);
}

TEST(LearnScc, AtomsStayInTheUnitBall) {
  const FloatMatrix patches = RandomUnitRows(200, 16, 9);
  const LearnResult result = Learn(patches, SmallOptions(30, 3));
  for (std::size_t j = 0; j < 30; ++j) {
    double squares = 0.0;
    for (const float value : result.dictionary.atoms.Row(j)) squares += static_cast<double>(value * value);
    EXPECT_LE(squares, 1.0 + 1e-5);
  }
}

TEST(LearnScc, SummarySaysWhatTheCodesSay) {
  const FloatMatrix patches = RandomUnitRows(100, 16, 10);
  const LearnResult result = Learn(patches, SmallOptions(30, 2));
  const LearningSummary& summary = result.dictionary.summary;
  EXPECT_EQ(summary.lambda, 0.10);
  EXPECT_EQ(summary.patches, 100U);
  EXPECT_EQ(summary.objective_per_epoch.size(), 2U);
  EXPECT_EQ(result.codes.rows(), 100U);
  EXPECT_EQ(result.codes.atoms, 30U);
  EXPECT_DOUBLE_EQ(summary.nonzeros_per_code, static_cast<double>(result.codes.data.size()) / 100.0);
  EXPECT_EQ(summary.unused_atoms, 0U);
}

TEST(LearnScc, OnlyTheNamedRowsTakePart) {
  FloatMatrix patches = RandomUnitRows(60, 16, 11);
  std::vector<std::size_t> rows;
  for (std::size_t row = 59; row >= 10; row -= 2) rows.push_back(row);
  FloatMatrix chosen(rows.size(), 16);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::copy(patches.Row(rows[i]).begin(), patches.Row(rows[i]).end(), chosen.Row(i).begin());
  }
  patches(0, 0) = std::nanf("");  // takes no part, so does no harm
  const LearnResult by_rows = LearnScc(patches, rows, SmallOptions(5, 2), NoProgress());
  const LearnResult direct = Learn(chosen, SmallOptions(5, 2));
  EXPECT_EQ(by_rows.dictionary.atoms, direct.dictionary.atoms);
  EXPECT_EQ(by_rows.codes, direct.codes);
}

TEST(LearnScc, LambdaTooLargeLeavesTheDictionaryAlone) {
  const FloatMatrix patches = RandomUnitRows(30, 8, 12);
  LearnOptions options = SmallOptions(6, 2);
  options.lambda = 1.5;
  const LearnResult result = Learn(patches, options);
  EXPECT_EQ(result.dictionary.atoms, InitialDictionary(patches, AllRows(patches), 6, options.seed));
  EXPECT_TRUE(result.codes.data.empty());
  EXPECT_EQ(result.codes.rows(), 30U);
  EXPECT_EQ(result.dictionary.summary.unused_atoms, 6U);
  EXPECT_EQ(result.dictionary.summary.nonzeros_per_code, 0.0);
  EXPECT_NEAR(result.dictionary.summary.Objective(), 0.5, 1e-6);
}

TEST(LearnScc, OneAtomAndOnePatch) {
  // The only patch is the only atom: z = 1 - lambda, and the residual lambda x moves the atom out of the ball and back.
  const FloatMatrix patch = RandomUnitRows(1, 8, 13);
  const LearnResult result = Learn(patch, SmallOptions(1, 1));
  ASSERT_EQ(result.codes.data.size(), 1U);
  EXPECT_NEAR(result.codes.data[0], 0.9, 1e-6);
  for (std::size_t i = 0; i < 8; ++i) EXPECT_NEAR(result.dictionary.atoms(0, i), patch(0, i), 1e-6);
  EXPECT_NEAR(result.dictionary.summary.Objective(), 0.5 * 0.01 + 0.1 * 0.9, 1e-6);
}

TEST(LearnScc, DuplicateAndZeroRowsAreHarmless) {
  FloatMatrix patches(40, 8, 0.0F);
  const FloatMatrix one = RandomUnitRows(1, 8, 14);
  for (std::size_t row = 0; row < 20; ++row) std::copy(one.Row(0).begin(), one.Row(0).end(), patches.Row(row).begin());
  const LearnResult result = Learn(patches, SmallOptions(40, 3));
  for (const float value : result.dictionary.atoms.values()) ASSERT_TRUE(std::isfinite(value));
  for (std::size_t row = 0; row < 20; ++row) {
    // Twin atoms may share the weight that one of them would have had.
    double sum = 0.0;
    for (const float weight : result.codes.RowData(row)) sum += weight;
    EXPECT_NEAR(sum, 0.9, 1e-3);
  }
  for (std::size_t row = 20; row < 40; ++row) EXPECT_EQ(result.codes.RowIndices(row).size(), 0U);
  EXPECT_GE(result.dictionary.summary.unused_atoms, 20U);  // the zero patches make atoms nobody can use
}

TEST(InitialDictionary, IsMadeOfDistinctPatches) {
  const FloatMatrix patches = RandomUnitRows(25, 8, 15);
  const FloatMatrix dictionary = InitialDictionary(patches, AllRows(patches), 25, 1);
  std::set<std::vector<float>> seen;
  for (std::size_t j = 0; j < 25; ++j) seen.emplace(dictionary.Row(j).begin(), dictionary.Row(j).end());
  EXPECT_EQ(seen.size(), 25U);
  EXPECT_NE(dictionary, patches);  // drawn, not copied in order
  EXPECT_NE(dictionary, InitialDictionary(patches, AllRows(patches), 25, 2));
}

TEST(InitialDictionary, ProjectsLongPatchesOntoTheBall) {
  FloatMatrix patches(1, 2, {3.0F, 4.0F});
  const FloatMatrix dictionary = InitialDictionary(patches, AllRows(patches), 1, 1);
  EXPECT_FLOAT_EQ(dictionary(0, 0), 0.6F);
  EXPECT_FLOAT_EQ(dictionary(0, 1), 0.8F);
}

TEST(LearnSccErrors, NoPatches) {
  const FloatMatrix patches(0, 8);
  const CaughtError error = ExpectError([&] { Learn(patches, SmallOptions(5, 1)); });
  EXPECT_EQ(error.code, ErrorCode::kInput);
  EXPECT_THAT(error.text, HasSubstr("there are no patches to learn from"));
  EXPECT_THAT(error.text, HasSubstr("hint: either all patches were dropped as flat"));
}

TEST(LearnSccErrors, FewerPatchesThanAtoms) {
  const FloatMatrix patches = RandomUnitRows(4, 8, 16);
  const CaughtError error = ExpectError([&] { Learn(patches, SmallOptions(5, 1)); });
  EXPECT_EQ(error.code, ErrorCode::kInput);
  EXPECT_THAT(error.text, HasSubstr("4 patches are too few for a dictionary of 5 atoms"));
  EXPECT_THAT(error.text, HasSubstr("hint: lower learn.atoms to at most 4, or add images"));
}

TEST(LearnSccErrors, NotFinite) {
  for (const float bad : {std::nanf(""), std::numeric_limits<float>::infinity()}) {
    FloatMatrix patches = RandomUnitRows(10, 8, 17);
    patches(7, 3) = bad;
    const CaughtError error = ExpectError([&] { Learn(patches, SmallOptions(5, 1)); });
    EXPECT_EQ(error.code, ErrorCode::kInput);
    EXPECT_THAT(error.text, HasSubstr("patch 7 holds a value that is not a finite number"));
  }
}

TEST(LearnSccErrors, Diverged) {
  const FloatMatrix patches(3, 8, 3.0e38F);
  const CaughtError error = ExpectError([&] { Learn(patches, SmallOptions(2, 1)); });
  EXPECT_EQ(error.code, ErrorCode::kInput);
  EXPECT_THAT(error.text, HasSubstr("learning diverged in epoch 1"));
  EXPECT_THAT(error.text, HasSubstr("hint: patches are expected to have norm 1"));
}

class RecordingProgress : public Progress {
 public:
  void Begin(std::uint64_t total, std::string_view unit) override { total_ = total, unit_ = unit; }
  void Advance(std::uint64_t done) override { done_ += done; }
  void Note(std::string_view remark) override { notes_.emplace_back(remark); }
  bool StopRequested() const override { return done_ >= stop_at_; }

  std::uint64_t total_ = 0;
  std::uint64_t done_ = 0;
  std::uint64_t stop_at_ = std::numeric_limits<std::uint64_t>::max();
  std::string unit_;
  std::vector<std::string> notes_;
};

TEST(LearnSccProgress, CountsEveryVisitAndNotesTheObjective) {
  const FloatMatrix patches = RandomUnitRows(600, 8, 18);
  RecordingProgress progress;
  const LearnResult result = LearnScc(patches, AllRows(patches), SmallOptions(5, 2), progress);
  EXPECT_EQ(progress.total_, 1200U);
  EXPECT_EQ(progress.done_, 1200U);
  EXPECT_EQ(progress.unit_, "patches");
  ASSERT_EQ(progress.notes_.size(), 2U);
  EXPECT_EQ(progress.notes_[1], "epoch 2 objective " + FormatFixed(result.dictionary.summary.Objective(), 4));
}

TEST(LearnSccProgress, StopsWhenAsked) {
  const FloatMatrix patches = RandomUnitRows(600, 8, 19);
  RecordingProgress progress;
  progress.stop_at_ = 256;
  const CaughtError error = ExpectError([&] { LearnScc(patches, AllRows(patches), SmallOptions(5, 2), progress); });
  EXPECT_EQ(error.code, ErrorCode::kInterrupted);
  EXPECT_EQ(progress.done_, 256U);
}

TEST(LearnOptions, KeyTextNamesEveryField) {
  EXPECT_EQ(KeyText(LearnOptions{}),
            "atoms: 500\nlambda: 0.1\nepochs: 10\ncd_steps: 3\npatch_order: \"shuffled\"\nseed: 1\n");
}

}  // namespace
}  // namespace flyscribe
