#include "pipeline/run/observer.h"

#include <gtest/gtest.h>

#include "tests/pipeline/some_plan.h"

namespace flyscribe {
namespace {

TEST(StateName, OfEveryState) {
  EXPECT_EQ(StateName(StepOutcome::State::kHit), "hit");
  EXPECT_EQ(StateName(StepOutcome::State::kRun), "run");
  EXPECT_EQ(StateName(StepOutcome::State::kUnneeded), "unneeded");
  EXPECT_EQ(StateName(StepOutcome::State::kFailed), "failed");
  EXPECT_EQ(StateName(StepOutcome::State::kNotRun), "not run");
}

TEST(StepOutcome, IsNotRunUntilItIs) {
  StepOutcome outcome;
  EXPECT_EQ(outcome.state, StepOutcome::State::kNotRun);
  EXPECT_FALSE(outcome.hit());
  outcome.state = StepOutcome::State::kHit;
  EXPECT_TRUE(outcome.hit());
}

TEST(RunObserver, NobodyNeedsToListen) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  RunObserver nobody;
  const Plan plan = SomePlan();
  nobody.OnPlan(plan, SomeForecast());
  nobody.OnStart(plan.instances[0]);
  nobody.OnProgress(plan.instances[0], {});
  nobody.OnWait(plan.instances[0], "x");
  nobody.OnFinish(plan.instances[0], {});
  nobody.OnWarning("x");
  EXPECT_EQ(testing::internal::GetCapturedStdout() + testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace flyscribe
