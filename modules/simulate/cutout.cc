#include "simulate/cutout.h"

#include <algorithm>
#include <cmath>

#include "data/image.h"
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
  return std::any_of(a.cutout.outline().begin(), a.cutout.outline().end(), [&](const Point& point) {
    return b.cutout.EdgeAt(in(out(point))).depth > 0.0F;
  });
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

}  // namespace flyscribe
