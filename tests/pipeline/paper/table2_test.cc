// Table 2, told from made-up numbers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/pipeline/paper/made_up.h"

namespace flyscribe {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// OL takes `ratio` times as long as SCC's 10 us, and grows with m as given.
ReproductionPart TellWith(double ratio, double online_growth) {
  const PaperConfig config = StudyConfig();
  const Study study{config};
  return Table2Experiment().tell(study, MadeUpResults(Table2Experiment(), study, [&](const Measurement& measurement) {
                                   const bool large = measurement.learn.atoms == 1000;
                                   if (measurement.learn.method == Method::kScc)
                                     return MadeUp(0.14, large ? 20.0 : 10.0);
                                   return MadeUp(0.14, 10.0 * ratio * (large ? online_growth : 1.0));
                                 }));
}

TEST(Table2, SplitsTimeIntoZAndD) {
  const ReproductionPart part = TellWith(400.0, 4.0);
  ASSERT_TRUE(Rectangular(part));
  ASSERT_EQ(part.tables[0].rows.size(), 6U);
  EXPECT_EQ(part.tables[0].rows[0],
            (std::vector<std::string>{
                "500", "Z", "2.58", "0.000167 *", "0.22", "0.000000417", "3000", "7.50", "11.7 x", "400 x"}));
  EXPECT_EQ(part.tables[0].rows[2][1], "total");
  EXPECT_EQ(part.tables[0].rows[2][6], "4000");
  EXPECT_THAT(part.text.front(), HasSubstr("Stage range 7-8, 100 patches"));
}

TEST(Table2, SaysWhereTheTimeGoes) {
  const ReproductionPart part = TellWith(400.0, 4.0);
  // A quarter of 4000 us against 10, of 16000 against 20.
  EXPECT_THAT(part.text.back(), HasSubstr("update of D alone takes 100 x to 200 x the time of a whole visit of SCC"));
  EXPECT_THAT(part.agrees,
              ElementsAre(HasSubstr("most of its time on Z: 88 % to 93 % in the paper, 75 % to 75 % here")));
  EXPECT_THAT(part.differs, ElementsAre(HasSubstr("on D in the paper: 67 % to 69 %; here 25 % to 25 %")));
}

TEST(Table2, RatiosMustReachThePapers) {
  EXPECT_EQ(FailedOf(TellWith(400.0, 4.0)), 0U);
  // 30 is enough at m = 500; at m = 1000 it would have to be 60.
  const ReproductionPart slow = TellWith(30.0, 3.0);
  EXPECT_TRUE(Held(CheckOf(slow, "m = 500: OL is at least 30 times slower")));
  EXPECT_FALSE(Held(CheckOf(slow, "m = 1000: OL is at least 60 times slower")));
  EXPECT_THAT(CheckOf(slow, "m = 1000").numbers, HasSubstr("900 us against 20.0 us a visit: 45.0 x"));
}

TEST(Table2, SccMustGrowMoreSlowly) {
  EXPECT_TRUE(Held(CheckOf(TellWith(400.0, 2.1), "grows more slowly")));
  const ReproductionPart same = TellWith(400.0, 2.0);
  EXPECT_FALSE(Held(CheckOf(same, "grows more slowly")));
  EXPECT_EQ(CheckOf(same, "grows more slowly").numbers, "from m = 500 to 1000: SCC 2.00 x, OL 2.00 x");
}

}  // namespace
}  // namespace flyscribe
