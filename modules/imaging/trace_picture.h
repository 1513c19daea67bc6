// Every decision about one photograph, as one picture:
//
//   photograph, outlines of all candidates,   the background surface
//   the chosen one with its long axis
//   how strongly pixels speak for tissue      the pieces it was cut into, by colour
//   (black none, gray up to the threshold)
//   the result                                what was measured, and the doubts, in words
//
// The chosen outline and the words are green, orange if the embryo is doubtful; the other candidates' outlines are
// blue. A disc marks the end taken for the anterior one. For an image that is no photograph: the result and the words.
// Thread-safe and deterministic.
#pragma once

#include "data/image.h"
#include "imaging/find_embryo.h"
#include "imaging/standardise.h"

namespace flyscribe {

// `trace` is what Standardise filled in. `result` is null if it threw: then `words` should say why.
RgbImage DrawTrace(const PhotoTrace& trace, const Standardised* result, const std::string& words);

}  // namespace flyscribe
