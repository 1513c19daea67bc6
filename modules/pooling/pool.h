// Max pooling: turns the sparse codes of all patches of a bag's images into one feature vector, and remembers which
// patch each feature came from.
//
//   z_ij  weight of atom j (of m) in the code of patch i      P(b, q)  patches of bag b whose centre lies in region q
//
// An atom a code does not use has weight 0. So, with signs =
//   signed    v = max(0, max over i in P of z_ij): the paper's plain maximum. A code uses some ten of hundreds of
//   atoms, so
//             in any real bag a patch with weight 0 is among the candidates and the maximum cannot be negative;
//   absolute  v = max over i in P of |z_ij|: a strong negative weight counts as much as a positive one;
//   apart     two features, max(0, max z_ij) and max(0, max -z_ij).
// A region without patches, and a bag without any, has features 0.
//
// Regions: "CxR" divides the standardised 320 x 128 image into C columns and R rows of equal size; a patch belongs to
// the one its centre lies in (a centre on a border to the right or lower one). Regions are counted row by row from the
// top left, grids in the order they are listed. With k = 2 for signs = apart, else 1:
//
//   feature = (region * m + j) * k + (1 for the negative half, else 0),   features = (sum of C R over the grids) * m *
//   k
//
// argmax is the row of the patch whose weight is the feature, the first one on a tie, and -1 where the feature is 0.
// With normalise = l2 each bag's vector is then scaled to Euclidean norm 1 (all zero stays zero); argmax is unaffected.
//
// It does not compute codes and does not look at labels. Cost: non-zeros x grids + bags x features.
// Reference: Lin et al. 2014 (arXiv 1407.8147) for the plain maximum; Yang, Yu, Gong, Huang: Linear spatial pyramid
// matching using sparse coding, CVPR 2009, for absolute values and regions.
// Thread safety: reentrant. Determinism: same bytes; runs on the calling thread.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/options.h"
#include "data/dictionary.h"
#include "data/features.h"
#include "data/patches.h"

namespace flyscribe {

enum class PoolSigns { kSigned, kAbsolute, kApart };
enum class PoolNormalise { kNone, kL2 };

struct PoolOptions {
  std::vector<std::string> regions = {"1x1"};
  PoolSigns signs = PoolSigns::kAbsolute;
  PoolNormalise normalise = PoolNormalise::kL2;

  void Fields(OptionsVisitor& visit);
};

struct RegionGrid {
  int columns = 1;
  int rows = 1;
  friend bool operator==(const RegionGrid&, const RegionGrid&) = default;
};

// Throws Error(kUsage) unless `regions` is a list of distinct grids "CxR" with 1 to 64 columns and rows.
std::vector<RegionGrid> ParseRegions(const std::vector<std::string>& regions);

// The pooled features of `bags` bags. Row i of `codes` is the code of patch i of `patches`; image a of the collection
// belongs to bag bag_of_image[a] (ImageRecord::bag). Throws as ParseRegions does.
BagFeatures Pool(const SparseCodes& codes,
                 const PatchTable& patches,
                 std::span<const std::size_t> bag_of_image,
                 std::size_t bags,
                 const PoolOptions& options);

}  // namespace flyscribe
