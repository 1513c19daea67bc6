// A photograph, or a part of it, at working scale, and how strongly each pixel speaks for an embryo.
//
// Two things tell tissue from empty background, and either is enough:
//
//   d = |g - b| / (kd max(s, 1))       gray against the background surface b with deviation s (background.h)
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

#include "core/matrix.h"
#include "data/image.h"
#include "imaging/background.h"

namespace flyscribe {

inline constexpr int kWorkingSide = 400;

// A rectangle of photograph pixels.
struct PhotoPart {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
};

struct PhotoEvidence {
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
PhotoEvidence WeighPhotograph(const GrayImage& photograph);

// Sees to it that solid pixels count as foreground.
void EnforceSolid(PhotoEvidence& evidence);

// A part of the photograph, `shrink` >= 1 photograph pixels a pixel. `whole` says what the background is like.
// REQUIRES: the part lies within the photograph and has 16 pixels or more in both directions after shrinking.
PhotoEvidence WeighPart(const GrayImage& photograph, const PhotoPart& part, double shrink, const PhotoEvidence& whole);

}  // namespace flyscribe
