#include "imaging/pictures.h"

#include <gtest/gtest.h>

#include <cmath>

#include "imaging/find_embryo.h"
#include "imaging/image_file.h"
#include "imaging/standardise.h"
#include "tests/imaging/drawn_photograph.h"
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

// Pixels of a hue; smoothed lines and letters are paler than their colour.
std::size_t CountGreen(const RgbImage& picture) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < picture.pixels.size(); i += 3) {
    const std::uint8_t* p = &picture.pixels[i];
    count += p[1] > p[0] + 50 && p[1] > p[2] + 40 && p[0] < 70 ? 1U : 0U;
  }
  return count;
}

std::size_t CountOrange(const RgbImage& picture) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < picture.pixels.size(); i += 3) {
    const std::uint8_t* p = &picture.pixels[i];
    count += p[0] > p[1] + 30 && p[1] > p[2] + 30 ? 1U : 0U;
  }
  return count;
}

TEST(DrawTrace, ShowsPanelsResultAndTheOutlineInGreen) {
  PhotoTrace trace;
  const Standardised result = Standardise(Draw(DrawnPhotograph{}), {}, "x", &trace);
  ASSERT_FALSE(result.quality.IsDoubtful());
  const RgbImage picture = DrawTrace(trace, &result, "");
  EXPECT_EQ(picture.width, 818);
  EXPECT_EQ(picture.height, 2 * (267 + 6) + 6 + 128 + 6);
  const int top = 2 * (267 + 6) + 6;
  for (const auto& [x, y] : {std::pair{40, 60}, {160, 64}, {300, 20}}) {
    EXPECT_EQ(picture.At(6 + x, top + y)[1], result.image.At(x, y));
  }
  EXPECT_GT(CountGreen(picture), 50U);  // the axis, the disc, words
  EXPECT_EQ(CountOrange(picture), 0U);
  EXPECT_EQ(DrawTrace(trace, &result, "").pixels, picture.pixels);
}

TEST(DrawTrace, ADoubtfulOneIsOrange) {
  DrawnPhotograph drawn;
  drawn.embryos = {{200.0, 300.0, 0.0, 270.0, 105.0}};
  PhotoTrace trace;
  const Standardised result = Standardise(Draw(drawn), {}, "x", &trace);
  ASSERT_TRUE(result.quality.IsDoubtful());
  const RgbImage picture = DrawTrace(trace, &result, "");
  EXPECT_GT(CountOrange(picture), 50U);
  EXPECT_EQ(CountGreen(picture), 0U);
}

TEST(DrawTrace, AStripFits) {
  PhotoTrace trace;
  FindEmbryo(GrayImage(1900, 64, 200), &trace);
  EXPECT_EQ(DrawTrace(trace, nullptr, "no embryo").width, 2 * 1425 + 3 * 6);
}

TEST(DrawTrace, WithoutAResultThereAreWords) {
  const RgbImage picture = DrawTrace({}, nullptr, "no embryo found in the photograph");
  EXPECT_EQ(picture.height, 6 + 128 + 6);
  EXPECT_GT(CountOrange(picture), 20U);
}

TEST(DrawTrace, AStandardisedImageHasNoPanels) {
  const Standardised result = Standardise(GrayImage(320, 128, 200), {}, "x");
  const RgbImage picture = DrawTrace({}, &result, "");
  EXPECT_EQ(picture.height, 6 + 128 + 6);
  EXPECT_EQ(picture.At(100, 60)[0], 200);
}

}  // namespace
}  // namespace flyscribe
