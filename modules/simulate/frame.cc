#include "simulate/frame.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "data/image.h"
#include "simulate/atlas.h"
#include "simulate/noise.h"

namespace flyscribe {
namespace {

constexpr float kPi = std::numbers::pi_v<float>;
constexpr float kBendPixels = 2.2F;
constexpr std::size_t kArcSteps = 4096;

// Maps the diamond angle (which needs no arc tangent) to the share of the outline's length.
struct ArcTable {
  std::array<float, kArcSteps + 1> share{};
  float length = 0.0F;

  ArcTable() {
    float last_x = -kHalfLength;
    float last_y = 0.0F;
    for (std::size_t i = 1; i <= kArcSteps; ++i) {
      const float diamond = 4.0F * static_cast<float>(i) / static_cast<float>(kArcSteps);
      // The point of the unit circle in that direction, from the anterior pole over ventral to posterior.
      const float side = diamond <= 2.0F ? 1.0F - std::abs(diamond - 1.0F) : std::abs(diamond - 3.0F) - 1.0F;
      const float along = diamond <= 2.0F ? diamond - 1.0F : 3.0F - diamond;
      const float norm = std::hypot(side, along);
      const float x = kHalfLength * along / norm;
      const float y = kHalfHeight * side / norm;
      length += std::hypot(x - last_x, y - last_y);
      share[i] = length;
      last_x = x;
      last_y = y;
    }
    for (float& value : share) value /= length;
  }

  float At(float u, float v) const {
    const float ratio = v / (std::abs(u) + std::abs(v) + 1e-6F);  // -1 dorsal, 1 ventral
    const float diamond = u <= 0.0F ? (ratio >= 0.0F ? ratio : 4.0F + ratio) : 2.0F - ratio;
    const float step = diamond * (static_cast<float>(kArcSteps) / 4.0F);
    return share[std::min(static_cast<std::size_t>(step), kArcSteps)];
  }
};

const ArcTable& Arcs() {
  static const ArcTable table;
  return table;
}

// What a column's pixels share.
struct Column {
  float u = 0.0F;
  float power = 0.0F;  // |u|^p
  float slope = 0.0F;  // d(|u|^p / 2) / dx, in the reference embryo's pixels
  float middle = 0.0F;
  float upper = 1.0F;  // half heights in pixels
  float lower = 1.0F;
  float chord = 1.0F;  // sqrt(1 - |u|^p), not below a tenth
};

float DentAt(const Pose& pose, float u) {
  float dent = 0.0F;
  for (const Dent& d : pose.dents) dent += d.depth * std::exp(-0.5F * (u - d.u) * (u - d.u) / (d.width * d.width));
  return dent;
}

Column MakeColumn(const Pose& pose, int x) {
  Column column;
  const float dx = static_cast<float>(x) - pose.center_x;
  const float u = dx / pose.half_length;
  const float p = u < 0.0F ? pose.blunt_front : pose.blunt_back;
  const float size = std::abs(u);
  column.u = u;
  column.power = std::pow(size, p);
  column.slope = size > 0.0F ? 0.5F * p * column.power / (size * kHalfLength) : 0.0F;
  column.chord = std::sqrt(std::max(1.0F - column.power, 0.01F));
  column.middle = pose.center_y + pose.tilt * dx + pose.bend * (u * u - 0.4F);
  const auto& w = pose.wobble;
  const float taper = 1.0F + pose.taper * (u - 0.3F);
  const float scallop = pose.scallops * std::abs(std::sin(14.0F * u + w[1])) * (u > -0.5F ? 1.0F : 0.3F);
  const float top = w[0] * std::sin(4.0F * u + w[1]) + w[2] * std::sin(9.0F * u + w[3]);
  const float bottom = w[4] * std::sin(4.0F * u + w[5]) + w[6] * std::sin(9.0F * u + w[7]);
  column.upper = pose.half_height * std::max(0.3F, taper + top + 0.6F * scallop - DentAt(pose, u));
  column.lower = pose.half_height * std::max(0.3F, taper + bottom + scallop);
  return column;
}

float DepthAt(const Column& column, float v) {
  const float r = std::sqrt(column.power + v * v);
  const float slope = v / kHalfHeight;
  const float steep = std::sqrt(column.slope * column.slope + slope * slope);
  return std::min(r * (1.0F - r) / std::max(steep, 1e-6F), kHalfHeight);
}

// From above, the middle line shows what lies dorsally in a lateral view, the edges what lies half-way down.
float FoldedForDorsalView(float v) { return 1.25F * std::abs(v) - 0.75F; }

}  // namespace

Pose RandomPose(StageRange range, Rng& rng) {
  const auto uniform = [&rng](double low, double high) { return static_cast<float>(rng.Uniform(low, high)); };
  const auto within = [&uniform](const DrawnFrom& interval) { return uniform(interval.low, interval.high); };
  const BodyShape& body = AtlasOf(range).body;
  Pose pose;
  pose.center_x += uniform(-1.5, 1.5);
  pose.center_y += uniform(-1.0, 1.0);
  pose.half_length = uniform(151.0, 158.0);
  pose.half_height = uniform(57.0, 62.0);
  pose.tilt = uniform(-0.02, 0.02);
  pose.bend = within(body.bend);
  pose.taper = within(body.taper);
  pose.blunt_front = within(body.blunt_front);
  pose.blunt_back = uniform(2.1, 3.1);
  if (body.scallops.high > 0.0) pose.scallops = within(body.scallops);
  for (std::size_t i = 0; i < pose.wobble.size(); i += 2) {
    pose.wobble[i] = body.wobble * uniform(-1.0, 1.0) * (i % 4 == 0 ? 1.0F : 0.5F);
    pose.wobble[i + 1] = uniform(0.0, 2.0 * kPi);
  }
  for (const DrawnDent& dent : body.dents) {
    pose.dents.push_back({within(dent.u), dent.width, within(dent.depth)});
  }
  return pose;
}

Frame MakeFrame(const Pose& pose, View view) {
  const FloatMatrix empty(kEmbryoHeight, kEmbryoWidth);
  Frame frame{empty, empty, empty, empty, empty, empty};
  std::vector<Column> columns;
  for (int x = 0; x < kEmbryoWidth; ++x) columns.push_back(MakeColumn(pose, x));
  const ArcTable& arcs = Arcs();
  for (std::size_t y = 0; y < empty.rows(); ++y) {
    for (std::size_t x = 0; x < empty.cols(); ++x) {
      const Column& column = columns[x];
      const float dy = static_cast<float>(y) - column.middle;
      const float v = dy / (dy < 0.0F ? column.upper : column.lower);
      const float seen = view == View::kDorsal ? FoldedForDorsalView(v) : v;
      frame.depth(y, x) = DepthAt(column, v);
      frame.u(y, x) = column.u;
      frame.v(y, x) = seen;
      frame.height(y, x) = seen / column.chord;
      frame.arc(y, x) = arcs.At(column.u, seen);
    }
  }
  return frame;
}

FloatMatrix DepthAround(const Pose& pose, int margin) {
  const int rows = kEmbryoHeight + 2 * margin;
  const int cols = kEmbryoWidth + 2 * margin;
  FloatMatrix depth(static_cast<std::size_t>(rows), static_cast<std::size_t>(cols));
  for (int x = 0; x < cols; ++x) {
    const Column column = MakeColumn(pose, x - margin);
    for (int y = 0; y < rows; ++y) {
      const float dy = static_cast<float>(y - margin) - column.middle;
      const float v = dy / (dy < 0.0F ? column.upper : column.lower);
      depth(static_cast<std::size_t>(y), static_cast<std::size_t>(x)) = DepthAt(column, v);
    }
  }
  return depth;
}

void Roughen(Frame& frame, Rng& rng) {
  const std::size_t rows = frame.u.rows();
  const std::size_t cols = frame.u.cols();
  const FloatMatrix sideways = SmoothNoise(rows, cols, 13.0F, rng);
  const FloatMatrix upwards = SmoothNoise(rows, cols, 13.0F, rng);
  const FloatMatrix fine = SmoothNoise(rows, cols, 3.0F, rng);
  const FloatMatrix coarse = SmoothNoise(rows, cols, 8.0F, rng);
  for (std::size_t i = 0; i < rows * cols; ++i) {
    const float lift = kBendPixels * upwards.data()[i] / kHalfHeight;
    frame.u.data()[i] += kBendPixels * sideways.data()[i] / kHalfLength;
    frame.v.data()[i] += lift;
    frame.height.data()[i] += lift;
    frame.ragged.data()[i] = 0.6F * fine.data()[i] + 0.8F * coarse.data()[i];
  }
}

float OutlineLength() { return Arcs().length; }

}  // namespace flyscribe
