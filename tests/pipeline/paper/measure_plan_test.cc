#include "pipeline/paper/measure_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/file.h"
#include "pipeline/plan/planner.h"
#include "pipeline/run/runner.h"
#include "tests/pipeline/paper/made_up.h"
#include "tests/pipeline/tiny_run.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Measurement Small(const std::string& range = "4-6", int atoms = 10) {
  Measurement measurement;
  measurement.range = range;
  measurement.learn.method = LearnOptions::Method::kScc;
  measurement.learn.atoms = atoms;
  measurement.learn.epochs = 2;
  measurement.objective_patches = 50;
  return measurement;
}

std::shared_ptr<const PaperConfig> SmallConfig(const TempFolder& folder, const std::vector<std::string>& more = {}) {
  std::vector<std::string> overrides = {
      "reproduce.max_patches=300", "extract.window_function=flat", "extract.stride=16"};
  overrides.insert(overrides.end(), more.begin(), more.end());
  return std::make_shared<const PaperConfig>(ReadPaperConfigTree(TinyTree(folder.path(), overrides), "tiny"));
}

std::vector<std::string> Labels(const Plan& plan) {
  std::vector<std::string> labels;
  for (const StepInstance& instance : plan.instances) labels.push_back(instance.Label());
  return labels;
}

RunOutcome RunPlan(const MeasurePlan& plan, const fs::path& cache) {
  PrepareCache(cache);
  RunObserver nobody;
  const ArtifactStore store(cache, [](const std::string&) {});
  RunOutcome outcome = Runner(store, {}, nobody).Run(plan.plan());
  if (outcome.error) std::rethrow_exception(outcome.error);
  return outcome;
}

TEST(MeasurePlan, DescriptorsAreSharedAndTwiceIsOnce) {
  const TempFolder folder;
  MeasurePlan plan(SmallConfig(folder));
  plan.Add(Small());
  plan.Add(Small());
  plan.Add(Small("4-6", 12));
  plan.Add(Small("7-8"));
  EXPECT_THAT(
      Labels(plan.plan()),
      ElementsAre(
          "patches 4-6", "measure 4-6 [scc m=10]", "measure 4-6 [scc m=12]", "patches 7-8", "measure 7-8 [scc m=10]"));
  EXPECT_EQ(plan.measurements().size(), 3U);
}

TEST(MeasurePlan, KeysSayWhatMattersAndNothingElse) {
  const TempFolder folder;
  const auto key = [&](const std::vector<std::string>& more, const Measurement& measurement) {
    MeasurePlan plan(SmallConfig(folder, more));
    plan.Add(measurement);
    return plan.plan().instances.back().key;
  };
  const std::string before = key({}, Small());
  EXPECT_EQ(key({"simulate.genes=31"}, Small()), before) << "Figure 5's";
  EXPECT_EQ(key({"learn.atoms=31"}, Small()), before);
  EXPECT_EQ(key({"threads=1"}, Small()), before);
  EXPECT_NE(key({"simulate.seed=8"}, Small()), before);
  EXPECT_NE(key({"extract.smoothing=1"}, Small()), before);
  EXPECT_NE(key({"normalise.min_deviation=2"}, Small()), before);
  EXPECT_NE(key({"reproduce.max_patches=299"}, Small()), before);
  Measurement other = Small();
  other.threads = 2;
  EXPECT_NE(key({}, other), before);
}

TEST(MeasurePlan, IsComputedOnceAndAgainIfAsked) {
  const TempFolder folder;
  const auto config = SmallConfig(folder);
  MeasurePlan plan(config);
  plan.Add(Small());
  const RunOutcome first = RunPlan(plan, config->cache.dir);
  EXPECT_THAT(Computed(first), ElementsAre("patches", "measure"));
  const Measured measured = Measured::Load(first.steps[1].folder);
  EXPECT_EQ(measured.patches, 300U);
  EXPECT_EQ(measured.objective.size(), 2U);
  EXPECT_LT(measured.Objective(), measured.first_objective);
  EXPECT_THAT(Computed(RunPlan(plan, config->cache.dir)), ElementsAre());

  const ArtifactStore store(config->cache.dir, [](const std::string&) {});
  ForgetMeasurements(plan, store);
  const RunOutcome again = RunPlan(plan, config->cache.dir);
  EXPECT_THAT(Computed(again), ElementsAre("measure"));
  EXPECT_EQ(Measured::Load(again.steps[1].folder).objective, measured.objective);
}

TEST(MeasurePlan, DescriptorsThatNobodyNeedsAreNotMade) {
  const TempFolder folder;
  const auto config = SmallConfig(folder);
  MeasurePlan plan(config);
  plan.Add(Small());
  RunPlan(plan, config->cache.dir);
  fs::remove_all(fs::path(config->cache.dir) / "4-6" / "patches");
  EXPECT_THAT(Computed(RunPlan(plan, config->cache.dir)), ElementsAre());
}

TEST(MeasurePlan, KeysNameTheStepsWhoseWorkIsDone) {
  const TempFolder folder;
  MeasurePlan plan(SmallConfig(folder));
  plan.Add(Small());
  const std::string& patches = plan.plan().instances[0].key_text;
  const std::string& measure = plan.plan().instances[1].key_text;
  for (const std::string step : {"simulate", "extract", "normalise"}) {
    EXPECT_THAT(patches, HasSubstr("library step " + step + ": "));
  }
  for (const std::string name : {"step learn", "step encode", "processor", "simd"}) {
    EXPECT_THAT(measure, HasSubstr("library " + name + ": "));
  }
}

TEST(MeasurePlan, DescriptorsCanBeMadeAlone) {
  const TempFolder folder;
  const auto config = SmallConfig(folder);
  MeasurePlan wanted(config);
  wanted.Add(Small());
  wanted.Add(Small("7-8"));
  PrepareCache(config->cache.dir);
  const ArtifactStore store(config->cache.dir, [](const std::string&) {});
  EXPECT_EQ(wanted.MissingIn(store).size(), 2U);
  MeasurePlan descriptors(config);
  descriptors.AddDescriptors(Small());
  descriptors.AddDescriptors(Small("4-6", 12));
  EXPECT_THAT(Computed(RunPlan(descriptors, config->cache.dir)), ElementsAre("patches"));
  EXPECT_EQ(wanted.MissingIn(store).size(), 2U);
  MeasurePlan one(config);
  one.Add(Small());
  EXPECT_THAT(Computed(RunPlan(one, config->cache.dir)), ElementsAre("measure"));
  ASSERT_EQ(wanted.MissingIn(store).size(), 1U);
  EXPECT_EQ(wanted.MissingIn(store)[0].range, "7-8");
}

TEST(MeasurePlan, TakesTheConfigsOwnImages) {
  const TinyRun& run = SharedTinyRun();
  MeasurePlan plan(PlanOf(run.config), std::make_shared<const PaperConfig>(PaperConfig{run.config, {}}));
  plan.Add(Small());
  EXPECT_THAT(
      Labels(plan.plan()),
      ElementsAre(
          "simulate", "ingest 4-6", "standardise 4-6", "extract 4-6", "normalise 4-6", "measure 4-6 [scc m=10]"));
  const CaughtError error = ExpectError([&] { plan.Add(Small("7-8")); });
  EXPECT_EQ(error.code, ErrorCode::kUsage);
  EXPECT_THAT(error.text, HasSubstr("an experiment needs stage range 7-8, which is not among the config's"));
}

TEST(MeasurePlan, RangesThePaperLeavesOutAreRefused) {
  const TempFolder folder;
  MeasurePlan plan(SmallConfig(folder));
  const CaughtError error = ExpectError([&] { plan.Add(Small("1-3")); });
  EXPECT_EQ(error.code, ErrorCode::kUsage);
  EXPECT_THAT(error.text, HasSubstr("the paper has no patches of stage range 1-3"));
}

TEST(SimulatedPatches, AreThePapersUpToTheLimit) {
  const TempFolder folder;
  EXPECT_EQ(SimulatedPatches(*SmallConfig(folder), "4-6"), 300U);
  EXPECT_EQ(SimulatedPatches(*SmallConfig(folder, {"reproduce.max_patches=0"}), "4-6"), 555009U);
  EXPECT_EQ(SimulatedPatches(*SmallConfig(folder, {"reproduce.max_patches=300000"}), "7-8"), 259882U);
}

}  // namespace
}  // namespace flyscribe
