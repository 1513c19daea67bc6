#include "pipeline/explain/status.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/pipeline/cache_copy.h"

namespace flyscribe {
namespace {

class StatusTest : public testing::Test {
 protected:
  LoggedStep StatusOfStep(const std::string& step, const std::vector<LoggedRun>& runs) const {
    for (const LoggedStep& each : StatusOf(plan_, cache_.Store(), runs)) {
      if (each.step == step) return each;
    }
    throw std::out_of_range(step);
  }
  // A live run that is at a step of the plan.
  LoggedRun LiveRun(const std::string& step, StepState state) const {
    LoggedRun run;
    run.alive = true;
    for (const StepInstance& instance : plan_.instances) {
      LoggedStep logged;
      logged.step = instance.step->name;
      logged.key = instance.key;
      logged.state = logged.step == step ? state : StepState::kPending;
      logged.remark = "remark of " + StateName(state);
      logged.since = "2026-11-16T15:50:45Z";
      logged.count = {3, 10, "images", {}};
      run.steps.push_back(logged);
    }
    return run;
  }

  CacheCopy cache_;
  Plan plan_ = cache_.PlanWith({"learn.lambda=0.12"});
};

TEST_F(StatusTest, WithoutARunStepsAreCachedOrPending) {
  const std::vector<LoggedStep> steps = StatusOf(plan_, cache_.Store(), {});
  ASSERT_EQ(steps.size(), 11U);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    EXPECT_EQ(steps[i].state, i < 5 ? StepState::kHit : StepState::kPending) << steps[i].step;
    EXPECT_EQ(steps[i].key, plan_.instances[i].key);
  }
  EXPECT_EQ(steps[5].part, "fold-0");
  EXPECT_EQ(steps[4].inputs, (std::vector<std::size_t>{2, 3}));
}

TEST_F(StatusTest, ALiveRunKnowsHowFarItIs) {
  const LoggedStep learn = StatusOfStep("learn", {LiveRun("learn", StepState::kRunning)});
  EXPECT_EQ(learn.state, StepState::kRunning);
  EXPECT_EQ(learn.remark, "remark of running");
  EXPECT_EQ(learn.since, "2026-11-16T15:50:45Z");
  EXPECT_EQ(learn.count.done, 3U);
  EXPECT_EQ(StatusOfStep("train", {LiveRun("learn", StepState::kRunning)}).state, StepState::kPending);
  EXPECT_EQ(StatusOfStep("extract", {LiveRun("extract", StepState::kRunning)}).state, StepState::kHit)
      << "what is there is there";
}

TEST_F(StatusTest, WhoComputesKnowsMoreThanWhoWaits) {
  const LoggedRun running = LiveRun("learn", StepState::kRunning);
  const LoggedRun waiting = LiveRun("learn", StepState::kWaiting);
  EXPECT_EQ(StatusOfStep("learn", {waiting}).state, StepState::kWaiting);
  EXPECT_EQ(StatusOfStep("learn", {waiting, running}).state, StepState::kRunning);
  EXPECT_EQ(StatusOfStep("learn", {running, waiting}).state, StepState::kRunning);
}

TEST_F(StatusTest, RunsThatEndedOrDiedDoNotCount) {
  LoggedRun ended = LiveRun("learn", StepState::kRunning);
  ended.ending.emplace();
  LoggedRun killed = LiveRun("learn", StepState::kRunning);
  killed.alive = false;
  EXPECT_EQ(StatusOfStep("learn", {ended, killed}).state, StepState::kPending);
  EXPECT_EQ(LiveStep({ended, killed}, plan_.instances[5].key), nullptr);
}

TEST_F(StatusTest, KeysThatAreNotKnownMatchNothing) {
  LoggedRun run = LiveRun("learn", StepState::kRunning);
  run.steps[5].key.clear();
  EXPECT_EQ(LiveStep({run}, ""), nullptr);
}

TEST_F(StatusTest, DamageIsRemarked) {
  plan_ = cache_.PlanWith();
  const std::string key = InstanceOf(plan_, "evaluate 4-6").key;
  fs::resize_file(cache_.Store().FolderOf("4-6", "evaluate", key) / "terms.tsv", 3);
  const LoggedStep evaluate = StatusOfStep("evaluate", {});
  EXPECT_EQ(evaluate.state, StepState::kPending);
  EXPECT_EQ(evaluate.remark, "terms.tsv has the wrong size");
}

}  // namespace
}  // namespace flyscribe
