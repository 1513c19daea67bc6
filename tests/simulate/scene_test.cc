#include "simulate/scene.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "data/image.h"
#include "simulate/frame.h"
#include "tests/simulate/small_embryos.h"

namespace flyscribe {
namespace {

Placement SomePlacement() {
  Placement placement;
  placement.centre = {400.0, 210.0};
  placement.turn = 0.7;
  placement.along = 2.5;
  placement.across = 2.2;
  return placement;
}

// The cubic B-spline by its two pieces.
double Spline(double t) {
  t = std::abs(t);
  if (t < 1.0) return 2.0 / 3.0 - t * t + 0.5 * t * t * t;
  return t < 2.0 ? (2.0 - t) * (2.0 - t) * (2.0 - t) / 6.0 : 0.0;
}

// Over the whole picture, so that nothing can be forgotten.
double SlowColour(const RgbImage& image, const Point& at, std::size_t channel) {
  double sum = 0.0;
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) sum += Spline(x - at.x) * Spline(y - at.y) * image.At(x, y)[channel];
  }
  return sum;
}

TEST(Placement, TurnsClockwiseToTheEyeAndScales) {
  Placement placement;
  placement.centre = {100.0, 50.0};
  placement.turn = 0.5 * std::numbers::pi;
  placement.along = 2.0;
  placement.across = 3.0;
  const Point posterior = placement.ToPhotograph()({159.5 + 10.0, 63.5});  // what was right is below
  EXPECT_NEAR(posterior.x, 100.0, 1e-9);
  EXPECT_NEAR(posterior.y, 70.0, 1e-9);
  const Point ventral = placement.ToPhotograph()({159.5, 63.5 + 10.0});
  EXPECT_NEAR(ventral.x, 70.0, 1e-9);
  EXPECT_NEAR(ventral.y, 50.0, 1e-9);
  EXPECT_NEAR(placement.Scale(), std::sqrt(6.0), 1e-12);
}

TEST(Placement, TheTwoWaysAreInverse) {
  const Placement placement = SomePlacement();
  for (const Point& point : {Point{0.0, 0.0}, Point{159.5, 63.5}, Point{310.0, 20.0}}) {
    const Point back = placement.ToEmbryo()(placement.ToPhotograph()(point));
    EXPECT_NEAR(back.x, point.x, 1e-9);
    EXPECT_NEAR(back.y, point.y, 1e-9);
  }
}

TEST(Placement, TurnedBackFollowsTheEmbryosAxes) {
  const Placement placement = SomePlacement();
  const Point axis = placement.TurnedBack({std::cos(0.7), std::sin(0.7)});
  EXPECT_NEAR(axis.x, 1.0, 1e-12);
  EXPECT_NEAR(axis.y, 0.0, 1e-12);
}

TEST(Cutout, EdgeInterpolatesDepth) {
  const EmbryoSpec spec = BareEmbryo();
  const Cutout cutout(spec);
  const FloatMatrix depth = EmbryoDepth(spec, 0);
  EXPECT_EQ(cutout.EdgeAt({40.0, 30.0}).depth, depth(30, 40));
  const float mean = 0.25F * (depth(30, 40) + depth(30, 41) + depth(31, 40) + depth(31, 41));
  EXPECT_NEAR(cutout.EdgeAt({40.5, 30.5}).depth, mean, 1e-4);
  const Cutout::Edge edge = cutout.EdgeAt({40.25, 30.5});
  const float ahead = cutout.EdgeAt({40.75, 30.5}).depth;
  EXPECT_NEAR(edge.slope_x, 2.0F * (ahead - edge.depth), 1e-3);
  const float below = cutout.EdgeAt({40.25, 30.75}).depth;
  EXPECT_NEAR(edge.slope_y, 4.0F * (below - edge.depth), 1e-3);
}

TEST(Cutout, BeyondItsMarginIsFarOutside) {
  const Cutout cutout(BareEmbryo());
  EXPECT_GT(cutout.EdgeAt({-kCutoutMargin + 0.5, 60.0}).depth, -1e5F);
  EXPECT_LT(cutout.EdgeAt({-kCutoutMargin - 0.5, 60.0}).depth, -1e5F);
  EXPECT_LT(cutout.EdgeAt({160.0, 1e9}).depth, -1e5F);
  EXPECT_LT(cutout.EdgeAt({std::nan(""), 0.0}).depth, -1e5F);
}

TEST(Cutout, ColoursAreTheSplineOfThePicture) {
  const EmbryoSpec spec = EmbryoWith("4-6", "posterior endoderm anlage in statu nascendi");
  const Cutout cutout(spec);
  const RgbImage image = RenderEmbryo(spec);
  for (const Point& point : {Point{100.0, 60.0}, Point{150.3, 70.8}, Point{280.6, 64.25}}) {
    for (std::size_t c = 0; c < 3; ++c) {
      EXPECT_NEAR(cutout.ColourAt(point)[c], SlowColour(image, point, c), 0.05) << point.x << ' ' << c;
    }
  }
}

TEST(Cutout, NoWhiteShowsAtTheEdge) {
  EmbryoSpec spec = BareEmbryo();
  spec.look.body = {90.0F, 90.0F, 90.0F};
  const Cutout cutout(spec);
  ASSERT_GT(cutout.outline().size(), 300U);
  for (const Point& point : cutout.outline()) {
    for (const double out : {0.0, 2.0}) {
      const Point beyond = {point.x + (point.x > 159.5 ? out : -out), point.y + (point.y > 63.5 ? out : -out)};
      ASSERT_LT(cutout.ColourAt(beyond)[0], 170.0F) << point.x << ' ' << point.y;
      ASSERT_GT(cutout.ColourAt(beyond)[0], 20.0F) << point.x << ' ' << point.y;
    }
  }
}

TEST(Cutout, OutlineAndBodyLieWhereDepthSays) {
  const Cutout cutout(BareEmbryo());
  for (const Point& point : cutout.outline()) EXPECT_LT(std::abs(cutout.EdgeAt(point).depth), 1.6F);
  for (const Point& point : cutout.body()) EXPECT_GT(cutout.EdgeAt(point).depth, 0.0F);
  EXPECT_NEAR(static_cast<double>(cutout.body().size()), 3.1416 * 156 * 60 / 64, 60.0);
}

TEST(Overlap, EndsWhereTheOutlinesPart) {
  LaidEmbryo a{Cutout(BareEmbryo(1)), SomePlacement()};
  LaidEmbryo b{Cutout(BareEmbryo(2)), SomePlacement()};
  EXPECT_TRUE(Overlap(a, b));
  // Side by side: heights of about 2 x 60 x 2.2 pixels.
  const auto shift = [&](double pixels) {
    b.placement.centre = {400.0 - std::sin(0.7) * pixels, 210.0 + std::cos(0.7) * pixels};
  };
  shift(230.0);
  EXPECT_TRUE(Overlap(a, b));
  EXPECT_TRUE(Overlap(b, a));
  shift(310.0);
  EXPECT_FALSE(Overlap(a, b));
  // A small one wholly within.
  b.placement = SomePlacement();
  b.placement.along = b.placement.across = 0.2;
  EXPECT_TRUE(Overlap(a, b));
}

const Cutout& SomeCutout() {
  static const Cutout cutout(BareEmbryo());
  return cutout;
}

double Degrees(double radians) { return radians * 180.0 / std::numbers::pi; }

// The central embryo and three neighbours, of one shape.
Scene SomeScene(std::uint64_t seed, double touching) {
  Rng rng(seed);
  Scene scene = PlaceCentral(SomeCutout(), 75.0, rng);
  for (int i = 0; i < 3; ++i) PlaceNeighbour(scene, SomeCutout(), touching, rng);
  return scene;
}

double ShareInFrame(const Scene& scene, const LaidEmbryo& laid) {
  double inside = 0.0;
  for (const Point& point : laid.cutout.body()) {
    const Point p = laid.placement.ToPhotograph()(point);
    inside += p.x >= 0.0 && p.y >= 0.0 && p.x <= scene.width - 1.0 && p.y <= scene.height - 1.0 ? 1.0 : 0.0;
  }
  return inside / static_cast<double>(laid.cutout.body().size());
}

// Share of `a` that lies in `b`.
double SharedBody(const LaidEmbryo& a, const LaidEmbryo& b) {
  double inside = 0.0;
  for (const Point& point : a.cutout.body()) {
    const Point q = b.placement.ToEmbryo()(a.placement.ToPhotograph()(point));
    inside += b.cutout.EdgeAt(q).depth > 0.0F ? 1.0 : 0.0;
  }
  return inside / static_cast<double>(a.cutout.body().size());
}

TEST(PlaceCentral, SizesAreThoseOfBdgpsPhotographs) {
  double pixels = 0.0;
  int usual = 0;
  constexpr int kScenes = 300;
  for (int i = 0; i < kScenes; ++i) {
    Rng rng(static_cast<std::uint64_t>(i));
    const Scene scene = PlaceCentral(SomeCutout(), 75.0, rng);
    EXPECT_GE(scene.width, 263);
    EXPECT_LE(scene.width, 2100);
    EXPECT_GE(scene.height, 112);
    EXPECT_LE(scene.height, 900);
    EXPECT_GE(1.0 * scene.width / scene.height, 1.2);
    if (scene.width >= 700 && scene.width <= 1520) ++usual;
    pixels += 1.0 * scene.width * scene.height / kScenes;
  }
  EXPECT_GT(usual, kScenes * 7 / 10);
  EXPECT_GT(pixels, 0.4e6);
  EXPECT_LT(pixels, 0.75e6);
}

TEST(PlaceCentral, TheEmbryoIsWholeNearTheMiddleAndOfUsualSize) {
  double smallest = 1e9;
  double largest = 0.0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Rng rng(seed);
    const Scene scene = PlaceCentral(SomeCutout(), 180.0, rng);
    const Placement& placement = scene.embryos[0].placement;
    EXPECT_EQ(ShareInFrame(scene, scene.embryos[0]), 1.0) << seed;
    for (const Point& point : SomeCutout().outline()) {
      const Point p = placement.ToPhotograph()(point);
      ASSERT_GT(std::min({p.x, p.y, scene.width - p.x, scene.height - p.y}), 0.5) << seed;
    }
    EXPECT_LT(std::abs(placement.centre.x - 0.5 * scene.width), 0.2 * scene.width);
    EXPECT_LT(std::abs(placement.centre.y - 0.5 * scene.height), 0.2 * scene.height);
    const double length = 2.0 * kHalfLength * placement.along;
    smallest = std::min(smallest, length);
    largest = std::max(largest, length);
  }
  EXPECT_GE(smallest, kSmallestLongAxis - 1e-6);
  EXPECT_LT(smallest, 220.0);
  EXPECT_LE(largest, kLargestLongAxis + 1e-6);
  EXPECT_GT(largest, 900.0);
}

TEST(PlaceCentral, TurnsUpToTheLimitBothWays) {
  double least = 0.0;
  double most = 0.0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Rng rng(seed);
    const double turn = Degrees(PlaceCentral(SomeCutout(), 40.0, rng).embryos[0].placement.turn);
    least = std::min(least, turn);
    most = std::max(most, turn);
  }
  EXPECT_GE(least, -40.0);
  EXPECT_LT(least, -35.0);
  EXPECT_LE(most, 40.0);
  EXPECT_GT(most, 35.0);
  Rng rng(1);
  EXPECT_EQ(PlaceCentral(SomeCutout(), 0.0, rng).embryos[0].placement.turn, 0.0);
}

TEST(PlaceNeighbour, OnlyTheCentralEmbryoIsWhole) {
  std::size_t neighbours = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Scene scene = SomeScene(seed, 0.5);
    for (std::size_t i = 1; i < scene.embryos.size(); ++i) {
      const double share = ShareInFrame(scene, scene.embryos[i]);
      EXPECT_GT(share, 0.02) << seed;
      EXPECT_LT(share, 0.8) << seed;
      for (std::size_t j = 1; j < i; ++j) EXPECT_FALSE(Overlap(scene.embryos[i], scene.embryos[j])) << seed;
    }
    neighbours += scene.embryos.size() - 1;
  }
  EXPECT_GT(neighbours, 120U);
}

TEST(PlaceNeighbour, TouchesTheCentralEmbryoLightlyIfAsked) {
  int touching = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    for (const double chance : {0.0, 1.0}) {
      const Scene scene = SomeScene(seed, chance);
      for (std::size_t i = 1; i < scene.embryos.size(); ++i) {
        if (!Overlap(scene.embryos[0], scene.embryos[i])) continue;
        EXPECT_EQ(chance, 1.0) << seed;
        ++touching;
        EXPECT_LT(SharedBody(scene.embryos[0], scene.embryos[i]), 0.03) << seed;
      }
    }
  }
  EXPECT_GT(touching, 20);
}

TEST(PlaceNeighbour, LeavesTheOthersWhereTheyAre) {
  Rng rng(4);
  Scene scene = PlaceCentral(SomeCutout(), 75.0, rng);
  const Placement before = scene.embryos[0].placement;
  for (int i = 0; i < 40; ++i) PlaceNeighbour(scene, SomeCutout(), 0.3, rng);
  EXPECT_EQ(scene.embryos[0].placement.centre.x, before.centre.x);
  EXPECT_EQ(scene.embryos[0].placement.along, before.along);
  EXPECT_LT(scene.embryos.size(), 41U) << "room does not run out";
  EXPECT_FALSE(PlaceNeighbour(scene, SomeCutout(), 1.0, rng));
}

}  // namespace
}  // namespace flyscribe
