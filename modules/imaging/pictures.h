// Pictures for people: which windows speak for a term, and how an embryo was found in its photograph.
// Thread-safe and deterministic.
#pragma once

#include <string>
#include <vector>

#include "data/bag_evidence.h"
#include "data/image.h"

namespace flyscribe {

struct PhotoTrace;
struct Standardised;

// The legend's height in pixels, added below the embryo.
inline constexpr int kLegendHeight = 22;

// An embryo with colours over it where windows speak for a term (warm) or against it (blue).
//
// Each window i at (x_i, y_i) with contribution c_i to a decision value is spread as a Gaussian of standard deviation
// s = 6 pixels, cut at 3 s. The field
//
//   h(p) = sum_i c_i g(p - p_i),   g normalised so that a window alone has the height c_i at its centre,
//
// is shown as a colour over the gray embryo: its sign is the hue, (|h(p)| / scale)^0.7 the opacity, up to 0.8. The
// scale is symmetric, so that equal strengths for and against look equally strong; it is the picture's own largest |h|
// and stands in the legend below the embryo. Below a fiftieth of the scale nothing is drawn. Places count in eighths of
// a pixel (windows lie on whole or half ones), opacities in steps of 1/4096 of the scale. The pages of a gallery draw
// the same (modules/report/assets/gallery.js).
//
// Cost: 6 s operations a window, (6 s) / (distance of two rows of windows) + a few a pixel.
//
// `patches` are all of this embryo. REQUIRES: the embryo has pixels.
RgbImage DrawHeatMap(const GrayImage& embryo, const std::vector<PatchEvidence>& patches);
// The end of such a map's scale, as its legend has it: "0.0123", with three digits that count.
std::string HeatMapScale(const std::vector<PatchEvidence>& patches, int width, int height);

// Every decision about one photograph, as one picture:
//
//   photograph, outlines of all candidates,   the background surface
//   the chosen one with its long axis
//   how strongly pixels speak for tissue      the pieces it was cut into, by colour
//   (black none, gray up to the threshold)
//   the result                                what was measured, and the doubts, in words
//
// The chosen outline and the words are green, orange if the embryo is doubtful; the other candidates' outlines are
// blue. A disc marks the end taken for the anterior one. For an image that is no photograph: the result and the words.
//
// `trace` is what Standardise filled in. `result` is null if it threw: then `words` should say why.
RgbImage DrawTrace(const PhotoTrace& trace, const Standardised* result, const std::string& words);

}  // namespace flyscribe
