// Patches like those of natural photographs, which sparse coding began with: many scales, sharp edges, and power that
// falls with the square of the frequency.
#pragma once

#include <cstddef>

#include "core/matrix.h"

namespace flyscribe {

// Patches of `side` x `side` pixels from pictures of discs that lie over one another, whose radii follow a power law
// (what is called dead leaves: the same at every scale, as natural images are). Zero mean and norm 1; flat ones are
// left out. The same for everybody who asks.
FloatMatrix NaturalPatches(std::size_t count, std::size_t side);

// Makes the values of a patch uncorrelated and of equal power, and every patch of norm 1 again: x <- L^-1 x with
// L L^T = covariance + a hundredth of its mean diagonal. Any other way to whiten (ZCA) is this one, turned;
// dictionaries and codes turn along, so nothing that is measured depends on the choice.
FloatMatrix Whitened(const FloatMatrix& patches);

}  // namespace flyscribe
