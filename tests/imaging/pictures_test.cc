#include "imaging/pictures.h"

#include <gtest/gtest.h>

#include <array>
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
  const RgbImage picture = DrawHeatMap(Embryo(), {{80.0F, 64.0F, 1.0F}, {240.0F, 64.0F, -1.0F}});
  const std::uint8_t* warm = picture.At(80, 64);
  const std::uint8_t* blue = picture.At(240, 64);
  EXPECT_GT(warm[0], warm[2] + 100);
  EXPECT_GT(blue[2], blue[0] + 100);
  EXPECT_TRUE(IsGray(picture.At(160, 64))) << "nothing in between";
}

TEST(DrawHeatMap, OpacityFollowsTheShare) {
  const RgbImage picture = DrawHeatMap(Embryo(), {{80.0F, 64.0F, 1.0F}, {240.0F, 64.0F, 0.25F}});
  EXPECT_LT(picture.At(80, 64)[2], picture.At(240, 64)[2]);
  EXPECT_LT(picture.At(240, 64)[2], 180);
  EXPECT_NEAR(picture.At(80, 64)[2], 180 + 0.8 * (10 - 180), 1.0) << "full colour";
  EXPECT_NEAR(picture.At(240, 64)[2], 180 + 0.8 * std::pow(0.25, 0.7) * (10 - 180), 2.0);
}

TEST(DrawHeatMap, MarksOfOnePlaceAreAdded) {
  const std::vector<PatchEvidence> cancelling = {{80.0F, 64.0F, 1.0F}, {80.0F, 64.0F, -1.0F}, {240.0F, 64.0F, 0.5F}};
  const RgbImage picture = DrawHeatMap(Embryo(), cancelling);
  EXPECT_TRUE(IsGray(picture.At(80, 64)));
}

// Two windows a spread apart, by hand: 1 + exp(-1/2) at either centre, 2 exp(-1/8) between them, which is the scale.
TEST(DrawHeatMap, TheScaleIsTheLargestHeightOfTheField) {
  const RgbImage picture = DrawHeatMap(Embryo(), {{80.0F, 64.0F, 1.0F}, {86.0F, 64.0F, 1.0F}});
  EXPECT_NEAR(picture.At(83, 64)[2], 180 + 0.8 * (10 - 180), 1.0) << "full colour";
  const double share = (1.0 + std::exp(-0.5)) / (2.0 * std::exp(-0.125));
  EXPECT_NEAR(picture.At(80, 64)[2], 180 + 0.8 * std::pow(share, 0.7) * (10 - 180), 2.0);
}

TEST(DrawHeatMap, MarksMayLieOutsideOrBeOfNoUse) {
  const RgbImage picture =
      DrawHeatMap(Embryo(), {{-100.0F, 5.0F, 1.0F}, {319.0F, 127.0F, 1.0F}, {5.0F, 5.0F, std::nanf("")}});
  EXPECT_TRUE(IsGray(picture.At(5, 5)));
  EXPECT_FALSE(IsGray(picture.At(319, 127)));
  EXPECT_EQ(
      EncodePng(picture),
      EncodePng(DrawHeatMap(Embryo(), {{-100.0F, 5.0F, 1.0F}, {319.0F, 127.0F, 1.0F}, {5.0F, 5.0F, std::nanf("")}})));
  EXPECT_EQ(ExpectError([] { DrawHeatMap(GrayImage(), {}); }).code, ErrorCode::kInternal);
}

// The definition, pixel by pixel and in double precision.
TEST(DrawHeatMap, IsWhatTheFormulaSays) {
  GrayImage embryo(64, 48);
  for (std::size_t i = 0; i < embryo.pixels.size(); ++i) embryo.pixels[i] = static_cast<std::uint8_t>(i * 37);
  const std::vector<PatchEvidence> patches = {
      {8.0F, 8.0F, 0.5F}, {16.5F, 8.0F, -0.75F}, {30.0F, 25.5F, 1.25F}, {-4.0F, 40.0F, 0.5F}, {62.0F, 47.0F, -1.0F}};
  std::vector<double> field;
  for (int y = 0; y < embryo.height; ++y) {
    for (int x = 0; x < embryo.width; ++x) {
      double sum = 0.0;
      for (const PatchEvidence& patch : patches) {
        const double dx = x - double{patch.x};
        const double dy = y - double{patch.y};
        const bool reached = std::abs(dx) <= 18.0 && std::abs(dy) <= 18.0;
        if (reached) sum += double{patch.contribution} * std::exp(-(dx * dx + dy * dy) / (2.0 * 6.0 * 6.0));
      }
      field.push_back(sum);
    }
  }
  double scale = 0.0;
  for (const double value : field) scale = std::max(scale, std::abs(value));
  const RgbImage picture = DrawHeatMap(embryo, patches);
  for (std::size_t i = 0; i < field.size(); ++i) {
    const double share = std::abs(field[i]) / scale;
    if (std::abs(share - 0.02) < 1e-3) continue;  // drawn or not
    const double opacity = share < 0.02 ? 0.0 : 0.8 * std::pow(share, 0.7);
    const double gray = embryo.pixels[i];
    const std::array<double, 3> colour =
        field[i] > 0.0 ? std::array<double, 3>{226, 74, 10} : std::array<double, 3>{0, 92, 200};
    for (std::size_t c = 0; c < 3; ++c) {
      ASSERT_NEAR(picture.pixels[3 * i + c], gray + opacity * (colour[c] - gray), 1.0) << i;
    }
  }
}

TEST(DrawHeatMap, NumbersOfAnySizeAreDrawnOrLeftOut) {
  const std::vector<PatchEvidence> hostile = {{80.0F, 64.0F, 3e38F},
                                              {80.0F, 64.0F, 3e38F},
                                              {std::nanf(""), 64.0F, 1.0F},
                                              {1e30F, 64.0F, 1.0F},
                                              {80.0F, -INFINITY, 1.0F}};
  EXPECT_EQ(DrawHeatMap(Embryo(), hostile).pixels, DrawHeatMap(Embryo(), {}).pixels);
  const RgbImage tiny = DrawHeatMap(Embryo(), {{80.0F, 64.0F, 1e-40F}});
  EXPECT_TRUE(IsGray(tiny.At(160, 10))) << "too little to make a scale of";
  EXPECT_TRUE(IsGray(tiny.At(80, 64)));
}

TEST(HeatMapScale, HasThreeDigitsThatCount) {
  const auto scale = [](float contribution) {
    return HeatMapScale({{80.0F, 64.0F, contribution}}, kEmbryoWidth, kEmbryoHeight);
  };
  EXPECT_EQ(scale(0.0123456F), "0.0123");
  EXPECT_EQ(scale(-1.5F), "1.50");
  EXPECT_EQ(scale(250.0F), "250");
  EXPECT_EQ(scale(0.0F), "0");
  EXPECT_EQ(HeatMapScale({}, kEmbryoWidth, kEmbryoHeight), "0");
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
