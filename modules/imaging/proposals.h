// Proposals of where an embryo may lie: pieces of foreground, and ellipses through arcs of their outlines.
// Thread-safe and deterministic: ties go by position.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/matrix.h"
#include "imaging/outline.h"

namespace flyscribe {

// Pieces of foreground that may each be one embryo.
//
// The mask e > 1 is closed, filled and opened; what is left in one piece may still be several embryos that touch. Such
// a piece is cut at its waists: with D the distance of a pixel to the background, pixels are joined to regions in
// falling order of D, and two regions of peaks p1 >= p2 that meet at level s stay apart if s < kWaist p2. (This is the
// watershed of D with shallow basins merged while flooding.) Cost: O(n log n) for n foreground pixels.

// Labels of one picture: 0 is background, blob i has label i + 1.
struct Blobs {
  Matrix<std::uint8_t> mask;   // before cutting: foreground is not zero
  Matrix<std::uint8_t> solid;  // the mask without its margin
  Matrix<std::int32_t> labels;
  std::vector<std::size_t> areas;                             // pixels
  std::vector<std::pair<std::size_t, std::size_t>> contacts;  // blobs that touch, the lower number first
};

// `strength` is that of TissueMap. Blobs below a hundredth of the picture are left out.
Blobs FindBlobs(const FloatMatrix& strength);

// Ellipses seen in the outline of embryos that touch.
//
// Where two embryos touch, the outline of both together has notches. It is cut at its notches (where a point lies
// inside the chord of its neighbourhood) and at the picture's border; each arc, and each pair of arcs of one piece,
// proposes an ellipse by least squares (Fitzgibbon's direct fit). Proposals that no embryo could have (aspect, size),
// that miss their own arcs or cover background are dropped. This finds embryos that touch along their sides, where no
// waist shows.

struct ArcEllipse {
  Ellipse ellipse;
  double share = 0.0;  // of the ellipse's circumference that its arcs cover, roughly
};

// `mask`: foreground is not zero.
std::vector<ArcEllipse> EllipsesOfArcs(const Matrix<std::uint8_t>& mask);

}  // namespace flyscribe
