#include "simulate/scene.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "data/image.h"
#include "simulate/frame.h"
#include "simulate/noise.h"

namespace flyscribe {
namespace {

constexpr Point kMiddle = {0.5 * (kEmbryoWidth - 1), 0.5 * (kEmbryoHeight - 1)};
constexpr std::size_t kCols = kEmbryoWidth + 2 * kCutoutMargin;
constexpr std::size_t kRows = kEmbryoHeight + 2 * kCutoutMargin;
constexpr int kExtension = 10;  // pixels colours are continued outwards
constexpr std::size_t kOutlineStep = 2;
constexpr std::size_t kBodyStep = 8;

Point EmbryoPoint(std::size_t col, std::size_t row) {
  return {static_cast<double>(col) - kCutoutMargin, static_cast<double>(row) - kCutoutMargin};
}

bool AnyInside(const LaidEmbryo& a, const LaidEmbryo& b) {
  const PlaneMap out = a.placement.ToPhotograph();
  const PlaneMap in = b.placement.ToEmbryo();
  return std::ranges::any_of(a.cutout.outline(),
                             [&](const Point& point) { return b.cutout.EdgeAt(in(out(point))).depth > 0.0F; });
}

}  // namespace

PlaneMap Placement::ToPhotograph() const {
  const double c = std::cos(turn);
  const double s = std::sin(turn);
  PlaneMap map = {along * c, -across * s, along * s, across * c, {}};
  const Point middle = map(kMiddle);
  map.shift = {centre.x - middle.x, centre.y - middle.y};
  return map;
}

PlaneMap Placement::ToEmbryo() const {
  const double c = std::cos(turn);
  const double s = std::sin(turn);
  PlaneMap map = {c / along, s / along, -s / across, c / across, {}};
  const Point middle = map(centre);
  map.shift = {kMiddle.x - middle.x, kMiddle.y - middle.y};
  return map;
}

Point Placement::TurnedBack(const Point& direction) const {
  return {std::cos(turn) * direction.x + std::sin(turn) * direction.y,
          std::cos(turn) * direction.y - std::sin(turn) * direction.x};
}

double Placement::Scale() const { return std::sqrt(along * across); }

Cutout::Cutout(const EmbryoSpec& spec) : depth_(EmbryoDepth(spec, kCutoutMargin)), colours_(3 * kRows * kCols) {
  FillColours(spec);
  ListPoints();
}

// The registered picture has white in its edge pixels: only those wholly inside are taken.
void Cutout::FillColours(const EmbryoSpec& spec) {
  const RgbImage image = RenderEmbryo(spec);
  FloatMatrix known(kRows, kCols);
  for (int y = 0; y < kEmbryoHeight; ++y) {
    for (int x = 0; x < kEmbryoWidth; ++x) {
      const std::size_t row = static_cast<std::size_t>(y) + kCutoutMargin;
      const std::size_t col = static_cast<std::size_t>(x) + kCutoutMargin;
      if (depth_(row, col) < 0.5F) continue;
      known(row, col) = 1.0F;
      for (std::size_t c = 0; c < 3; ++c) colours_[3 * (row * kCols + col) + c] = image.At(x, y)[c];
    }
  }
  for (int pass = 0; pass < kExtension; ++pass) ExtendColours(known);
}

// Gives the unknown pixels beside known ones the mean of these.
void Cutout::ExtendColours(FloatMatrix& known) {
  FloatMatrix grown = known;
  for (std::size_t i = kCols + 1; i + kCols + 1 < kRows * kCols; ++i) {
    if (known.data()[i] > 0.0F) continue;
    std::array<float, 3> sum = {};
    float count = 0.0F;
    for (const std::size_t j : {i - 1, i + 1, i - kCols, i + kCols}) {
      count += known.data()[j];
      for (std::size_t c = 0; c < 3; ++c) sum[c] += known.data()[j] * colours_[3 * j + c];
    }
    if (count <= 0.0F) continue;
    grown.data()[i] = 1.0F;
    for (std::size_t c = 0; c < 3; ++c) colours_[3 * i + c] = sum[c] / count;
  }
  known = grown;
}

// The outline is where depth changes its sign along a column or, at the blunt ends, a row.
void Cutout::ListPoints() {
  for (std::size_t row = 1; row < kRows; ++row) {
    for (std::size_t col = 1; col < kCols; ++col) {
      const bool inside = depth_(row, col) > 0.0F;
      const bool edge = inside != (depth_(row - 1, col) > 0.0F) || inside != (depth_(row, col - 1) > 0.0F);
      if (edge && (row + col) % kOutlineStep == 0) outline_.push_back(EmbryoPoint(col, row));
      if (inside && row % kBodyStep == 0 && col % kBodyStep == 0) body_.push_back(EmbryoPoint(col, row));
    }
  }
}

Cutout::Edge Cutout::EdgeAt(const Point& embryo) const {
  const double x = embryo.x + kCutoutMargin;
  const double y = embryo.y + kCutoutMargin;
  if (!(x >= 0.0 && y >= 0.0 && x < kCols - 1 && y < kRows - 1)) return {};
  const auto col = static_cast<std::size_t>(x);
  const auto row = static_cast<std::size_t>(y);
  const auto s = static_cast<float>(x - static_cast<double>(col));
  const auto t = static_cast<float>(y - static_cast<double>(row));
  const float* upper = &depth_(row, col);
  const float* lower = upper + kCols;
  const float left = upper[0] + t * (lower[0] - upper[0]);
  const float right = upper[1] + t * (lower[1] - upper[1]);
  const float down = lower[0] - upper[0] + s * (lower[1] - upper[1] - lower[0] + upper[0]);
  return {left + s * (right - left), right - left, down};
}

std::array<float, 3> Cutout::ColourAt(const Point& embryo) const {
  const double x = std::clamp(embryo.x + kCutoutMargin, 1.0, static_cast<double>(kCols) - 3.5);
  const double y = std::clamp(embryo.y + kCutoutMargin, 1.0, static_cast<double>(kRows) - 3.5);
  const auto col = static_cast<std::size_t>(x);
  const auto row = static_cast<std::size_t>(y);
  const std::array<float, 4> across = CubicWeights(static_cast<float>(x - static_cast<double>(col)));
  const std::array<float, 4> down = CubicWeights(static_cast<float>(y - static_cast<double>(row)));
  std::array<float, 3> sum = {};
  for (std::size_t j = 0; j < 4; ++j) {
    const float* colour = &colours_[3 * ((row + j - 1) * kCols + col - 1)];
    for (std::size_t i = 0; i < 4; ++i, colour += 3) {
      const float weight = down[j] * across[i];
      for (std::size_t c = 0; c < 3; ++c) sum[c] += weight * colour[c];
    }
  }
  return sum;
}

bool Overlap(const LaidEmbryo& a, const LaidEmbryo& b) { return AnyInside(a, b) || AnyInside(b, a); }

namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kTightest = 0.94;     // most of the photograph the embryo fills
constexpr double kWidestShape = 2.33;  // width / height
constexpr int kTries = 16;
constexpr double kStep = 0.01;  // in lengths of the embryo, when searching where two embryos touch

// Where the middle of something of half extent `extent` lies: near the middle of `size`, not cut.
double DrawMiddle(double size, double extent, Rng& rng) {
  const double room = std::max(0.0, 0.5 * size - extent - 2.0);
  return 0.5 * (size - 1.0) + std::clamp(rng.Normal(0.0, 0.03 * size), -room, room);
}

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

// Puts `laid` on a random way out; false if it does not come to lie partly in the photograph and clear of the others.
bool TryNeighbour(const Scene& scene, bool touches, LaidEmbryo& laid, Rng& rng) {
  const Point start = scene.embryos.front().placement.centre;
  const double direction = rng.Uniform(0.0, 2.0 * kPi);
  const auto move = [&](double away) {
    laid.placement.centre = {start.x + away * std::cos(direction), start.y + away * std::sin(direction)};
  };
  laid.placement.turn = rng.Uniform(0.0, 2.0 * kPi);
  const double most_visible = touches ? 0.75 : rng.Uniform(0.15, 0.65);
  const double length = 2.0 * kHalfLength * laid.placement.along;
  double distance = 0.3 * length;
  move(distance);
  while (Overlap(scene.embryos.front(), laid)) {
    distance += kStep * length;
    move(distance);
  }
  distance += length * (touches ? -rng.Uniform(kStep, 0.02) : rng.Uniform(0.0, 0.3));
  move(distance);
  while (!touches && VisibleShare(scene, laid) > most_visible) {
    distance += kStep * length;
    move(distance);
  }
  const double visible = VisibleShare(scene, laid);
  return visible > 0.03 && visible <= most_visible &&
         std::none_of(scene.embryos.begin() + 1, scene.embryos.end(), [&](const LaidEmbryo& other) {
           return Overlap(other, laid);
         });
}

}  // namespace

Scene PlaceCentral(Cutout cutout, double max_turn, Rng& rng) {
  const double kind = rng.Uniform();
  const double t = rng.Uniform();
  double width = 700.0 + 820.0 * t * t;
  if (kind < 0.1) width = 263.0 + 437.0 * t;
  if (kind > 0.95) width = 1520.0 + 580.0 * t;
  double height = std::min(width / rng.Uniform(1.25, kWidestShape), 900.0);
  Placement placement;
  placement.turn = rng.Uniform(-max_turn, max_turn) * kPi / 180.0;
  placement.across = rng.Uniform(0.96, 1.16);
  Point unit;  // half of what the embryo takes up at unit scale, across and down
  const PlaneMap map = placement.ToPhotograph();
  for (const Point& point : cutout.outline()) {
    const Point p = map(point);
    unit.x = std::max(unit.x, std::abs(p.x - placement.centre.x));
    unit.y = std::max(unit.y, std::abs(p.y - placement.centre.y));
  }
  const double fitting = 0.5 * std::min(width / unit.x, height / unit.y);
  const double scale = std::clamp(rng.Uniform(0.55, kTightest) * fitting,
                                  kSmallestLongAxis / (2.0 * kHalfLength),
                                  kLargestLongAxis / (2.0 * kHalfLength));
  const double enlarged = std::max(1.0, scale / (kTightest * fitting));
  width = std::round(enlarged * width);
  height = std::round(enlarged * height);
  placement.along = scale;
  placement.across *= scale;
  placement.centre = {DrawMiddle(width, scale * unit.x, rng), DrawMiddle(height, scale * unit.y, rng)};
  Scene scene{static_cast<int>(width), static_cast<int>(height), {}};
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
