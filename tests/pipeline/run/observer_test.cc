#include "pipeline/run/observer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "core/text.h"
#include "tests/pipeline/some_plan.h"

namespace flyscribe {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

StepOutcome Outcome(StepState state) {
  StepOutcome outcome;
  outcome.state = state;
  outcome.seconds = 3.25;
  outcome.facts = {"patches: 7", "all well"};
  outcome.folder = "/cache/4-6/learn/b";
  return outcome;
}

StepOutcome Failed() {
  StepOutcome outcome;
  outcome.state = StepState::kFailed;
  outcome.error = "error: no disk\n  hint: buy one";
  return outcome;
}

class ObserversTest : public testing::Test {
 protected:
  std::string OnConsole(const std::function<void(RunObserver&)>& body) const {
    testing::internal::CaptureStderr();
    Console console({});
    ConsoleObserver observer(console);
    body(observer);
    return testing::internal::GetCapturedStderr();
  }

  // One object a line, and nothing else.
  std::vector<json> AsJson(const std::function<void(RunObserver&)>& body) const {
    testing::internal::CaptureStdout();
    JsonObserver observer;
    body(observer);
    const std::string text = testing::internal::GetCapturedStdout();
    EXPECT_THAT(text, testing::EndsWith("\n"));
    std::vector<json> events;
    for (const std::string& line : Split(Trim(text), '\n')) events.push_back(json::parse(line));
    return events;
  }

  Plan plan_ = SomePlan();
  const StepInstance& learn_ = plan_.instances[1];
};

TEST_F(ObserversTest, TheConsoleTellsHowStepsEnd) {
  const auto finish = [&](const StepOutcome& outcome) {
    return OnConsole([&](RunObserver& observer) {
      observer.OnStart(learn_);
      observer.OnProgress(learn_, {1, 2, "epochs", ""});
      observer.OnFinish(learn_, outcome);
    });
  };
  EXPECT_EQ(finish(Outcome(StepState::kRun)), "  learn 4-6 fold-0          run       3.2 s  patches: 7, all well\n");
  EXPECT_EQ(finish(Outcome(StepState::kHit)), "  learn 4-6 fold-0          hit              patches: 7, all well\n");
  EXPECT_EQ(finish(Outcome(StepState::kUnneeded)),
            "  learn 4-6 fold-0          -                not in the cache, and not needed\n");
  EXPECT_EQ(finish(Failed()), "  learn 4-6 fold-0          failed             error: no disk\n") << "one line of it";
}

TEST_F(ObserversTest, TheConsoleTellsWhetherForcedStepsCameOutTheSame) {
  StepOutcome forced = Outcome(StepState::kRun);
  forced.forced = true;
  const auto finish = [&] { return OnConsole([&](RunObserver& observer) { observer.OnFinish(learn_, forced); }); };
  EXPECT_THAT(finish(), testing::EndsWith("  patches: 7, all well, same bytes\n"));
  forced.facts.clear();
  EXPECT_THAT(finish(), testing::EndsWith(" s  same bytes\n"));
  forced.differing = {"codes.npy"};
  EXPECT_THAT(finish(), testing::Not(HasSubstr("same bytes")));
}

TEST_F(ObserversTest, TheConsoleTellsWarningsAndForWhomWeWait) {
  EXPECT_EQ(OnConsole([&](RunObserver& observer) {
              observer.OnWait(learn_, "process 7 on lab-3");
              observer.OnWarning("careful");
            }),
            "  learn 4-6 fold-0: waiting for process 7 on lab-3\nwarning: careful\n");
}

TEST_F(ObserversTest, JsonOfThePlan) {
  const auto events = AsJson([&](RunObserver& observer) { observer.OnPlan(plan_, SomeForecast()); });
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].at("event"), "plan");
  EXPECT_EQ(events[0].at("format"), 1);
  const json& steps = events[0].at("steps");
  ASSERT_EQ(steps.size(), 3U);
  EXPECT_EQ(steps[0].at("state"), "hit");
  EXPECT_EQ(
      steps[1],
      json({{"range", "4-6"}, {"part", "fold-0"}, {"step", "learn"}, {"key", std::string(64, 'b')}, {"state", "run"}}));
  EXPECT_EQ(steps[2].at("state"), "not asked");
}

TEST_F(ObserversTest, JsonOfAStepsLife) {
  const auto events = AsJson([&](RunObserver& observer) {
    observer.OnWait(learn_, "process 7");
    observer.OnStart(learn_);
    observer.OnProgress(learn_, {3, 10, "epochs", "objective 0.1"});
    observer.OnFinish(learn_, Outcome(StepState::kRun));
    observer.OnFinish(learn_, Failed());
    observer.OnWarning("two\nlines");
  });
  ASSERT_EQ(events.size(), 6U);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(events[i].at("range"), "4-6");
    EXPECT_EQ(events[i].at("part"), "fold-0");
    EXPECT_EQ(events[i].at("step"), "learn");
    EXPECT_EQ(events[i].at("key"), std::string(64, 'b'));
  }
  EXPECT_EQ(events[0].at("event"), "wait");
  EXPECT_EQ(events[0].at("for"), "process 7");
  EXPECT_EQ(events[1].at("event"), "start");
  EXPECT_EQ(events[2].at("event"), "progress");
  EXPECT_EQ(events[2].at("done"), 3);
  EXPECT_EQ(events[2].at("total"), 10);
  EXPECT_EQ(events[2].at("unit"), "epochs");
  EXPECT_EQ(events[2].at("remark"), "objective 0.1");
  EXPECT_EQ(events[3].at("event"), "finish");
  EXPECT_EQ(events[3].at("state"), "run");
  EXPECT_EQ(events[3].at("seconds"), 3.25);
  EXPECT_EQ(events[3].at("facts"), json({"patches: 7", "all well"}));
  EXPECT_EQ(events[3].at("artifact"), "/cache/4-6/learn/b");
  EXPECT_FALSE(events[3].contains("error"));
  EXPECT_FALSE(events[3].contains("differing")) << "it was not computed again";
  EXPECT_EQ(events[4].at("state"), "failed");
  EXPECT_EQ(events[4].at("error"), "error: no disk\n  hint: buy one");
  EXPECT_FALSE(events[4].contains("artifact"));
  EXPECT_EQ(events[5], json({{"event", "warning"}, {"message", "two\nlines"}}));
}

TEST_F(ObserversTest, JsonOfWhatIsForcedAndOfPathsThatAreNoUtf8) {
  StepOutcome forced = Outcome(StepState::kRun);
  forced.forced = true;
  forced.differing = {"codes.npy"};
  forced.folder = "/cache/\xff";
  const auto events = AsJson([&](RunObserver& observer) { observer.OnFinish(learn_, forced); });
  EXPECT_EQ(events.at(0).at("differing"), json({"codes.npy"}));
  EXPECT_EQ(events.at(0).at("artifact"), "/cache/\xef\xbf\xbd");
}

TEST_F(ObserversTest, JsonOfTheEnd) {
  const auto events = AsJson([](RunObserver& /*observer*/) {
    JsonObserver::End(0, "");
    JsonObserver::End(5, "error: no file");
  });
  EXPECT_THAT(events,
              ElementsAre(json({{"event", "end"}, {"exit_code", 0}}),
                          json({{"event", "end"}, {"exit_code", 5}, {"error", "error: no file"}})));
}

TEST_F(ObserversTest, AListPassesEverythingOnToAll) {
  const auto all = [&](RunObserver& observer) {
    observer.OnPlan(plan_, SomeForecast());
    observer.OnStart(learn_);
    observer.OnProgress(learn_, {});
    observer.OnWait(learn_, "x");
    observer.OnFinish(learn_, {});
    observer.OnWarning("x");
  };
  std::vector<std::string> names;
  const auto events = AsJson([&](RunObserver& observer) {
    ObserverList list({&observer, &observer});
    all(list);
  });
  for (const json& event : events) names.push_back(event.at("event"));
  EXPECT_THAT(names,
              ElementsAre("plan",
                          "plan",
                          "start",
                          "start",
                          "progress",
                          "progress",
                          "wait",
                          "wait",
                          "finish",
                          "finish",
                          "warning",
                          "warning"));
}

TEST(StepOutcome, IsNotRunUntilItIs) {
  StepOutcome outcome;
  EXPECT_EQ(outcome.state, StepState::kNotRun);
  EXPECT_FALSE(outcome.hit());
  outcome.state = StepState::kHit;
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
