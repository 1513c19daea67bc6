#include "sparse/learn.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/file.h"
#include "core/npy.h"
#include "core/simd.h"
#include "core/text.h"
#include "sparse/kernels.h"
#include "tests/sparse/random_patches.h"
#include "tests/support/corrupt_text.h"
#include "tests/support/expect_error.h"
#include "tests/support/recording_progress.h"
#include "tests/support/simd_choice.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

using ::testing::HasSubstr;
using Method = LearnOptions::Method;
using UnusedAtoms = LearnOptions::UnusedAtoms;

constexpr int kBatch = 40;

LearnOptions OptionsOf(Method method, int atoms, int epochs) {
  LearnOptions options;
  options.method = method;
  options.atoms = atoms;
  options.epochs = epochs;
  options.batch = kBatch;
  return options;
}

LearnResult LearnFrom(const FloatMatrix& patches, const LearnOptions& options, const LearnControl& control = {}) {
  return Learn(patches, AllRows(patches), options, control, NoProgress());
}

void ExpectSame(const LearnResult& a, const LearnResult& b) {
  EXPECT_EQ(a.dictionary.atoms, b.dictionary.atoms);
  EXPECT_EQ(a.dictionary.summary, b.dictionary.summary);
  EXPECT_EQ(a.codes, b.codes);
}

void ExpectFinite(const LearnResult& result) {
  for (const float value : result.dictionary.atoms.values()) ASSERT_TRUE(std::isfinite(value));
  for (const float value : result.codes.data) ASSERT_TRUE(std::isfinite(value));
  for (const double value : result.dictionary.summary.objective_per_epoch) ASSERT_TRUE(std::isfinite(value));
}

// Patches that leave their last four values at zero, and a first dictionary whose last four atoms lie there, where
// nobody can use them.
struct WithUselessAtoms {
  FloatMatrix patches{150, 24};
  FloatMatrix initial{16, 24};

  WithUselessAtoms() {
    const FloatMatrix short_patches = ClusteredPatches(150, 20, 8, 0.1, 3);
    for (std::size_t row = 0; row < 150; ++row) {
      std::copy_n(short_patches.Row(row).begin(), 20, patches.Row(row).begin());
    }
    for (std::size_t j = 0; j < 12; ++j) std::copy_n(short_patches.Row(10 * j).begin(), 20, initial.Row(j).begin());
    for (std::size_t j = 12; j < 16; ++j) initial(j, j + 8) = 1.0F;
  }
};

class LearnTest : public ::testing::TestWithParam<Method> {
 protected:
  static LearnOptions Options(int atoms, int epochs) { return OptionsOf(GetParam(), atoms, epochs); }
};
std::string MethodName(const ::testing::TestParamInfo<Method>& info) {
  if (info.param == Method::kScc) return "Scc";
  return info.param == Method::kOnline ? "Online" : "SccMinibatch";
}

INSTANTIATE_TEST_SUITE_P(EveryMethod,
                         LearnTest,
                         ::testing::Values(Method::kScc, Method::kSccMinibatch, Method::kOnline),
                         MethodName);

// Going on after an interruption.

// Stops after every epoch in turn, by way of files, and goes on from there.
void ExpectResumes(const FloatMatrix& patches, const LearnOptions& options, const FloatMatrix* initial) {
  const TempFolder folder;
  int saved = 0;
  const auto save = [&](const LearnPause& pause) {
    const LearnState state = pause.State();
    EXPECT_EQ(pause.epochs_done(), ++saved);
    EXPECT_EQ(state.epochs_done, saved);
    EXPECT_EQ(state.atoms, pause.Atoms());
    const fs::path path = folder / std::to_string(saved);
    state.Save(path);
    EXPECT_EQ(LearnState::Load(path), state);
  };
  const LearnResult straight = LearnFrom(patches, options, {.initial = initial, .after_epoch = save});
  ASSERT_EQ(saved, options.epochs - 1);  // not after the last
  for (int epoch = 1; epoch <= saved; ++epoch) {
    const LearnState state = LearnState::Load(folder / std::to_string(epoch));
    const LearnResult resumed = LearnFrom(patches, options, {.threads = 2, .resume = &state});
    ExpectSame(straight, resumed);
    EXPECT_EQ(resumed.times.per_epoch.size(), static_cast<std::size_t>(options.epochs - epoch));
  }
}

TEST_P(LearnTest, GoesOnToTheSameBytes) {
  const FloatMatrix patches = ClusteredPatches(200, 24, 8, 0.1, 1);
  LearnOptions options = Options(20, 4);
  ExpectResumes(patches, options, nullptr);
  options.patch_order = LearnOptions::PatchOrder::kFile;
  options.coordinate_order = LearnOptions::CoordinateOrder::kRandom;
  options.curvature = LearnOptions::Curvature::kPreviousEpoch;
  options.projection = LearnOptions::Projection::kSphere;
  options.nonnegative = true;
  options.solver = LearnOptions::Solver::kDescent;
  ExpectResumes(patches, options, nullptr);
  options.rate = LearnOptions::Rate::kNatural;
  ExpectResumes(patches, options, nullptr);
}

TEST_P(LearnTest, GoesOnToTheSameBytesWhileAtomsAreReplaced) {
  const WithUselessAtoms data;
  LearnOptions options = Options(16, 4);
  options.unused_atoms = UnusedAtoms::kReplace;
  ExpectResumes(data.patches, options, &data.initial);
}

TEST_P(LearnTest, TimesSoFarAreThereAfterEveryEpoch) {
  const FloatMatrix patches = ClusteredPatches(100, 16, 5, 0.1, 2);
  LearnTimes times;
  std::vector<std::size_t> epochs;
  const auto note = [&](const LearnPause&) { epochs.push_back(times.per_epoch.size()); };
  const LearnResult result = LearnFrom(patches, Options(10, 3), {.after_epoch = note, .times = &times});
  EXPECT_EQ(epochs, (std::vector<std::size_t>{1, 2}));
  EXPECT_EQ(times.per_epoch[1], result.times.per_epoch[1]);
  EXPECT_LE(times.codes, result.times.codes);
  EXPECT_LE(times.dictionary, result.times.dictionary);
}

TEST_P(LearnTest, WhatAfterEpochThrowsEndsLearning) {
  const FloatMatrix patches = ClusteredPatches(100, 16, 5, 0.1, 2);
  LearnState kept;
  const auto stop = [&](const LearnPause& pause) {
    kept = pause.State();
    if (pause.epochs_done() == 2) throw Error(ErrorCode::kDisk, "no space");
  };
  const LearnOptions options = Options(10, 5);
  const CaughtError error = ExpectError([&] { LearnFrom(patches, options, {.after_epoch = stop}); });
  EXPECT_EQ(error.code, ErrorCode::kDisk);
  EXPECT_EQ(kept.epochs_done, 2);
  EXPECT_EQ(kept.objective_per_epoch.size(), 2U);
  ExpectSame(LearnFrom(patches, options, {.resume = &kept}), LearnFrom(patches, options));
}

TEST_P(LearnTest, AStateMayBeGivenMoreEpochsThanItHad) {
  const FloatMatrix patches = ClusteredPatches(100, 16, 5, 0.1, 2);
  LearnState kept;
  LearnFrom(patches, Options(10, 2), {.after_epoch = [&](const LearnPause& pause) { kept = pause.State(); }});
  ExpectSame(LearnFrom(patches, Options(10, 4), {.resume = &kept}), LearnFrom(patches, Options(10, 4)));
  // Nothing is left to do: what comes back is what was there.
  const LearnResult done = LearnFrom(patches, Options(10, 1), {.resume = &kept});
  EXPECT_EQ(done.dictionary.atoms, kept.atoms);
  EXPECT_EQ(done.codes, kept.codes);
}

TEST_P(LearnTest, AStateOfAnotherProblemIsRefused) {
  const FloatMatrix patches = ClusteredPatches(100, 16, 5, 0.1, 2);
  LearnState kept;
  const LearnOptions options = Options(10, 3);
  LearnFrom(patches, options, {.after_epoch = [&](const LearnPause& pause) { kept = pause.State(); }});
  ASSERT_EQ(kept.epochs_done, 2);
  const auto expect_refused = [&](const FloatMatrix& other_patches, const LearnOptions& other_options) {
    const CaughtError error = ExpectError([&] { LearnFrom(other_patches, other_options, {.resume = &kept}); });
    EXPECT_EQ(error.code, ErrorCode::kUsage);
    EXPECT_THAT(error.text, HasSubstr("the state to go on from belongs to another problem"));
    EXPECT_THAT(error.text, HasSubstr("hint: begin anew, or give the input and options it was left by"));
  };
  expect_refused(ClusteredPatches(99, 16, 5, 0.1, 2), options);
  expect_refused(ClusteredPatches(100, 17, 5, 0.1, 2), options);
  expect_refused(patches, Options(11, 3));
  expect_refused(patches, Options(10, 1));
  const Method other = GetParam() == Method::kOnline ? Method::kScc : Method::kOnline;
  expect_refused(patches, OptionsOf(other, 10, 3));
  kept.curvature.pop_back();
  expect_refused(patches, options);
}

// Learning that has settled.

// The epoch after which the rule in learn.h ends learning with these objectives, read off the definition.
std::size_t SettledAfter(const std::vector<double>& objectives, double tolerance) {
  for (std::size_t epoch = 3; epoch <= objectives.size(); ++epoch) {
    const double before = objectives[epoch - 2];
    if (std::abs(before - objectives[epoch - 1]) <= tolerance * before) return epoch;
  }
  return objectives.size();
}

TEST_P(LearnTest, StopsAfterTheFirstEpochThatChangesLittle) {
  const FloatMatrix patches = ClusteredPatches(200, 24, 8, 0.1, 1);
  LearnOptions options = Options(20, 12);
  const LearnResult all = LearnFrom(patches, options);
  EXPECT_FALSE(all.dictionary.summary.settled);
  const std::vector<double>& objectives = all.dictionary.summary.objective_per_epoch;
  ASSERT_EQ(objectives.size(), 12U) << "a tolerance of 0 stops nothing";
  std::set<std::size_t> ends;
  for (const double tolerance : {1.0, 0.03, 0.01, 0.003, 1e-9}) {
    options.tolerance = tolerance;
    RecordingProgress progress;
    const LearnResult result = Learn(patches, AllRows(patches), options, {}, progress);
    const LearningSummary& summary = result.dictionary.summary;
    const std::size_t end = SettledAfter(objectives, tolerance);
    ends.insert(end);
    EXPECT_EQ(summary.objective_per_epoch, std::vector<double>(objectives.data(), objectives.data() + end));
    EXPECT_EQ(summary.settled, end < 12 || tolerance * objectives[10] >= std::abs(objectives[10] - objectives[11]));
    EXPECT_EQ(progress.total, end * 200) << "what was announced is what was done";
    EXPECT_EQ(progress.done, progress.total);
    LearnOptions shorter = options;
    shorter.tolerance = 0.0;
    shorter.epochs = static_cast<int>(end);
    const LearnResult same = LearnFrom(patches, shorter);
    EXPECT_EQ(result.dictionary.atoms, same.dictionary.atoms) << "nothing else is changed by it";
    EXPECT_EQ(result.codes, same.codes);
  }
  EXPECT_EQ(*ends.begin(), 3U) << "the first two epochs say nothing";
  EXPECT_GE(ends.size(), 3U);
}

TEST_P(LearnTest, SettlesAlsoAfterAnInterruption) {
  const FloatMatrix patches = ClusteredPatches(200, 24, 8, 0.1, 1);
  LearnOptions options = Options(20, 30);
  options.tolerance = 0.01;
  std::vector<LearnState> states;
  const auto keep = [&](const LearnPause& pause) { states.push_back(pause.State()); };
  const LearnResult straight = LearnFrom(patches, options, {.after_epoch = keep});
  ASSERT_TRUE(straight.dictionary.summary.settled);
  ASSERT_EQ(states.size() + 1, straight.dictionary.summary.objective_per_epoch.size()) << "not after the last";
  for (const LearnState& state : states) ExpectSame(LearnFrom(patches, options, {.resume = &state}), straight);
}

TEST_P(LearnTest, ANothingToLearnFromSettlesAtOnce) {
  LearnOptions options = Options(5, 9);
  options.tolerance = 1e-6;
  const LearningSummary summary = LearnFrom(FloatMatrix(50, 8, 0.0F), options).dictionary.summary;
  EXPECT_TRUE(summary.settled);
  EXPECT_EQ(summary.objective_per_epoch, std::vector<double>(3, 0.0));
}

// Atoms nobody uses.

TEST_P(LearnTest, UnusedAtomsAreKeptAndCounted) {
  const WithUselessAtoms data;
  const LearnResult result = LearnFrom(data.patches, Options(16, 4), {.initial = &data.initial});
  EXPECT_EQ(result.dictionary.summary.unused_atoms, 4U);
  EXPECT_EQ(result.dictionary.summary.replaced_atoms, 0U);
  for (std::size_t j = 12; j < 16; ++j) EXPECT_EQ(result.dictionary.atoms(j, j + 8), 1.0F);
}

// The rows of `patches` that lie along one of atoms 12 .. 15.
std::set<std::size_t> PatchesAmongTheLastAtoms(const FloatMatrix& patches, const FloatMatrix& atoms) {
  std::set<std::size_t> found;
  for (std::size_t row = 0; row < patches.rows(); ++row) {
    for (std::size_t j = 12; j < 16; ++j) {
      const double cosine = ExactDot(atoms.Row(j).data(), patches.Row(row).data(), patches.cols());
      if (std::abs(cosine - 1.0) < 1e-6) found.insert(row);
    }
  }
  return found;
}

TEST_P(LearnTest, UnusedAtomsAreReplacedByDifferentPatches) {
  const WithUselessAtoms data;
  LearnOptions options = Options(16, 2);
  options.unused_atoms = UnusedAtoms::kReplace;
  LearnState first;
  const auto keep = [&](const LearnPause& pause) { first = pause.State(); };
  const LearnResult result = LearnFrom(data.patches, options, {.initial = &data.initial, .after_epoch = keep});
  EXPECT_EQ(first.replaced_atoms, 4U);
  EXPECT_EQ(PatchesAmongTheLastAtoms(data.patches, first.atoms).size(), 4U);
  for (std::size_t j = 12; j < 16; ++j) {
    EXPECT_EQ(first.curvature[j], 0.0);
    EXPECT_EQ(first.epoch_curvature[j], 0.0);
  }
  EXPECT_EQ(result.dictionary.summary.replaced_atoms, 4U);
  EXPECT_EQ(result.dictionary.summary.unused_atoms, 0U);
}

TEST(LearnAndReplace, TheWorstPatchesOfABatchAreTaken) {
  const WithUselessAtoms data;
  for (const Method method : {Method::kSccMinibatch, Method::kOnline}) {
    LearnOptions options = OptionsOf(method, 16, 2);
    options.batch = 150;  // so that all patches were coded with the first dictionary
    options.unused_atoms = UnusedAtoms::kReplace;
    LearnState first;
    const auto keep = [&](const LearnPause& pause) { first = pause.State(); };
    LearnFrom(data.patches, options, {.initial = &data.initial, .after_epoch = keep});
    std::vector<std::pair<double, std::size_t>> errors;
    for (std::size_t row = 0; row < 150; ++row) {
      errors.emplace_back(NaiveObjective(data.patches.Row(row), data.initial, DenseCode(first.codes, row), 0.0), row);
    }
    std::sort(errors.rbegin(), errors.rend());
    std::set<std::size_t> worst;
    for (std::size_t i = 0; i < 4; ++i) worst.insert(errors[i].second);
    EXPECT_EQ(PatchesAmongTheLastAtoms(data.patches, first.atoms), worst);
  }
}

TEST_P(LearnTest, ReplacedAtomsHelp) {
  const WithUselessAtoms data;
  LearnOptions options = Options(16, 4);
  const LearnResult kept = LearnFrom(data.patches, options, {.initial = &data.initial});
  options.unused_atoms = UnusedAtoms::kReplace;
  const LearnResult replaced = LearnFrom(data.patches, options, {.initial = &data.initial});
  EXPECT_EQ(replaced.dictionary.summary.unused_atoms, 0U);
  EXPECT_LT(replaced.dictionary.summary.Objective(), kept.dictionary.summary.Objective());
}

// Expects that nothing is remembered of atoms that were just replaced, and counts those that had been used before.
class PastOfReplacedAtoms {
 public:
  explicit PastOfReplacedAtoms(std::size_t atoms) : used_before_(atoms, false) {}

  void Check(const LearnState& state) {
    std::vector<bool> used(used_before_.size(), false);
    for (const std::int32_t atom : state.codes.indices) used[static_cast<std::size_t>(atom)] = true;
    for (std::size_t j = 0; j < used.size(); ++j) {
      if (used[j]) continue;
      if (used_before_[j]) ++with_a_past_;
      EXPECT_EQ(state.curvature[j], 0.0);
      EXPECT_EQ(state.epoch_curvature[j], 0.0);
      for (std::size_t k = 0; k < state.moments.rows(); ++k) EXPECT_EQ(state.moments(k, j), 0.0F);
      if (state.moments.rows() == 0) continue;
      for (const float value : state.moments.Row(j)) EXPECT_EQ(value, 0.0F);
    }
    used_before_ = used;
  }
  std::size_t with_a_past() const { return with_a_past_; }

 private:
  std::vector<bool> used_before_;
  std::size_t with_a_past_ = 0;
};

// Else H would brake the new atom, and online learning would bring the old one back.
TEST(LearnAndReplace, ReplacedAtomsStartWithoutAPast) {
  for (const Method method : {Method::kScc, Method::kOnline}) {
    std::size_t with_a_past = 0;
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      const FloatMatrix patches = ClusteredPatches(60, 20, 5, 0.05, seed);
      LearnOptions options = OptionsOf(method, 30, 6);
      options.batch = 10;
      options.unused_atoms = UnusedAtoms::kReplace;
      PastOfReplacedAtoms past(30);
      LearnFrom(patches, options, {.after_epoch = [&](const LearnPause& pause) { past.Check(pause.State()); }});
      with_a_past += past.with_a_past();
    }
    EXPECT_GE(with_a_past, 1U);
  }
}

// Odd patches.

TEST_P(LearnTest, LambdaTooLargeLeavesTheDictionaryAlone) {
  const FloatMatrix patches = RandomUnitRows(90, 8, 12);
  for (const UnusedAtoms unused : {UnusedAtoms::kKeep, UnusedAtoms::kReplace}) {
    LearnOptions options = Options(6, 3);
    options.lambda = 1.5;
    options.unused_atoms = unused;
    const LearnResult result = LearnFrom(patches, options);
    ExpectFinite(result);
    EXPECT_TRUE(result.codes.data.empty());
    EXPECT_EQ(result.codes.rows(), 90U);
    EXPECT_EQ(result.dictionary.summary.unused_atoms, 6U);
    EXPECT_EQ(result.dictionary.summary.nonzeros_per_code, 0.0);
    EXPECT_NEAR(result.dictionary.summary.Objective(), 0.5, 1e-6);
    if (unused == UnusedAtoms::kReplace) {
      EXPECT_EQ(result.dictionary.summary.replaced_atoms, 12U);
    } else {
      EXPECT_EQ(result.dictionary.atoms, InitialDictionary(patches, AllRows(patches), 6, options.seed));
    }
  }
}

TEST_P(LearnTest, LongPatchesWithoutACodeAreNoDivergence) {
  // Single precision may find such a patch a little longer than it is.
  FloatMatrix patches(4, 10000);
  for (std::size_t row = 0; row < 4; ++row) {
    std::fill(patches.Row(row).begin(), patches.Row(row).end(), (1.0F + 0.01F * static_cast<float>(row)) / 103.44F);
  }
  LearnOptions options = Options(2, 1);
  options.lambda = 5.0;
  for (const std::string& set : SimdTargets()) {
    const SimdChoice choice(set);
    EXPECT_EQ(LearnFrom(patches, options, {}).dictionary.summary.unused_atoms, 2U);
  }
}

TEST_P(LearnTest, ZeroPatchesAlone) {
  for (const UnusedAtoms unused : {UnusedAtoms::kKeep, UnusedAtoms::kReplace}) {
    LearnOptions options = Options(5, 3);
    options.unused_atoms = unused;
    const LearnResult result = LearnFrom(FloatMatrix(50, 8, 0.0F), options);
    ExpectFinite(result);
    EXPECT_TRUE(result.codes.data.empty());
    EXPECT_EQ(result.dictionary.summary.Objective(), 0.0);
    EXPECT_EQ(result.dictionary.summary.unused_atoms, 5U);
    EXPECT_EQ(result.dictionary.summary.replaced_atoms, 0U);  // zero patches make no atoms
  }
}

TEST_P(LearnTest, DuplicateAndZeroRowsAreHarmless) {
  FloatMatrix patches(40, 8, 0.0F);
  const FloatMatrix one = RandomUnitRows(1, 8, 14);
  for (std::size_t row = 0; row < 20; ++row) std::copy_n(one.Row(0).begin(), 8, patches.Row(row).begin());
  const LearnResult result = LearnFrom(patches, Options(10, 3));
  ExpectFinite(result);
  for (std::size_t row = 0; row < 20; ++row) {
    double sum = 0.0;
    for (const float weight : result.codes.RowData(row)) sum += std::abs(weight);
    EXPECT_NEAR(sum, 0.9, 0.02);
  }
  for (std::size_t row = 20; row < 40; ++row) EXPECT_TRUE(result.codes.RowIndices(row).empty());
}

TEST_P(LearnTest, OneOfEverything) {
  const FloatMatrix patch(1, 1, {1.0F});
  const LearnResult result = LearnFrom(patch, Options(1, 3));
  EXPECT_NEAR(result.dictionary.atoms(0, 0), 1.0, 1e-6);
  ASSERT_EQ(result.codes.data.size(), 1U);
  EXPECT_NEAR(result.codes.data[0], 0.9, 1e-4);
}

TEST_P(LearnTest, NonnegativeWeights) {
  const FloatMatrix patches = ClusteredPatches(200, 24, 8, 0.1, 4);
  LearnOptions options = Options(20, 3);
  const auto negative = [&] {
    const LearnResult result = LearnFrom(patches, options);
    EXPECT_EQ(result.dictionary.summary.nonnegative, options.nonnegative);
    return std::count_if(
        result.codes.data.begin(), result.codes.data.end(), [](float weight) { return weight < 0.0F; });
  };
  EXPECT_GT(negative(), 0);
  options.nonnegative = true;
  EXPECT_EQ(negative(), 0);
  options.solver = LearnOptions::Solver::kDescent;
  EXPECT_EQ(negative(), 0);
}

TEST_P(LearnTest, OnlyTheNamedRowsTakePart) {
  FloatMatrix patches = ClusteredPatches(60, 16, 5, 0.1, 11);
  std::vector<std::size_t> rows;
  for (std::size_t row = 59; row >= 10; row -= 2) rows.push_back(row);
  FloatMatrix chosen(rows.size(), 16);
  for (std::size_t i = 0; i < rows.size(); ++i) std::copy_n(patches.Row(rows[i]).begin(), 16, chosen.Row(i).begin());
  patches(0, 0) = std::nanf("");  // takes no part, so does no harm
  ExpectSame(Learn(patches, rows, Options(5, 2), {}, NoProgress()), LearnFrom(chosen, Options(5, 2)));
}

TEST_P(LearnTest, SummarySaysWhatTheCodesSay) {
  const FloatMatrix patches = ClusteredPatches(100, 16, 5, 0.1, 10);
  const LearnResult result = LearnFrom(patches, Options(12, 2));
  const LearningSummary& summary = result.dictionary.summary;
  EXPECT_EQ(summary.lambda, 0.10);
  EXPECT_FALSE(summary.nonnegative);
  EXPECT_EQ(summary.patches, 100U);
  EXPECT_EQ(summary.objective_per_epoch.size(), 2U);
  EXPECT_EQ(result.codes.rows(), 100U);
  EXPECT_EQ(result.codes.atoms, 12U);
  EXPECT_DOUBLE_EQ(summary.nonzeros_per_code, static_cast<double>(result.codes.data.size()) / 100.0);
  const std::set<std::int32_t> used(result.codes.indices.begin(), result.codes.indices.end());
  EXPECT_EQ(summary.unused_atoms, 12U - used.size());
  for (std::size_t row = 0; row < 100; ++row) {
    const std::span<const std::int32_t> indices = result.codes.RowIndices(row);
    EXPECT_TRUE(std::is_sorted(indices.begin(), indices.end()));
  }
  EXPECT_EQ(result.times.per_epoch.size(), 2U);
  EXPECT_GE(result.times.Total(), result.times.per_epoch[0]);
  EXPECT_GE(result.times.codes, 0.0);
  EXPECT_GE(result.times.dictionary, 0.0);
}

TEST_P(LearnTest, SameBytesTwice) {
  const FloatMatrix patches = ClusteredPatches(150, 16, 5, 0.1, 10);
  ExpectSame(LearnFrom(patches, Options(12, 2)), LearnFrom(patches, Options(12, 2)));
}

// The first dictionary.

TEST_P(LearnTest, StartsFromTheGivenDictionary) {
  // One zero patch moves nothing: what comes back is what was given, as learning projects it.
  const FloatMatrix given(2, 2, {0.6F, 0.0F, 3.0F, 4.0F});
  LearnOptions options = Options(2, 1);
  const FloatMatrix patch(1, 2, 0.0F);
  const FloatMatrix ball = LearnFrom(patch, options, {.initial = &given}).dictionary.atoms;
  EXPECT_FLOAT_EQ(ball(0, 0), 0.6F);
  EXPECT_FLOAT_EQ(ball(1, 0), 0.6F);
  EXPECT_FLOAT_EQ(ball(1, 1), 0.8F);
  options.projection = LearnOptions::Projection::kSphere;
  const FloatMatrix sphere = LearnFrom(patch, options, {.initial = &given}).dictionary.atoms;
  const bool online = options.method == LearnOptions::Method::kOnline;  // which knows the ball only
  EXPECT_FLOAT_EQ(sphere(0, 0), online ? 0.6F : 1.0F);
  EXPECT_FLOAT_EQ(sphere(1, 1), 0.8F);
}

TEST(InitialDictionary, IsMadeOfDifferentPatches) {
  FloatMatrix patches = RandomUnitRows(25, 8, 15);
  for (std::size_t row = 0; row < 5; ++row) std::copy_n(patches.Row(24).begin(), 8, patches.Row(row).begin());
  std::fill(patches.Row(7).begin(), patches.Row(7).end(), 0.0F);
  const FloatMatrix dictionary = InitialDictionary(patches, AllRows(patches), 19, 1);
  std::set<std::vector<float>> drawn;
  std::set<std::vector<float>> given;
  for (std::size_t j = 0; j < 19; ++j) drawn.emplace(dictionary.Row(j).begin(), dictionary.Row(j).end());
  for (std::size_t row = 0; row < 25; ++row) given.emplace(patches.Row(row).begin(), patches.Row(row).end());
  given.erase(std::vector<float>(8, 0.0F));
  EXPECT_EQ(drawn, given);
  EXPECT_NE(dictionary, InitialDictionary(patches, AllRows(patches), 19, 2));
  EXPECT_EQ(dictionary, InitialDictionary(patches, AllRows(patches), 19, 1));
}

TEST(InitialDictionary, FillsUpWithRandomDirections) {
  const FloatMatrix patches = RandomUnitRows(3, 8, 16);
  const FloatMatrix dictionary = InitialDictionary(patches, AllRows(patches), 6, 1);
  EXPECT_EQ(FoundAtoms(patches, dictionary, 0.9999), 3U);
  std::set<std::vector<float>> different;
  for (std::size_t j = 0; j < 6; ++j) {
    EXPECT_NEAR(ExactDot(dictionary.Row(j).data(), dictionary.Row(j).data(), 8), 1.0, 1e-6);
    different.emplace(dictionary.Row(j).begin(), dictionary.Row(j).end());
  }
  EXPECT_EQ(different.size(), 6U);
}

TEST(InitialDictionary, ProjectsLongPatchesOntoTheBall) {
  const FloatMatrix patches(2, 2, {3.0F, 4.0F, 0.3F, 0.4F});
  const FloatMatrix dictionary = InitialDictionary(patches, std::vector<std::size_t>{0}, 1, 1);
  EXPECT_FLOAT_EQ(dictionary(0, 0), 0.6F);
  EXPECT_FLOAT_EQ(dictionary(0, 1), 0.8F);
  EXPECT_EQ(InitialDictionary(patches, std::vector<std::size_t>{1}, 1, 1)(0, 1), 0.4F);
}

// Errors, warnings, progress.

TEST_P(LearnTest, NoPatches) {
  const FloatMatrix patches(0, 8);
  const CaughtError error = ExpectError([&] { LearnFrom(patches, Options(5, 1)); });
  EXPECT_EQ(error.code, ErrorCode::kInput);
  EXPECT_THAT(error.text, HasSubstr("there are no patches to learn from"));
  EXPECT_THAT(error.text, HasSubstr("hint: either all patches were dropped as flat"));
}

TEST_P(LearnTest, AValueThatIsNotFiniteIsNamed) {
  for (const float bad : {std::nanf(""), std::numeric_limits<float>::infinity()}) {
    FloatMatrix patches = RandomUnitRows(10, 8, 17);
    patches(7, 3) = bad;
    const std::vector<std::size_t> rows = {1, 2, 3, 7, 8};
    const CaughtError error = ExpectError([&] { Learn(patches, rows, Options(5, 1), {}, NoProgress()); });
    EXPECT_EQ(error.code, ErrorCode::kInput);
    EXPECT_THAT(error.text, HasSubstr("patch 7 holds a value that is not a finite number"));
    EXPECT_THAT(error.text, HasSubstr("hint: patches count from 0; compute the descriptors again"));
  }
}

TEST_P(LearnTest, HugePatchesDiverge) {
  FloatMatrix patches = RandomUnitRows(60, 8, 18);
  for (std::size_t row = 0; row < 60; ++row) ScaleToNorm(patches.Row(row), 1e30);
  for (const std::string& set : SimdTargets()) {
    const SimdChoice choice(set);
    const CaughtError error = ExpectError([&] { LearnFrom(patches, Options(5, 2), {}); });
    EXPECT_EQ(error.code, ErrorCode::kInput);
    EXPECT_THAT(error.text, HasSubstr("learning diverged in epoch 1: the numbers grew beyond all bounds"));
    EXPECT_THAT(error.text, HasSubstr("hint: patches are expected to have norm 1; check the steps before learn"));
  }
}

TEST(LearnScc, NaturalRateThatIsTooHighDiverges) {
  // Atoms are thrown about, and one cycle a visit cannot mend the codes.
  LearnOptions options = OptionsOf(Method::kScc, 100, 10);
  options.rate = LearnOptions::Rate::kNatural;
  options.rate_a = 1e9;
  options.cd_steps = 1;
  int epochs = 0;
  const auto count = [&](const LearnPause& pause) { epochs = pause.epochs_done(); };
  const CaughtError error =
      ExpectError([&] { LearnFrom(RandomUnitRows(400, 16, 1), options, {.after_epoch = count}); });
  EXPECT_EQ(error.code, ErrorCode::kInput);
  EXPECT_THAT(error.text,
              HasSubstr("learning diverged in epoch " + std::to_string(epochs + 1) + ": the objective 0.5"));
  EXPECT_THAT(error.text, HasSubstr("is worse than that of zero codes, 0.5000"));
  EXPECT_THAT(error.text, HasSubstr("hint: the natural rate is too high: lower learn.rate_a or raise learn.rate_b"));
}

TEST_P(LearnTest, NonnegativeAtoms) {
  // Patches such as descriptors before they are centred: a non-negative dictionary can explain them.
  FloatMatrix patches = ClusteredPatches(300, 24, 8, 0.1, 3);
  for (std::size_t row = 0; row < 300; ++row) {
    for (float& value : patches.Row(row)) value = std::abs(value);
  }
  // One of which nothing is left; it may be drawn for the first dictionary.
  for (float& value : patches.Row(7)) value = -value;
  LearnOptions options = Options(12, 4);
  options.batch = 50;
  options.nonnegative_atoms = true;
  options.unused_atoms = LearnOptions::UnusedAtoms::kReplace;
  const LearnResult result = LearnFrom(patches, options);
  for (const float value : result.dictionary.atoms.values()) EXPECT_GE(value, 0.0F);
  for (std::size_t j = 0; j < 12; ++j) {
    const auto atom = result.dictionary.atoms.Row(j);
    const double squared_norm = ExactDot(atom.data(), atom.data(), 24);
    EXPECT_GT(squared_norm, 0.0);
    EXPECT_LE(squared_norm, 1.0 + 1e-5);
  }
  const std::vector<double>& objectives = result.dictionary.summary.objective_per_epoch;
  EXPECT_LT(objectives.back(), objectives.front());
  ExpectResumes(patches, options, nullptr);
}

TEST_P(LearnTest, AFirstDictionaryLosesItsNegativeValues) {
  LearnOptions options = Options(2, 1);
  options.nonnegative_atoms = true;
  const FloatMatrix given(2, 2, {0.6F, -0.8F, 3.0F, 4.0F});
  const FloatMatrix zero(1, 2, 0.0F);
  EXPECT_THAT(LearnFrom(zero, options, {.initial = &given}).dictionary.atoms.values(),
              ::testing::ElementsAre(0.6F, 0.0F, ::testing::FloatEq(0.6F), ::testing::FloatEq(0.8F)));
  const FloatMatrix negative(2, 2, {0.6F, -0.8F, -3.0F, 0.0F});
  const CaughtError error = ExpectError([&] { LearnFrom(zero, options, {.initial = &negative}); });
  EXPECT_EQ(error.code, ErrorCode::kInput);
  EXPECT_THAT(error.text, HasSubstr("atom 1 (counted from 0) of the first dictionary has no value above 0"));
  EXPECT_THAT(error.text, HasSubstr("hint: with nonnegative_atoms what is negative becomes 0"));
  // A patch without anything positive gives no atom either: a random one takes its place.
  const FloatMatrix patch(1, 2, {-0.6F, -0.8F});
  const FloatMatrix drawn = LearnFrom(patch, options).dictionary.atoms;
  for (std::size_t j = 0; j < 2; ++j) EXPECT_NEAR(ExactDot(drawn.Row(j).data(), drawn.Row(j).data(), 2), 1.0, 1e-5);
  for (const float value : drawn.values()) EXPECT_GE(value, 0.0F);
}

TEST_P(LearnTest, AFirstDictionaryThatDoesNotFitIsRefused) {
  const FloatMatrix patches = RandomUnitRows(20, 8, 19);
  for (const FloatMatrix& given : {RandomUnitRows(4, 8, 1), RandomUnitRows(5, 9, 1)}) {
    const CaughtError error = ExpectError([&] { LearnFrom(patches, Options(5, 1), {.initial = &given}); });
    EXPECT_EQ(error.code, ErrorCode::kUsage);
    EXPECT_THAT(error.text,
                HasSubstr("the first dictionary has " + std::to_string(given.rows()) + " atoms of " +
                          std::to_string(given.cols()) + " values; 5 of 8 are needed"));
    EXPECT_THAT(error.text, HasSubstr("hint: one row an atom, as long as a patch"));
  }
  FloatMatrix broken = RandomUnitRows(5, 8, 1);
  broken(4, 7) = std::nanf("");
  const CaughtError error = ExpectError([&] { LearnFrom(patches, Options(5, 1), {.initial = &broken}); });
  EXPECT_EQ(error.code, ErrorCode::kInput);
  EXPECT_THAT(error.text, HasSubstr("the first dictionary holds a value that is not a finite number"));
}

TEST_P(LearnTest, MoreAtomsThanPatchesWarns) {
  const FloatMatrix patches = RandomUnitRows(4, 8, 16);
  RecordingProgress progress;
  const LearnResult result = Learn(patches, AllRows(patches), Options(7, 2), {}, progress);
  ExpectFinite(result);
  EXPECT_EQ(result.dictionary.atoms.rows(), 7U);
  EXPECT_FALSE(result.codes.data.empty());
  ASSERT_EQ(progress.warnings.size(), 1U);
  EXPECT_EQ(progress.warnings[0],
            "7 atoms are more than the 4 patches to learn from; lower learn.atoms, or add images");
  progress.warnings.clear();
  Learn(patches, AllRows(patches), Options(4, 1), {}, progress);
  EXPECT_TRUE(progress.warnings.empty());
}

TEST_P(LearnTest, CodesThatStayZeroAreToldOf) {
  const FloatMatrix patches = RandomUnitRows(90, 8, 12);
  RecordingProgress progress;
  LearnOptions options = Options(6, 3);
  Learn(patches, AllRows(patches), options, {}, progress);
  EXPECT_TRUE(progress.warnings.empty());
  options.lambda = 1.5;
  Learn(patches, AllRows(patches), options, {}, progress);
  EXPECT_THAT(progress.warnings,
              ::testing::ElementsAre("all codes are zero after the first epoch: nothing was learned; lower "
                                     "learn.lambda, or scale the patches to norm 1"));
}

TEST_P(LearnTest, CountsEveryVisitAndNotesHowItGoes) {
  const FloatMatrix patches = ClusteredPatches(300, 16, 5, 0.1, 18);
  RecordingProgress progress;
  LearnState kept;
  const auto keep = [&](const LearnPause& pause) { kept = pause.State(); };
  const LearnResult result = Learn(patches, AllRows(patches), Options(12, 2), {.after_epoch = keep}, progress);
  EXPECT_EQ(progress.total, 600U);
  EXPECT_EQ(progress.done, 600U);
  EXPECT_EQ(progress.unit, "patches");
  ASSERT_EQ(progress.notes.size(), 2U);
  EXPECT_EQ(progress.notes[1],
            "epoch 2 of 2, objective " + FormatFixed(result.dictionary.summary.Objective(), 4) + ", " +
                FormatFixed(result.dictionary.summary.nonzeros_per_code, 1) + " non-zeros a code");
  RecordingProgress rest;
  Learn(patches, AllRows(patches), Options(12, 2), {.resume = &kept}, rest);
  EXPECT_EQ(rest.total, 300U);
  EXPECT_EQ(rest.done, 300U);
  EXPECT_THAT(rest.notes, ::testing::ElementsAre(progress.notes[1]));
}

TEST_P(LearnTest, StopsWhenAsked) {
  const FloatMatrix patches = ClusteredPatches(600, 16, 5, 0.1, 19);
  RecordingProgress progress(AfterItems(200));
  const CaughtError error =
      ExpectError([&] { Learn(patches, AllRows(patches), Options(12, 2), {.threads = 2}, progress); });
  EXPECT_EQ(error.code, ErrorCode::kInterrupted);
  EXPECT_GE(progress.done, 200U);
  EXPECT_LT(progress.done, 600U);
  EXPECT_TRUE(progress.notes.empty());
}

using ::testing::StartsWith;

// Three atoms of five values, four patches; numbers that a careless format would round.
LearnState SomeState() {
  LearnState state;
  state.epochs_done = 2;
  state.steps = std::numeric_limits<std::uint64_t>::max();
  state.atoms = RandomUnitRows(3, 5, 1);
  state.atoms(1, 2) = -0.0F;
  state.atoms(2, 4) = 1e-42F;
  state.curvature = {1.0 / 3, 1e300, 0.0};
  state.epoch_curvature = {0.1, 4.9e-324, 2.0};
  state.codes.atoms = 3;
  state.codes.AppendDense(std::vector<float>{0, 1.0F / 3, 0});
  state.codes.AppendDense(std::vector<float>{0, 0, 0});
  state.codes.AppendDense(std::vector<float>{1e-30F, 0, -7});
  state.codes.AppendDense(std::vector<float>{0, 0, 0});
  state.objective_per_epoch = {0.1 + 0.2, 1.0 / 3};
  state.replaced_atoms = 5;
  return state;
}

LearnState OnlineState() {
  LearnState state = SomeState();
  state.moments = RandomUnitRows(3, 8, 2);
  return state;
}

class LearnStateTest : public ::testing::Test {
 protected:
  fs::path Folder() const { return folder_ / "checkpoint"; }
  LearnState Load() const { return LearnState::Load(Folder()); }
  void Save(const LearnState& state) {
    state.Save(Folder());
    saved_json_ = ReadFile(Folder() / "state.json");
  }
  // Changes a text of state.json as it was saved.
  void Edit(const std::string& from, const std::string& to) const {
    std::string text = saved_json_;
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from << " is not in " << text;
    WriteFile(Folder() / "state.json", text.replace(at, from.size(), to));
  }
  void ExpectCorrupt(const std::string& reason) const {
    const CaughtError error = ExpectError([this] { Load(); });
    EXPECT_EQ(error.code, ErrorCode::kCorrupt);
    EXPECT_EQ(error.text,
              Folder().string() + ": error: the checkpoint is not readable: " + reason +
                  "\n  hint: delete the folder to begin anew");
  }

  TempFolder folder_;
  std::string saved_json_;
};

TEST_F(LearnStateTest, ComesBackBitForBit) {
  for (const LearnState& state : {SomeState(), OnlineState()}) {
    Save(state);
    const LearnState loaded = Load();
    EXPECT_EQ(loaded, state);
    EXPECT_TRUE(std::signbit(loaded.atoms(1, 2)));
    const fs::path again = folder_ / "again";
    loaded.Save(again);
    for (const std::string name :
         {"atoms.npy", "curvature.npy", "codes.indptr.npy", "codes.indices.npy", "codes.data.npy", "state.json"}) {
      EXPECT_EQ(ReadFile(again / name), ReadFile(Folder() / name)) << name;
    }
  }
}

TEST_F(LearnStateTest, ALaterStateReplacesAnEarlierOne) {
  Save(OnlineState());
  EXPECT_TRUE(fs::exists(Folder() / "moments.npy"));
  LearnState later = SomeState();  // without moments
  later.epochs_done = 3;
  later.objective_per_epoch.push_back(0.25);
  later.atoms = RandomUnitRows(3, 7, 3);
  Save(later);
  EXPECT_FALSE(fs::exists(Folder() / "moments.npy"));
  EXPECT_EQ(Load(), later);
}

TEST_F(LearnStateTest, TheFilesAreReadable) {
  Save(OnlineState());
  EXPECT_EQ(ReadFile(Folder() / "state.json"),
            "{\n  \"epochs_done\": 2,\n"
            "  \"steps\": 18446744073709551615,\n"
            "  \"objective_per_epoch\": [\n    0.30000000000000004,\n    0.3333333333333333\n  ],\n"
            "  \"replaced_atoms\": 5\n}\n");
  EXPECT_EQ(ReadNpyMatrix<double>(Folder() / "curvature.npy"),
            Matrix<double>(2, 3, {1.0 / 3, 1e300, 0.0, 0.1, 4.9e-324, 2.0}));
  EXPECT_EQ(ReadNpyMatrix<float>(Folder() / "moments.npy").cols(), 8U);
}

TEST_F(LearnStateTest, MissingFiles) {
  EXPECT_EQ(ExpectError([this] { Load(); }).code, ErrorCode::kInput);
  Save(SomeState());
  for (const std::string name :
       {"atoms.npy", "curvature.npy", "codes.indptr.npy", "codes.indices.npy", "codes.data.npy", "state.json"}) {
    fs::rename(Folder() / name, Folder() / "elsewhere");
    const CaughtError error = ExpectError([this] { Load(); });
    EXPECT_EQ(error.code, ErrorCode::kInput) << name;
    EXPECT_THAT(error.text, StartsWith((Folder() / name).string() + ": error: ")) << name;
    fs::rename(Folder() / "elsewhere", Folder() / name);
  }
  EXPECT_EQ(Load(), SomeState());
}

TEST_F(LearnStateTest, TruncatedFiles) {
  Save(OnlineState());
  for (const std::string name : {"atoms.npy",
                                 "curvature.npy",
                                 "moments.npy",
                                 "codes.indptr.npy",
                                 "codes.indices.npy",
                                 "codes.data.npy",
                                 "state.json"}) {
    const std::string whole = ReadFile(Folder() / name);
    for (const std::size_t kept : {std::size_t{0}, whole.size() - 3}) {
      fs::resize_file(Folder() / name, kept);
      const CaughtError error = ExpectError([this] { Load(); });
      EXPECT_EQ(error.code, ErrorCode::kCorrupt) << name << ", " << kept << " bytes";
      EXPECT_THAT(error.text, StartsWith(Folder().string())) << name;
      WriteFile(Folder() / name, whole);
    }
  }
}

TEST_F(LearnStateTest, ArraysThatDoNotBelongTogether) {
  const auto expect = [this](const LearnState& changed) {
    Save(changed);
    ExpectCorrupt("the arrays differ in length");
  };
  LearnState state = SomeState();
  state.atoms = RandomUnitRows(2, 5, 1);
  expect(state);
  state = SomeState();
  state.curvature.push_back(1.0);
  state.epoch_curvature.push_back(1.0);
  expect(state);
  state = SomeState();
  state.moments = FloatMatrix(3, 7);
  expect(state);
  state.moments = FloatMatrix(2, 8);
  expect(state);
  Save(SomeState());
  WriteNpy<double>(Folder() / "curvature.npy", Matrix<double>(1, 3));
  ExpectCorrupt("the arrays differ in length");
}

TEST_F(LearnStateTest, CodesOfAnotherDictionary) {
  LearnState state = SomeState();
  state.codes.atoms = 4;
  state.codes.AppendDense(std::vector<float>{0, 0, 0, 1});
  Save(state);
  const CaughtError error = ExpectError([this] { Load(); });
  EXPECT_EQ(error.code, ErrorCode::kCorrupt);
  EXPECT_EQ(error.text, CorruptText(Folder(), "the codes are not a valid matrix"));
}

TEST_F(LearnStateTest, CountsThatContradictEachOther) {
  Save(SomeState());
  for (const std::string epochs : {"0", "1", "3"}) {
    Edit("\"epochs_done\": 2", "\"epochs_done\": " + epochs);
    ExpectCorrupt("state.json contradicts itself");
  }
  Edit("0.3333333333333333", "0.3333333333333333, 0.25");
  ExpectCorrupt("state.json contradicts itself");
}

TEST_F(LearnStateTest, CountsThatAreNone) {
  Save(SomeState());
  for (const std::string bad : {"-1", "1.5", "\"2\"", "null"}) {
    Edit("\"epochs_done\": 2", "\"epochs_done\": " + bad);
    ExpectCorrupt("epochs_done is not a count");
    Edit("18446744073709551615", bad);
    ExpectCorrupt("steps is not a count");
    Edit("\"replaced_atoms\": 5", "\"replaced_atoms\": " + bad);
    ExpectCorrupt("replaced_atoms is not a count");
  }
}

TEST_F(LearnStateTest, TextThatIsNoState) {
  Save(SomeState());
  const auto complaint = [this] {
    const CaughtError error = ExpectError([this] { Load(); });
    EXPECT_EQ(error.code, ErrorCode::kCorrupt);
    EXPECT_THAT(error.text, StartsWith(Folder().string() + ": error: the checkpoint is not readable: "));
    return error.text;
  };
  const auto complaint_about = [&](const std::string& text) {
    WriteFile(Folder() / "state.json", text);
    return complaint();
  };
  EXPECT_THAT(complaint_about(""), HasSubstr("parse error"));
  EXPECT_THAT(complaint_about("[]"), HasSubstr("cannot use at() with array"));
  EXPECT_THAT(complaint_about("{}"), HasSubstr("key 'epochs_done' not found"));
  Edit("\"steps\"", "\"stairs\"");
  EXPECT_THAT(complaint(), HasSubstr("key 'steps' not found"));
  Edit("0.3333333333333333", "null");
  EXPECT_THAT(complaint(), HasSubstr("type must be number"));
}

}  // namespace
}  // namespace flyscribe
