// Where the embryos of a photograph lie, and how large it is.
//
// Size: most photographs are 700 to 1520 pixels wide, some 263 to 700 or up to 2100, width / height 1.25 to 2.33, at
// most 900 high: 0.5 megapixels on average. The central embryo is turned uniformly within +-max_turn degrees, fills 55
// to 94 % of the photograph in the tighter direction (its long axis is 150 to 1500 pixels; a photograph too small for
// this is enlarged), lies near the middle and is never cut. Neighbours have the same magnification, any direction, and
// are cut by the border, so that the central embryo is the only whole one; they touch nothing but the central embryo.
// Thread-safe; the same generator state gives the same scene.
#pragma once

#include <optional>
#include <vector>

#include "core/rng.h"
#include "simulate/cutout.h"

namespace flyscribe {

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
