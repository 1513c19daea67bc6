#include "pipeline/host.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace flyscribe {
namespace {

TEST(Host, HasAName) {
  EXPECT_FALSE(HostName().empty());
  EXPECT_EQ(HostName().find('\0'), std::string::npos);
}

TEST(Host, SaysWhoWeAre) {
  const std::string text = AboutUs("learn for 4-6");
  EXPECT_THAT(text, testing::StartsWith("process " + std::to_string(getpid()) + " on " + HostName() + " since 20"));
  EXPECT_THAT(text, testing::EndsWith("Z (learn for 4-6)"));
}

}  // namespace
}  // namespace flyscribe
