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
// Thread-safe and deterministic. Memory: one float per pixel of the part of the photograph around the embryo.
#pragma once

#include "data/image.h"
#include "imaging/find_embryo.h"

namespace flyscribe {

GrayImage CutOut(const GrayImage& photograph, const FoundEmbryo& embryo);

}  // namespace flyscribe
