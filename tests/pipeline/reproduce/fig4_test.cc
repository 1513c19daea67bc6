// Figure 4, told from made-up numbers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/pipeline/reproduce/made_up.h"

namespace flyscribe {
namespace {

using testing::HasSubstr;

// The adaptive rate ends at 0.14; the best natural one, a = 1000 and b = 0.001, at `best`; a = b = 0.001 diverges.
ReproductionPart TellWith(double best) {
  const Config config = StudyConfig();
  const Study study{config};
  return Fig4Experiment().tell(study, MadeUpResults(Fig4Experiment(), study, [&](const Measurement& measurement) {
                                 const LearnOptions& learn = measurement.learn;
                                 if (learn.rate == LearnOptions::Rate::kAdaptive) return MadeUp(0.14, 10.0);
                                 if (learn.rate_a > 1.0 && learn.rate_b < 1.0) return MadeUp(best, 10.0);
                                 Measured measured = MadeUp(0.2, 10.0);
                                 measured.diverged = learn.rate_a < 1.0 && learn.rate_b < 1.0;
                                 if (measured.diverged) measured.objective.clear();
                                 return measured;
                               }));
}

TEST(Fig4, SearchesTheWholeGrid) {
  Config config = StudyConfig();
  config.reproduce.rate_grid = 7;
  config.reproduce.rate_ranges = {"4-6", "13-16"};
  std::set<std::pair<double, double>> tried;
  std::set<std::string> ranges;
  for (const Measurement& each : Fig4Experiment().wants(Study{config})) {
    ranges.insert(each.range);
    if (each.learn.rate == LearnOptions::Rate::kNatural) tried.emplace(each.learn.rate_a, each.learn.rate_b);
  }
  EXPECT_EQ(tried.size(), 49U);
  EXPECT_NEAR(tried.begin()->first, 1e-3, 1e-15);
  EXPECT_NEAR(tried.rbegin()->first, 1e3, 1e-9);
  EXPECT_NEAR(tried.rbegin()->second, 1e3, 1e-9);
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

}  // namespace
}  // namespace flyscribe
