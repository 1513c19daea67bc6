#include "sparse/learner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sparse/learner.h"
#include "tests/sparse/every_set.h"
#include "tests/sparse/naive_scc.h"
#include "tests/sparse/random_patches.h"

namespace flyscribe {
namespace {

constexpr std::array kProfiles = {LearnOptions::Profile::kPaper, LearnOptions::Profile::kRelease10};

LearnOptions ProfileOptions(LearnOptions::Profile profile, int atoms, int epochs) {
  LearnOptions options;
  options.Apply(profile);
  options.atoms = atoms;
  options.epochs = epochs;
  return options;
}

// Profile `paper`, in the order of the rows.
LearnOptions SmallOptions(int atoms, int epochs) {
  LearnOptions options = ProfileOptions(LearnOptions::Profile::kPaper, atoms, epochs);
  options.patch_order = LearnOptions::PatchOrder::kFile;
  return options;
}

LearnResult LearnFrom(const FloatMatrix& patches, const LearnOptions& options) {
  return Learn(patches, AllRows(patches), options, {}, NoProgress());
}

FloatMatrix FirstAtoms(const FloatMatrix& patches, const LearnOptions& options) {
  return InitialDictionary(patches, AllRows(patches), static_cast<std::size_t>(options.atoms), options.seed);
}

void ExpectNear(const LearnResult& result, const NaiveScc& naive, double tolerance) {
  for (std::size_t j = 0; j < naive.atoms().size(); ++j) {
    for (std::size_t i = 0; i < naive.atoms()[j].size(); ++i) {
      ASSERT_NEAR(result.dictionary.atoms(j, i), naive.atoms()[j][i], tolerance) << "atom " << j;
    }
  }
  for (std::size_t row = 0; row < naive.codes().size(); ++row) {
    const std::vector<double> code = DenseCode(result.codes, row);
    for (std::size_t j = 0; j < code.size(); ++j) {
      ASSERT_NEAR(code[j], naive.codes()[row][j], tolerance) << "row " << row << " atom " << j;
    }
  }
}

// An atom's first weight may be tiny, and its first step 1 / h_jj is then huge: rounding errors grow from visit to
// visit. Of patches without structure, even two runs in double precision part (by 0.5 in an entry of D) if the data are
// moved by 1e-7. With the patches below they stay small, so that single precision can be held against double.
TEST(Scc, OneEpochEqualsTheEquations) {
  for (const LearnOptions::Profile profile : kProfiles) {
    for (const bool planted : {true, false}) {
      const FloatMatrix patches =
          planted ? PlantedPatches(300, RandomUnitRows(40, 128, 2), 102) : ClusteredPatches(300, 128, 20, 0.1, 2);
      LearnOptions options = ProfileOptions(profile, 64, 1);
      if (planted) options.lambda = 0.2;
      NaiveScc naive(patches, FirstAtoms(patches, options), options);
      const double objective = naive.RunEpoch();
      for (const std::string& set : SimdTargets()) {
        SCOPED_TRACE(set + (planted ? " planted" : " clustered"));
        const SimdChoice choice(set);
        const LearnResult result = LearnFrom(patches, options);
        ExpectNear(result, naive, 1e-4);
        EXPECT_NEAR(result.dictionary.summary.Objective(), objective, 1e-6);
      }
    }
  }
}

TEST(Scc, ThreeEpochsReachTheObjectiveOfTheEquations) {
  const FloatMatrix patches = ClusteredPatches(5000, 32, 10, 0.05, 2);
  for (const LearnOptions::Profile profile : kProfiles) {
    const LearnOptions options = ProfileOptions(profile, 64, 3);
    const double objective = NaiveScc(patches, FirstAtoms(patches, options), options).RunEpochs(3);
    for (const std::string& set : SimdTargets()) {
      const SimdChoice choice(set);
      EXPECT_NEAR(LearnFrom(patches, options).dictionary.summary.Objective(), objective, 1e-4 * objective) << set;
    }
  }
}

// Here D is another after an epoch, but no worse.
TEST(Scc, ReachesTheObjectiveOnPatchesWithoutStructure) {
  const FloatMatrix patches = RandomUnitRows(300, 128, 1);
  const LearnOptions options = SmallOptions(64, 1);
  const double objective = NaiveScc(patches, FirstAtoms(patches, options), options).RunEpoch();
  EXPECT_NEAR(LearnFrom(patches, options).dictionary.summary.Objective(), objective, 0.01 * objective);
}

// All options of a visit, each with each.
std::vector<LearnOptions> AllVariants() {
  std::vector<LearnOptions> variants;
  for (int bits = 0; bits < 64; ++bits) {
    for (const int cd_steps : {1, 4}) {
      LearnOptions options = SmallOptions(9, 3);
      options.cd_steps = cd_steps;
      options.nonnegative = (bits & 1) != 0;
      options.patch_order = static_cast<LearnOptions::PatchOrder>(bits >> 1 & 1);
      options.coordinate_order = static_cast<LearnOptions::CoordinateOrder>(bits >> 2 & 1);
      options.curvature = static_cast<LearnOptions::Curvature>(bits >> 3 & 1);
      options.projection = static_cast<LearnOptions::Projection>(bits >> 4 & 1);
      options.rate = static_cast<LearnOptions::Rate>(bits >> 5 & 1);
      options.rate_a = 0.7;
      options.rate_b = 3.0;
      options.seed = 3;
      variants.push_back(options);
    }
  }
  return variants;
}

TEST(Scc, EveryOptionFollowsTheEquations) {
  const FloatMatrix patches = ClusteredPatches(60, 20, 6, 0.05, 4);
  std::vector<LearnOptions> variants = AllVariants();
  for (const auto projection : {LearnOptions::Projection::kBall, LearnOptions::Projection::kSphere}) {
    LearnOptions options = SmallOptions(9, 3);
    options.nonnegative_atoms = true;
    options.projection = projection;
    variants.push_back(options);
  }
  for (const LearnOptions& options : variants) {
    NaiveScc naive(patches, FirstAtoms(patches, options), options);
    const double objective = naive.RunEpochs(options.epochs);
    for (const std::string& set : SimdTargets()) {
      SCOPED_TRACE(set + "\n" + KeyText(options));
      const SimdChoice choice(set);
      const LearnResult result = LearnFrom(patches, options);
      ASSERT_NO_FATAL_FAILURE(ExpectNear(result, naive, 1e-4));
      ASSERT_NEAR(result.dictionary.summary.Objective(), objective, 1e-6);
    }
  }
}

// What the watched kernels saw. Global, because kernels are plain functions.
struct Watch {
  const Kernels* real = nullptr;
  std::size_t searches = 0;  // for doubtful atoms
  std::size_t atoms = 0;     // that were passed or found
  std::size_t doubtful = 0;  // that had to be looked at
};
Watch watch;

Kernels WatchedKernels(const Kernels& real) {
  watch = {.real = &real};
  Kernels kernels = real;
  kernels.next_doubtful = [](const ScreenProblem& problem, std::size_t begin, std::size_t end, std::uint32_t* which) {
    const std::size_t found = watch.real->next_doubtful(problem, begin, end, which);
    ++watch.searches;
    watch.atoms += std::min(found + 8, end) - std::min(begin, end);
    if (found < end) watch.doubtful += static_cast<std::size_t>(std::popcount(*which));
    return found;
  };
  return kernels;
}

// Every atom is doubtful: each cycle looks at all of them, one after the other.
Kernels UnscreenedKernels(const Kernels& real) {
  Kernels kernels = real;
  kernels.next_doubtful =
      [](const ScreenProblem& /*problem*/, std::size_t begin, std::size_t end, std::uint32_t* which) {
        *which = (1U << std::min<std::size_t>(8, end - std::min(begin, end))) - 1;
        return std::min(begin, end);
      };
  return kernels;
}

struct Learned {
  FloatMatrix atoms;
  SparseCodes codes;
  std::vector<double> objectives;

  friend bool operator==(const Learned&, const Learned&) = default;
};

Learned RunLearner(const Kernels& kernels, const FloatMatrix& patches, const LearnOptions& options) {
  const std::vector<std::size_t> rows = AllRows(patches);
  const LearnProblem problem = {patches, rows, options, kernels, 1};
  LearnState state;
  state.atoms = FirstAtoms(patches, options);
  state.curvature.assign(state.atoms.rows(), 0.0);
  state.epoch_curvature = state.curvature;
  LearnerMemory memory(state, patches.rows());
  const std::unique_ptr<Learner> learner = MakeSccLearner(problem);
  Learned learned;
  for (int epoch = 1; epoch <= options.epochs; ++epoch) {
    learned.objectives.push_back(learner->RunEpoch(epoch, memory, NoProgress()).objective);
  }
  learned.atoms = memory.atoms.ToMatrix();
  learned.codes = memory.codes.ToCodes(memory.atoms.rows());
  return learned;
}

class SccScreeningTest : public EverySetTest {};
INSTANTIATE_TEST_SUITE_P(EverySet, SccScreeningTest, ::testing::ValuesIn(SimdTargets()), SetName);

TEST_P(SccScreeningTest, ChangesNothing) {
  for (const bool planted : {false, true}) {
    const FloatMatrix patches =
        planted ? PlantedPatches(1000, RandomUnitRows(40, 40, 5), 6) : ClusteredPatches(1000, 40, 30, 0.05, 5);
    for (const LearnOptions::Profile profile : kProfiles) {
      for (const bool nonnegative : {false, true}) {
        LearnOptions options = ProfileOptions(profile, 255, 9);
        options.nonnegative = nonnegative;
        const Learned unscreened = RunLearner(UnscreenedKernels(kernels_), patches, options);
        const Learned screened = RunLearner(WatchedKernels(kernels_), patches, options);
        EXPECT_EQ(screened, unscreened);
        EXPECT_GT(watch.searches, 9U * 1000U) << "at least one a visit";
        EXPECT_LT(watch.doubtful, watch.atoms / 3) << "most atoms are passed over";
      }
    }
  }
}

// 2000 patches are enough for an epoch's mean not to depend on the order of the visits.
TEST(Scc, ObjectiveNeverRises) {
  const std::vector<FloatMatrix> sets = {PlantedPatches(2000, RandomUnitRows(10, 32, 7), 8),
                                         ClusteredPatches(2000, 32, 20, 0.1, 9),
                                         RandomUnitRows(2000, 32, 10)};
  for (const FloatMatrix& patches : sets) {
    for (const LearnOptions::Profile profile : kProfiles) {
      const LearnResult result = LearnFrom(patches, ProfileOptions(profile, 40, 6));
      const std::vector<double>& objective = result.dictionary.summary.objective_per_epoch;
      ASSERT_EQ(objective.size(), 6U);
      for (std::size_t epoch = 1; epoch < objective.size(); ++epoch) {
        EXPECT_LE(objective[epoch], objective[epoch - 1] * (1.0 + 1e-3)) << "epoch " << epoch + 1;
      }
      EXPECT_LT(objective.back(), 0.99 * objective.front());
    }
  }
}

TEST(Scc, FindsPlantedAtoms) {
  const FloatMatrix planted = RandomUnitRows(10, 32, 7);
  const FloatMatrix patches = PlantedPatches(2000, planted, 8);
  for (const LearnOptions::Profile profile : kProfiles) {
    const LearnResult result = LearnFrom(patches, ProfileOptions(profile, 20, 6));
    EXPECT_GE(FoundAtoms(planted, result.dictionary.atoms, 0.9), 8U);
  }
}

TEST(Scc, AtomsStayInTheUnitBallOrOnTheSphere) {
  const FloatMatrix patches = RandomUnitRows(200, 16, 9);
  for (const LearnOptions::Profile profile : kProfiles) {
    const LearnResult result = LearnFrom(patches, ProfileOptions(profile, 30, 3));
    for (std::size_t j = 0; j < 30; ++j) {
      const std::span<const float> atom = result.dictionary.atoms.Row(j);
      const double squared_norm = ExactDot(atom.data(), atom.data(), atom.size());
      EXPECT_LE(squared_norm, 1.0 + 1e-5);
      if (profile == LearnOptions::Profile::kRelease10) {
        EXPECT_GE(squared_norm, 1.0 - 1e-5);
      }
    }
  }
}

TEST(Scc, ShuffledOrderKeepsCodesWithTheirPatches) {
  // With the same final dictionary, a patch's own code must describe it better than its neighbour's does.
  const FloatMatrix patches = PlantedPatches(400, RandomUnitRows(10, 32, 4), 5);
  const LearnOptions options = ProfileOptions(LearnOptions::Profile::kPaper, 20, 4);
  const LearnResult result = LearnFrom(patches, options);
  const FloatMatrix& atoms = result.dictionary.atoms;
  double own = 0.0;
  double other = 0.0;
  for (std::size_t row = 0; row + 1 < 400; ++row) {
    own += NaiveObjective(patches.Row(row), atoms, DenseCode(result.codes, row), options.lambda);
    other += NaiveObjective(patches.Row(row), atoms, DenseCode(result.codes, row + 1), options.lambda);
  }
  EXPECT_LT(own, 0.5 * other);
  EXPECT_NEAR(own / 399.0, result.dictionary.summary.Objective(), 0.02);
}

TEST(Scc, OrdersAreSeeded) {
  const FloatMatrix patches = RandomUnitRows(80, 16, 6);
  const FloatMatrix initial = RandomUnitRows(10, 16, 7);
  const auto atoms = [&](const LearnOptions& options) {
    return Learn(patches, AllRows(patches), options, {.initial = &initial}, NoProgress()).dictionary.atoms;
  };
  LearnOptions plain = SmallOptions(10, 2);
  LearnOptions shuffled = plain;
  shuffled.patch_order = LearnOptions::PatchOrder::kShuffled;
  LearnOptions random = plain;
  random.coordinate_order = LearnOptions::CoordinateOrder::kRandom;
  for (LearnOptions& options : {std::ref(plain), std::ref(shuffled), std::ref(random)}) {
    const FloatMatrix first = atoms(options);
    EXPECT_EQ(first, atoms(options));
    options.seed = 2;
    EXPECT_EQ(first == atoms(options), &options == &plain);  // without a draw there is nothing to seed
    options.seed = 1;
  }
  EXPECT_NE(atoms(plain), atoms(shuffled));
  EXPECT_NE(atoms(plain), atoms(random));
}

TEST(Scc, OneAtomAndOnePatchByHand) {
  // The only patch is the only atom: z = 1 - lambda, and the residual lambda x moves the atom out of the ball and back.
  const FloatMatrix patch = RandomUnitRows(1, 8, 13);
  const LearnResult result = LearnFrom(patch, SmallOptions(1, 1));
  ASSERT_EQ(result.codes.data.size(), 1U);
  EXPECT_NEAR(result.codes.data[0], 0.9, 1e-6);
  for (std::size_t i = 0; i < 8; ++i) EXPECT_NEAR(result.dictionary.atoms(0, i), patch(0, i), 1e-6);
  EXPECT_NEAR(result.dictionary.summary.Objective(), 0.5 * 0.01 + 0.1 * 0.9, 1e-6);
}

TEST(Scc, TwoVisitsByHand) {
  // d = (1, 0), x = (0.6, 0.8), lambda = 0.1. First visit: z = 0.5, r = (0.1, 0.8), h = 0.25, so d becomes
  // (1, 0) + (0.5 / 0.25) (0.1, 0.8) = (1.2, 1.6), projected (0.6, 0.8). Second: z starts at 0.5, r = 0.5 x,
  // z = 1 - 0.1, r = 0.1 x, h = 1.06, and d stays.
  const FloatMatrix patch(1, 2, {0.6F, 0.8F});
  const FloatMatrix initial(1, 2, {1.0F, 0.0F});
  LearnOptions options = SmallOptions(1, 1);
  const auto learn = [&] { return Learn(patch, AllRows(patch), options, {.initial = &initial}, NoProgress()); };
  const LearnResult first = learn();
  ASSERT_EQ(first.codes.data.size(), 1U);
  EXPECT_NEAR(first.codes.data[0], 0.5, 1e-6);
  EXPECT_NEAR(first.dictionary.atoms(0, 0), 0.6, 1e-6);
  EXPECT_NEAR(first.dictionary.atoms(0, 1), 0.8, 1e-6);
  EXPECT_NEAR(first.dictionary.summary.Objective(), 0.5 * 0.65 + 0.1 * 0.5, 1e-6);
  options.epochs = 2;
  const LearnResult second = learn();
  EXPECT_NEAR(second.codes.data[0], 0.9, 1e-6);
  EXPECT_NEAR(second.dictionary.atoms(0, 1), 0.8, 1e-6);
  EXPECT_NEAR(second.dictionary.summary.Objective(), 0.5 * 0.01 + 0.1 * 0.9, 1e-6);
}

TEST(Scc, ThreadsDoNotMatter) {
  const FloatMatrix patches = ClusteredPatches(300, 24, 8, 0.1, 14);
  const LearnOptions options = ProfileOptions(LearnOptions::Profile::kPaper, 20, 2);
  const LearnResult three = Learn(patches, AllRows(patches), options, {.threads = 3}, NoProgress());
  EXPECT_EQ(three.dictionary.atoms, LearnFrom(patches, options).dictionary.atoms);
}

}  // namespace
}  // namespace flyscribe
