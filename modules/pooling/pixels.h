// Raw pixels as a bag's features: the plain reference that sparse codes are held against.
//
//   I_a(x, y)  gray value of standardised image a, 320 x 128      A(b)  the images of bag b
//
//   p_a(u, v)  = mean of I_a over the 8 x 8 block (u, v): 40 columns, 16 rows, every pixel in exactly one block
//   q_b        = mean of p_a over A(b)
//   value      = (q_b - mean of q_b's 640 numbers) / Euclidean norm of the same
//
// feature = v * 40 + u, row by row from the top left. Taking away the mean drops how bright the photographs are as a
// whole, the norm how strong their contrast is: what patches are normalised by as well. A bag without images, or all of
// one gray, has features 0. There is nothing to choose, so that nothing can be tuned.
//
// argmax is -1 throughout: no feature comes from a single patch.
//
// It does not look at labels or at other bags. Cost: pixels. Memory: one image and 8 x bags x 640 bytes.
// Thread safety: reentrant. Determinism: same bytes, whatever the order of a bag's images (sums are of integers).
#pragma once

#include <cstddef>
#include <span>

#include "data/dictionary.h"
#include "data/image.h"

namespace flyscribe {

inline constexpr int kPixelColumns = 40;
inline constexpr int kPixelRows = 16;

// The features of `bags` bags, [bags, 640]. Image a of the collection belongs to bag bag_of_image[a]
// (ImageRecord::bag); `images` may lack some of them.
BagFeatures PoolPixels(const ImageStack& images, std::span<const std::size_t> bag_of_image, std::size_t bags);

}  // namespace flyscribe
