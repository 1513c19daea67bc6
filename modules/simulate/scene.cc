#include "simulate/scene.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "simulate/frame.h"

namespace flyscribe {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kTightest = 0.94;     // most of the photograph the embryo fills
constexpr double kWidestShape = 2.33;  // width / height
constexpr int kTries = 16;
constexpr double kStep = 0.01;  // in lengths of the embryo, when searching where two embryos touch

struct Size {
  double width = 0.0;
  double height = 0.0;
};

Size DrawSize(Rng& rng) {
  const double kind = rng.Uniform();
  const double t = rng.Uniform();
  double width = 700.0 + 820.0 * t * t;
  if (kind < 0.1) width = 263.0 + 437.0 * t;
  if (kind > 0.95) width = 1520.0 + 580.0 * t;
  const double shape = rng.Uniform(1.25, kWidestShape);
  return {width, std::min(width / shape, 900.0)};
}

// Half of what an embryo of unit length scale takes up, across and down.
Point HalfExtent(const Cutout& cutout, const Placement& placement) {
  const PlaneMap map = placement.ToPhotograph();
  Point extent;
  for (const Point& point : cutout.outline()) {
    const Point p = map(point);
    extent.x = std::max(extent.x, std::abs(p.x - placement.centre.x));
    extent.y = std::max(extent.y, std::abs(p.y - placement.centre.y));
  }
  return extent;
}

// Where the middle of something of half extent `extent` lies: near the middle of `size`, not cut.
double DrawMiddle(double size, double extent, Rng& rng) {
  const double room = std::max(0.0, 0.5 * size - extent - 2.0);
  return 0.5 * (size - 1.0) + std::clamp(rng.Normal(0.0, 0.03 * size), -room, room);
}

double LengthOf(const Placement& placement) { return 2.0 * kHalfLength * placement.along; }

// Share of the embryo that lies in the photograph.
double VisibleShare(const Scene& scene, const LaidEmbryo& laid) {
  const PlaneMap map = laid.placement.ToPhotograph();
  std::size_t visible = 0;
  for (const Point& point : laid.cutout.body()) {
    const Point p = map(point);
    if (p.x > 0.0 && p.y > 0.0 && p.x < scene.width && p.y < scene.height) ++visible;
  }
  return static_cast<double>(visible) / static_cast<double>(laid.cutout.body().size());
}

// A straight way out from the central embryo.
struct Ray {
  Point start;
  double direction = 0.0;

  Point At(double distance) const {
    return {start.x + distance * std::cos(direction), start.y + distance * std::sin(direction)};
  }
};

// Smallest distance, in steps, at which `laid` is clear of the central embryo.
double ClearDistance(const Scene& scene, const Ray& ray, LaidEmbryo& laid) {
  const double length = LengthOf(laid.placement);
  double distance = 0.3 * length;
  laid.placement.centre = ray.At(distance);
  while (Overlap(scene.embryos.front(), laid)) {
    distance += kStep * length;
    laid.placement.centre = ray.At(distance);
  }
  return distance;
}

// Puts `laid` on a random way out; false if it does not come to lie partly in the photograph and clear of the others.
bool TryNeighbour(const Scene& scene, bool touches, LaidEmbryo& laid, Rng& rng) {
  const Ray ray = {scene.embryos.front().placement.centre, rng.Uniform(0.0, 2.0 * kPi)};
  laid.placement.turn = rng.Uniform(0.0, 2.0 * kPi);
  const double most_visible = touches ? 0.75 : rng.Uniform(0.15, 0.65);
  const double length = LengthOf(laid.placement);
  double distance =
      ClearDistance(scene, ray, laid) + length * (touches ? -rng.Uniform(kStep, 0.02) : rng.Uniform(0.0, 0.3));
  laid.placement.centre = ray.At(distance);
  while (!touches && VisibleShare(scene, laid) > most_visible) {
    distance += kStep * length;
    laid.placement.centre = ray.At(distance);
  }
  const double visible = VisibleShare(scene, laid);
  return visible > 0.03 && visible <= most_visible &&
         std::none_of(scene.embryos.begin() + 1, scene.embryos.end(), [&](const LaidEmbryo& other) {
           return Overlap(other, laid);
         });
}

}  // namespace

Scene PlaceCentral(Cutout cutout, double max_turn, Rng& rng) {
  Size size = DrawSize(rng);
  Placement placement;
  placement.turn = rng.Uniform(-max_turn, max_turn) * kPi / 180.0;
  placement.across = rng.Uniform(0.96, 1.16);
  const Point unit = HalfExtent(cutout, placement);
  const double fitting = 0.5 * std::min(size.width / unit.x, size.height / unit.y);
  const double scale = std::clamp(rng.Uniform(0.55, kTightest) * fitting,
                                  kSmallestLongAxis / (2.0 * kHalfLength),
                                  kLargestLongAxis / (2.0 * kHalfLength));
  const double enlarged = std::max(1.0, scale / (kTightest * fitting));
  size = {std::round(enlarged * size.width), std::round(enlarged * size.height)};
  placement.along = scale;
  placement.across *= scale;
  placement.centre = {DrawMiddle(size.width, scale * unit.x, rng), DrawMiddle(size.height, scale * unit.y, rng)};
  Scene scene{static_cast<int>(size.width), static_cast<int>(size.height), {}};
  scene.embryos.push_back({std::move(cutout), placement});
  return scene;
}

bool PlaceNeighbour(Scene& scene, Cutout cutout, double touching, Rng& rng) {
  LaidEmbryo laid{std::move(cutout), scene.embryos.front().placement};
  laid.placement.along *= rng.Uniform(0.93, 1.07);
  laid.placement.across *= rng.Uniform(0.93, 1.07);
  const bool touches = rng.Chance(touching);
  for (int i = 0; i < kTries; ++i) {
    // Where nothing that touches would be cut by the border, a distant one must do.
    if (!TryNeighbour(scene, touches && i < kTries / 2, laid, rng)) continue;
    scene.embryos.push_back(std::move(laid));
    return true;
  }
  return false;
}

}  // namespace flyscribe
