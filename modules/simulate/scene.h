// Where the embryos of a photograph lie, and how large it is.
//
// Size: most photographs are 700 to 1520 pixels wide, some 263 to 700 or up to 2100, width / height 1.25 to 2.33, at
// most 900 high: 0.5 megapixels on average. The central embryo is turned uniformly within +-max_turn degrees, fills 55
// to 94 % of the photograph in the tighter direction (its long axis is 150 to 1500 pixels; a photograph too small for
// this is enlarged), lies near the middle and is never cut. Neighbours have the same magnification, any direction, and
// are cut by the border, so that the central embryo is the only whole one; they touch nothing but the central embryo.
// Thread-safe; the same generator state gives the same scene.
#pragma once

#include <array>
#include <vector>

#include "core/matrix.h"
#include "core/rng.h"
#include "simulate/embryo.h"

namespace flyscribe {

// One embryo cut out of its registered picture, and how it is laid into a photograph.
//
// Embryo coordinates q are pixels of the registered picture, photograph coordinates p pixels of the photograph; whole
// numbers are pixel centres, y runs down. A placement is
//
//   p = c + R(turn) diag(along, across) (q - q0),   q0 the middle of the registered picture,
//
// so that a positive turn is clockwise to the eye. The cutout knows colours a little beyond the outline (continued
// outwards), so that a soft edge shows no white, and depth (simulate/frame.h) kCutoutMargin pixels beyond the picture.

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

// Immutable after construction: thread-safe.
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

inline constexpr double kSmallestLongAxis = 150.0;
inline constexpr double kLargestLongAxis = 1500.0;

struct Scene {
  int width = 0;
  int height = 0;
  std::vector<LaidEmbryo> embryos;  // the central one first
};

// A photograph of one embryo. max_turn in degrees.
Scene PlaceCentral(Cutout cutout, double max_turn, Rng& rng);

// Adds a neighbour, one that touches the central embryo with chance `touching`; false if no room was found for it.
bool PlaceNeighbour(Scene& scene, Cutout cutout, double touching, Rng& rng);

}  // namespace flyscribe
