#include "simulate/scene.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "simulate/frame.h"
#include "tests/simulate/small_embryos.h"

namespace flyscribe {
namespace {

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
