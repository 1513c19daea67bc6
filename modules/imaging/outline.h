// The outline of one embryo, found near an ellipse.
//
// Around the ellipse's centre lie kRays rays, in the ellipse's own coordinates: a point at angle t and radius r is
// centre + R (a r cos t, b r sin t), so the ellipse itself is r = 1. The outline gives one radius a ray and makes small
//
//   sum_i [ kRegion (int_0^r in + int_r+g^r+g+d out) - kEdge s(i, r) + k w_i kPrior (r - 1)^2 + w_i kBend (r - r_i-1)^2
//   ],
//
// in = how much a pixel looks like background, out = how much like foreground (0 to 1, from PhotoEvidence), s = edge
// strength across the outline (0 to 1, 1/2 is half the usual strength of the best edge on a ray), w_i = length of a
// step of r across the outline, against that at the flank: at the poles it is longer. out is looked at from g
// (kGuard pixels: texture is smeared) on over a short way d, so that neighbours do not pull. Dynamic programming finds
// the radii (closed_path.h). Then the ellipse is set to the moments of what was found (far strays pulled in) and the
// search repeated with a stiffer prior k, kRounds times.
//
// Halos and shadows around an embryo are smooth: they are no edges, and hardly foreground. Where rays leave the picture
// nothing is known: there the outline follows the ellipse. Thread-safe once constructed; deterministic. Cost:
// O(kRays kRadii) a round.
#pragma once

#include <vector>

#include "core/matrix.h"
#include "imaging/ellipse.h"
#include "imaging/photo_evidence.h"

namespace flyscribe {

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
  explicit OutlineTracer(const PhotoEvidence& evidence);

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
