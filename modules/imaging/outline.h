// The outline of one embryo, found near an ellipse.
//
// Around the ellipse's centre lie kRays rays, in the ellipse's own coordinates: a point at angle t and radius r is
// centre + R (a r cos t, b r sin t), so the ellipse itself is r = 1. The outline gives one radius a ray and makes small
//
//   sum_i [ kRegion (int_0^r in + int_r+g^r+g+d out) - kEdge s(i, r) + k w_i kPrior (r - 1)^2 + w_i kBend (r - r_i-1)^2
//   ],
//
// in = how much a pixel looks like background, out = how much like foreground (0 to 1, from TissueMap), s = edge
// strength across the outline (0 to 1, 1/2 is half the usual strength of the best edge on a ray), w_i = length of a
// step of r across the outline, against that at the flank: at the poles it is longer. out is looked at from g
// (kGuard pixels: texture is smeared) on over a short way d, so that neighbours do not pull. Dynamic programming finds
// the radii (LeastClosedPath). Then the ellipse is set to the moments of what was found (far strays pulled in) and the
// search repeated with a stiffer prior k, kRounds times.
//
// Halos and shadows around an embryo are smooth: they are no edges, and hardly foreground. Where rays leave the picture
// nothing is known: there the outline follows the ellipse. Thread-safe once constructed; deterministic. Cost:
// O(kRays kRadii) a round.
#pragma once

#include <span>
#include <vector>

#include "core/matrix.h"
#include "imaging/tissue.h"

namespace flyscribe {

// Ellipses as the short form of an area: those with its first and second moments.
//
// An area with mean m and covariance C has the ellipse with centre m, axes along C's eigenvectors and half axes
// a = 2 sqrt(l1), b = 2 sqrt(l2); a full ellipse is its own. Pixel centres are at whole numbers, y runs down.

struct OutlinePoint {
  double x = 0.0;
  double y = 0.0;
};

struct Ellipse {
  double x = 0.0;
  double y = 0.0;
  double angle = 0.0;  // radians, of the long axis, positive clockwise to the eye; within +-pi / 2
  double a = 1.0;      // half axes, a >= b
  double b = 1.0;
};

// Sums over an area: 1, x, y, x^2, x y, y^2.
struct AreaSums {
  double one = 0.0;
  double x = 0.0;
  double y = 0.0;
  double xx = 0.0;
  double xy = 0.0;
  double yy = 0.0;

  void Add(double px, double py) {
    one += 1.0;
    x += px;
    y += py;
    xx += px * px;
    xy += px * py;
    yy += py * py;
  }
};

// REQUIRES: sums.one is not zero.
Ellipse EllipseOf(const AreaSums& sums);

// Of the area within a polygon (Green's theorem). REQUIRES: an area that is not zero.
Ellipse EllipseOf(const std::vector<OutlinePoint>& polygon);
double AreaOf(const std::vector<OutlinePoint>& polygon);

// Third moment of the area along the ellipse's long axis (positive direction: that of its angle), over the second to
// the power 3/2: negative if the end against the angle is the more pointed one. REQUIRES: `ellipse` is the polygon's.
double SkewnessAlong(const std::vector<OutlinePoint>& polygon, const Ellipse& ellipse);

// Distance of a point from the centre in the ellipse's own measure: 1 on it, below 1 inside.
double RadiusIn(const Ellipse& ellipse, const OutlinePoint& point);

// Overlap of a polygon, given by evenly spread points around the centre, with an ellipse: intersection / union.
double Likeness(const std::vector<OutlinePoint>& polygon, const Ellipse& ellipse);

// The cheapest closed path through a ring of columns.
//
// One level r_i in each of n columns is chosen, so that
//
//   sum_i [ costs(i, r_i) + bends[i] (r_i - r_i-1)^2 ]     (r_-1 = r_n-1, |r_i - r_i-1| <= max_jump)
//
// is small. First the ring is cut open and solved exactly by dynamic programming; the column opposite to the cut, which
// the cut disturbs least, keeps its level, and the ring is solved again, exactly, through that level. The result is
// closed, and the least of all closed paths through that level. Cost: O(n levels max_jump). Deterministic: of equal
// paths the one with the lower levels.
//
// `costs` is [columns, levels]; one bend a column. REQUIRES: both have at least two columns; 0 < max_jump < 128.
std::vector<int> LeastClosedPath(const FloatMatrix& costs, std::span<const float> bends, int max_jump);

struct Outline {
  std::vector<OutlinePoint> points;  // working scale, clockwise to the eye
  Ellipse ellipse;                   // of the points' area
  double edge = 0.0;                 // mean s along the outline
  double weakest = 0.0;              // mean s of the twelfth of the outline where it is least
  double support = 0.0;              // mean over the points: tissue inside, and background or an edge outside
  double border = 0.0;               // share of the points on the picture's border or beyond
  double likeness = 0.0;             // overlap with its ellipse: intersection / union
};

class OutlineTracer {
 public:
  explicit OutlineTracer(const TissueMap& tissue);

  Outline Trace(const Ellipse& start) const;

 private:
  struct Rays;
  Rays Sample(const Ellipse& ellipse) const;
  bool Within(double x, double y) const;
  void Judge(const Rays& rays, const std::vector<int>& radii, Outline& outline) const;

  // What is sampled, side by side: one look into memory gives all three.
  struct Pixel {
    float strength = 0.0F;
    float slope_x = 0.0F;
    float slope_y = 0.0F;
  };
  Pixel At(double x, double y) const;

  Matrix<Pixel> pixels_;
};

}  // namespace flyscribe
