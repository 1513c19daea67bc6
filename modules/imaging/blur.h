// Gaussian smoothing of pictures of floats. OpenCV's own depends on the processor.
//
// Internal to modules/imaging.
#pragma once

#include "core/matrix.h"

namespace flyscribe {

// What lies beyond an edge: its pixels again and again, or the picture mirrored at the centres of its outer pixels.
enum class BlurBorder { kRepeated, kMirrored };

// The picture convolved with exp(-(x^2 + y^2) / (2 sigma^2)), cut off at four deviations, scaled to sum 1.
// Thread-safe. Determinism: same bytes on every processor with fused multiply-add.
FloatMatrix GaussianBlur(FloatView picture, double sigma, BlurBorder border);

}  // namespace flyscribe
