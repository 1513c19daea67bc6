// One embryo cut out of its registered picture, and how it is laid into a photograph.
//
// Embryo coordinates q are pixels of the registered picture, photograph coordinates p pixels of the photograph; whole
// numbers are pixel centres, y runs down. A placement is
//
//   p = c + R(turn) diag(along, across) (q - q0),   q0 the middle of the registered picture,
//
// so that a positive turn is clockwise to the eye. The cutout knows colours a little beyond the outline (continued
// outwards), so that a soft edge shows no white, and depth (simulate/frame.h) kCutoutMargin pixels beyond the picture.
// Immutable after construction: thread-safe.
#pragma once

#include <array>
#include <vector>

#include "core/matrix.h"
#include "simulate/embryo.h"

namespace flyscribe {

inline constexpr int kCutoutMargin = 48;

struct Point {
  double x = 0.0;
  double y = 0.0;
};

// p -> A p + b.
struct PlaneMap {
  double xx = 1.0;
  double xy = 0.0;
  double yx = 0.0;
  double yy = 1.0;
  Point shift;

  Point operator()(const Point& p) const { return {xx * p.x + xy * p.y + shift.x, yx * p.x + yy * p.y + shift.y}; }
};

struct Placement {
  Point centre;        // c
  double turn = 0.0;   // radians
  double along = 1.0;  // photograph pixels per embryo pixel, along the embryo and across it
  double across = 1.0;

  PlaneMap ToPhotograph() const;
  PlaneMap ToEmbryo() const;
  // A vector of the photograph, turned to the embryo's axes; not scaled.
  Point TurnedBack(const Point& direction) const;
  double Scale() const;  // geometric mean of along and across
};

class Cutout {
 public:
  explicit Cutout(const EmbryoSpec& spec);

  // Depth in embryo pixels and its slope, by bilinear interpolation; far outside depth is hugely negative.
  struct Edge {
    float depth = -1e6F;
    float slope_x = 0.0F;
    float slope_y = 0.0F;
  };
  Edge EdgeAt(const Point& embryo) const;

  // By the cubic B-spline, which softens as a lens does. REQUIRES: within four pixels of the embryo.
  std::array<float, 3> ColourAt(const Point& embryo) const;

  // Points on the outline, and points spread evenly over the embryo, in embryo coordinates.
  const std::vector<Point>& outline() const { return outline_; }
  const std::vector<Point>& body() const { return body_; }

 private:
  void FillColours(const EmbryoSpec& spec);
  void ExtendColours(FloatMatrix& known);
  void ListPoints();

  FloatMatrix depth_;
  std::vector<float> colours_;  // [rows * cols * 3], of depth_'s shape
  std::vector<Point> outline_;
  std::vector<Point> body_;
};

// An embryo in a photograph.
struct LaidEmbryo {
  Cutout cutout;
  Placement placement;
};

// Whether two embryos share a point.
bool Overlap(const LaidEmbryo& a, const LaidEmbryo& b);

}  // namespace flyscribe
