#include "imaging/cut_out.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/imaging/drawn_photograph.h"

namespace flyscribe {
namespace {

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
