// The ellipse through points, by least squares.
//
// Internal to modules/imaging.
#pragma once

#include <optional>
#include <span>

#include "imaging/outline.h"

namespace flyscribe {

// With the conic  a x^2 + b x y + c y^2 + d x + e y + f  of a point p called Q(p),
//
//   min over a .. f of  sum_i Q(p_i)^2   with  4 a c - b^2 = 1,
//
// which only ellipses meet. Reference: Halir, Flusser: Numerically stable direct least squares fitting of ellipses,
// WSCG 1998, after Fitzgibbon. Nothing if the points lie on a line or are fewer than five. Thread-safe; deterministic.
std::optional<Ellipse> FitEllipse(std::span<const OutlinePoint> points);

}  // namespace flyscribe
