#include "pipeline/run/run_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "core/file.h"
#include "pipeline/terminal/process.h"
#include "tests/pipeline/some_plan.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const RunTitle kTitle = {"tiny", "/data/tiny.yaml", "flyscribe run tiny.yaml", "/out\xff", "learn: {atoms: 24}\n"};

LoggedRun Named(const std::string& id) {
  LoggedRun run;
  run.id = id;
  return run;
}

class RunLogTest : public testing::Test {
 protected:
  std::vector<std::string> States() const {
    std::vector<std::string> states;
    const LoggedRun run = ListRuns(cache_).at(0);
    for (const LoggedStep& step : run.steps) states.push_back(StateName(step.state));
    return states;
  }
  StepOutcome Outcome(StepState state) const {
    StepOutcome outcome;
    outcome.state = state;
    outcome.seconds = 2.5;
    outcome.facts = {"patches: 7", "well"};
    return outcome;
  }

  TempFolder folder_;
  fs::path cache_ = folder_ / "cache";
  Plan plan_ = SomePlan();
};

TEST_F(RunLogTest, ThePlanIsThereForOthersWhileTheRunGoesOn) {
  RunLog log(cache_, kTitle);
  EXPECT_THAT(log.id(), testing::MatchesRegex("20[0-9]{6}T[0-9]{9}-[0-9a-f]{4}"));
  EXPECT_THAT(ListRuns(cache_), IsEmpty()) << "nothing is planned yet";
  log.OnPlan(plan_, SomeForecast());
  const LoggedRun run = ListRuns(cache_).at(0);
  EXPECT_EQ(run.id, log.id());
  EXPECT_EQ(run.title.config, "tiny");
  EXPECT_EQ(run.title.config_path, "/data/tiny.yaml");
  EXPECT_EQ(run.title.command, "flyscribe run tiny.yaml");
  EXPECT_EQ(run.title.output, "/out\xef\xbf\xbd") << "no UTF-8";
  EXPECT_EQ(run.title.options, "learn: {atoms: 24}\n");
  EXPECT_EQ(run.version, Version());
  EXPECT_EQ(run.host, HostName());
  EXPECT_EQ(run.process, getpid());
  EXPECT_THAT(run.started, testing::MatchesRegex("20.*Z"));
  EXPECT_TRUE(run.alive);
  EXPECT_FALSE(run.ending.has_value());
  EXPECT_EQ(run.State(), "running");
  EXPECT_THAT(States(), ElementsAre("hit", "pending", "not asked"));
  const LoggedStep& learn = run.steps[1];
  EXPECT_EQ(learn.step, "learn");
  EXPECT_EQ(learn.range, "4-6");
  EXPECT_EQ(learn.part, "fold-0");
  EXPECT_EQ(learn.key, std::string(64, 'b'));
  EXPECT_EQ(learn.key_text, "step: learn\n");
  EXPECT_THAT(learn.inputs, ElementsAre(0));
  EXPECT_THAT(run.steps[2].inputs, ElementsAre(0, 1));
}

TEST_F(RunLogTest, WhatBecomesOfEachStep) {
  RunLog log(cache_, kTitle);
  log.OnPlan(plan_, SomeForecast());
  const StepInstance& learn = plan_.instances[1];
  log.OnWait(learn, "process 7");
  LoggedStep step = ListRuns(cache_).at(0).steps[1];
  EXPECT_EQ(step.state, StepState::kWaiting);
  EXPECT_EQ(step.remark, "for process 7");
  EXPECT_THAT(step.since, testing::StartsWith("20"));
  log.OnStart(learn);
  EXPECT_THAT(States(), ElementsAre("hit", "running", "not asked"));
  log.OnProgress(learn, {3, 10, "epochs", "objective 0.1"});
  log.OnStart(plan_.instances[2]);  // is written at once, and all with it
  step = ListRuns(cache_).at(0).steps[1];
  EXPECT_EQ(step.state, StepState::kRunning);
  EXPECT_EQ(step.count.done, 3U);
  EXPECT_EQ(step.count.total, 10U);
  EXPECT_EQ(step.count.unit, "epochs");
  EXPECT_EQ(step.count.remark, "objective 0.1");
  log.OnFinish(learn, Outcome(StepState::kRun));
  step = ListRuns(cache_).at(0).steps[1];
  EXPECT_EQ(step.state, StepState::kRun);
  EXPECT_EQ(step.remark, "patches: 7, well");
  EXPECT_EQ(step.seconds, 2.5);
  EXPECT_EQ(step.since, "");
  EXPECT_EQ(step.count.total, 0U);
  StepOutcome failed = Outcome(StepState::kFailed);
  failed.error = "error: no disk";
  log.OnFinish(plan_.instances[2], failed);
  EXPECT_EQ(ListRuns(cache_).at(0).steps[2].remark, "error: no disk");
}

TEST_F(RunLogTest, HowItEnded) {
  for (const int code : {0, 5}) {
    const TempFolder folder;
    RunLog log(folder.path(), kTitle);
    log.OnPlan(plan_, SomeForecast());
    log.OnFinish(plan_.instances[0], Outcome(StepState::kHit));
    log.End(code, code == 0 ? "" : "error: no file", code == 0 ? R"({"scores": {"4-6": 1}})" : "");
    const LoggedRun run = ListRuns(folder.path()).at(0);
    EXPECT_FALSE(run.alive) << "though the log is still there";
    ASSERT_TRUE(run.ending.has_value());
    EXPECT_EQ(run.ending->exit_code, code);
    EXPECT_EQ(run.ending->error, code == 0 ? "" : "error: no file");
    EXPECT_EQ(run.ending->summary, code == 0 ? R"({"scores":{"4-6":1}})" : "null");
    EXPECT_THAT(run.ending->time, testing::StartsWith("20"));
    EXPECT_EQ(run.State(), code == 0 ? "done" : "ended with 5");
    EXPECT_EQ(run.steps[0].remark, "patches: 7, well") << "what was not written at once is written at the end";
  }
}

TEST_F(RunLogTest, ARunThatNeitherLivesNorEndedWasKilled) {
  {
    RunLog log(cache_, kTitle);
    log.OnPlan(plan_, SomeForecast());
    log.OnStart(plan_.instances[1]);
  }
  const LoggedRun run = ListRuns(cache_).at(0);
  EXPECT_FALSE(run.alive);
  EXPECT_EQ(run.State(), "killed");
  EXPECT_EQ(run.steps[1].state, StepState::kRunning) << "when it was last heard of";
}

TEST_F(RunLogTest, WhatCannotBeReadIsLeftOut) {
  RunLog log(cache_, kTitle);
  log.OnPlan(plan_, SomeForecast());
  const std::string plan = ReadFile(cache_ / "runs" / log.id() / "plan.json");
  folder_.Write("cache/runs/a-empty/other", "");
  folder_.Write("cache/runs/b-half/plan.json", plan.substr(0, plan.size() / 2));
  folder_.Write("cache/runs/c-future/plan.json", R"({"format": 2})");
  folder_.Write("cache/runs/d-bare/plan.json", R"({"format": 1})");
  folder_.Write("cache/runs/e-list/plan.json", "[]");
  folder_.Write("cache/runs/g-file", "no folder");
  EXPECT_EQ(ListRuns(cache_).size(), 1U);
  folder_.Write("cache/runs/z-half-state/plan.json", plan);
  folder_.Write("cache/runs/z-half-state/state.json", "{\"steps\": {");
  const auto runs = ListRuns(cache_);
  ASSERT_EQ(runs.size(), 2U) << "a state about to be replaced hides no run";
  EXPECT_EQ(runs[0].id, log.id());
  EXPECT_EQ(runs[1].id, "z-half-state");
  EXPECT_EQ(runs[1].steps[1].state, StepState::kPending);
  EXPECT_THAT(ListRuns(folder_ / "none"), IsEmpty());
}

TEST_F(RunLogTest, ADamagedStateOrEndHidesNoRun) {
  RunLog log(cache_, kTitle);
  log.OnPlan(plan_, SomeForecast());
  const std::string plan = ReadFile(cache_ / "runs" / log.id() / "plan.json");
  folder_.Write("cache/runs/a-odd-state/plan.json", plan);
  folder_.Write("cache/runs/a-odd-state/state.json", R"({"steps": {")" + plan_.instances[1].key + R"(": {}}})");
  folder_.Write("cache/runs/b-odd-end/plan.json", plan);
  folder_.Write("cache/runs/b-odd-end/end.json", R"({"time": "2026", "error": "", "summary": null})");
  folder_.Write("cache/runs/c-half/plan.json", plan.substr(0, plan.size() / 2));
  log.End(0, "", "");
  std::vector<LoggedRun> unreadable;
  const std::vector<LoggedRun> runs = ListRuns(cache_, &unreadable);
  ASSERT_EQ(runs.size(), 3U);
  EXPECT_EQ(runs[1].State(), "killed");
  EXPECT_EQ(runs[1].steps[1].state, StepState::kPending);
  EXPECT_EQ(runs[2].State(), "unreadable");
  EXPECT_EQ(runs[2].title.config, kTitle.config);
  EXPECT_EQ(runs[2].steps.size(), plan_.instances.size());
  ASSERT_EQ(unreadable.size(), 1U);
  EXPECT_EQ(unreadable[0].id, "c-half");
  EXPECT_EQ(unreadable[0].State(), "unreadable");
}

TEST(FindRunTest, ByNameOrBeginning) {
  const std::vector<LoggedRun> runs = {Named("20260101T000000-aaaa"), Named("20260101T000000-ab"), Named("2027")};
  EXPECT_EQ(FindRun(runs, "20260101T000000-aaaa").id, runs[0].id);
  EXPECT_EQ(FindRun(runs, "20260101T000000-ab").id, runs[1].id);
  EXPECT_EQ(FindRun(runs, "2027").id, "2027");
  EXPECT_EQ(FindRun(runs, "20260101T000000-aa").id, "20260101T000000-aaaa");
}

TEST(FindRunTest, NoneOrSeveral) {
  const std::vector<LoggedRun> runs = {Named("20260101-aa"), Named("20260101-ab"), Named("20260101-abc")};
  EXPECT_EQ(FindRun(runs, "20260101-ab").id, "20260101-ab") << "a whole name is never ambiguous";
  const CaughtError several = ExpectError([&] { FindRun(runs, "2026"); });
  EXPECT_EQ(several.code, ErrorCode::kUsage);
  EXPECT_EQ(several.text, "error: several runs begin with '2026'\n  hint: `flyscribe runs` lists them");
  const CaughtError none = ExpectError([&] { FindRun(runs, "2025"); });
  EXPECT_EQ(none.code, ErrorCode::kUsage);
  EXPECT_EQ(none.text, "error: no run is called '2025'\n  hint: `flyscribe runs` lists them");
}

TEST_F(RunLogTest, SomethingInTheWayIsAnError) {
  folder_.Write("cache/runs", "a file");
  const CaughtError error = ExpectError([&] { RunLog(cache_, kTitle); });
  EXPECT_EQ(error.code, ErrorCode::kDisk);
  EXPECT_THAT(error.text, HasSubstr("cannot write: "));
}

TEST_F(RunLogTest, AReadOnlyCacheLogsNothing) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  CreateFolder(cache_);
  fs::permissions(cache_, fs::owner_read | fs::owner_exe);
  RunLog log(cache_, kTitle);
  EXPECT_EQ(log.id(), "");
  log.OnPlan(plan_, SomeForecast());
  log.OnStart(plan_.instances[0]);
  log.End(0, "", "");
  EXPECT_THAT(ListRuns(cache_), IsEmpty());
}

TEST_F(RunLogTest, ThePlanIsWrittenOnlyWhileNothingIsRemoved) {
  {
    const FileLock lock = WaitForPlanningLock(cache_);
    EXPECT_THAT(LockHolder(PlanningLock(cache_)), testing::Optional(HasSubstr("(planning)")));
    EXPECT_FALSE(FileLock::TryAcquire(PlanningLock(cache_), "gc").has_value());
  }
  RunLog log(cache_, kTitle);
  log.OnPlan(plan_, SomeForecast());
  EXPECT_TRUE(FileLock::TryAcquire(PlanningLock(cache_), "gc").has_value()) << "it is given back";
}

}  // namespace
}  // namespace flyscribe
