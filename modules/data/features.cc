#include "data/features.h"

#include <algorithm>

#include "core/npy.h"
#include "data/tables.h"

namespace flyscribe {

void BagFeatures::Save(const fs::path& folder) const {
  WriteNpy<float>(folder / "features.npy", values);
  WriteNpy<std::int32_t>(folder / "argmax.npy", argmax);
}

BagFeatures BagFeatures::Load(const fs::path& folder) {
  BagFeatures features;
  features.values = ReadNpyMatrix<float>(folder / "features.npy");
  features.argmax = ReadNpyMatrix<std::int32_t>(folder / "argmax.npy");
  if (features.values.rows() != features.argmax.rows() || features.values.cols() != features.argmax.cols()) {
    ThrowCorrupt(folder, "features.npy and argmax.npy differ in shape");
  }
  const auto patches = features.argmax.values();
  if (std::any_of(patches.begin(), patches.end(), [](std::int32_t patch) { return patch < -1; })) {
    ThrowCorrupt(folder / "argmax.npy", "a patch number is below -1");
  }
  return features;
}

}  // namespace flyscribe
