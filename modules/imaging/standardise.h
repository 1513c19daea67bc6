// Brings an image to the standard size of a registered embryo, 320x128 pixels, anterior left (FlyExpress' convention).
//
// 320x128 passes unchanged. 80x32, the quarter size FlyExpress also hands out, is enlarged four times by cubic
// convolution (Keys 1981, a = -0.75, borders replicated): output pixel x lies at (x + 1/2) / 4 - 1/2 of the input, and
// y likewise. Any other size is a photograph: its central embryo is found (find_embryo.h), turned, scaled and cut out.
//
// How sure that is, is told with every image (data/quality.h). An embryo whose confidence is below `min_confidence` is
// doubtful and says why; whether doubtful ones are used is for the caller to decide.
//
// Thread-safe and deterministic.
#pragma once

#include <string>

#include "data/image.h"
#include "data/quality.h"
#include "imaging/standardise_options.h"

namespace flyscribe {

struct FoundEmbryo;
struct PhotoTrace;

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

// Brings a found embryo to the standard frame: turned, scaled, on white.
//
// FlyExpress' registered embryos fill the frame in both directions, so length and height are scaled apart from each
// other: the pose's ellipse (centre, half axes) is mapped to the mean ellipse of registered ones,
//
//   centre (kTargetX, kTargetY), half axes kTargetHalfLength x kTargetHalfHeight,
//
// measured on real ones (110 of 320x128: 164.8, 62.6, 161.5 x 63.5; 1624 of 80x32: 164.3, 61.6, 162.4 x 64.4, in
// pixels from the frame's corner). The half axes are longer than half the frame because outlines are blunter than
// ellipses.
//
// Gray is divided by the photograph's background and multiplied by kWhite: empty background would come out as kWhite
// whatever the light was. Pixels are area averages where the photograph is finer than the frame (no aliasing), cubic
// interpolation where it is coarser. Outside the outline everything is 255; the border is soft over about a pixel.
//
// Memory: one float per pixel of the part of the photograph around the embryo.
GrayImage CutOut(const GrayImage& photograph, const FoundEmbryo& embryo);

}  // namespace flyscribe
