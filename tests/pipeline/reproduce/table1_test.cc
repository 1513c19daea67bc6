// Table 1, told from made-up numbers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/pipeline/reproduce/made_up.h"

namespace flyscribe {
namespace {

using testing::HasSubstr;
using testing::Not;

// Exact SCC 1 % above OL, mini-batch SCC 1 % below; larger dictionaries better.
Measured Usual(const Measurement& measurement) {
  const double size = measurement.learn.atoms == 500 ? 1.0 : 0.95;
  if (measurement.timed_visits > 0) return MadeUp(0.14, 4000.0);
  if (measurement.learn.method == Method::kScc) return MadeUp(0.1414 * size, 10.0);
  return MadeUp((measurement.learn.method == Method::kOnline ? 0.14 : 0.1386) * size, 20.0);
}

ReproductionPart TellWith(const std::function<Measured(const Measurement&)>& make) {
  const Config config = StudyConfig();
  const Study study{config};
  return Table1Experiment().tell(study, MadeUpResults(Table1Experiment(), study, make));
}

TEST(Table1, PutsMeasuredBesidePublished) {
  const ReproductionPart part = TellWith(Usual);
  EXPECT_EQ(part.name, "Table 1");
  EXPECT_EQ(part.tables.size(), 4U);
  EXPECT_TRUE(Rectangular(part));
  EXPECT_EQ(part.tables[0].rows[0],
            (std::vector<std::string>{"4-6",
                                      "0.1374",
                                      "0.1400 †",
                                      "0.1384",
                                      "0.1414",
                                      "1.022",
                                      "+0.73 %",
                                      "+1.00 %",
                                      "0.1386",
                                      "-1.00 %",
                                      "10.0"}));
  EXPECT_THAT(part.tables[0].note, HasSubstr("mini-batch OL (512) run to the end"));
  // 4000 us for 200 visits, against 10 us.
  EXPECT_EQ(part.tables[1].rows[0],
            (std::vector<std::string>{"4-6",
                                      "100",
                                      "15.71",
                                      "0.000222 *",
                                      "0.1439",
                                      "0.000001",
                                      "10190",
                                      "4000",
                                      "93.3",
                                      "10.0",
                                      "9.33 x",
                                      "109 x",
                                      "400 x"}));
  EXPECT_THAT(part.tables[1].note, HasSubstr("extrapolated"));
}

TEST(Table1, ChecksHold) {
  const ReproductionPart part = TellWith(Usual);
  EXPECT_EQ(part.checks.size(), 5U);
  EXPECT_EQ(FailedOf(part), 0U);
  EXPECT_THAT(CheckOf(part, "m = 500: exact SCC").numbers, HasSubstr("worst +1.00 %"));
}

TEST(Table1, ChecksFailWithTheirNumbers) {
  const ReproductionPart far = TellWith([](const Measurement& measurement) {
    Measured measured = Usual(measurement);
    const bool here = measurement.range == "7-8" && measurement.learn.atoms == 1000;
    if (here && measurement.learn.method == Method::kScc) measured.objective.back() *= 1.02;
    return measured;
  });
  EXPECT_EQ(FailedOf(far), 1U);
  const ReproductionCheck& check = CheckOf(far, "m = 1000: exact SCC");
  EXPECT_FALSE(Held(check));
  EXPECT_THAT(check.numbers, HasSubstr("worst +3.02 % (m = 1000, stages 7-8)"));

  const ReproductionPart above = TellWith([](const Measurement& measurement) {
    Measured measured = Usual(measurement);
    if (measurement.learn.method == Method::kSccMinibatch) measured.objective.back() = 0.15;
    return measured;
  });
  EXPECT_FALSE(Held(CheckOf(above, "m = 500: mini-batch SCC")));

  const ReproductionPart rising = TellWith([](const Measurement& measurement) {
    Measured measured = Usual(measurement);
    if (!measured.objective.empty() && measurement.learn.atoms == 1000) measured.objective.back() *= 1.1;
    return measured;
  });
  EXPECT_FALSE(Held(CheckOf(rising, "falls as m grows")));
}

TEST(Table1, OnlySccNeedsNothingElse) {
  const Config config = StudyConfig();
  const Study study{config, true};
  for (const Measurement& each : Table1Experiment().wants(study)) EXPECT_EQ(each.learn.method, Method::kScc);
  const ReproductionPart part = Table1Experiment().tell(study, MadeUpResults(Table1Experiment(), study, Usual));
  EXPECT_TRUE(Rectangular(part));
  EXPECT_EQ(part.checks.size(), 1U);
  for (const ReproductionTable& table : part.tables) EXPECT_THAT(table.header[2], Not(HasSubstr("OL")));
}

TEST(Table1, FullRunsAreNotMarked) {
  const Config config = StudyConfig();
  const Study study{config, false, true};
  const ReproductionPart part = Table1Experiment().tell(study, MadeUpResults(Table1Experiment(), study, Usual));
  EXPECT_THAT(part.tables[1].note, Not(HasSubstr("extrapolated")));
}

}  // namespace
}  // namespace flyscribe
