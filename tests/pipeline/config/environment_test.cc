#include "pipeline/config/environment.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace flyscribe {
namespace {

std::optional<std::string> Lookup(const std::string& name) {
  if (name == "DATA") return "/d";
  return std::nullopt;
}

TEST(ExpandVariables, ReplacesAndFallsBack) {
  EXPECT_EQ(ExpandVariables("${DATA}/x", Lookup).text, "/d/x");
  EXPECT_EQ(ExpandVariables("a${DATA}b${DATA}", Lookup).text, "a/db/d");
  EXPECT_EQ(ExpandVariables("${NONE:-../x}", Lookup).text, "../x");
  EXPECT_EQ(ExpandVariables("${DATA:-../x}", Lookup).text, "/d");
  EXPECT_EQ(ExpandVariables("${NONE:-}", Lookup).text, "");
  EXPECT_EQ(ExpandVariables("costs $5 and $${DATA}", Lookup).text, "costs $5 and ${DATA}");
}

TEST(ExpandVariables, SaysWhereAPathWasWritten) {
  EXPECT_TRUE(ExpandVariables("${DATA}/x", Lookup).starts_with_variable);
  EXPECT_FALSE(ExpandVariables("x/${DATA}", Lookup).starts_with_variable);
  EXPECT_FALSE(ExpandVariables("${NONE:-x}", Lookup).starts_with_variable);
}

TEST(ExpandVariables, Problems) {
  EXPECT_EQ(ExpandVariables("${NONE}", Lookup).problem, "the environment variable NONE is not set");
  EXPECT_EQ(ExpandVariables("${DATA", Lookup).problem, "'${' is not closed");
  EXPECT_EQ(ExpandVariables("plain", Lookup).problem, "");
}

TEST(ProcessEnvironment, EmptyCountsAsUnset) {
  setenv("FLYSCRIBE_TEST_VARIABLE", "", 1);
  EXPECT_EQ(ProcessEnvironment("FLYSCRIBE_TEST_VARIABLE"), std::nullopt);
  setenv("FLYSCRIBE_TEST_VARIABLE", "x", 1);
  EXPECT_EQ(ProcessEnvironment("FLYSCRIBE_TEST_VARIABLE"), "x");
  unsetenv("FLYSCRIBE_TEST_VARIABLE");
  EXPECT_EQ(ProcessEnvironment("FLYSCRIBE_TEST_VARIABLE"), std::nullopt);
}

}  // namespace
}  // namespace flyscribe
