#include "imaging/standardise.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/rng.h"
#include "imaging/find_embryo.h"
#include "tests/imaging/drawn_photograph.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

using testing::HasSubstr;

GrayImage Noise(int width, int height) {
  GrayImage image(width, height);
  Rng rng(5);
  for (std::uint8_t& pixel : image.pixels) pixel = static_cast<std::uint8_t>(rng.Below(256));
  return image;
}

// Keys' kernel with a = -0.75.
double Keys(double t) {
  constexpr double a = -0.75;
  t = std::abs(t);
  if (t <= 1.0) return ((a + 2.0) * t - (a + 3.0)) * t * t + 1.0;
  if (t < 2.0) return ((a * t - 5.0 * a) * t + 8.0 * a) * t - 4.0 * a;
  return 0.0;
}

double EnlargedPixel(const GrayImage& image, int x, int y) {
  const double source_x = (x + 0.5) / 4.0 - 0.5;
  const double source_y = (y + 0.5) / 4.0 - 0.5;
  const int left = static_cast<int>(std::floor(source_x));
  const int top = static_cast<int>(std::floor(source_y));
  double sum = 0.0;
  for (int v = top - 1; v <= top + 2; ++v) {
    for (int u = left - 1; u <= left + 2; ++u) {
      const double gray = image.At(std::clamp(u, 0, image.width - 1), std::clamp(v, 0, image.height - 1));
      sum += gray * Keys(source_x - u) * Keys(source_y - v);
    }
  }
  return std::clamp(sum, 0.0, 255.0);
}

TEST(Standardise, FullSizePassesUnchanged) {
  const GrayImage image = Noise(320, 128);
  const Standardised result = Standardise(image, {}, "x");
  EXPECT_EQ(result.image, image);
  EXPECT_EQ(result.quality, ImageQuality{});  // passed, sure, no pose
}

TEST(Standardise, QuarterSizeIsEnlargedByCubicConvolution) {
  const GrayImage image = Noise(80, 32);
  const Standardised result = Standardise(image, {}, "x");
  const GrayImage& enlarged = result.image;
  EXPECT_EQ(result.quality.way, ImageQuality::Way::kEnlarged);
  ASSERT_EQ(enlarged.width, 320);
  ASSERT_EQ(enlarged.height, 128);
  double worst = 0.0;
  for (int y = 0; y < 128; ++y) {
    for (int x = 0; x < 320; ++x) {
      worst = std::max(worst, std::abs(enlarged.At(x, y) - EnlargedPixel(image, x, y)));
    }
  }
  EXPECT_LE(worst, 1.5);  // fixed-point weights
  EXPECT_EQ(Standardise(image, {}, "x").image, enlarged);
}

TEST(Standardise, AConstantStaysConstant) {
  EXPECT_EQ(Standardise(GrayImage(80, 32, 201), {}, "x").image, GrayImage(320, 128, 201));
}

TEST(Standardise, SmallImagesCanBeRefused) {
  StandardiseOptions options;
  options.small_images = StandardiseOptions::SmallImages::kRefuse;
  const CaughtError error = ExpectError([&] { Standardise(GrayImage(80, 32), options, "a.bmp"); });
  EXPECT_EQ(error.code, ErrorCode::kInput);
  EXPECT_THAT(error.text, HasSubstr("a.bmp: error: image is 80x32; embryos of this size are refused"));
  EXPECT_NO_THROW(Standardise(GrayImage(320, 128), options, "a.bmp"));
}

TEST(Standardise, APhotographIsCutOut) {
  DrawnPhotograph drawn;
  PhotoTrace trace;
  const Standardised result = Standardise(Draw(drawn), {}, "photo.jpe", &trace);
  ASSERT_EQ(result.image.width, 320);
  ASSERT_EQ(result.image.height, 128);
  EXPECT_EQ(result.quality.way, ImageQuality::Way::kFound);
  EXPECT_TRUE(result.quality.doubts.empty());
  EXPECT_EQ(result.image.At(0, 0), 255);
  EXPECT_NEAR(result.image.At(160, 64), 230.0 * drawn.body, 15.0);
  EXPECT_FALSE(trace.candidates.empty());
  EXPECT_EQ(Standardise(Draw(drawn), {}, "photo.jpe").image, result.image);  // tracing changes nothing
}

TEST(Standardise, MinConfidenceDecidesWhatIsDoubtful) {
  StandardiseOptions options;
  options.min_confidence = 0.0;
  DrawnPhotograph cut;
  cut.embryos = {{200.0, 300.0, 0.0, 270.0, 105.0}};
  EXPECT_FALSE(Standardise(Draw(cut), options, "x").quality.IsDoubtful());
  options.min_confidence = 1.0;
  EXPECT_TRUE(Standardise(Draw(cut), options, "x").quality.IsDoubtful());
}

TEST(Standardise, TooSmallForAPhotographIsRefused) {
  for (const auto& [width, height] : {std::pair{320, 63}, {40, 30}, {0, 0}}) {
    const CaughtError error = ExpectError([&] { Standardise(GrayImage(width, height), {}, "photo.jpe"); });
    EXPECT_EQ(error.code, ErrorCode::kInput);
    EXPECT_THAT(
        error.text,
        HasSubstr("photo.jpe: error: image is too small: " + std::to_string(width) + "x" + std::to_string(height) +
                  " is neither a standardised embryo (320x128, 80x32) nor a photograph"));
  }
}

TEST(Standardise, AStripIsNoPhotograph) {
  for (const auto& [width, height] : {std::pair{641, 64}, {64, 100000}}) {
    const CaughtError error = ExpectError([&] { Standardise(GrayImage(width, height), {}, "strip.png"); });
    EXPECT_EQ(error.code, ErrorCode::kInput);
    EXPECT_EQ(error.text,
              "strip.png: error: image is no photograph of an embryo: " + std::to_string(width) + "x" +
                  std::to_string(height) +
                  " is more than 10 times as long as wide\n  hint: cut out the part that shows the embryo");
  }
  EXPECT_THAT(ExpectError([&] { Standardise(GrayImage(640, 64, 190), {}, "strip.png"); }).text,
              HasSubstr("no embryo found"));
}

TEST(Standardise, APhotographWithoutEmbryoIsRefused) {
  const CaughtError error = ExpectError([&] { Standardise(GrayImage(400, 300, 190), {}, "empty.jpe"); });
  EXPECT_EQ(error.code, ErrorCode::kInput);
  EXPECT_THAT(error.text, HasSubstr("empty.jpe: error: no embryo found in the photograph"));
  EXPECT_THAT(error.text, HasSubstr("--debug-images"));
}

TEST(StandardiseOptions, KeyText) {
  EXPECT_EQ(KeyText(StandardiseOptions{}), "small_images: \"enlarge\"\ndoubtful: \"keep\"\nmin_confidence: 0.65\n");
}

}  // namespace
}  // namespace flyscribe
