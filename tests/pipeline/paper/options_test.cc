#include "pipeline/paper/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/config/config.h"
#include "tests/pipeline/paper/made_up.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

PaperConfig Read(const std::string& section) {
  return ReadPaperConfigTree(
      ParseConfigText("ranges: [4-6]\nsimulate: {}\nreproduce: " + section + "\n", "c.yaml", "."), "c");
}

TEST(ReproduceOptions, DefaultsAreThePapers) {
  const ReproduceOptions options;
  EXPECT_NO_THROW(options.Check());
  EXPECT_THAT(Numbers(options.sizes), ElementsAre(500, 1000, 2000));
  EXPECT_THAT(Numbers(options.cd_steps), ElementsAre(1, 3, 5, 7, 9));
  EXPECT_EQ(options.cd_range, "4-6");
  EXPECT_THAT(options.rate_ranges, ElementsAre("9-10", "11-12"));
}

TEST(ReproduceOptions, NumbersAreSortedAndSingle) {
  EXPECT_THAT(Numbers({"20", "3", "20", "100"}), ElementsAre(3, 20, 100));
}

TEST(ReproduceOptions, AreReadStrictly) {
  EXPECT_THAT(Numbers(Read("{sizes: [30, 10]}").reproduce.sizes), ElementsAre(10, 30));
  const CaughtError error = ExpectError([] { Read("{sizes: [10, 0, many], cd_steps: []}"); });
  EXPECT_EQ(error.code, ErrorCode::kUsage);
  EXPECT_THAT(error.text, HasSubstr("reproduce.sizes: expected whole numbers from 1 to 65536, found '0'"));
  EXPECT_THAT(error.text, HasSubstr("found 'many'"));
  EXPECT_THAT(error.text, HasSubstr("reproduce.cd_steps: the list is empty"));
  EXPECT_THAT(ExpectError([] { Read("{size: [10]}"); }).text, HasSubstr("did you mean 'sizes'?"));
  EXPECT_THAT(ExpectError([] { Read("{cd_range: 4-7}"); }).text, HasSubstr("reproduce.cd_range"));
}

TEST(EmbryoSources, AreSmoothedAndNot) {
  PaperConfig config;
  EXPECT_TRUE(EmbryoSources(config).empty());
  config.reproduce.embryos = "somewhere";
  const std::vector<EmbryoSource> sources = EmbryoSources(config);
  ASSERT_EQ(sources.size(), 2U);
  EXPECT_EQ(sources[0].name, "smoothing=2.8");
  EXPECT_EQ(sources[0].Apply(config).extract.smoothing, 2.8);
  EXPECT_EQ(sources[1].name, "smoothing=0");
  EXPECT_EQ(sources[1].Apply(config).extract.smoothing, 0.0);
  config.extract.smoothing = 0.0;
  EXPECT_EQ(EmbryoSources(config).size(), 1U);
}

}  // namespace
}  // namespace flyscribe
