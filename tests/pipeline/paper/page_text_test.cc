#include "pipeline/paper/page_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flyscribe {
namespace {

using testing::Contains;
using testing::HasSubstr;

TEST(LeadText, SaysPlainlyWhichDataWasUsed) {
  PaperConfig config;
  config.extract.smoothing = 4.0;
  EXPECT_THAT(LeadText(config).back(),
              HasSubstr("Data: simulated. The descriptors are dense SIFT of simulated embryos"));
  EXPECT_THAT(LeadText(config).back(), HasSubstr("smoothed by 4 pixels"));
  config.reproduce.max_patches = 70;
  EXPECT_THAT(LeadText(config).back(), HasSubstr("at most 70 patches of a stage range"));
  config.reproduce.descriptors = ReproduceOptions::Descriptors::kImages;
  EXPECT_THAT(LeadText(config).back(), HasSubstr("Data: real."));
  config.simulated = true;
  EXPECT_THAT(LeadText(config).back(),
              HasSubstr("Data: simulated. Descriptors of the embryos that the config simulates"));
}

TEST(DescriptorsText, SaysOfWhat) {
  PaperConfig config;
  config.extract.smoothing = 2.8;
  config.simulate.seed = 7;
  EXPECT_THAT(DescriptorsText(config), HasSubstr("smoothing 2.8, stride"));
  EXPECT_THAT(DescriptorsText(config), HasSubstr("of simulated embryos, seed 7"));
  config.reproduce.descriptors = ReproduceOptions::Descriptors::kImages;
  EXPECT_THAT(DescriptorsText(config), HasSubstr("of real images"));
}

TEST(FairnessText, SaysHowManyRanAtATime) {
  PaperConfig config;
  EXPECT_THAT(FairnessText(config), Contains(HasSubstr("Every measurement runs alone")));
  config.reproduce.side_by_side = 2;
  EXPECT_THAT(FairnessText(config), Contains(HasSubstr("up to 2 measurements at a time, one thread each")));
}

}  // namespace
}  // namespace flyscribe
