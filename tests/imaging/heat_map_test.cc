#include "imaging/heat_map.h"

#include <gtest/gtest.h>

#include <cmath>

#include "imaging/image_file.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

GrayImage Embryo() { return GrayImage(kEmbryoWidth, kEmbryoHeight, 180); }

bool IsGray(const std::uint8_t* pixel) { return pixel[0] == pixel[1] && pixel[1] == pixel[2]; }

TEST(DrawHeatMap, IsTheEmbryoWithALegendBelow) {
  const RgbImage picture = DrawHeatMap(Embryo(), {});
  EXPECT_EQ(picture.width, kEmbryoWidth);
  EXPECT_EQ(picture.height, kEmbryoHeight + kLegendHeight);
  for (int y = 0; y < kEmbryoHeight; ++y) {
    for (int x = 0; x < kEmbryoWidth; ++x) {
      ASSERT_EQ(*picture.At(x, y), 180);
      ASSERT_TRUE(IsGray(picture.At(x, y)));
    }
  }
  EXPECT_GT(picture.At(picture.width / 2 + 40, kEmbryoHeight + kLegendHeight / 2)[0],
            picture.At(picture.width / 2 + 40, kEmbryoHeight + kLegendHeight / 2)[2])
      << "warm to the right";
}

TEST(DrawHeatMap, WarmWhereItSpeaksForAndBlueWhereAgainst) {
  const RgbImage picture = DrawHeatMap(Embryo(), {{0, 80.0F, 64.0F, 1.0F}, {0, 240.0F, 64.0F, -1.0F}});
  const std::uint8_t* warm = picture.At(80, 64);
  const std::uint8_t* blue = picture.At(240, 64);
  EXPECT_GT(warm[0], warm[2] + 100);
  EXPECT_GT(blue[2], blue[0] + 100);
  EXPECT_TRUE(IsGray(picture.At(160, 64))) << "nothing in between";
}

TEST(DrawHeatMap, OpacityFollowsTheShare) {
  const RgbImage picture = DrawHeatMap(Embryo(), {{0, 80.0F, 64.0F, 1.0F}, {0, 240.0F, 64.0F, 0.25F}});
  EXPECT_LT(picture.At(80, 64)[2], picture.At(240, 64)[2]);
  EXPECT_LT(picture.At(240, 64)[2], 180);
  EXPECT_NEAR(picture.At(80, 64)[2], 180 + 0.8 * (10 - 180), 1.0) << "full colour";
  EXPECT_NEAR(picture.At(240, 64)[2], 180 + 0.8 * std::pow(0.25, 0.7) * (10 - 180), 2.0);
}

TEST(DrawHeatMap, MarksOfOnePlaceAreAdded) {
  const std::vector<PatchEvidence> cancelling = {
      {0, 80.0F, 64.0F, 1.0F}, {0, 80.0F, 64.0F, -1.0F}, {0, 240.0F, 64.0F, 0.5F}};
  const RgbImage picture = DrawHeatMap(Embryo(), cancelling);
  EXPECT_TRUE(IsGray(picture.At(80, 64)));
}

// Two windows a spread apart, by hand: 1 + exp(-1/2) at either centre, 2 exp(-1/8) between them, which is the scale.
TEST(DrawHeatMap, ShowsThePatchesOfOneImage) {
  const GrayImage embryo(kEmbryoWidth, kEmbryoHeight, 200);
  const TermEvidence term = {"brain", "", 0.0, 0.0, {{0, 40.0F, 40.0F, 1.0F}, {1, 200.0F, 40.0F, 5.0F}}};
  const RgbImage map = DrawHeatMap(embryo, PatchesIn(term, 0));
  EXPECT_GT(map.At(40, 40)[0], map.At(40, 40)[2]);
  EXPECT_EQ(map.At(200, 40)[0], map.At(200, 40)[2]);
}

TEST(DrawHeatMap, TheScaleIsTheLargestHeightOfTheField) {
  const RgbImage picture = DrawHeatMap(Embryo(), {{0, 80.0F, 64.0F, 1.0F}, {0, 86.0F, 64.0F, 1.0F}});
  EXPECT_NEAR(picture.At(83, 64)[2], 180 + 0.8 * (10 - 180), 1.0) << "full colour";
  const double share = (1.0 + std::exp(-0.5)) / (2.0 * std::exp(-0.125));
  EXPECT_NEAR(picture.At(80, 64)[2], 180 + 0.8 * std::pow(share, 0.7) * (10 - 180), 2.0);
}

TEST(DrawHeatMap, MarksMayLieOutsideOrBeOfNoUse) {
  const RgbImage picture =
      DrawHeatMap(Embryo(), {{0, -100.0F, 5.0F, 1.0F}, {0, 319.0F, 127.0F, 1.0F}, {0, 5.0F, 5.0F, std::nanf("")}});
  EXPECT_TRUE(IsGray(picture.At(5, 5)));
  EXPECT_FALSE(IsGray(picture.At(319, 127)));
  EXPECT_EQ(EncodePng(picture),
            EncodePng(DrawHeatMap(
                Embryo(), {{0, -100.0F, 5.0F, 1.0F}, {0, 319.0F, 127.0F, 1.0F}, {0, 5.0F, 5.0F, std::nanf("")}})));
  EXPECT_EQ(ExpectError([] { DrawHeatMap(GrayImage(), {}); }).code, ErrorCode::kInternal);
}

}  // namespace
}  // namespace flyscribe
