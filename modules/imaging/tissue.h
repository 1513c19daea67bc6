// Where a photograph shows tissue: the light of its empty background, and how much each pixel differs from it.
//
// The background is a smooth surface over the whole picture,
//
//   b(X, Y) = c0 + c1 X + c2 Y + c3 X^2 + c4 X Y + c5 Y^2,   X, Y in [-1, 1] from edge to edge of the picture
//
// fitted by iteratively reweighted least squares with Tukey's biweight to the pixels that are smooth (little texture).
// It starts at the most frequent gray of the smooth pixels near the picture's edges, with a wide window that is
// narrowed down to a few deviations: embryos, which are a minority there or textured, fall out. A plane is fitted
// before the quadratic terms, so that these cannot follow an embryo.
//
// Two things tell tissue from empty background, and either is enough:
//
//   d = |g - b| / (kd max(s, 1))       gray against the background b with deviation s
//   t = (T - Tb) / (kt sb), T > Tb     texture: root mean square of the gradient in a small window, against that of
//                                      the background with median Tb and deviation sb
//   e = sqrt(d^2 + t^2)
//
// e > 1 is foreground. Stained tissue is dark and may be smooth; unstained tissue may be as bright as the background
// but is never smooth.
//
// First the whole photograph is looked at with its long side brought to at most kWorkingSide pixels (area average), so
// that cost and thresholds do not depend on the camera; then, once it is known where the embryo is, the part around it
// at a scale that suits it. Thread-safe and deterministic.
#pragma once

#include <array>
#include <cstdint>

#include "core/matrix.h"
#include "data/image.h"

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

inline constexpr int kWorkingSide = 400;

// A rectangle of photograph pixels.
struct PhotoPart {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
};

// A photograph, or a part of it, at working scale.
struct TissueMap {
  PhotoPart part;
  FloatMatrix gray;            // [rows, cols] of the working scale
  FloatMatrix strength;        // e, likewise
  Matrix<std::uint8_t> solid;  // not zero: enclosed by foreground, so tissue whatever it looks like; may be empty
  Background background;       // of the whole photograph

  double scale_x() const { return part.width / static_cast<double>(gray.cols()); }  // photograph pixels a pixel
  double scale_y() const { return part.height / static_cast<double>(gray.rows()); }
  double ToPhotoX(double x) const { return part.x + (x + 0.5) * scale_x() - 0.5; }
  double ToPhotoY(double y) const { return part.y + (y + 0.5) * scale_y() - 0.5; }
  double FromPhotoX(double x) const { return (x + 0.5 - part.x) / scale_x() - 0.5; }
  double FromPhotoY(double y) const { return (y + 0.5 - part.y) / scale_y() - 0.5; }
};

// REQUIRES: neither side of the photograph is below 48 pixels.
TissueMap MapTissue(const GrayImage& photograph);

// A part of the photograph, `shrink` >= 1 photograph pixels a pixel. `whole` says what the background is like.
// REQUIRES: the part lies within the photograph and has 16 pixels or more in both directions after shrinking.
TissueMap MapTissue(const GrayImage& photograph, const PhotoPart& part, double shrink, const TissueMap& whole);

// Sees to it that solid pixels count as foreground.
void EnforceSolid(TissueMap& tissue);

}  // namespace flyscribe
