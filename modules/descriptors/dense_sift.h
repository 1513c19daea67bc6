// Dense SIFT: a 128-number descriptor of every window of a regular grid over an image (VLFeat's vl_dsift).
//
// Grid. Windows of s x s pixels every t pixels (t = stride), all wholly inside the image of W x H pixels. There is one
// grid for each of the scales k: s = k window, with the same stride.
//   corner   the first window touches the top left corner: columns w = 0, t, 2t, ... <= W - s
//   centred  windows are centred on multiples of the stride: columns w = k t - s/2 >= 0, k = 1, 2, ...
// On 320x128 with s = t = 16: corner gives 20 x 8 = 160 windows, centred 19 x 7 = 133. A window covers the pixel
// columns w .. w + s - 1; its centre, as stored, is w + s/2, measured from the left edge of the image (y alike, from
// the top).
//
// Descriptor. The image I, scaled to [0, 1], is smoothed by a Gaussian of `smoothing` pixels; then, with b = s/4,
//   g(x, y)    gradient by central differences (one-sided at the image border); theta = atan2(g_y, g_x), y downwards
//   h(o,i,j) = sum over pixels of |g| a_o(theta) tri((x - c_i) / b) tri((y - c_j) / b) G(x - c, y - c)
// with orientation o = 0..7 (direction o * 45 degrees, linear in between), bins i, j = 0..3 along x and y,
// tri(u) = max(0, 1 - |u|). The value of (o, i, j) is number 8 (4 j + i) + o of the descriptor. VLFeat
// samples bins on whole pixels: c_i = w + floor(b/2) + b i, so the bins' common centre is pixel w + 8 for b = 4, half a
// pixel right of and below the window's middle. Triangles reach b - 1 pixels past c_0 and c_3; beyond the image the
// border pixel is repeated.
//
// G is the window function, c the bins' common centre. gaussian (VLFeat's default): standard deviation 2b, at every
// pixel. flat: one weight per bin, the mean of that Gaussian over the bin, which VLFeat computes many times faster.
//
// h is scaled to unit length, clamped at 0.2 and scaled again, as Lowe does: the energy of the window is gone (VLFeat's
// `norm` is not kept); `deviation` of the patch table says how flat the window was. VLFeat takes gradients under 1e-4
// (a fortieth of a gray level a pixel) for none: a window with no others has the zero descriptor. Its angles are good
// to 0.01 radians, its blur ends at 3 standard deviations. Normalising for learning is another step.
//
// Reference: Lowe, IJCV 2004; Vedaldi and Fulkerson, VLFeat, 2008; the grid of Ji et al., BMC Bioinformatics 2009.
// Thread-safe (one filter a call). Deterministic for one build of VLFeat.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/image.h"
#include "data/patches.h"
#include "descriptors/descriptor_options.h"

namespace flyscribe {

inline constexpr std::size_t kSiftLength = 128;
// Scale by scale in the order given, windows row by row from the top left; none of a scale whose window is larger than
// the image. `image_row` is written into the patch table as it is. Throws as ExtractOptions::WindowSides does.
PatchSet ExtractPatches(const GrayImage& image, std::int32_t image_row, const ExtractOptions& options);

// VLFeat's version, such as "0.9.21".
std::string SiftLibraryVersion();

}  // namespace flyscribe
