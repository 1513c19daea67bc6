// Patches to measure with: from a file, or from simulated embryos.
#pragma once

#include <cstddef>
#include <string>

#include "core/matrix.h"

namespace flyscribe {

// Descriptors of simulated embryos, normalised, shuffled, `count` of them: smoothed so that a code has about as many
// non-zeros as one of a real embryo.
FloatMatrix SimulatedPatches(std::size_t count);

// The first `count` rows of an .npy matrix; 0 means all.
FloatMatrix PatchesFromFile(const std::string& path, std::size_t count);

}  // namespace flyscribe
