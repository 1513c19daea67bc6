#include "pipeline/paper/measurement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/support/expect_error.h"
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

}  // namespace
}  // namespace flyscribe
