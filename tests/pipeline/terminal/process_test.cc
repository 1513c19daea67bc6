#include "pipeline/terminal/process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <stdexcept>

#include "core/error.h"
#include "core/file.h"

namespace flyscribe {
namespace {

TEST(Version, IsTheOneInTheCitationFile) {
  EXPECT_NE(ReadFile(FLYSCRIBE_SOURCE_DIR "/CITATION.cff").find("\nversion: " + Version() + "\n"), std::string::npos);
  EXPECT_NE(ReadFile(FLYSCRIBE_SOURCE_DIR "/CHANGELOG.md").find("## " + Version()), std::string::npos);
}

TEST(Host, HasAName) {
  EXPECT_FALSE(HostName().empty());
  EXPECT_EQ(HostName().find('\0'), std::string::npos);
}

TEST(DescribeProcess, NamesProcessHostTimeAndWork) {
  const std::string text = DescribeProcess("learn for 4-6");
  EXPECT_THAT(text, testing::StartsWith("process " + std::to_string(getpid()) + " on " + HostName() + " since 20"));
  EXPECT_THAT(text, testing::EndsWith("Z (learn for 4-6)"));
}

// In a child process, because a caught signal cannot be taken back.
TEST(SignalsDeathTest, FirstSignalAsksSecondEnds) {
  EXPECT_EXIT(
      {
        CatchStopSignals();
        if (StopSignal() != 0) _exit(1);
        raise(SIGTERM);
        _exit(StopSignal() == SIGTERM ? 42 : 2);
      },
      testing::ExitedWithCode(42),
      "");
  EXPECT_EXIT(
      {
        CatchStopSignals();
        raise(SIGINT);
        raise(SIGINT);
        _exit(3);
      },
      testing::ExitedWithCode(130),
      "");
}

TEST(ExitCodeOf, IsTheErrorsCode) {
  EXPECT_EQ(ExitCodeOf(std::make_exception_ptr(Error(ErrorCode::kUsage, "wrong"))), 4);
  EXPECT_EQ(ExitCodeOf(std::make_exception_ptr(std::runtime_error("a bug"))), 1);
}

}  // namespace
}  // namespace flyscribe
