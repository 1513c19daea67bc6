#include "core/clock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flyscribe {
namespace {

TEST(ClockTest, OnlyGoesForward) {
  double last = SecondsNow();
  for (int i = 0; i < 1000; ++i) {
    const double now = SecondsNow();
    EXPECT_GE(now, last);
    last = now;
  }
}

TEST(ClockTest, UtcText) {
  EXPECT_EQ(UtcText(0), "1970-01-01T00:00:00Z");
  EXPECT_EQ(UtcText(1709210096), "2024-02-29T12:34:56Z");
}

TEST(ClockTest, NowIsBetweenBeforeAndAfter) {
  const std::string before = UtcText(std::time(nullptr));
  const std::string now = UtcNow();
  EXPECT_LE(before, now);
  EXPECT_LE(now, UtcText(std::time(nullptr)));
}

TEST(ClockTest, HumanAge) {
  const auto age = [](std::time_t seconds) { return HumanAge(1000000, 1000000 + seconds); };
  EXPECT_EQ(age(0), "just now");
  EXPECT_EQ(age(59), "just now");
  EXPECT_EQ(age(60), "1 min ago");
  EXPECT_EQ(age(3599), "59 min ago");
  EXPECT_EQ(age(3600), "1 hour ago");
  EXPECT_EQ(age(2 * 3600), "2 hours ago");
  EXPECT_EQ(age(24 * 3600 - 1), "23 hours ago");
  EXPECT_EQ(age(24 * 3600), "1 day ago");
  EXPECT_EQ(age(72 * 3600), "3 days ago");
  EXPECT_EQ(age(-5), "just now") << "another host's clock may be ahead";
}

}  // namespace
}  // namespace flyscribe
