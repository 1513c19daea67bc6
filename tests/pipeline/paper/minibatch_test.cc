// The race, told from made-up numbers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/pipeline/paper/made_up.h"

namespace flyscribe {
namespace {

using testing::HasSubstr;

// OL ends at 0.14 after two epochs of 50 us a visit. The repetitions differ in time.
ReproductionPart TellWith(const Measured& minibatch) {
  const PaperConfig config = StudyConfig();
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
  const PaperConfig config = StudyConfig(", side_by_side: 2");
  std::size_t two_threads = 0;
  std::size_t second = 0;
  for (const Measurement& each : MinibatchExperiment().wants(Study{config})) {
    EXPECT_EQ(each.side_by_side, 1);
    EXPECT_EQ(each.range, "7-8");
    two_threads += each.threads == 2 ? 1 : 0;
    second += each.repetition == 2 ? 1 : 0;
  }
  EXPECT_EQ(two_threads, 12U) << "two sizes, three methods, two repetitions";
  EXPECT_EQ(second, 14U);
}

TEST(Minibatch, MethodsTakeTurns) {
  const PaperConfig config = StudyConfig();
  const std::vector<Measurement> wanted = MinibatchExperiment().wants(Study{config});
  ASSERT_EQ(wanted.size(), 28U);
  for (std::size_t i = 0; i < 7; ++i) {
    EXPECT_EQ(wanted[i].repetition, 1);
    EXPECT_EQ(wanted[i + 7].repetition, 2);
    EXPECT_EQ(wanted[i].learn.method, wanted[i + 7].learn.method);
  }
}

TEST(Minibatch, SaysHowFarTheAuthorsLossIsOver) {
  const ReproductionPart part = TellWith(MadeUp(0.139, 10.0));
  EXPECT_THAT(part.differs.at(0),
              HasSubstr("Exact SCC here takes 0.200 x to 0.200 x OL's time; its objective ends "
                        "+1.00 % to +1.00 % from OL's"));
  EXPECT_THAT(part.text.back(),
              HasSubstr("is at OL's last objective 2.50 x to 5.00 x sooner than the quicker of the two OLs."));
}

TEST(Minibatch, SoonerIsByTheMedian) {
  const ReproductionPart part = TellWith(MadeUp(0.139, 10.0));
  ASSERT_TRUE(Rectangular(part));
  EXPECT_EQ(part.checks.size(), 4U);
  EXPECT_EQ(FailedOf(part), 0U);
  // Two epochs of 1 ms, or 3 ms; OL's of 5, or 15.
  EXPECT_EQ(CheckOf(part, "m = 500, 1 thread").numbers,
            "0.00400 s against 0.0200 s; 0.0200 s if OL codes by our encoder");
  EXPECT_EQ(part.tables[0].rows[0][5], "not reached") << "exact SCC";
  EXPECT_EQ(part.tables[0].rows[0][7], "5.00 x");
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

TEST(Minibatch, TheQuickerOfTheTwoOnlineSolversIsTheRival) {
  const PaperConfig config = StudyConfig();
  const Study study{config};
  const auto make = [](const Measurement& measurement) {
    if (measurement.learn.method == Method::kScc) return MadeUp(0.1414, 10.0);
    if (measurement.learn.method == Method::kSccMinibatch) return MadeUp(0.139, 20.0);
    // With our encoder OL is at its end before mini-batch SCC at m = 500.
    const bool descent = measurement.learn.solver == LearnOptions::Solver::kDescent;
    return descent ? MadeUp(0.1401, measurement.learn.atoms == 500 ? 15.0 : 60.0) : MadeUp(0.14, 50.0);
  };
  const ReproductionPart part = MinibatchExperiment().tell(study, MadeUpResults(MinibatchExperiment(), study, make));
  EXPECT_FALSE(Held(CheckOf(part, "m = 500, 1 thread")));
  EXPECT_TRUE(Held(CheckOf(part, "m = 1000, 1 thread")));
  EXPECT_EQ(part.tables[0].rows[2][2], "0.1400") << "the lower of the two";
  EXPECT_EQ(part.tables[0].rows[2][4], "0.0120") << "to its own end";
  EXPECT_THAT(part.text.back(), HasSubstr("2.50 x to 2.50 x sooner"));
  EXPECT_THAT(part.text.back(), HasSubstr("Not so for m = 500, 1 thread; m = 500, 2 threads."));
}

TEST(Minibatch, ChartsReachToTheSlowest) {
  const PaperConfig config = StudyConfig();
  const Study study{config};
  const ReproductionPart part =
      MinibatchExperiment().tell(study, MadeUpResults(MinibatchExperiment(), study, [](const Measurement& measurement) {
                                   return MadeUp(0.14, measurement.learn.method == Method::kScc ? 900.0 : 10.0);
                                 }));
  EXPECT_GE(part.charts.at(0).x.max, 0.18);
}

}  // namespace
}  // namespace flyscribe
