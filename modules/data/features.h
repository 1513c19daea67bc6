// Pooled features of bags: what `pool` leaves.
//
//   features.npy  float32 [bags, features]
//   argmax.npy    int32 [bags, features]: the patch each feature came from (row of the patch table), -1 where none did
#pragma once

#include <cstdint>

#include "core/fs.h"
#include "core/matrix.h"

namespace flyscribe {

struct BagFeatures {
  FloatMatrix values;
  Matrix<std::int32_t> argmax;

  void Save(const fs::path& folder) const;
  static BagFeatures Load(const fs::path& folder);
};

}  // namespace flyscribe
