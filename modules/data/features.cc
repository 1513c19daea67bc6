#include "data/features.h"

#include "core/error.h"
#include "core/npy.h"

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
    throw Error(ErrorCode::kCorrupt, "features.npy and argmax.npy differ in shape", {}, {folder.string()});
  }
  return features;
}

}  // namespace flyscribe
