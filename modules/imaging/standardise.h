// Brings an image to the standard size of a registered embryo, 320x128 pixels, anterior left (FlyExpress' convention).
//
// 320x128 passes unchanged. 80x32, the quarter size FlyExpress also hands out, is enlarged four times by cubic
// convolution (Keys 1981, a = -0.75, borders replicated): output pixel x lies at (x + 1/2) / 4 - 1/2 of the input, and
// y likewise. Any other size is refused: finding, turning and cropping the embryo in a photograph is not done here.
//
// Thread-safe and deterministic.
#pragma once

#include <string>

#include "core/options.h"
#include "data/image.h"

namespace flyscribe {

struct StandardiseOptions {
  enum class SmallImages { kEnlarge, kRefuse };
  SmallImages small_images = SmallImages::kEnlarge;

  void Fields(OptionsVisitor& visit) {
    visit.Choice({.name = "small_images",
                  .doc = "What to do with embryos of 80x32 pixels: enlarge them four times, or refuse them, for "
                         "experiments on full-size embryos only.",
                  .allowed = {"enlarge", "refuse"}},
                 small_images);
  }
};

// `place` names the image in errors. Throws Error(kInput) if the image has neither size, or is small and refused.
GrayImage Standardise(const GrayImage& image, const StandardiseOptions& options, const std::string& place);

}  // namespace flyscribe
