// The light of a photograph where there is no embryo: a smooth surface over the whole picture.
//
//   b(X, Y) = c0 + c1 X + c2 Y + c3 X^2 + c4 X Y + c5 Y^2,   X, Y in [-1, 1] from edge to edge of the picture
//
// fitted by iteratively reweighted least squares with Tukey's biweight to the pixels that are smooth (little texture).
// It starts at the most frequent gray of the smooth pixels near the picture's edges, with a wide window that is
// narrowed down to a few deviations: embryos, which are a minority there or textured, fall out. A plane is fitted
// before the quadratic terms, so that these cannot follow an embryo.
//
// Thread-safe and deterministic.
#pragma once

#include <array>

#include "core/matrix.h"

namespace flyscribe {

struct Background {
  std::array<double, 6> coefficients{};
  double deviation = 1.0;  // robust, of the pixels it was fitted to; gray levels

  double At(double x, double y) const {  // X, Y of above
    const auto& c = coefficients;
    return c[0] + x * (c[1] + c[3] * x + c[4] * y) + y * (c[2] + c[5] * y);
  }
};

// `gray` and `texture` have the same shape. REQUIRES: at least 16 rows and columns.
Background FitBackground(const FloatMatrix& gray, const FloatMatrix& texture);

// X or Y of a pixel's centre: `index` of `count`.
inline double EdgeToEdge(double index, double count) { return (2.0 * index + 1.0) / count - 1.0; }

}  // namespace flyscribe
