// Ellipses as the short form of an area: those with its first and second moments.
//
// An area with mean m and covariance C has the ellipse with centre m, axes along C's eigenvectors and half axes
// a = 2 sqrt(l1), b = 2 sqrt(l2); a full ellipse is its own. Pixel centres are at whole numbers, y runs down.
// Pure functions.
#pragma once

#include <vector>

namespace flyscribe {

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

}  // namespace flyscribe
