#include "pipeline/explain/history.h"

#include <gtest/gtest.h>

#include "tests/pipeline/cache_copy.h"

namespace flyscribe {
namespace {

TEST(KeyFacts, OneForEachLineWithAColon) {
  const std::map<std::string, std::string> facts =
      KeyFacts("flyscribe key 1\nstep: learn 2\noption report.title: \"a: b\"\ninput images: 12ab\n");
  EXPECT_EQ(facts,
            (std::map<std::string, std::string>{
                {"step", "learn 2"}, {"option report.title", "\"a: b\""}, {"input images", "12ab"}}));
}

class HistoryTest : public testing::Test {
 protected:
  CacheCopy cache_;
  Plan plan_ = cache_.PlanWith();
  const StepInstance& learn_ = InstanceOf(plan_, "learn 4-6 fold-0");
};

TEST_F(HistoryTest, KnowsWhatLiesInTheCache) {
  const History history(cache_.root());
  for (const StepInstance& instance : plan_.instances) {
    const KnownArtifact* known = history.Find(instance.key);
    ASSERT_NE(known, nullptr) << instance.Label();
    EXPECT_TRUE(known->present);
    EXPECT_EQ(known->step, instance.step->name);
    EXPECT_EQ(known->part, instance.part.name());
    EXPECT_EQ(known->key_text, instance.key_text);
    EXPECT_EQ(known->folder, cache_.Store().FolderOf(instance.range, instance.step->name, instance.key));
    EXPECT_GT(known->bytes, 100U);
  }
  EXPECT_EQ(history.Find(std::string(64, '0')), nullptr);
  EXPECT_EQ(history.Of("learn", "4-6").size(), 1U);
  EXPECT_TRUE(history.Of("learn", "7-8").empty());
}

TEST_F(HistoryTest, TheLogRemembersWhatWasRemoved) {
  cache_.Log(plan_)->End(0, "", "");
  cache_.Remove("learn");
  const History history(cache_.root());
  const KnownArtifact* known = history.Find(learn_.key);
  ASSERT_NE(known, nullptr);
  EXPECT_FALSE(known->present);
  EXPECT_EQ(known->key_text, learn_.key_text);
  EXPECT_EQ(known->bytes, 0U);
  EXPECT_TRUE(known->folder.empty());
}

TEST_F(HistoryTest, WhatWasOnlyPlannedIsNotKnown) {
  const Plan other = cache_.PlanWith({"learn.lambda=0.12"});
  cache_.Log(other)->End(1, "failed", "");
  EXPECT_EQ(History(cache_.root()).Find(InstanceOf(other, "learn 4-6 fold-0").key), nullptr);
}

TEST_F(HistoryTest, TheTimeOfARunOutlivesLaterHits) {
  StepOutcome outcome;
  outcome.state = StepState::kRun;
  outcome.seconds = 12.5;
  {
    const auto log = cache_.Log(plan_);
    log->OnFinish(learn_, outcome);
    log->End(0, "", "");
    fs::rename(cache_.root() / "runs" / log->id(), cache_.root() / "runs" / "20200101T000000-long-ago");
  }
  cache_.Log(plan_)->End(0, "", "");  // all hits
  cache_.Remove("learn");
  const History history(cache_.root());
  const KnownArtifact* known = history.Find(learn_.key);
  ASSERT_NE(known, nullptr);
  EXPECT_EQ(known->seconds, 12.5);
}

TEST_F(HistoryTest, ADamagedArtifactIsNotKnown) {
  fs::resize_file(cache_.Store().FolderOf("4-6", "learn", learn_.key) / "dictionary.npy", 5);
  EXPECT_EQ(History(cache_.root()).Find(learn_.key), nullptr);
}

TEST_F(HistoryTest, RunsOfAConfigAreKnownLatestFirst) {
  cache_.Log(cache_.PlanWith(), "other")->End(0, "", "");
  const auto log = cache_.Log(cache_.PlanWith({"learn.lambda=0.12"}));
  log->End(1, "failed", "");
  fs::rename(cache_.root() / "runs" / log->id(), cache_.root() / "runs" / "20200101T000000-long-ago");
  cache_.Log(plan_)->End(0, "", "");
  const History history(cache_.root());
  EXPECT_EQ(history.OfConfig("/tiny.yaml", "normalise", "4-6").size(), 2U);
  const std::vector<History::OfOneRun> learned = history.OfConfig("/tiny.yaml", "learn", "4-6");
  ASSERT_EQ(learned.size(), 1U) << "the failed run did not get so far";
  ASSERT_EQ(learned[0].size(), 1U);
  EXPECT_EQ(learned[0][0]->key, learn_.key);
  EXPECT_EQ(learned[0][0]->config, "tiny");
  EXPECT_TRUE(history.OfConfig("/nowhere.yaml", "learn", "4-6").empty());
  EXPECT_TRUE(history.OfConfig("", "learn", "4-6").empty());
}

TEST_F(HistoryTest, AConfigIsTheSameBehindALink) {
  cache_.folder().Write("real/tiny.yaml", "");
  fs::create_symlink("real", cache_.folder() / "link");
  fs::create_symlink("real/tiny.yaml", cache_.folder() / "other.yaml");
  const auto log_path = [&](const std::string& name) { return (cache_.folder() / name).string(); };
  RunLog log(cache_.root(), {"tiny", log_path("link/tiny.yaml"), "flyscribe run", "out", ""});
  log.OnPlan(plan_, ForecastRun(plan_, cache_.Store(), {}));
  log.End(0, "", "");
  const History history(cache_.root());
  for (const char* name : {"real/tiny.yaml", "link/tiny.yaml", "other.yaml"}) {
    EXPECT_EQ(history.OfConfig(log_path(name), "learn", "4-6").size(), 1U) << name;
  }
}

class PredictCostTest : public HistoryTest {
 protected:
  std::optional<StepCost> CostOf(const StepInstance& instance) const {
    return PredictCost(plan_, instance, History(cache_.root()));
  }
  // An earlier learn with other options.
  void PutLearn(const std::string& lambda, double seconds, double work) const {
    cache_.Put(learn_, Replaced(learn_.key_text, "learn.lambda: 0.1", "learn.lambda: " + lambda), seconds, work);
  }
};

TEST_F(PredictCostTest, GrowsWithTheAmountOfWork) {
  cache_.Remove("learn");
  PutLearn("0.3", 7.0, learn_.amount.work / 10);
  const auto cost = CostOf(learn_);
  ASSERT_TRUE(cost);
  EXPECT_DOUBLE_EQ(cost->seconds, 70.0);
  StepInstance larger = learn_;
  larger.amount = {learn_.amount.work * 3, learn_.amount.size * 2};
  EXPECT_DOUBLE_EQ(CostOf(larger)->seconds, 210.0);
  EXPECT_NEAR(static_cast<double>(*CostOf(larger)->bytes), 2.0 * static_cast<double>(*cost->bytes), 2.0);
}

TEST_F(PredictCostTest, TheSizeOfWhatIsGoneIsNotKnown) {
  StepOutcome outcome;
  outcome.state = StepState::kRun;
  outcome.seconds = 12.5;
  outcome.work = learn_.amount.work;
  const auto log = cache_.Log(plan_);
  log->OnFinish(learn_, outcome);
  log->End(0, "", "");
  EXPECT_TRUE(CostOf(learn_)->bytes);
  cache_.Remove("learn");
  EXPECT_DOUBLE_EQ(CostOf(learn_)->seconds, 12.5);
  EXPECT_FALSE(CostOf(learn_)->bytes);
}

TEST_F(PredictCostTest, GoesByTheArtifactWithTheNearestAmountOfWork) {
  cache_.Remove("learn");
  PutLearn("0.3", 7.0, learn_.amount.work / 2);
  PutLearn("0.4", 99.0, learn_.amount.work / 50);
  EXPECT_DOUBLE_EQ(CostOf(learn_)->seconds, 14.0);
  // Then by the fewest differences.
  const std::string two = Replaced(learn_.key_text, "learn.lambda: 0.1", "learn.lambda: 9");
  cache_.Put(learn_, Replaced(two, "learn.seed: 1", "learn.seed: 2"), 5.0, learn_.amount.work / 2);
  EXPECT_DOUBLE_EQ(CostOf(learn_)->seconds, 14.0);
}

TEST_F(PredictCostTest, IsUnknownWhereNothingComparableWasRun) {
  cache_.Remove("learn");
  EXPECT_FALSE(CostOf(learn_));
  PutLearn("0.3", 7.0, 0.0);
  EXPECT_FALSE(CostOf(learn_)) << "by a program that did not write down the work";
  cache_.Put(learn_, Replaced(learn_.key_text, "step: learn ", "step: learn 9"), 7.0, 1.0);
  EXPECT_FALSE(CostOf(learn_)) << "another version";
  PutLearn("0.4", 7.0, 1.0);
  EXPECT_TRUE(CostOf(learn_));
  StepInstance unknown = learn_;
  unknown.amount = {};
  EXPECT_FALSE(CostOf(unknown));
}

TEST_F(PredictCostTest, MayComeFromAnotherPartOrRange) {
  const Plan folds = cache_.PlanWith({"protocol.test_folds=2"});
  EXPECT_TRUE(CostOf(InstanceOf(folds, "learn 4-6 fold-1")));
  StepInstance elsewhere = learn_;
  elsewhere.range = "9-10";
  EXPECT_TRUE(CostOf(elsewhere));
  EXPECT_FALSE(PredictCost(plan_, InstanceOf(plan_, "report"), History(cache_.root() / "nowhere")));
}

TEST_F(PredictCostTest, OnlyImagesWithoutItemsTakeTime) {
  for (const std::string label : {"standardise 4-6", "extract 4-6"}) {
    EXPECT_EQ(CostOf(InstanceOf(plan_, label))->seconds, 0.0) << label;
  }
  RemoveTree(cache_.root() / "items");
  for (const std::string label : {"standardise 4-6", "extract 4-6"}) {
    EXPECT_GT(CostOf(InstanceOf(plan_, label))->seconds, 0.0) << label;
  }
}

}  // namespace
}  // namespace flyscribe
