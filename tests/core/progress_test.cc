#include "core/progress.h"

#include <gtest/gtest.h>

#include "tests/support/expect_error.h"
#include "tests/support/recording_progress.h"

namespace flyscribe {
namespace {

TEST(ProgressTest, ThrowsOnceAskedToStop) {
  RecordingProgress progress;
  EXPECT_NO_THROW(progress.ThrowIfStopped());
  progress.stop = AtOnce;
  const CaughtError error = ExpectError([&] { progress.ThrowIfStopped(); });
  EXPECT_EQ(error.code, ErrorCode::kInterrupted);
  EXPECT_EQ(error.text, "error: interrupted\n  hint: run the same command again to go on");
}

TEST(ProgressTest, NoProgressDoesNothing) {
  Progress& progress = NoProgress();
  EXPECT_EQ(&progress, &NoProgress());
  progress.Begin(10, "images");
  progress.Advance();
  progress.Note("objective 0.1");
  progress.Warn("careful");
  EXPECT_FALSE(progress.StopRequested());
  EXPECT_NO_THROW(progress.ThrowIfStopped());
}

TEST(SecondsNowTest, OnlyGoesForward) {
  double last = SecondsNow();
  for (int i = 0; i < 1000; ++i) {
    const double now = SecondsNow();
    EXPECT_GE(now, last);
    last = now;
  }
}

}  // namespace
}  // namespace flyscribe
