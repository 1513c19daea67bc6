// An embryo with colours over it where windows speak for a term (warm) or against it (blue).
//
// Each window i at (x_i, y_i) with contribution c_i to a decision value is spread as a Gaussian of standard deviation
// s = 6 pixels, cut at 3 s. The field
//
//   h(p) = sum_i c_i g(p - p_i),   g normalised so that a window alone has the height c_i at its centre,
//
// is shown as a colour over the gray embryo: its sign is the hue, (|h(p)| / scale)^0.7 the opacity, up to 0.8. The
// scale is symmetric, so that equal strengths for and against look equally strong; it is the picture's own largest |h|
// and stands in the legend below the embryo. Below a fiftieth of the scale nothing is drawn.
//
// Thread-safe and deterministic. Cost: (6 s)^2 a window and a few operations a pixel.
#pragma once

#include <vector>

#include "data/bag_evidence.h"
#include "data/image.h"

namespace flyscribe {

// The legend's height in pixels, added below the embryo.
inline constexpr int kLegendHeight = 22;

// `patches` are all of this embryo. REQUIRES: the embryo has pixels.
RgbImage DrawHeatMap(const GrayImage& embryo, const std::vector<PatchEvidence>& patches);

}  // namespace flyscribe
