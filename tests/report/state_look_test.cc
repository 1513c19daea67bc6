#include "report/state_look.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace flyscribe {
namespace {

TEST(StateLook, EveryStateHasItsOwn) {
  for (const char* state : {"hit",
                            "run",
                            "failed",
                            "skipped",
                            "not run",
                            "waiting",
                            "running",
                            "missing",
                            "pending",
                            "unneeded",
                            "not asked"}) {
    EXPECT_EQ(LookOf(state).name, state);
  }
  std::set<std::string> looks;
  std::set<std::string> styles;
  for (const StateLook& look : StateLooks()) {
    looks.insert(std::string(look.fill) + std::string(look.stroke) + (look.dashed ? "dashed" : ""));
    EXPECT_FALSE(look.meaning.empty());
    styles.emplace(look.style);
    EXPECT_EQ(look.style.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"), std::string::npos) << look.style;
  }
  EXPECT_EQ(looks.size(), StateLooks().size() - 1) << "all but one: not run and skipped are the same";
  EXPECT_EQ(styles.size(), StateLooks().size());
}

TEST(StateLook, MeaningsOfARunThatGoesOn) {
  EXPECT_EQ(LookOf("pending").meaning, "will be computed");
  EXPECT_EQ(LookOf("waiting").meaning, "waits for another process");
  EXPECT_EQ(LookOf("unneeded").meaning, "not in the cache, and not needed");
  EXPECT_EQ(LookOf("not run").meaning, LookOf("skipped").meaning);
  EXPECT_TRUE(LookOf("pending").dashed);
  EXPECT_FALSE(LookOf("running").dashed);
}

TEST(StateLook, UnknownStatesAreNeutral) {
  EXPECT_EQ(LookOf("").name, "other");
  EXPECT_EQ(LookOf("Hit").name, "other");
}

TEST(StateLook, TroubleComesBeforeWorkAndWorkBeforeRest) {
  EXPECT_LT(&LookOf("failed"), &LookOf("running"));
  EXPECT_LT(&LookOf("running"), &LookOf("waiting"));
  EXPECT_LT(&LookOf("waiting"), &LookOf("pending"));
  EXPECT_LT(&LookOf("not run"), &LookOf("pending"));
  EXPECT_LT(&LookOf("pending"), &LookOf("run"));
  EXPECT_LT(&LookOf("run"), &LookOf("hit"));
  EXPECT_LT(&LookOf("hit"), &LookOf("unneeded"));
  EXPECT_LT(&LookOf("hit"), &LookOf("not asked"));
}

}  // namespace
}  // namespace flyscribe
