// Normalised descriptors in the paper's numbers, for experiments that need no labels.
//
// Simulated: embryos are drawn gene after gene (modules/simulate, lateral views only), and each goes the way of a real
// one: 8-bit gray, windows, dense SIFT, zero mean and unit norm, flat windows dropped. As many as it takes are drawn;
// what is more than `count` of the last one is left out. Real: every image file of a folder, whatever its gene or view.
// Neither says anything about labels.
//
// Writes the files of data/patches.h. Memory does not grow with the number of patches. Same bytes for any number of
// threads; the first k patches are the same whatever the count.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/fs.h"
#include "core/progress.h"
#include "pipeline/config/config.h"

namespace flyscribe {

struct PatchesSummary {
  std::size_t patches = 0;
  std::size_t images = 0;
};

// Simulated embryos are smoother than real ones only if blurred more: with this their objectives and non-zeros come out
// like the paper's (docs/reproduction.md). VLFeat's flat window is used, which is fifteen times faster.
inline constexpr double kPaperLikeSmoothing = 4.0;

// By config.simulate (but for the number of genes), extract and normalise. Throws Error(kInput) if these embryos have
// no patch to keep.
PatchesSummary WriteSimulatedPatches(
    const Config& config, StageRange range, std::size_t count, const fs::path& folder, int threads, Progress& progress);

// Image files below a folder, sorted by name. Throws Error(kInput) if there are none.
std::vector<fs::path> EmbryoFiles(const fs::path& folder);
// One digest of all their contents.
std::string EmbryosDigest(const std::vector<fs::path>& files);
// By config.standardise, extract and normalise.
PatchesSummary WriteEmbryoPatches(
    const Config& config, const std::vector<fs::path>& files, const fs::path& folder, int threads, Progress& progress);

}  // namespace flyscribe
