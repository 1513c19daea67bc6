#include "simulate/frame.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "core/error.h"
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
  float dent = 0.0F;
  for (const Dent& d : pose.dents) dent += d.depth * std::exp(-0.5F * (u - d.u) * (u - d.u) / (d.width * d.width));
  column.upper = pose.half_height * std::max(0.3F, taper + top + 0.6F * scallop - dent);
  column.lower = pose.half_height * std::max(0.3F, taper + bottom + scallop);
  return column;
}

float DepthAt(const Column& column, float v) {
  const float r = std::sqrt(column.power + v * v);
  const float slope = v / kHalfHeight;
  const float steep = std::sqrt(column.slope * column.slope + slope * slope);
  return std::min(r * (1.0F - r) / std::max(steep, 1e-6F), kHalfHeight);
}

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
      // From above, the middle line shows what lies dorsally in a lateral view, the edges what lies half-way down.
      const float seen = view == View::kDorsal ? 1.25F * std::abs(v) - 0.75F : v;
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

namespace {

// A pixel's place in the atlas.
struct Spot {
  float u = 0.0F;
  float v = 0.0F;
  float height = 0.0F;
  float depth = 0.0F;
  float arc = 0.0F;
};

// std::floor is a function call on the oldest processors we build for.
float Floor(float x) {
  const auto truncated = static_cast<float>(static_cast<int>(x));
  return truncated > x ? truncated - 1.0F : truncated;
}

// The smaller of two distances to borders, with the corner they make rounded off.
float Rounded(float a, float b, float radius) {
  if (a >= radius || b >= radius) return std::min(a, b);
  return radius - std::sqrt((radius - a) * (radius - a) + (radius - b) * (radius - b));
}

// How far inside the nearest of `mark.repeats` bars, that share [0, length], the position `along` lies; pixels.
float InsideBar(const Mark& mark, float along, float length) {
  const float period = length / static_cast<float>(mark.repeats);
  const float offset = along / period - Floor(along / period) - 0.5F;
  return (0.5F * mark.duty - std::abs(offset)) * period;
}

// Chaikin's corner cutting: twice as many points, the ends kept.
std::vector<AtlasPoint> Smoothed(const std::vector<AtlasPoint>& points) {
  if (points.size() < 3) return points;
  std::vector<AtlasPoint> smooth = {points.front()};
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const AtlasPoint& a = points[i];
    const AtlasPoint& b = points[i + 1];
    if (i > 0) smooth.push_back({0.75F * a.u + 0.25F * b.u, 0.75F * a.v + 0.25F * b.v});
    if (i + 2 < points.size()) smooth.push_back({0.25F * a.u + 0.75F * b.u, 0.25F * a.v + 0.75F * b.v});
  }
  smooth.push_back(points.back());
  return smooth;
}

// The polyline of a path in the reference embryo's pixels.
class Polyline {
 public:
  explicit Polyline(const Mark& mark) {
    for (const AtlasPoint& point : Smoothed(Smoothed(mark.points))) {
      corners_.push_back({point.u * kHalfLength, point.v * kHalfHeight});
    }
    for (std::size_t i = 1; i < corners_.size(); ++i) {
      lengths_.push_back(std::hypot(corners_[i].u - corners_[i - 1].u, corners_[i].v - corners_[i - 1].v));
      total_ += lengths_.back();
    }
  }

  // The distance of (x, y) to the line or, if it is dotted, to the nearest dot's middle.
  float Distance(float x, float y, int dots) const {
    float best = std::sqrt((x - corners_[0].u) * (x - corners_[0].u) + (y - corners_[0].v) * (y - corners_[0].v));
    float along = 0.0F;
    float before = 0.0F;
    for (std::size_t i = 0; i < lengths_.size(); ++i) {
      const float ex = (corners_[i + 1].u - corners_[i].u) / lengths_[i];
      const float ey = (corners_[i + 1].v - corners_[i].v) / lengths_[i];
      const float px = x - corners_[i].u;
      const float py = y - corners_[i].v;
      const float t = std::clamp(px * ex + py * ey, 0.0F, lengths_[i]);
      const float distance = std::sqrt((px - t * ex) * (px - t * ex) + (py - t * ey) * (py - t * ey));
      if (distance < best) {
        best = distance;
        along = before + t;
      }
      before += lengths_[i];
    }
    if (dots == 0) return best;
    const float period = total_ / static_cast<float>(dots);
    const float offset = (along / period - Floor(along / period) - 0.5F) * period;
    return std::sqrt(best * best + offset * offset);
  }

 private:
  std::vector<AtlasPoint> corners_;
  std::vector<float> lengths_;
  float total_ = 0.0F;
};

float InsideRim(const Mark& mark, const Spot& spot, float outline) {
  // The turn of the outline nearest to the mark, which may span the anterior pole (from < 0).
  const float arc = spot.arc - Floor(spot.arc - 0.5F * (mark.from + mark.to) + 0.5F);
  const float start = (arc - mark.from) * outline;
  const float end = (mark.to - arc) * outline;
  float along = std::min(start, end);
  if (mark.repeats > 0) along = std::min(along, InsideBar(mark, start, start + end));
  return Rounded(along, std::min(spot.depth - mark.near, mark.far - spot.depth), 6.0F);
}

float InsideArea(const Mark& mark, const Spot& spot) {
  const float u = spot.u - mark.slant * spot.height;
  const float start = (u - mark.from) * kHalfLength;
  const float end = (mark.to - u) * kHalfLength;
  float along = std::min(start, end);
  if (mark.repeats > 0) along = std::min(along, InsideBar(mark, start, start + end));
  const float across = std::min(spot.height - mark.near, mark.far - spot.height) * kHalfHeight;
  return Rounded(along, across, 12.0F);
}

// Bounds outside of which a mark has no effect, so that most pixels are passed over quickly.
struct Reach {
  static constexpr float kFar = std::numeric_limits<float>::infinity();
  // Nothing is seen further outside the outline than this.
  float near_depth = -4.0F;
  float far_depth = kFar;
  float left = -kFar;
  float right = kFar;
  float top = -kFar;
  float bottom = kFar;

  bool Holds(float u, float v, float depth) const {
    return depth >= near_depth && depth <= far_depth && u >= left && u <= right && v >= top && v <= bottom;
  }
};

Reach ReachOf(const Mark& mark, float margin) {
  Reach reach;
  if (mark.kind == Mark::Kind::kRim) {
    reach.near_depth = std::max(reach.near_depth, mark.near - margin);
    reach.far_depth = mark.far + margin;
  } else if (mark.kind == Mark::Kind::kArea && mark.slant == 0.0F) {
    reach.left = mark.from - margin / kHalfLength;
    reach.right = mark.to + margin / kHalfLength;
  } else if (mark.kind == Mark::Kind::kPath) {
    const auto [left, right] = std::ranges::minmax(mark.points, {}, &AtlasPoint::u);
    const auto [top, bottom] = std::ranges::minmax(mark.points, {}, &AtlasPoint::v);
    const float across = mark.half_width + margin;
    reach.left = left.u - across / kHalfLength;
    reach.right = right.u + across / kHalfLength;
    reach.top = top.v - across / kHalfHeight;
    reach.bottom = bottom.v + across / kHalfHeight;
  }
  return reach;
}

template <class Inside>
void Paint(
    const Frame& frame, const MarkVariation& variation, const Reach& reach, FloatMatrix& plane, Inside&& inside) {
  const float sharpness = 1.0F / variation.softness;
  for (std::size_t i = 0; i < plane.values().size(); ++i) {
    const float u = frame.u.data()[i] - variation.du;
    const float v = frame.v.data()[i] - variation.dv;
    const float depth = frame.depth.data()[i];
    if (!reach.Holds(u, v, depth)) continue;
    const float height = frame.height.data()[i] - variation.dv;
    const float h = inside(Spot{u, v, height, depth, frame.arc.data()[i]});
    const float ragged = h + variation.grow + variation.ragged * frame.ragged.data()[i];
    plane.data()[i] = std::max(plane.data()[i], SoftStep(ragged * sharpness));
  }
}

}  // namespace

Mark Mark::Path(std::vector<AtlasPoint> points, float half_width) {
  FLYSCRIBE_CHECK(!points.empty(), "a path needs a point");
  Mark mark;
  mark.kind = Kind::kPath;
  mark.points = std::move(points);
  mark.half_width = half_width;
  return mark;
}

Mark Mark::Rim(float from, float to, float near, float far) {
  Mark mark = Area(from, to, near, far);
  mark.kind = Kind::kRim;
  return mark;
}

Mark Mark::Area(float from, float to, float near, float far) {
  Mark mark;
  mark.from = from;
  mark.to = to;
  mark.near = near;
  mark.far = far;
  return mark;
}

Mark Mark::Repeated(int count, float share) const {
  Mark mark = *this;
  mark.repeats = count;
  mark.duty = share;
  return mark;
}

Mark Mark::Slanted(float shear) const {
  Mark mark = *this;
  mark.slant = shear;
  return mark;
}

void DrawMark(const Mark& mark, const MarkVariation& variation, const Frame& frame, FloatMatrix& plane) {
  // The border strays by up to four deviations.
  const Reach reach = ReachOf(mark, std::max(variation.grow, 0.0F) + variation.softness + 4.0F * variation.ragged);
  switch (mark.kind) {
    case Mark::Kind::kPath: {
      const Polyline line(mark);
      Paint(frame, variation, reach, plane, [&](const Spot& spot) {
        return mark.half_width - line.Distance(spot.u * kHalfLength, spot.v * kHalfHeight, mark.repeats);
      });
      break;
    }
    case Mark::Kind::kRim:
      Paint(frame, variation, reach, plane, [&, outline = OutlineLength()](const Spot& spot) {
        return InsideRim(mark, spot, outline);
      });
      break;
    case Mark::Kind::kArea:
      Paint(frame, variation, reach, plane, [&](const Spot& spot) { return InsideArea(mark, spot); });
      break;
  }
}

}  // namespace flyscribe
