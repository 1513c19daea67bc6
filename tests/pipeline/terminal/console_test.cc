#include "pipeline/terminal/console.h"

#include <gtest/gtest.h>

#include <functional>

#include "core/text.h"

namespace flyscribe {
namespace {

std::string Printed(ConsoleStyle style, const std::function<void(Console&)>& body) {
  testing::internal::CaptureStderr();
  {
    Console console(style);
    body(console);
  }
  return testing::internal::GetCapturedStderr();
}

void OneStep(Console& console) {
  console.StartStep("learn 4-6");
  console.Begin(100, "patches");
  console.Advance(50);
  console.FinishStep(StepState::kRun, 3.25, "objective: 0.137");
}

TEST(Console, OneLastingLineAStep) {
  EXPECT_EQ(Printed({}, OneStep), "  learn 4-6                 run       3.2 s  objective: 0.137\n");
}

TEST(Console, AHitTakesNoTime) {
  const std::string text = Printed({}, [](Console& console) {
    console.StartStep("pool 4-6");
    console.FinishStep(StepState::kHit, 0.001, "");
  });
  EXPECT_NE(text.find("hit"), std::string::npos);
  EXPECT_EQ(text.find(" s "), std::string::npos);
}

TEST(Console, QuietPrintsOnlyWarnings) {
  EXPECT_EQ(Printed({.quiet = true}, OneStep), "");
  EXPECT_EQ(Printed({.quiet = true}, [](Console& console) { console.Warn("careful"); }), "warning: careful\n");
}

TEST(Console, ColourOnlyWhereAsked) {
  EXPECT_EQ(Printed({.terminal = true}, OneStep).find('\x1b'), std::string::npos);
  EXPECT_NE(Printed({.terminal = true, .colour = true}, OneStep).find("\x1b[32m"), std::string::npos);
}

TEST(Console, TheRunningLineIsWipedBeforeALastingOne) {
  const std::string text = Printed({.terminal = true}, OneStep);
  EXPECT_EQ(text.rfind("\r  learn 4-6", 0), 0U) << text;
  EXPECT_NE(text.find("\r  learn 4-6                 run"), std::string::npos) << text;
}

TEST(Console, CountsWarnings) {
  Printed({}, [](Console& console) {
    console.Warn("a");
    console.Warn("b");
    EXPECT_EQ(console.warnings(), 2U);
  });
}

TEST(Console, StepsThatRunAtTheSameTime) {
  const std::string text = Printed({}, [](Console& console) {
    console.ShowStep("learn 4-6", {});
    console.ShowStep("learn 7-8", {1, 2, "epochs", ""});
    console.FinishStep("learn 4-6", StepState::kRun, 3.25, "well");
    console.ShowStep("learn 7-8", {2, 2, "epochs", ""});
    console.FinishStep("learn 7-8", StepState::kFailed, 1.0, "no disk");
    console.FinishStep("never shown", StepState::kHit, 0.0, "");
  });
  EXPECT_EQ(text,
            "  learn 4-6                 run       3.2 s  well\n"
            "  learn 7-8                 failed             no disk\n"
            "  never shown               hit              \n")
      << "lasting lines only: there is no terminal, and nothing took half a minute";
}

TEST(Console, FinishingOneStepLeavesTheOthers) {
  const std::string text = Printed({}, [](Console& console) {
    console.ShowStep("a", {});
    console.ShowStep("b", {});
    console.FinishStep("a", StepState::kRun, 1.0, "");
    console.FinishStep(StepState::kRun, 2.0, "the one that is left");
  });
  EXPECT_NE(text.find("\n  b                         run       2.0 s  the one that is left\n"), std::string::npos)
      << text;
}

TEST(Console, OnATerminalAllRunningStepsShareALine) {
  const std::string text = Printed({.terminal = true}, [](Console& console) {
    console.ShowStep("learn 4-6", {1, 4, "epochs", ""});
    console.ShowStep("learn 7-8", {3, 4, "epochs", ""});
    console.FinishStep("learn 4-6", StepState::kRun, 1.0, "");
    console.ShowStep("pool 4-6", {});
  });
  EXPECT_EQ(text.rfind("\r  learn 4-6                  25 %  1 of 4 epochs", 0), 0U)
      << "alone it has room for more: " << text;
  EXPECT_NE(text.find("\r  learn 7-8 75 %  pool 4-6"), std::string::npos) << text;
  EXPECT_NE(text.find("\r  learn 4-6 25 %  learn 7-8 75 %"), std::string::npos) << text;
}

TEST(Console, SayPrintsALineUnlessQuiet) {
  const auto say = [](Console& console) { console.Say("  a line"); };
  EXPECT_EQ(Printed({}, say), "  a line\n");
  EXPECT_EQ(Printed({.quiet = true}, say), "");
  EXPECT_EQ(Printed({.quiet = true}, [](Console& console) { console.FinishStep("a", StepState::kRun, 1.0, ""); }), "");
}

TEST(Console, ARunningLineIsNotCutWithinACharacter) {
  std::string name;
  for (int i = 0; i < 1000; ++i) name += "\xc3\xa9";
  for (const std::string& label : {name, "x" + name}) {
    const std::string text = Printed({.terminal = true}, [&](Console& console) { console.StartStep(label); });
    EXPECT_FALSE(text.empty());
    EXPECT_EQ(ToUtf8(text), text);
  }
}

}  // namespace
}  // namespace flyscribe
