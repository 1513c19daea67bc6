#include "pipeline/paper/published.h"

#include <gtest/gtest.h>

#include <numeric>

namespace flyscribe {
namespace {

TEST(Published, PatchesAreThoseOfThePaper) {
  std::size_t all = 0;
  for (const std::string& range : PublishedRanges()) all += PublishedPatches(range);
  EXPECT_EQ(all, 3096905U);
  EXPECT_EQ(PublishedPatches("4-6"), 555009U);
  EXPECT_EQ(PublishedPatches("13-16"), 1006012U);
  EXPECT_EQ(PublishedPatches("1-3"), 0U) << "the paper leaves it out";
}

TEST(Published, Table1HasEveryRangeAndSizeAndNoOther) {
  for (const int atoms : {500, 1000, 2000}) {
    for (const std::string& range : PublishedRanges()) {
      const auto cell = PublishedTable1(atoms, range);
      ASSERT_TRUE(cell);
      const double excess = cell->scc_objective / cell->online_objective - 1.0;
      EXPECT_GT(excess, 0.0053) << atoms << " " << range;
      EXPECT_LT(excess, 0.0096) << atoms << " " << range;
      EXPECT_GT(cell->online_hours / cell->scc_hours, 100.0);
    }
  }
  EXPECT_FALSE(PublishedTable1(750, "4-6"));
  EXPECT_FALSE(PublishedTable1(500, "1-3"));
}

TEST(Published, Table1FallsWithTheSizeAndTimesRise) {
  for (const std::string& range : PublishedRanges()) {
    const auto small = PublishedTable1(500, range);
    const auto middle = PublishedTable1(1000, range);
    const auto large = PublishedTable1(2000, range);
    EXPECT_GT(small->online_objective, middle->online_objective);
    EXPECT_GT(middle->scc_objective, large->scc_objective);
    EXPECT_LT(small->online_hours, middle->online_hours);
    EXPECT_LT(middle->scc_hours, large->scc_hours);
  }
}

// Sums by hand of the columns for m = 2000.
TEST(Published, Table1AddsUp) {
  double online = 0.0;
  double scc = 0.0;
  for (const std::string& range : PublishedRanges()) {
    online += PublishedTable1(2000, range)->online_hours;
    scc += PublishedTable1(2000, range)->scc_hours;
  }
  EXPECT_NEAR(online, 1223.16, 1e-9);
  EXPECT_NEAR(scc, 2.0014, 1e-9);
}

TEST(Published, Table2sTotalsAreThePapersOwn) {
  EXPECT_NEAR(PublishedOnlineSplit(500)->Total(), 7.81, 1e-9);
  EXPECT_NEAR(PublishedOnlineSplit(1000)->Total(), 28.31, 1e-9);
  EXPECT_NEAR(PublishedOnlineSplit(2000)->Total(), 102.64, 1e-9);
  EXPECT_NEAR(PublishedSccSplit(500)->Total(), 0.25, 1e-9);
  EXPECT_NEAR(PublishedSccSplit(1000)->Total(), 0.42, 1e-9);
  EXPECT_NEAR(PublishedSccSplit(2000)->Total(), 0.75, 1e-9);
  EXPECT_FALSE(PublishedSccSplit(3));
  // The contradiction that docs/reproduction.md tells of.
  EXPECT_NEAR(PublishedOnlineSplit(2000)->Total(), PublishedTable1(2000, "7-8")->online_hours, 1e-9);
  EXPECT_GT(PublishedSccSplit(2000)->Total() / PublishedTable1(2000, "7-8")->scc_hours, 3.7);
}

TEST(Published, HoursBecomeMicrosecondsOfAVisit) {
  EXPECT_NEAR(PublishedMicroseconds(PublishedTable1(500, "4-6")->scc_hours, "4-6"), 93.3, 0.1);
  EXPECT_NEAR(PublishedMicroseconds(PublishedTable1(2000, "13-16")->scc_hours, "13-16"), 229.1, 0.1);
  EXPECT_EQ(PublishedMicroseconds(1.0, "1-3"), 0.0);
}

}  // namespace
}  // namespace flyscribe
