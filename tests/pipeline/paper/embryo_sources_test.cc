#include "pipeline/paper/embryo_sources.h"

#include <gtest/gtest.h>

namespace flyscribe {
namespace {

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
