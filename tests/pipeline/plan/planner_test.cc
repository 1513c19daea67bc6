#include "pipeline/plan/planner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/pipeline/cache_copy.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

using testing::HasSubstr;

class PlannerTest : public testing::Test {
 protected:
  NamedConfig Point(const std::string& setting) const { return {setting, cache_.ConfigWith({setting})}; }
  // A config of real data that is not there.
  NamedConfig Hopeless() const {
    const ConfigNode root = ParseConfigText(
        "ranges: [4-6]\ncache: {dir: cache}\n"
        "data: {annotations: nowhere.csv, images_table: nowhere_either.csv, images: [none]}\n",
        "hopeless.yaml",
        cache_.folder().path());
    return {"hopeless", ReadConfigTree(root, "hopeless")};
  }

  CacheCopy cache_;
  ArtifactStore store_ = cache_.Store();
};

TEST_F(PlannerTest, ConfigsShareACorpusAndSteps) {
  const Plan plan = Planner(store_, {}, NoProgress()).Make({Point("train.c=1"), Point("train.c=3")});
  ASSERT_EQ(plan.points.size(), 2U);
  EXPECT_EQ(plan.points[0].name, "train.c=1");
  EXPECT_NE(plan.points[0].corpus, nullptr);
  EXPECT_EQ(plan.points[0].corpus, plan.points[1].corpus);
  EXPECT_EQ(plan.instances.size(), 11U + 3U) << "train, evaluate and report are of one of the two";
  EXPECT_EQ(plan.points[1].instances.size(), 11U);
  EXPECT_EQ(plan.instances[5].tag, "") << "learn is shared";
  EXPECT_EQ(plan.instances.back().tag, "train.c=3");
}

TEST_F(PlannerTest, OtherImportsAreOtherCorpora) {
  const Plan plan = Planner(store_, {}, NoProgress()).Make({Point("ingest.folds=5"), Point("ingest.folds=4")});
  EXPECT_NE(plan.points[0].corpus, plan.points[1].corpus);
}

TEST_F(PlannerTest, SimulatedDataIsAskedForOnce) {
  int asked = 0;
  const auto simulated = [&](const Config&, const StepInstance& simulate, DigestCache&) -> std::optional<fs::path> {
    ++asked;
    return store_.FolderOf(simulate.range, simulate.step->name, simulate.key);
  };
  Planner(store_, {}, NoProgress()).Make({Point("train.c=1"), Point("train.c=3"), Point("learn.seed=4")}, simulated);
  EXPECT_EQ(asked, 1);
}

TEST_F(PlannerTest, WithoutSimulatedDataKeysAreNotKnown) {
  const Plan plan = Planner(store_, {}, NoProgress()).Make({Point("simulate.seed=8")});
  EXPECT_EQ(plan.points[0].corpus, nullptr);
  ASSERT_EQ(plan.instances.size(), 11U);
  EXPECT_EQ(plan.instances[0].key.size(), 64U) << "that of simulate is";
  for (std::size_t i = 1; i < plan.instances.size(); ++i) EXPECT_EQ(plan.instances[i].key, "") << i;
}

TEST_F(PlannerTest, AConfigThatCannotBePlannedEndsIt) {
  const CaughtError error = ExpectError([&] {
    Planner(store_, {}, NoProgress()).Make({Point("train.c=1"), Hopeless()});
  });
  EXPECT_EQ(error.code, ErrorCode::kInput);
  EXPECT_THAT(error.text, HasSubstr("nowhere.csv: error: cannot read: No such file or directory"));
}

TEST_F(PlannerTest, OrBecomesAPointWithoutStepsIfItShallGoOn) {
  const Plan plan = Planner(store_, {.keep_going = true}, NoProgress()).Make({Hopeless(), Point("train.c=1")});
  ASSERT_EQ(plan.points.size(), 2U);
  EXPECT_TRUE(plan.points[0].instances.empty());
  EXPECT_THAT(TextOf(plan.points[0].error), HasSubstr("nowhere.csv"));
  EXPECT_EQ(plan.points[0].config->name, "hopeless");
  EXPECT_EQ(plan.points[1].error, nullptr);
  EXPECT_EQ(plan.points[1].instances.size(), 11U);
}

TEST_F(PlannerTest, DigestsAreWrittenDownOnlyIfAsked) {
  RemoveTree(cache_.root() / "digests");
  Planner(store_, {}, NoProgress()).Make({Point("train.c=1")});
  EXPECT_FALSE(fs::exists(cache_.root() / "digests"));
}

}  // namespace
}  // namespace flyscribe
