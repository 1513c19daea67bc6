// Makes raw descriptors ready for learning: flat windows dropped, then zero mean and unit length.
//
// For every raw descriptor x in R^p of a window that is kept,
//   x <- x - mean(x),   then   x <- x / |x|_2,
// sums in double precision from the first number to the last. Order and places of the kept patches stay as they were.
//
// A window is flat if its standard deviation is under min_deviation: of its gray values (filter `pixels`), or of the p
// numbers of its raw descriptor times 512 (filter `descriptor`; 512 brings SIFT of unit length to its customary
// 0..255). The paper says "small standard deviation" and leaves open of what, and how small. A descriptor whose numbers
// are all equal (or not finite) has no direction; it is dropped too, and counted apart.
//
// Measured for the default of 1.0 (pixels) on BDGP's 54 lateral embryos of 320x128 pixels, centred grid of 133 windows:
// 119 to 130 windows are kept, median 127. (The paper's counts come to 101-133 an image.) At 2.0 one faint embryo falls
// to 55 windows; at 6.0 the median is 114 and a fifth of the embryos keeps fewer than 101.
//
// Reference: Lin et al. 2014, arXiv 1407.8147, section on data. Thread-safe; deterministic.
#pragma once

#include <cstddef>

#include "core/matrix.h"
#include "data/patches.h"
#include "descriptors/descriptor_options.h"

namespace flyscribe {

struct NormaliseSummary {
  std::size_t kept = 0;
  std::size_t flat = 0;      // under min_deviation
  std::size_t constant = 0;  // not flat, but the descriptor has no direction
  friend bool operator==(const NormaliseSummary&, const NormaliseSummary&) = default;
};

// `raw` is n x p, one row for each of the n patches of `table`. `summary` may be null.
PatchSet Normalise(FloatView raw,
                   const PatchTable& table,
                   const NormaliseOptions& options,
                   NormaliseSummary* summary = nullptr);

}  // namespace flyscribe
