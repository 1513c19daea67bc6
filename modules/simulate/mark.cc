#include "simulate/mark.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/error.h"

namespace flyscribe {
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

float SoftStep(float t) {
  const float s = std::clamp(0.5F + 0.5F * t, 0.0F, 1.0F);
  return s * s * (3.0F - 2.0F * s);
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
