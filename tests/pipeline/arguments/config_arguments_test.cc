// The flags themselves, as CLI11 sees them, are tested with the real binary: tests/integration/plan_test.cc and others.
#include "pipeline/arguments/config_arguments.h"

#include <gtest/gtest.h>

#include "tests/pipeline/cache_copy.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

class CacheArgumentsTest : public testing::Test {
 protected:
  CacheArgumentsTest() {
    config_ = folder_.Write("c.yaml", "ranges: [4-6]\ncache: {dir: store}\nsimulate: {genes: 30}\n").string();
  }
  TempFolder folder_;
  std::string config_;
};

TEST_F(CacheArgumentsTest, TheCacheIsTheConfigsOrTheOneGiven) {
  EXPECT_EQ((CacheArguments{{config_, {}}, ""}.Root()), folder_ / "store") << "it need not be there yet";
  EXPECT_EQ((CacheArguments{{config_, {"cache.dir=" + (folder_ / "other").string()}}, ""}.Root()), folder_ / "other");
  fs::create_directory(folder_ / "empty");
  EXPECT_EQ((CacheArguments{{}, (folder_ / "empty").string()}.Root()), folder_ / "empty");
  EXPECT_EQ(ExpectError([&] {
              CacheArguments{{}, folder_.path().string()}.Root();
            }).code,
            ErrorCode::kUsage)
      << "a folder of something else";
}

TEST_F(CacheArgumentsTest, ExactlyOneMustBeGiven) {
  const std::string hint = "\n  hint: give the config whose cache is meant, or --cache DIR";
  CaughtError error = ExpectError([] { CacheArguments{}.Root(); });
  EXPECT_EQ(error.code, ErrorCode::kUsage);
  EXPECT_EQ(error.text, "error: neither a config nor --cache is given" + hint);
  error = ExpectError([&] { CacheArguments{{config_, {}}, "cache"}.Root(); });
  EXPECT_EQ(error.code, ErrorCode::kUsage);
  EXPECT_EQ(error.text, "error: both a config and --cache are given" + hint);
}

TEST_F(CacheArgumentsTest, AGivenCacheMustBeThere) {
  const CaughtError error = ExpectError([&] { CacheArguments{{}, (folder_ / "nowhere").string()}.Root(); });
  EXPECT_EQ(error.code, ErrorCode::kInput);
  EXPECT_EQ(error.text,
            (folder_ / "nowhere").string() + ": error: there is no such folder\n  hint: check the spelling");
}

TEST_F(CacheArgumentsTest, OverridesReachTheConfig) {
  EXPECT_EQ((ConfigArguments{config_, {"learn.atoms=7"}}.Read().learn.atoms), 7);
}

TEST_F(CacheArgumentsTest, PlanningWithoutRunningWritesNothing) {
  const Config config = ConfigArguments{config_, {}}.Read();
  const Plan plan = PlanWithoutRunning(config, QuietStore(config.cache.dir));
  EXPECT_EQ(plan.instances.size(), 11U);
  EXPECT_EQ(plan.points[0].corpus, nullptr);
  EXPECT_FALSE(fs::exists(folder_ / "store"));
  const Plan known = PlanWithoutRunning(SharedTinyRun().config, QuietStore(SharedTinyRun().config.cache.dir));
  EXPECT_EQ(known.instances.back().key, SharedTinyRun().outcome.steps.back().key);
}

}  // namespace
}  // namespace flyscribe
