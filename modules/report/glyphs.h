// A SIFT vector drawn as a star in each of its 4 x 4 cells.
//
// Layout (VLFeat's dense SIFT): number t + 8 (x + 4 y) is orientation t of 0..7 in the cell of column x and row y, from
// the top left. Orientation t is the direction (cos, sin)(2 pi t / 8) of the gradient with y pointing down, as in the
// picture, so it is drawn without turning. A ray's length is |value| / max |value| of half a cell.
//
// Atoms are made of descriptors whose mean was taken away: it cannot be added back, so values below zero exist. They
// mean "less than usual in this direction" and are drawn in a second tone, beneath the positive ones.
// Thread-safe and deterministic: pure functions.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "core/matrix.h"
#include "report/html.h"

namespace flyscribe {

inline constexpr std::size_t kSiftLength = 128;
// The side of a cell in the glyph's own units; the whole glyph is four cells wide and high.
inline constexpr int kGlyphCell = 100;

struct GlyphPaths {
  std::string positive;  // SVG path data: one "M x y l dx dy" a ray
  std::string negative;
};

// Rays shorter than a twentieth of the longest are left out. REQUIRES: descriptor has 128 numbers.
GlyphPaths SiftGlyphPaths(std::span<const float> descriptor);

// One <svg> for one atom, titled with its rank from 1. REQUIRES: as above.
Html SiftGlyph(std::span<const float> descriptor, std::size_t rank);

// A sheet of glyphs, at most `limit`; empty if the atoms are no SIFT vectors or there are none.
Html GlyphSheet(const FloatMatrix& atoms, std::size_t limit);

}  // namespace flyscribe
