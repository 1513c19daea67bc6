#include "pipeline/console.h"

#include <gtest/gtest.h>

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
  console.FinishStep("run", 3.25, "objective: 0.137");
}

TEST(Console, OneLastingLineAStep) {
  EXPECT_EQ(Printed({}, OneStep), "  learn 4-6                run       3.2 s  objective: 0.137\n");
}

TEST(Console, AHitTakesNoTime) {
  const std::string text = Printed({}, [](Console& console) {
    console.StartStep("pool 4-6");
    console.FinishStep("hit", 0.001, "");
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
  EXPECT_NE(text.find("\r  learn 4-6                run"), std::string::npos) << text;
}

TEST(Console, CountsWarnings) {
  Printed({}, [](Console& console) {
    console.Warn("a");
    console.Warn("b");
    EXPECT_EQ(console.warnings(), 2U);
  });
}

}  // namespace
}  // namespace flyscribe
