// The shape of one embryo in its picture, and the atlas coordinates of every pixel inside it.
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

}  // namespace flyscribe
