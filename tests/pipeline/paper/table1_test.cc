// Table 1, told from made-up numbers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/pipeline/paper/made_up.h"

namespace flyscribe {
namespace {

using testing::Contains;
using testing::ElementsAre;
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
  const PaperConfig config = StudyConfig();
  const Study study{config};
  return Table1Experiment().tell(study, MadeUpResults(Table1Experiment(), study, make));
}

TEST(Table1, PutsMeasuredBesidePublished) {
  const ReproductionPart part = TellWith(Usual);
  EXPECT_EQ(part.name, "Table 1");
  EXPECT_EQ(part.tables.size(), 6U);
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
            (std::vector<std::string>{"4-6", "100", "15.71", "0.000222 *", "0.1439", "0.000000556", "109 x", "400 x"}));
  EXPECT_EQ(part.tables[2].rows[0],
            (std::vector<std::string>{"4-6", "10190", "4000", "2.55 x", "93.3", "10.0", "9.33 x"}));
  EXPECT_THAT(part.tables[1].note, HasSubstr("extrapolated"));
}

TEST(Table1, ChecksHold) {
  const ReproductionPart part = TellWith(Usual);
  EXPECT_EQ(part.checks.size(), 5U);
  EXPECT_EQ(FailedOf(part), 0U);
  EXPECT_THAT(CheckOf(part, "m = 500: exact SCC").numbers, HasSubstr("worst +1.00 %"));
  EXPECT_THAT(CheckOf(part, "m = 500: exact SCC").numbers, HasSubstr("published +0.54 % to +0.73 %"));
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

TEST(Table1, SaysWhatAgreesAndWhatDoesNot) {
  const ReproductionPart part = TellWith(Usual);
  EXPECT_THAT(part.agrees,
              ElementsAre(HasSubstr("SCC's objective is 0.940 x to 1.02 x the published one"),
                          HasSubstr("by +0.54 % to +0.73 %; here by +1.00 % to +1.00 %"),
                          HasSubstr("takes 109 x to 316 x SCC's time in the paper, 400 x to 400 x here")));
  EXPECT_THAT(part.differs, ElementsAre(HasSubstr("The distance between the two is larger here")));

  const ReproductionPart below = TellWith([](const Measurement& measurement) {
    Measured measured = Usual(measurement);
    if (measurement.learn.method == Method::kScc) measured.objective.back() = 0.10;
    return measured;
  });
  EXPECT_THAT(below.agrees, ElementsAre(HasSubstr("takes 109 x")));
  EXPECT_EQ(below.differs.size(), 2U);
}

TEST(Table1, TimesOfSccAreMedians) {
  const PaperConfig config = StudyConfig(", run_repeats: 3");
  const Study study{config};
  const auto make = [](const Measurement& measurement) {
    Measured measured = Usual(measurement);
    if (measurement.repetition == 3) measured.seconds = {1.0, 1.0};
    return measured;
  };
  const ReproductionPart part = Table1Experiment().tell(study, MadeUpResults(Table1Experiment(), study, make));
  EXPECT_EQ(part.tables[2].rows[0][5], "10.0");
  EXPECT_THAT(part.tables[1].note, HasSubstr("medians of 3 runs"));
}

TEST(Table1, OnlySccNeedsNothingElse) {
  const PaperConfig config = StudyConfig();
  const Study study{config, true};
  for (const Measurement& each : Table1Experiment().wants(study)) EXPECT_EQ(each.learn.method, Method::kScc);
  const ReproductionPart part = Table1Experiment().tell(study, MadeUpResults(Table1Experiment(), study, Usual));
  EXPECT_TRUE(Rectangular(part));
  EXPECT_EQ(part.checks.size(), 1U);
  for (const ReproductionTable& table : part.tables) EXPECT_THAT(table.header, Not(Contains(HasSubstr("OL"))));
  EXPECT_EQ(part.agrees.size(), 1U);
}

TEST(Table1, FullRunsGiveTheObjectiveOfBatchSizeOne) {
  const PaperConfig config = StudyConfig();
  const Study study{config, false, true};
  const auto make = [](const Measurement& measurement) {
    const bool single = measurement.learn.method == Method::kOnline && measurement.learn.batch == 1;
    return single ? MadeUp(0.1234, 4000.0) : Usual(measurement);
  };
  const ReproductionPart part = Table1Experiment().tell(study, MadeUpResults(Table1Experiment(), study, make));
  EXPECT_EQ(part.tables[0].rows[0][2], "0.1234");
}

TEST(Table1, FullRunsAreNotMarked) {
  const PaperConfig config = StudyConfig();
  const Study study{config, false, true};
  const ReproductionPart part = Table1Experiment().tell(study, MadeUpResults(Table1Experiment(), study, Usual));
  EXPECT_THAT(part.tables[1].note, Not(HasSubstr("extrapolated")));
  EXPECT_THAT(part.tables[0].note, Not(HasSubstr("512")));
}

}  // namespace
}  // namespace flyscribe
