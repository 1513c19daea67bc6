// The patches of one image as a block of bytes, for caches of single images.
//
// Layout, little-endian: uint64 n, uint64 p, then int32 image[n], float x[n], y[n],
// int32 scale[n], float deviation[n], stain[n], descriptors[n * p].
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "data/patches.h"

namespace flyscribe {

std::string EncodePatches(const PatchSet& patches);
// Throws Error(kCorrupt) if the size does not fit the counts.
PatchSet DecodePatches(std::string_view bytes);

// One after the other. All must have descriptors of one length, which the result has even if there are no patches.
PatchSet JoinPatches(std::span<const PatchSet> sets);

}  // namespace flyscribe
