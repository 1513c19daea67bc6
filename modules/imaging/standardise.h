// Brings an image to the standard size of a registered embryo, 320x128 pixels, anterior left (FlyExpress' convention).
//
// 320x128 passes unchanged. 80x32, the quarter size FlyExpress also hands out, is enlarged four times by cubic
// convolution (Keys 1981, a = -0.75, borders replicated): output pixel x lies at (x + 1/2) / 4 - 1/2 of the input, and
// y likewise. Any other size is a photograph: its central embryo is found (find_embryo.h), turned, scaled and cut out
// (cut_out.h).
//
// How sure that is, is told with every image (data/quality.h). An embryo whose confidence is below `min_confidence` is
// doubtful and says why; whether doubtful ones are used is for the caller to decide.
//
// Thread-safe and deterministic.
#pragma once

#include <string>

#include "core/options.h"
#include "data/image.h"
#include "data/quality.h"

namespace flyscribe {

struct PhotoTrace;

struct StandardiseOptions {
  enum class SmallImages { kEnlarge, kRefuse };
  enum class Doubtful { kKeep, kDrop };
  SmallImages small_images = SmallImages::kEnlarge;
  Doubtful doubtful = Doubtful::kKeep;
  double min_confidence = 0.65;

  void Fields(OptionsVisitor& visit) {
    visit.Choice({.name = "small_images",
                  .doc = "What to do with embryos of 80x32 pixels: enlarge them four times, or refuse them, for "
                         "experiments on full-size embryos only.",
                  .allowed = {"enlarge", "refuse"}},
                 small_images);
    visit.Choice({.name = "doubtful",
                  .doc = "What to do with embryos cut out of photographs that are doubtful: keep them, or drop them. "
                         "Either way they are listed with their doubts in quality.tsv.",
                  .allowed = {"keep", "drop"}},
                 doubtful);
    visit.Real({.name = "min_confidence",
                .doc = "An embryo cut out of a photograph with less confidence than this is doubtful.",
                .min = 0.0,
                .max = 1.0},
               min_confidence);
  }
};

// No side of a photograph may be shorter, in pixels.
inline constexpr int kSmallestPhotograph = 64;
inline constexpr int kLongestPhotograph = 10;  // its long side against its short one

struct Standardised {
  GrayImage image;
  ImageQuality quality;  // without the image's id
};

// `place` names the image in errors. `trace`, if given, is filled in if the image is a photograph. Throws Error(kInput)
// if the image is small and refused, or too small for a photograph, or shows no embryo.
Standardised Standardise(const GrayImage& image,
                         const StandardiseOptions& options,
                         const std::string& place,
                         PhotoTrace* trace = nullptr);

}  // namespace flyscribe
