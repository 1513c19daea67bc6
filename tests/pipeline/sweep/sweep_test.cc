#include "pipeline/sweep/sweep.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/text.h"
#include "tests/pipeline/cache_copy.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

using testing::HasSubstr;
using Names = std::vector<std::string>;

Names PointNames(const Names& arguments) {
  Names names;
  for (const SweepPoint& point : SweepGrid(arguments)) names.push_back(point.Name());
  return names;
}

std::string GridError(const Names& arguments) {
  const CaughtError error = ExpectError([&] { SweepGrid(arguments); });
  EXPECT_EQ(error.code, ErrorCode::kUsage);
  return error.text;
}

TEST(SweepGrid, TheLastArgumentVariesFastest) {
  EXPECT_EQ(PointNames({"learn.atoms=500, 1000", "learn.lambda=0.1,0.2"}),
            (Names{"learn.atoms=500 learn.lambda=0.1",
                   "learn.atoms=500 learn.lambda=0.2",
                   "learn.atoms=1000 learn.lambda=0.1",
                   "learn.atoms=1000 learn.lambda=0.2"}));
  EXPECT_EQ(PointNames({}), Names{""});
}

TEST(SweepGrid, CommasWithinBracketsAndQuotesStay) {
  EXPECT_EQ(PointNames({"ranges=[4-6, 7-8],[9-10]"}), (Names{"ranges=[4-6, 7-8]", "ranges=[9-10]"}));
  EXPECT_EQ(PointNames({R"(report.title="a, b",'c, "d',e)"}),
            (Names{R"(report.title="a, b")", R"(report.title='c, "d')", "report.title=e"}));
}

TEST(SweepGrid, ErrorsPointAtTheArgument) {
  EXPECT_EQ(GridError({"learn.atoms"}),
            "--sweep learn.atoms: error: expected key=value,value\n"
            "  hint: for example --sweep learn.atoms=500,1000,2000");
  EXPECT_THAT(GridError({"=4"}), HasSubstr("--sweep =4: error: expected key=value,value"));
  EXPECT_THAT(GridError({"learn.atoms=5,,6"}), HasSubstr("--sweep learn.atoms=5,,6: error: a value is empty"));
  EXPECT_EQ(GridError({"learn.atoms=5,6, 5"}), "--sweep learn.atoms=5,6, 5: error: the value 5 is given twice");
  EXPECT_EQ(GridError({"report.title=a b,a_b"}),
            "--sweep report.title=a b,a_b: error: the values a b and a_b would share a folder");
  EXPECT_EQ(GridError({"learn.atoms=5", "learn.atoms=6"}),
            "--sweep learn.atoms=6: error: learn.atoms is swept twice\n  hint: give all its values at once");
  EXPECT_EQ(GridError({"cache.dir=a,b"}),
            "--sweep cache.dir=a,b: error: cache.dir is the same for all points of a sweep");
  EXPECT_THAT(GridError({"output=a"}), HasSubstr("output is the same for all points of a sweep"));
}

TEST(SweepGrid, AHugeGridIsRefused) {
  std::string values = "0";
  for (int i = 1; i < 101; ++i) values += "," + std::to_string(i);
  EXPECT_THAT(GridError({"learn.seed=" + values, "train.seed=" + values}),
              HasSubstr("the grid has more than 10000 points"));
}

TEST(SweepPoint, FoldersArePlain) {
  const std::vector<SweepPoint> grid = SweepGrid({"ranges=[4-6, 7-8]", "learn.lambda=1e-3"});
  EXPECT_EQ(grid[0].Folder(), "ranges=_4-6__7-8__learn.lambda=1e-3");
}

class SweepTest : public testing::Test {
 protected:
  SweepTest() {
    folder_.Write("tiny.yaml",
                  "ranges: [4-6]\noutput: output\ncache: {dir: cache}\nsimulate: {genes: 30}\nlearn: {atoms: 24}\n");
  }
  std::vector<NamedConfig> Read(const Names& sweeps, const Names& overrides = {}) const {
    return ReadConfigs(folder_ / "tiny.yaml", overrides, SweepGrid(sweeps));
  }
  TempFolder folder_;
};

TEST_F(SweepTest, EveryPointHasItsOutput) {
  const std::vector<NamedConfig> configs = Read({"learn.atoms=8,16"}, {"learn.lambda=0.3"});
  ASSERT_EQ(configs.size(), 2U);
  EXPECT_EQ(configs[0].name, "learn.atoms=8");
  EXPECT_EQ(configs[1].config.learn.atoms, 16);
  EXPECT_EQ(configs[1].config.learn.lambda, 0.3);
  EXPECT_EQ(configs[1].config.run.output, (folder_ / "output/points/learn.atoms=16").string());
  EXPECT_EQ(configs[1].config.cache.dir, (folder_ / "cache").string());
  EXPECT_EQ(Read({"learn.atoms=8"})[0].config.run.output, (folder_ / "output/points/learn.atoms=8").string());
}

TEST_F(SweepTest, WithoutASweepTheOutputIsTheConfigs) {
  const std::vector<NamedConfig> configs = Read({});
  ASSERT_EQ(configs.size(), 1U);
  EXPECT_EQ(configs[0].name, "");
  EXPECT_EQ(configs[0].config.run.output, (folder_ / "output").string());
}

TEST_F(SweepTest, WrongValuesPointAtTheArgument) {
  const CaughtError error = ExpectError([&] { Read({"learn.atoms=8,many"}); });
  EXPECT_EQ(error.code, ErrorCode::kUsage);
  EXPECT_THAT(error.text, HasSubstr("--sweep learn.atoms=many: error: learn.atoms: expected a whole number"));
  EXPECT_THAT(ExpectError([&] { Read({"learn.atom=8"}); }).text,
              HasSubstr("--sweep learn.atom=8: error: learn.atom: unknown key"));
}

TEST(TabulateSweep, OneRowAPointWithScoresOrItsError) {
  // One point is the shared run; the other could not be planned.
  const TinyRun& run = SharedTinyRun();
  const std::vector<SweepPoint> grid = SweepGrid({"learn.atoms=24,70000"});
  Plan plan = PlanOf(run.config);
  plan.points.push_back(plan.points[0]);
  plan.points[1].instances.clear();
  plan.points[1].error = std::make_exception_ptr(Error(ErrorCode::kInput, "the tables are empty", "fill them"));
  const Names lines = Split(TabulateSweep(grid, plan, run.outcome).Tsv(), '\n');
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(
      lines[0],
      "learn.atoms\trange\tstate\tmacro_auc_top\tmacro_auc_all\tweighted_auc_top\tweighted_auc_all\tmacro_f1_all\t"
      "seconds\terror");
  const Names done = Split(lines[1], '\t');
  ASSERT_EQ(done.size(), 10U);
  EXPECT_EQ((Names{done[0], done[1], done[2]}), (Names{"24", "4-6", "done"}));
  for (std::size_t i = 3; i < 8; ++i) {
    ASSERT_TRUE(ParseReal(done[i])) << done[i];
    EXPECT_GT(*ParseReal(done[i]), 0.05);
    EXPECT_LE(*ParseReal(done[i]), 1.0);
  }
  EXPECT_EQ(done[9], "");
  EXPECT_EQ(lines[2], "70000\t4-6\tfailed\t\t\t\t\t\t0.00\terror: the tables are empty; hint: fill them");
}

TEST(TabulateSweep, AFailedStepIsNamed) {
  const TinyRun& run = SharedTinyRun();
  RunOutcome outcome = run.outcome;
  for (StepOutcome& step : outcome.steps) {
    if (step.step == "learn") {
      step.state = StepState::kFailed;
      step.error = "error: no convergence";
    }
    if (step.step == "evaluate") step.folder.clear();
  }
  const Names lines = Split(TabulateSweep(SweepGrid({"learn.atoms=24"}), PlanOf(run.config), outcome).Tsv(), '\n');
  EXPECT_THAT(lines[1], HasSubstr("24\t4-6\tfailed\t\t\t\t\t\t"));
  EXPECT_THAT(lines[1], HasSubstr("\terror: no convergence"));
}

}  // namespace
}  // namespace flyscribe
