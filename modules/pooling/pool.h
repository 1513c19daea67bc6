// Pooling: turns the sparse codes of all patches of a bag's images into one feature vector, and remembers which patch
// each feature came from.
//
//   z_ij  weight of atom j (of m) in the code of patch i      P(b, q)  patches of bag b that lie in cell q
//
// An atom a code does not use has weight 0. With weight = stain, z_ij is first multiplied by the patch's stain (0 white
// .. 1 black): what is seen in dark places counts more. Then, with method =
//   max      v = max over i in P of z_ij
//   average  v = mean over i in P of z_ij
//   root     v = square root of the mean over i in P of z_ij^2
// where z_ij is taken, with signs =
//   signed   as max(0, z_ij). For max this is the paper's plain maximum: a code uses some ten of hundreds of atoms, so
//            in any real bag a patch with weight 0 is among the candidates and the maximum cannot be negative;
//   absolute as |z_ij|: a strong negative weight counts as much as a positive one;
//   apart    as two features, max(0, z_ij) and max(0, -z_ij).
// A cell without patches, and a bag without any, has features 0.
//
// Cells: a cell is a region of the image at one scale of windows (data/patches.h), so that what is coarse and what is
// fine stay apart. A region grid "CxR" divides the standardised 320 x 128 image into C columns and R rows of equal
// size; a patch belongs to the one its centre lies in (a centre on a border to the right or lower one). Regions are
// counted row by row from the top left, grids in the order they are listed, and all of them anew for each scale. With
// k = 2 for signs = apart, else 1:
//
//   feature = (cell * m + j) * k + (1 for the negative half, else 0),   features = scales * (sum of C R) * m * k
//
// With softness s > 0 regions have no hard borders: a patch at a distance of r from the centre of a region, in units of
// that region's width and height, belongs to it with its weight multiplied by exp(-r^2 / (2 s^2)); below 0.01 it does
// not belong to it. So a pattern that lies a little aside in another embryo changes features a little.
//
// argmax is the row of the patch with the largest z_ij, the first one on a tie, and -1 where the feature is 0. With max
// that patch alone made the feature; with average and root others did so too.
//
// With normalise = l2 each bag's vector is then scaled to Euclidean norm 1; with root each value is first replaced by
// its square root (all zero stays zero). argmax is unaffected.
//
// With stain_map = w > 0, 20 x 8 further features say where the embryo is dark, whatever the codes are: w times the
// largest stain of the first scale's patches in each region of a 20x8 grid, after normalisation and not part of it.
//
// It does not compute codes and does not look at labels. Cost: non-zeros x grids (soft: x regions a patch reaches) +
// bags x features.
// Reference: Lin et al. 2014 (arXiv 1407.8147) for the plain maximum; Yang, Yu, Gong, Huang: Linear spatial pyramid
// matching using sparse coding, CVPR 2009, for absolute values and regions; Perronnin, Sanchez, Mensink: Improving the
// Fisher kernel, ECCV 2010, for the square root.
// Thread safety: reentrant. Determinism: same bytes; runs on the calling thread.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "data/dictionary.h"
#include "data/image.h"
#include "data/patches.h"
#include "pooling/pool_options.h"

namespace flyscribe {

struct RegionGrid {
  int columns = 1;
  int rows = 1;
  friend bool operator==(const RegionGrid&, const RegionGrid&) = default;
};

// Throws Error(kUsage) unless `regions` is a list of distinct grids "CxR" with 1 to 64 columns and rows.
std::vector<RegionGrid> ParseRegions(const std::vector<std::string>& regions);

// The map of stain_map.
inline constexpr RegionGrid kStainGrid = {20, 8};

// How many features a bag has. Throws as ParseRegions does.
std::size_t FeatureCount(std::size_t atoms, std::size_t scales, const PoolOptions& options);

// What is pooled.
struct PoolInput {
  const SparseCodes& codes;   // row i is the code of patch i
  const PatchTable& patches;  // rows of images count in bag_of_image
  std::span<const std::size_t> bag_of_image;
  std::size_t bags = 0;
  std::size_t scales = 1;  // of windows that were extracted
};

// The pooled features of all bags. Throws as ParseRegions does.
BagFeatures Pool(const PoolInput& input, const PoolOptions& options);

// The blocks of PoolPixels.
inline constexpr int kPixelColumns = 40;
inline constexpr int kPixelRows = 16;

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
// Determinism: same bytes, whatever the order of a bag's images (sums are of integers).
//
// The features of `bags` bags, [bags, 640]. Image a of the collection belongs to bag bag_of_image[a]
// (ImageRecord::bag); `images` may lack some of them.
BagFeatures PoolPixels(const ImageStack& images, std::span<const std::size_t> bag_of_image, std::size_t bags);

}  // namespace flyscribe
