#include "imaging/standardise.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

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

// The outline of a pose's own ellipse on an even background.
FoundEmbryo EmbryoAt(const EmbryoPose& pose, double background) {
  FoundEmbryo embryo;
  embryo.quality.pose = pose;
  embryo.background.coefficients[0] = background;
  const double angle = pose.angle * std::numbers::pi / 180.0;
  for (int i = 0; i < 144; ++i) {
    const double t = 2.0 * std::numbers::pi * i / 144.0;
    const double u = pose.half_length * std::cos(t);
    const double v = pose.half_height * std::sin(t);
    embryo.outline.push_back({pose.centre_x + std::cos(angle) * u - std::sin(angle) * v,
                              pose.centre_y + std::sin(angle) * u + std::cos(angle) * v});
  }
  return embryo;
}

TEST(CutOut, WhiteOutsideAndTheLightTakenOutInside) {
  const GrayImage photograph(800, 500, 100);
  const GrayImage image = CutOut(photograph, EmbryoAt({400.0, 250.0, 30.0, 240.0, 94.0}, 200.0));
  ASSERT_EQ(image.width, 320);
  ASSERT_EQ(image.height, 128);
  EXPECT_EQ(image.At(163, 62), 115);  // half of the background's light: half of 230
  EXPECT_EQ(image.At(0, 0), 255);
  EXPECT_EQ(image.At(319, 127), 255);
  EXPECT_EQ(image.At(0, 127), 255);
  int covered = 0;
  for (const std::uint8_t gray : image.pixels) covered += gray < 185 ? 1 : 0;
  EXPECT_NEAR(covered, std::numbers::pi * 160.0 * 62.5, 400.0);  // the frame cuts its ends
}

// A dark spot at a known place of the embryo, by area averages and by interpolation: the naive mapping says where it
// must come out.
TEST(CutOut, PutsEveryPlaceWhereTheMappingSays) {
  for (const double length : {70.0, 160.0, 480.0}) {
    for (const double angle : {-70.0, 15.0, 160.0}) {
      const EmbryoPose pose = {600.0, 520.0, angle, length, length / 2.4};
      const double turn = angle * std::numbers::pi / 180.0;
      const double u = -0.5 * pose.half_length;  // towards the anterior end, and down
      const double v = 0.4 * pose.half_height;
      const double spot_x = pose.centre_x + std::cos(turn) * u - std::sin(turn) * v;
      const double spot_y = pose.centre_y + std::sin(turn) * u + std::cos(turn) * v;
      GrayImage photograph(1200, 1040, 180);
      for (int y = 0; y < photograph.height; ++y) {
        for (int x = 0; x < photograph.width; ++x) {
          if (std::hypot(x - spot_x, y - spot_y) < 0.08 * length) photograph.At(x, y) = 30;
        }
      }
      const GrayImage image = CutOut(photograph, EmbryoAt(pose, 200.0));
      double mass = 0.0;
      double mean_x = 0.0;
      double mean_y = 0.0;
      for (int y = 0; y < 128; ++y) {
        for (int x = 0; x < 320; ++x) {
          if (image.At(x, y) > 150) continue;
          mass += 1.0;
          mean_x += x;
          mean_y += y;
        }
      }
      ASSERT_GT(mass, 20.0);
      EXPECT_NEAR(mean_x / mass, 163.5 - 0.5 * 160.0, 0.7) << length << " " << angle;
      EXPECT_NEAR(mean_y / mass, 62.5 + 0.4 * 62.5, 0.7) << length << " " << angle;
    }
  }
}

// Fine stripes in a large photograph must average out, not turn into coarse ones.
TEST(CutOut, DoesNotAlias) {
  GrayImage photograph(2000, 1000);
  for (int y = 0; y < 1000; ++y) {
    for (int x = 0; x < 2000; ++x) photograph.At(x, y) = x % 5 < 2 ? 60 : 180;
  }
  const GrayImage image = CutOut(photograph, EmbryoAt({1000.0, 500.0, 0.0, 900.0, 350.0}, 200.0));
  int least = 255;
  int most = 0;
  for (int x = 100; x < 220; ++x) {
    least = std::min<int>(least, image.At(x, 64));
    most = std::max<int>(most, image.At(x, 64));
  }
  EXPECT_LE(most - least, 50);  // of 138
  EXPECT_NEAR((most + least) / 2.0, 230.0 * 132.0 / 200.0, 12.0);
}

TEST(CutOut, AnEmbryoThatReachesBeyondThePhotographIsNoProblem) {
  const GrayImage image = CutOut(GrayImage(300, 200, 90), EmbryoAt({290.0, 100.0, 5.0, 140.0, 56.0}, 200.0));
  EXPECT_NEAR(image.At(60, 62), 104, 2);
}

}  // namespace
}  // namespace flyscribe
