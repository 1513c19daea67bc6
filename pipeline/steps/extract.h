// The patches of single standardised images, and what extract leaves of them.
//
// Descriptors lie in one artifact, that of normalise. What extract computes are items, one an image; they may vanish at
// any time, and are then made again. Its artifact says what they are:
//
//   patches.tsv  image (row of images.tsv), patches, sha256 of the image's block (data/patch_codec.h, with image 0)
#pragma once

#include <string>
#include <vector>

#include "core/fs.h"
#include "data/image.h"
#include "data/patches.h"
#include "pipeline/cache/items.h"
#include "pipeline/steps/step.h"

namespace flyscribe {

struct ExtractedImage {
  std::size_t image = 0;
  std::size_t patches = 0;
  std::string digest;

  friend bool operator==(const ExtractedImage&, const ExtractedImage&) = default;
};

// In the order of the stack of images. Throws Error(kCorrupt) if it cannot be read.
std::vector<ExtractedImage> LoadExtracted(const fs::path& folder);

class ImagePatches {
 public:
  explicit ImagePatches(const StepContext& context);

  struct Block {
    PatchSet patches;
    std::string digest;
  };
  // From its item, or computed and kept as one. `row` is what the patches name as their image. Thread-safe.
  Block Of(const GrayImage& image, std::size_t row) const;
  // How many had to be computed so far.
  std::size_t computed() const { return items_.made(); }

 private:
  const ExtractOptions& options_;
  ItemCache items_;
};

}  // namespace flyscribe
