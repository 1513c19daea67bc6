// Figure 3, told from made-up numbers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/pipeline/paper/made_up.h"

namespace flyscribe {
namespace {

using testing::HasSubstr;

ReproductionPart TellWith(double objective_of_three, double time_of_three = 12.0) {
  const PaperConfig config = StudyConfig();
  const Study study{config};
  return Figure3Experiment().tell(study, MadeUpResults(Figure3Experiment(), study, [&](const Measurement& measurement) {
                                    return measurement.learn.CdSteps() == 1 ? MadeUp(0.15, 10.0)
                                                                            : MadeUp(objective_of_three, time_of_three);
                                  }));
}

TEST(Fig3, HasThePapersAxes) {
  const ReproductionPart part = TellWith(0.14);
  ASSERT_EQ(part.charts.size(), 2U);
  EXPECT_EQ(part.charts[0].x.label, "Epoch");
  EXPECT_EQ(part.charts[0].y.label, "Objective");
  EXPECT_EQ(part.charts[0].series.size(), 2U);
  EXPECT_EQ(part.charts[1].y.label, "Minutes");
  EXPECT_EQ(part.charts[1].y.min, 0.0);
  EXPECT_TRUE(Rectangular(part));
  EXPECT_EQ(part.tables[0].rows[1][0], "3");
  EXPECT_EQ(part.tables[0].rows[1][2], "0.14000");
  EXPECT_THAT(part.text.front(), HasSubstr("stage range 4-6, m = 1000"));
}

TEST(Fig3, MoreStepsMustLowerTheObjective) {
  EXPECT_TRUE(Held(TellWith(0.14).checks.at(0)));
  const ReproductionPart level = TellWith(0.15);
  EXPECT_FALSE(Held(level.checks.at(0)));
  EXPECT_EQ(level.checks.at(0).numbers, "1 step 0.150000, 3 steps 0.150000");
}

TEST(Fig3, SaysWhetherTimeGrows) {
  const ReproductionPart grows = TellWith(0.14);
  ASSERT_EQ(grows.agrees.size(), 1U);
  EXPECT_THAT(grows.agrees[0], HasSubstr("3 steps take 1.20 x the time of 1 step"));
  EXPECT_EQ(TellWith(0.14, 9.0).differs.size(), 1U);
}

}  // namespace
}  // namespace flyscribe
