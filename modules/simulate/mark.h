// The strokes an atlas is drawn with: a path with a width, a part of the rim, an area; whole or repeated by segments.
//
// A mark is a soft set in atlas coordinates (simulate/frame.h). Its membership at a pixel is
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
// the share `duty` of their period. Thread-safe; deterministic.
#pragma once

#include <vector>

#include "simulate/frame.h"

namespace flyscribe {

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
