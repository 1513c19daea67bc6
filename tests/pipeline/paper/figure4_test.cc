// Figure 4, told from made-up numbers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/pipeline/paper/made_up.h"

namespace flyscribe {
namespace {

using testing::HasSubstr;

// The adaptive rate ends at 0.14; the best natural one, a = 1000 and b = 0.001, at `best`; a = b = 0.001 diverges.
// Behind the paper's bounds all end at `outer`.
ReproductionPart TellWith(double best, double outer = 0.2) {
  const PaperConfig config = StudyConfig();
  const Study study{config};
  return Figure4Experiment().tell(study, MadeUpResults(Figure4Experiment(), study, [&](const Measurement& measurement) {
                                    const LearnOptions& learn = measurement.learn;
                                    if (learn.rate == LearnOptions::Rate::kAdaptive) return MadeUp(0.14, 10.0);
                                    if (learn.rate_a > 2000.0) return MadeUp(outer, 10.0);
                                    if (learn.rate_a > 1.0 && learn.rate_b < 1.0) return MadeUp(best, 10.0);
                                    Measured measured = MadeUp(0.2, 10.0);
                                    measured.diverged = learn.rate_a < 1.0 && learn.rate_b < 1.0;
                                    if (measured.diverged) measured.objective.clear();
                                    return measured;
                                  }));
}

TEST(Fig4, SearchesTheWholeGrid) {
  PaperConfig config = StudyConfig();
  config.reproduce.rate_grid = 7;
  config.reproduce.rate_ranges = {"4-6", "13-16"};
  std::set<std::pair<double, double>> tried;
  std::set<std::string> ranges;
  for (const Measurement& each : Figure4Experiment().wants(Study{config})) {
    ranges.insert(each.range);
    if (each.learn.rate == LearnOptions::Rate::kNatural) tried.emplace(each.learn.rate_a, each.learn.rate_b);
  }
  std::size_t inside = 0;
  for (const auto& [a, b] : tried) inside += a < 1001.0 && b < 1001.0 ? 1 : 0;
  EXPECT_EQ(inside, 49U);
  EXPECT_EQ(tried.size(), 49U + 9U) << "and some behind the paper's bounds";
  EXPECT_NEAR(tried.begin()->first, 1e-3, 1e-15);
  EXPECT_EQ(*tried.rbegin(), (std::pair{1e6, 1e5}));
  EXPECT_EQ(ranges, (std::set<std::string>{"13-16", "4-6"}));
}

TEST(Fig4, ShowsTheBestNaturalRate) {
  const ReproductionPart part = TellWith(0.145);
  ASSERT_EQ(part.charts.size(), 1U);
  ASSERT_EQ(part.charts[0].series.size(), 2U);
  EXPECT_EQ(part.charts[0].series[1].name, "natural, a = 1e+03, b = 0.001");
  EXPECT_TRUE(Rectangular(part));
  EXPECT_EQ(part.tables[1].rows[0][1], "diverged");
  EXPECT_EQ(part.tables[1].rows[1][1], "0.1450");
  EXPECT_TRUE(Held(part.checks.at(0)));
}

TEST(Fig4, ABetterNaturalRateIsTold) {
  const ReproductionPart part = TellWith(0.139);
  EXPECT_FALSE(Held(part.checks.at(0)));
  EXPECT_THAT(part.checks.at(0).numbers, HasSubstr("adaptive 0.14000, natural 0.13900 (-0.71 %) with a = 1e+03"));
}

TEST(Fig4, WhoIsAheadFirstIsTold) {
  EXPECT_THAT(TellWith(0.145).agrees.at(0), HasSubstr("here it is so too"));
  // Made-up runs start at 1.1 times their end.
  const ReproductionPart part = TellWith(0.139);
  EXPECT_THAT(part.differs.at(0), HasSubstr("the best natural rate is ahead after epoch 1, 2."));
}

TEST(Fig4, ALateLeadIsALeadToo) {
  const PaperConfig config = StudyConfig();
  const Study study{config};
  const Results results = MadeUpResults(Figure4Experiment(), study, [](const Measurement& measurement) {
    Measured measured = MadeUp(0.14, 10.0);
    if (measurement.learn.rate == LearnOptions::Rate::kNatural) measured.objective = {0.2, 0.139};
    return measured;
  });
  const ReproductionPart part = Figure4Experiment().tell(study, results);
  EXPECT_FALSE(Held(part.checks.at(0)));
  EXPECT_THAT(part.differs.at(0), HasSubstr("ahead after epoch 2."));
}

TEST(Fig4, OneEpochIsOneRow) {
  const PaperConfig config = StudyConfig();
  const Study study{config};
  const Results results = MadeUpResults(Figure4Experiment(), study, [](const Measurement&) {
    Measured measured = MadeUp(0.14, 10.0);
    measured.objective = {0.14};
    return measured;
  });
  EXPECT_EQ(Figure4Experiment().tell(study, results).tables.at(0).rows.size(), 1U);
}

TEST(Fig4, IfEveryNaturalRateDivergesTheAdaptiveOneIsAhead) {
  const PaperConfig config = StudyConfig();
  const Study study{config};
  const Results results = MadeUpResults(Figure4Experiment(), study, [](const Measurement& measurement) {
    Measured measured = MadeUp(0.14, 10.0);
    measured.diverged = measurement.learn.rate == LearnOptions::Rate::kNatural;
    if (measured.diverged) measured.objective.clear();
    return measured;
  });
  const ReproductionPart part = Figure4Experiment().tell(study, results);
  EXPECT_EQ(part.checks.at(0).numbers, "every natural rate diverged");
  EXPECT_EQ(part.charts.at(0).series.size(), 1U);
}

TEST(Fig4, RatesBehindThePapersBoundsAreToldButNoCheck) {
  const ReproductionPart part = TellWith(0.145, 0.138);
  EXPECT_TRUE(Held(part.checks.at(0))) << "the paper did not look there";
  ASSERT_EQ(part.differs.size(), 1U);
  EXPECT_THAT(part.differs[0],
              HasSubstr("with a = 1e+04, b = 1e+03 ends at 0.13800, -1.43 % from the adaptive rate's 0.14000"));
  EXPECT_THAT(part.tables.at(2).caption, HasSubstr("behind them"));
  EXPECT_EQ(part.tables.at(2).rows.size(), 3U);
  EXPECT_EQ(TellWith(0.145).agrees.size(), 2U);
}

}  // namespace
}  // namespace flyscribe
