#include "imaging/trace_picture.h"

#include <gtest/gtest.h>

#include "tests/imaging/drawn_photograph.h"

namespace flyscribe {
namespace {

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
