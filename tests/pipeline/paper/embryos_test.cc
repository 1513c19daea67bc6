// Real embryos, told from made-up numbers.
#include <gtest/gtest.h>

#include "tests/pipeline/paper/made_up.h"

namespace flyscribe {
namespace {

TEST(Embryos, NeedAFolder) {
  const PaperConfig config = StudyConfig();
  EXPECT_TRUE(EmbryosExperiment().wants(Study{config}).empty());
}

TEST(Embryos, StandBesideThePaper) {
  const PaperConfig config = StudyConfig(", embryos: somewhere");
  const Study study{config};
  const Results results = MadeUpResults(EmbryosExperiment(), study, [](const Measurement& measurement) {
    EXPECT_EQ(measurement.range, "all");
    return MadeUp(measurement.source == "smoothing=0" ? 0.21 : 0.145, 10.0);
  });
  const ReproductionPart part = EmbryosExperiment().tell(study, results);
  ASSERT_TRUE(Rectangular(part));
  ASSERT_EQ(part.tables.front().rows.size(), 4U);
  EXPECT_EQ(part.tables.front().rows[0],
            (std::vector<std::string>{
                "2.8 px", "500", "100", "0.1384 to 0.1503", "0.1450", "0.1450", "about 10", "10.0", "10.0"}));
  EXPECT_EQ(part.tables.front().rows[3][0], "none");
  EXPECT_EQ(part.tables.front().rows[3][4], "0.2100");
}

}  // namespace
}  // namespace flyscribe
