// Larger dictionaries, told from made-up numbers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/pipeline/paper/made_up.h"

namespace flyscribe {
namespace {

using testing::HasSubstr;

TEST(Beyond, TellsOfSizesAndPatches) {
  const PaperConfig config = StudyConfig();
  const Study study{config};
  const Results results = MadeUpResults(BeyondExperiment(), study, [](const Measurement& measurement) {
    Measured measured = MadeUp(0.1, measurement.learn.atoms * 0.01);
    measured.seconds.front() = 100.0;  // the first epoch does not count
    measured.patches /= static_cast<std::size_t>(measurement.share);
    return measured;
  });
  const ReproductionPart part = BeyondExperiment().tell(study, results);
  ASSERT_TRUE(Rectangular(part));
  ASSERT_EQ(part.tables.size(), 2U);
  EXPECT_EQ(part.tables[0].rows[1],
            (std::vector<std::string>{"4000", "0.1000", "0.1000", "40.0", "40.0", "8.0 MB", "8.0 MB"}));
  ASSERT_EQ(part.tables[1].rows.size(), 3U);
  EXPECT_EQ(part.tables[1].rows[0][0], "25");
  EXPECT_EQ(part.tables[1].rows[2][0], "100");
  EXPECT_THAT(part.text.back(), HasSubstr("4.00 x the atoms, a visit takes 4.00 x the time with exact SCC"));
  ASSERT_EQ(part.charts.size(), 2U);
  EXPECT_NE(part.charts[0].id, part.charts[1].id);
}

}  // namespace
}  // namespace flyscribe
