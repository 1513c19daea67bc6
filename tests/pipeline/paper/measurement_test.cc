#include "pipeline/paper/measurement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/rng.h"
#include "sparse/encoder.h"
#include "sparse/learn.h"
#include "tests/support/expect_error.h"
#include "tests/support/recording_progress.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

using testing::HasSubstr;

Measured SomeMeasured() {
  Measured measured;
  measured.patches = 100;
  measured.seconds = {0.2, 0.1, 0.3};
  measured.codes = {0.15, 0.08, 0.2};
  measured.dictionary = {0.05, 0.02, 0.1};
  measured.objective = {0.2, 0.15, 0.14};
  measured.first_objective = 0.25;
  measured.objective_patches = 50;
  measured.nonzeros = 9.5;
  measured.unused_atoms = 3;
  measured.memory_before = 1000;
  measured.memory_peak = 5000;
  measured.interruptions = 1;
  measured.made = "2026-11-17T10:00:00Z";
  measured.processor = "some";
  return measured;
}

TEST(Measured, TimesOfAVisitAreMeansOfAWholeRun) {
  const Measured measured = SomeMeasured();
  EXPECT_DOUBLE_EQ(measured.Total(), 0.6);
  EXPECT_NEAR(measured.VisitMicroseconds(), 2000.0, 1e-9);
  EXPECT_NEAR(measured.CodesMicroseconds(), 0.43 / 3 * 1e4, 1e-9);
}

TEST(Measured, TimesOfAVisitAreMediansWhereOnlyVisitsWereTimed) {
  Measured measured = SomeMeasured();
  measured.visits_only = true;
  EXPECT_NEAR(measured.VisitMicroseconds(), 2000.0, 1e-9);
  measured.seconds = {0.1, 0.9, 0.2};
  EXPECT_NEAR(measured.VisitMicroseconds(), 2000.0, 1e-9);
  EXPECT_NEAR(measured.DictionaryMicroseconds(), 500.0, 1e-9);
}

TEST(Measured, AnObjectiveIsReachedAtTheEndOfAnEpoch) {
  const Measured measured = SomeMeasured();
  EXPECT_DOUBLE_EQ(*measured.SecondsTo(0.2), 0.2);
  EXPECT_DOUBLE_EQ(*measured.SecondsTo(0.19), 0.2 + 0.1);
  EXPECT_FALSE(measured.SecondsTo(0.1));
}

TEST(Measured, IsReadBackAsItWasWritten) {
  const TempFolder folder;
  const Measured measured = SomeMeasured();
  measured.Save(folder.path());
  const Measured read = Measured::Load(folder.path());
  EXPECT_EQ(read.visits_only, measured.visits_only);
  EXPECT_EQ(read.patches, measured.patches);
  EXPECT_EQ(read.seconds, measured.seconds);
  EXPECT_EQ(read.codes, measured.codes);
  EXPECT_EQ(read.dictionary, measured.dictionary);
  EXPECT_EQ(read.objective, measured.objective);
  EXPECT_EQ(read.first_objective, measured.first_objective);
  EXPECT_EQ(read.objective_patches, measured.objective_patches);
  EXPECT_EQ(read.nonzeros, measured.nonzeros);
  EXPECT_EQ(read.unused_atoms, measured.unused_atoms);
  EXPECT_EQ(read.diverged, measured.diverged);
  EXPECT_EQ(read.memory_before, measured.memory_before);
  EXPECT_EQ(read.memory_peak, measured.memory_peak);
  EXPECT_EQ(read.interruptions, measured.interruptions);
  EXPECT_EQ(read.made, measured.made);
  EXPECT_EQ(read.processor, measured.processor);
}

TEST(Measured, DamageIsNoticed) {
  const TempFolder folder;
  folder.Write("measurement.json", "{\"patches\": 3}");
  const CaughtError error = ExpectError([&] { Measured::Load(folder.path()); });
  EXPECT_EQ(error.code, ErrorCode::kCorrupt);
  EXPECT_THAT(error.text, HasSubstr("the measurement is damaged"));
}

TEST(Measurement, WhateverDiffersTellsApart) {
  std::set<std::string> identities;
  const auto add = [&](const auto& change) {
    Measurement measurement;
    change(measurement);
    identities.insert(measurement.Identity());
  };
  add([](Measurement&) {});
  add([](Measurement& m) { m.range = "4-6"; });
  add([](Measurement& m) { m.source = "x"; });
  add([](Measurement& m) { m.learn.atoms = 7; });
  add([](Measurement& m) { m.patches = 7; });
  add([](Measurement& m) { m.share = 2; });
  add([](Measurement& m) { m.timed_visits = 7; });
  add([](Measurement& m) { m.objective_patches = 7; });
  add([](Measurement& m) { m.threads = 2; });
  add([](Measurement& m) { m.side_by_side = 2; });
  add([](Measurement& m) { m.repetition = 2; });
  EXPECT_EQ(identities.size(), 11U);
}

TEST(Measurement, LabelsSayWhatIsUnusual) {
  Measurement measurement;
  measurement.learn.method = LearnOptions::Method::kScc;
  EXPECT_EQ(measurement.Label(), "scc m=500");
  measurement.learn.cd_steps = 5;
  measurement.learn.rate = LearnOptions::Rate::kNatural;
  measurement.learn.rate_a = 10.0;
  EXPECT_EQ(measurement.Label(), "scc m=500 steps=5 a=10 b=1");
  measurement.learn = {};
  measurement.learn.method = LearnOptions::Method::kOnline;
  measurement.threads = 2;
  measurement.timed_visits = 30;
  EXPECT_EQ(measurement.Label(), "online m=500 batch=512 timed=30 threads=2");
  measurement.learn.solver = LearnOptions::Solver::kDescent;
  EXPECT_EQ(measurement.Label(), "online m=500 batch=512 solver=descent timed=30 threads=2");
}

TEST(Median, IsTheMiddle) {
  EXPECT_EQ(Median({3.0}), 3.0);
  EXPECT_EQ(Median({5.0, 1.0, 3.0}), 3.0);
  EXPECT_EQ(Median({4.0, 1.0, 3.0, 100.0}), 3.5);
}

Measured Made(const std::string& when, int interruptions) {
  Measured measured;
  measured.made = when;
  measured.interruptions = interruptions;
  return measured;
}

TEST(MeasurementsOrigin, SaysWhenAndHowOften) {
  MeasurementsOrigin origin;
  EXPECT_TRUE(origin.Facts().empty());
  origin.Add(Made("2026-02-03T04:05:06Z", 0), false);
  origin.Add(Made("2026-01-02T03:04:05Z", 2), true);
  origin.Add(Made("2026-02-01T00:00:00Z", 0), true);
  const auto facts = origin.Facts();
  ASSERT_EQ(facts.size(), 2U);
  EXPECT_EQ(facts[0].second, "3, 1 of them made by this command, 2 before; 1 interrupted and resumed");
  EXPECT_EQ(facts[1].second, "2026-01-02T03:04:05Z to 2026-02-03T04:05:06Z");
}

// Unit vectors around a few directions.
FloatMatrix SomePatches(std::size_t count) {
  constexpr std::size_t kLength = 16;
  FloatMatrix patches(count, kLength);
  for (std::size_t i = 0; i < count; ++i) {
    Rng rng(1, i);
    double norm = 0.0;
    for (std::size_t j = 0; j < kLength; ++j) {
      const double value = (j == i % 8 ? 1.0 : 0.0) + (j == i % 5 ? 0.5 : 0.0) + 0.1 * rng.Normal();
      patches(i, j) = static_cast<float>(value);
      norm += value * value;
    }
    for (float& value : patches.Row(i)) value = static_cast<float>(value / std::sqrt(norm));
  }
  return patches;
}

Measurement SomeMeasurement(LearnOptions::Method method = LearnOptions::Method::kScc) {
  Measurement measurement;
  measurement.range = "4-6";
  measurement.learn.method = method;
  measurement.learn.atoms = 12;
  measurement.learn.epochs = 4;
  measurement.learn.batch = 32;
  measurement.objective_patches = 40;
  return measurement;
}

class MeasureTest : public testing::Test {
 protected:
  Measured Run(const Measurement& measurement, Progress& progress = NoProgress()) const {
    const MeasureControl control{
        .checkpoint = folder_ / "checkpoint", .checkpoint_seconds = 0.0, .identity = "this", .progress = progress};
    Measured measured = TakeMeasurement(measurement, patches_, control);
    fs::remove_all(folder_ / "checkpoint");  // as the driver does once the artifact is whole
    return measured;
  }

  TempFolder folder_;
  FloatMatrix patches_ = SomePatches(200);
};

TEST_F(MeasureTest, ObjectivesAreThoseOfExactCodesOfTheSample) {
  const Measurement measurement = SomeMeasurement();
  const Measured measured = Run(measurement);
  EXPECT_EQ(measured.patches, 200U);
  EXPECT_EQ(measured.objective_patches, 40U);
  ASSERT_EQ(measured.seconds.size(), 4U);
  ASSERT_EQ(measured.codes.size(), 4U);
  ASSERT_EQ(measured.dictionary.size(), 4U);
  ASSERT_EQ(measured.objective.size(), 4U);

  FloatMatrix sample(40, patches_.cols());
  std::vector<std::size_t> rows(patches_.rows());
  for (std::size_t i = 0; i < 40; ++i) {
    std::copy(patches_.Row(i * 5).begin(), patches_.Row(i * 5).end(), sample.Row(i).begin());
  }
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = i;
  const EncodeControl encode = {.lambda = measurement.learn.lambda};
  const FloatMatrix first = InitialDictionary(patches_, rows, 12, measurement.learn.seed);
  EXPECT_EQ(measured.first_objective, Encode(sample, first, encode, {}, NoProgress()).objective);
  const LearnResult learned =
      Learn(patches_, ShuffledOnce(rows, measurement.learn.seed), measurement.learn, {.initial = &first}, NoProgress());
  const EncodeResult exact = Encode(sample, learned.dictionary.atoms, encode, {}, NoProgress());
  EXPECT_EQ(measured.Objective(), exact.objective);
  EXPECT_EQ(measured.nonzeros, exact.nonzeros_per_code);
  EXPECT_LT(measured.Objective(), measured.first_objective);
}

TEST_F(MeasureTest, AllMethodsStartFromTheSameDictionary) {
  const Measured scc = Run(SomeMeasurement());
  for (const auto method : {LearnOptions::Method::kSccMinibatch, LearnOptions::Method::kOnline}) {
    EXPECT_EQ(Run(SomeMeasurement(method)).first_objective, scc.first_objective);
  }
}

TEST_F(MeasureTest, AllMethodsVisitPatchesInTheSameOrder) {
  std::vector<std::size_t> rows(patches_.rows());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = i;
  const std::vector<std::size_t> order = ShuffledOnce(rows, 0);
  EXPECT_NE(order, rows);
  EXPECT_TRUE(std::is_permutation(order.begin(), order.end(), rows.begin()));
  EXPECT_NE(ShuffledOnce(rows, 1), order);
  for (const auto method :
       {LearnOptions::Method::kScc, LearnOptions::Method::kSccMinibatch, LearnOptions::Method::kOnline}) {
    Measurement measurement = SomeMeasurement(method);
    measurement.learn.patch_order = LearnOptions::PatchOrder::kFile;
    measurement.learn.seed = 0;
    measurement.objective_patches = 0;
    const FloatMatrix first = InitialDictionary(patches_, rows, 12, 0);
    const LearnResult learned = Learn(patches_, order, measurement.learn, {.initial = &first}, NoProgress());
    const EncodeControl encode = {.lambda = measurement.learn.lambda};
    EXPECT_EQ(Run(measurement).Objective(),
              Encode(patches_, learned.dictionary.atoms, encode, {}, NoProgress()).objective);
  }
}

TEST_F(MeasureTest, FewerPatchesAreSpreadEvenly) {
  Measurement measurement = SomeMeasurement();
  measurement.patches = 100;
  measurement.share = 4;
  measurement.objective_patches = 0;
  const Measured measured = Run(measurement);
  EXPECT_EQ(measured.patches, 25U);
  EXPECT_EQ(measured.objective_patches, 100U) << "the same for every share";
}

TEST_F(MeasureTest, TimedVisitsHaveAWarmUpThatDoesNotCount) {
  Measurement measurement = SomeMeasurement(LearnOptions::Method::kOnline);
  measurement.learn.batch = 1;
  measurement.learn.epochs = 3;
  measurement.timed_visits = 5;
  const Measured measured = Run(measurement);
  EXPECT_EQ(measured.patches, 5U) << "fewer than atoms";
  EXPECT_EQ(measured.seconds.size(), 3U);
  EXPECT_EQ(measured.codes.size(), 3U);
  EXPECT_TRUE(measured.objective.empty());
  EXPECT_GT(measured.VisitMicroseconds(), 0.0);
}

TEST_F(MeasureTest, DivergenceIsAResult) {
  Measurement measurement = SomeMeasurement();
  measurement.learn.rate = LearnOptions::Rate::kNatural;
  measurement.learn.rate_a = 1e300;  // no number of single precision
  measurement.learn.rate_b = 0.0;
  const Measured measured = Run(measurement);
  EXPECT_TRUE(measured.diverged);
  EXPECT_TRUE(measured.objective.empty());
}

// Stops learning in the middle of an epoch.
RecordingProgress::Stop InEpoch(std::ptrdiff_t epoch) {
  return [epoch](const RecordingProgress& progress) {
    const auto is_epoch = [](const std::string& note) { return note.starts_with("epoch"); };
    return std::count_if(progress.notes.begin(), progress.notes.end(), is_epoch) >= epoch;
  };
}

TEST_F(MeasureTest, GoesOnWhereItWasStopped) {
  for (const auto method :
       {LearnOptions::Method::kScc, LearnOptions::Method::kSccMinibatch, LearnOptions::Method::kOnline}) {
    const Measurement measurement = SomeMeasurement(method);
    const Measured whole = Run(measurement);
    RecordingProgress stop(InEpoch(2));
    const CaughtError error = ExpectError([&] { Run(measurement, stop); });
    EXPECT_EQ(error.code, ErrorCode::kInterrupted);
    RecordingProgress never;
    const Measured resumed = Run(measurement, never);
    EXPECT_THAT(never.said, testing::ElementsAre("going on after epoch 2 of 4"));
    EXPECT_EQ(resumed.objective, whole.objective);
    EXPECT_EQ(resumed.first_objective, whole.first_objective);
    EXPECT_EQ(resumed.seconds.size(), 4U);
    EXPECT_EQ(resumed.codes.size(), 4U);
    EXPECT_EQ(resumed.interruptions, 1);
  }
}

TEST_F(MeasureTest, ACheckpointOfAnotherProblemOrADamagedOneIsNotUsed) {
  const Measurement measurement = SomeMeasurement();
  const Measured whole = Run(measurement);
  RecordingProgress stop(InEpoch(2));
  ExpectError([&] { Run(measurement, stop); });
  Measurement other = measurement;
  other.learn.lambda = 0.2;
  const MeasureControl control{.checkpoint = folder_ / "checkpoint", .identity = "that", .progress = NoProgress()};
  EXPECT_EQ(TakeMeasurement(other, patches_, control).interruptions, 0);

  fs::remove_all(folder_ / "checkpoint");
  RecordingProgress again(InEpoch(2));
  ExpectError([&] { Run(measurement, again); });
  ASSERT_TRUE(fs::exists(folder_ / "checkpoint" / "state"));
  folder_.Write("checkpoint/measurement.json", "no");
  RecordingProgress never;
  const Measured anew = Run(measurement, never);
  EXPECT_TRUE(never.said.empty());
  EXPECT_THAT(never.warnings,
              testing::ElementsAre(testing::StartsWith("the checkpoint cannot be used, measuring anew: ")));
  EXPECT_EQ(anew.interruptions, 0);
  EXPECT_EQ(anew.objective, whole.objective);
}

}  // namespace
}  // namespace flyscribe
