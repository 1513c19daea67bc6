// The race, told from made-up numbers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/pipeline/reproduce/made_up.h"

namespace flyscribe {
namespace {

using testing::HasSubstr;

// OL ends at 0.14 after two epochs of 50 us a visit. The repetitions differ in time.
ReproductionPart TellWith(const Measured& minibatch) {
  const Config config = StudyConfig();
  const Study study{config};
  return MinibatchExperiment().tell(study,
                                    MadeUpResults(MinibatchExperiment(), study, [&](const Measurement& measurement) {
                                      Measured measured = minibatch;
                                      if (measurement.learn.method == Method::kScc) measured = MadeUp(0.1414, 10.0);
                                      if (measurement.learn.method == Method::kOnline)
                                        measured = MadeUp(0.14, 50.0 / measurement.threads);
                                      if (measurement.repetition == 2) {
                                        for (double& seconds : measured.seconds) seconds *= 3.0;
                                      }
                                      return measured;
                                    }));
}

TEST(Minibatch, RunsAloneOnOneAndTwoThreadsSeveralTimes) {
  const Config config = StudyConfig(", side_by_side: 2");
  std::size_t two_threads = 0;
  std::size_t second = 0;
  for (const Measurement& each : MinibatchExperiment().wants(Study{config})) {
    EXPECT_EQ(each.side_by_side, 1);
    EXPECT_EQ(each.range, "7-8");
    two_threads += each.threads == 2 ? 1 : 0;
    second += each.repetition == 2 ? 1 : 0;
  }
  EXPECT_EQ(two_threads, 8U) << "two sizes, two methods, two repetitions";
  EXPECT_EQ(second, 10U);
}

TEST(Minibatch, SoonerIsByTheMedian) {
  const ReproductionPart part = TellWith(MadeUp(0.139, 10.0));
  ASSERT_TRUE(Rectangular(part));
  EXPECT_EQ(part.checks.size(), 4U);
  EXPECT_EQ(FailedOf(part), 0U);
  // Two epochs of 1 ms, or 3 ms; OL's of 5, or 15.
  EXPECT_EQ(CheckOf(part, "m = 500, 1 thread").numbers, "0.0040 s against 0.0200 s");
  EXPECT_EQ(part.tables[0].rows[0][4], "not reached") << "exact SCC";
  EXPECT_EQ(part.tables[0].rows[0][6], "5.00 x");
  EXPECT_EQ(part.tables[1].rows[0][3], "3-4 x");
  EXPECT_EQ(part.tables[1].rows[0][4], "0.200 x");
  EXPECT_EQ(part.charts.size(), 2U);
  EXPECT_EQ(part.charts[0].series[0].points.front(), (CurvePoint{0.0, 0.14 * 1.5}));
}

TEST(Minibatch, TooSlowOrNeverFails) {
  EXPECT_EQ(FailedOf(TellWith(MadeUp(0.139, 60.0))), 4U);
  const ReproductionPart never = TellWith(MadeUp(0.1401, 1.0));
  EXPECT_EQ(FailedOf(never), 4U);
  EXPECT_THAT(never.checks.front().numbers, HasSubstr("not reached against 0.0200 s"));
}

}  // namespace
}  // namespace flyscribe
