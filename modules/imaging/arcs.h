// Ellipses seen in the outline of embryos that touch.
//
// Where two embryos touch, the outline of both together has notches. It is cut at its notches (where a point lies
// inside the chord of its neighbourhood) and at the picture's border; each arc, and each pair of arcs of one piece,
// proposes an ellipse by least squares (Fitzgibbon's direct fit). Proposals that no embryo could have (aspect, size),
// that miss their own arcs or cover background are dropped. This finds embryos that touch along their sides, where no
// waist shows. Thread-safe and deterministic.
#pragma once

#include <cstdint>
#include <vector>

#include "core/matrix.h"
#include "imaging/ellipse.h"

namespace flyscribe {

struct ArcEllipse {
  Ellipse ellipse;
  double share = 0.0;  // of the ellipse's circumference that its arcs cover, roughly
};

// `mask`: foreground is not zero.
std::vector<ArcEllipse> EllipsesOfArcs(const Matrix<std::uint8_t>& mask);

}  // namespace flyscribe
