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
  outcome.state = StepOutcome::State::kRun;
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

TEST_F(HistoryTest, TheCostIsThatOfTheNearestArtifact) {
  cache_.Remove("learn");
  cache_.Put(learn_, Replaced(learn_.key_text, "learn.atoms: 24", "learn.atoms: 25"), 7.0);
  cache_.Put(
      learn_,
      Replaced(Replaced(learn_.key_text, "learn.atoms: 24", "learn.atoms: 4"), "learn.lambda: 0.1", "learn.lambda: 9"),
      99.0);
  const auto cost = PredictCost(learn_, History(cache_.root()));
  ASSERT_TRUE(cost);
  EXPECT_EQ(cost->seconds, 7.0);
  EXPECT_GT(cost->bytes, 0U);
}

TEST_F(HistoryTest, TheCostMayComeFromAnotherPartOrRange) {
  const Plan folds = cache_.PlanWith({"protocol.test_folds=2"});
  EXPECT_TRUE(PredictCost(InstanceOf(folds, "learn 4-6 fold-1"), History(cache_.root())));
  StepInstance elsewhere = learn_;
  elsewhere.range = "9-10";
  EXPECT_TRUE(PredictCost(elsewhere, History(cache_.root())));
  cache_.Remove("learn");
  EXPECT_FALSE(PredictCost(elsewhere, History(cache_.root())));
  EXPECT_FALSE(PredictCost(InstanceOf(plan_, "report"), History(cache_.root() / "nowhere")));
}

}  // namespace
}  // namespace flyscribe
