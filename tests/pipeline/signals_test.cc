#include "pipeline/signals.h"

#include <gtest/gtest.h>

#include <csignal>

namespace flyscribe {
namespace {

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

}  // namespace
}  // namespace flyscribe
