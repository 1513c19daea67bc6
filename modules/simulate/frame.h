// The shape of one embryo in its picture, the atlas coordinates of every pixel inside it, and the marks drawn in them.
//
// Atlas coordinates: u runs from -1 (anterior pole, left) to 1 (posterior), v from -1 (dorsal, up) to 1 (ventral). The
// outline is
//
//   |u|^p + v^2 = 1,   u = (x - x0) / a,   v = (y - m(x)) / (b g(x)),
//
// with half axes a, b, bluntness p (one for either end), a bent middle line m and profiles g of the upper and lower
// side that hold taper, wobble, segmental scallops and dents. All of them depend on x only, so a column costs a few
// transcendental functions and a pixel none. Beside u and v the frame knows, for each pixel,
//
//   depth  distance to the outline in pixels, positive inside (first order: (1 - r) / |grad r|, r^2 = |u|^p + v^2)
//   height v as a share of the local half height, v / sqrt(1 - |u|^p): lines of equal height follow the outline
//   arc    place along the outline in [0, 1): 0 anterior pole, 1/4 ventral, 1/2 posterior pole, 3/4 dorsal,
//          in equal steps of the length of the reference ellipse
//
// In a dorsal view the same tissue is seen from above: v is folded about the middle line, so that patterns come out
// mirror-symmetric and dorsal ones lie in the middle; depth stays that of the picture's outline.
// Thread-safe; deterministic.
#pragma once

#include <algorithm>
#include <vector>

#include "core/matrix.h"
#include "core/rng.h"
#include "data/stage_range.h"

namespace flyscribe {

// The reference embryo's half axes in pixels: atlas lengths are measured on it.
inline constexpr float kHalfLength = 156.0F;
inline constexpr float kHalfHeight = 60.0F;

enum class View { kLateral, kDorsal };

// A local dent (positive) or bulge (negative) of the upper side, as a share of its height.
struct Dent {
  float u = 0.0F;
  float width = 0.1F;
  float depth = 0.0F;
};

struct Pose {
  float center_x = 159.5F;
  float center_y = 63.5F;
  float half_length = kHalfLength;
  float half_height = kHalfHeight;
  float tilt = 0.0F;         // pixels down per pixel right
  float bend = 0.0F;         // pixels the middle line is bent at the poles, against the middle
  float taper = 0.0F;        // how much lower the anterior end is than the posterior one
  float blunt_front = 2.2F;  // p for u < 0
  float blunt_back = 2.4F;   // p for u > 0
  float scallops = 0.0F;     // height of the segmental waves of the outline, as a share of the half height
  // Wobble of the upper and the lower side: amplitude and phase of two slow waves each.
  std::vector<float> wobble = std::vector<float>(8, 0.0F);
  std::vector<Dent> dents;
};

// A plausible embryo of the range, filling the picture as registered ones do.
Pose RandomPose(StageRange range, Rng& rng);

// All [kEmbryoHeight, kEmbryoWidth].
struct Frame {
  FloatMatrix u;
  FloatMatrix v;
  FloatMatrix height;
  FloatMatrix depth;
  FloatMatrix arc;
  FloatMatrix ragged;  // how borders of marks stray, in units of their own deviation; zero unless roughened
};

Frame MakeFrame(const Pose& pose, View view);

// Frame::depth, continued by `margin` pixels beyond the picture on every side.
// [kEmbryoHeight + 2 margin, kEmbryoWidth + 2 margin].
FloatMatrix DepthAround(const Pose& pose, int margin);

// Makes tissue of geometry: bends u, v and height by a few pixels and fills in `ragged`. The outline, depth and arc
// stay.
void Roughen(Frame& frame, Rng& rng);

// Length of the reference outline in pixels.
float OutlineLength();

// The strokes an atlas is drawn with: a path with a width, a part of the rim, an area; whole or repeated by segments.
//
// A mark is a soft set in atlas coordinates. Its membership at a pixel is
//
//   m = S(h / softness),   S(t) = smoothstep from 0 at t = -1 to 1 at t = 1,
//
// h being the distance in pixels by which the pixel lies inside the mark's border:
//
//   path  h = half width - distance to the polyline. Repeated n times: n round dots evenly along it.
//   rim   depth in [near, far] pixels and arc in [from, to], where from may be negative; repeated: n bars along the arc
//   area  u in [from, to], height in [near, far], sheared by slant; repeated: n stripes along u
//
// To h come the gene's growth and the image's ragged border. Paths are smoothed, corners rounded. Bars and stripes fill
// the share `duty` of their period.

struct AtlasPoint {
  float u = 0.0F;
  float v = 0.0F;
};

struct Mark {
  enum class Kind { kPath, kRim, kArea };

  Kind kind = Kind::kArea;
  std::vector<AtlasPoint> points;  // of a path; one is a disc
  float half_width = 0.0F;         // of a path, pixels
  float from = -2.0F;
  float to = 2.0F;
  float near = -2.0F;
  float far = 2.0F;
  float slant = 0.0F;  // of an area: u is measured as u - slant * height
  int repeats = 0;
  float duty = 0.5F;

  static Mark Path(std::vector<AtlasPoint> points, float half_width);
  static Mark Rim(float from, float to, float near, float far);
  static Mark Area(float from, float to, float near, float far);
  Mark Repeated(int count, float share = 0.5F) const;
  Mark Slanted(float shear) const;
};

// S of above.
inline float SoftStep(float t) {
  const float s = std::clamp(0.5F + 0.5F * t, 0.0F, 1.0F);
  return s * s * (3.0F - 2.0F * s);
}

// How one gene, in one image, differs from the atlas.
struct MarkVariation {
  float du = 0.0F;  // shift
  float dv = 0.0F;
  float grow = 0.0F;  // pixels added on all sides
  float softness = 2.0F;
  float ragged = 1.0F;  // pixels the border strays, one deviation of Frame::ragged
};

// Raises `plane` to the mark's membership where that is higher. [height, width], values in [0, 1].
void DrawMark(const Mark& mark, const MarkVariation& variation, const Frame& frame, FloatMatrix& plane);

}  // namespace flyscribe
