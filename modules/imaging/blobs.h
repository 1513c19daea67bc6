// Pieces of foreground that may each be one embryo.
//
// The mask e > 1 is closed, filled and opened; what is left in one piece may still be several embryos that touch. Such
// a piece is cut at its waists: with D the distance of a pixel to the background, pixels are joined to regions in
// falling order of D, and two regions of peaks p1 >= p2 that meet at level s stay apart if s < kWaist p2. (This is the
// watershed of D with shallow basins merged while flooding.) Cost: O(n log n) for n foreground pixels.
//
// Thread-safe and deterministic: ties go by position.
#pragma once

#include <cstdint>
#include <vector>

#include "core/matrix.h"

namespace flyscribe {

// Labels of one picture: 0 is background, blob i has label i + 1.
struct Blobs {
  Matrix<std::uint8_t> mask;   // before cutting: foreground is not zero
  Matrix<std::uint8_t> solid;  // the mask without its margin
  Matrix<std::int32_t> labels;
  std::vector<std::size_t> areas;                             // pixels
  std::vector<std::pair<std::size_t, std::size_t>> contacts;  // blobs that touch, the lower number first
};

// `strength` is that of PhotoEvidence. Blobs below a hundredth of the picture are left out.
Blobs FindBlobs(const FloatMatrix& strength);

}  // namespace flyscribe
