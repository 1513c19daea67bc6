#include "pipeline/paper/origin.h"

#include <gtest/gtest.h>

namespace flyscribe {
namespace {

Measured Made(const std::string& when, int interruptions) {
  Measured measured;
  measured.made = when;
  measured.interruptions = interruptions;
  return measured;
}

TEST(MeasurementsOrigin, SaysWhenAndHowOften) {
  MeasurementsOrigin origin;
  EXPECT_TRUE(origin.Facts().empty());
  origin.Add(Made("2026-02-03T04:05:06Z", 0), false);
  origin.Add(Made("2026-01-02T03:04:05Z", 2), true);
  origin.Add(Made("2026-02-01T00:00:00Z", 0), true);
  const auto facts = origin.Facts();
  ASSERT_EQ(facts.size(), 2U);
  EXPECT_EQ(facts[0].second, "3, 1 of them made by this command, 2 before; 1 interrupted and resumed");
  EXPECT_EQ(facts[1].second, "2026-01-02T03:04:05Z to 2026-02-03T04:05:06Z");
}

}  // namespace
}  // namespace flyscribe
