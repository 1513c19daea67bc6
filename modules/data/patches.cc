#include "data/patches.h"

#include <algorithm>

#include "core/error.h"
#include "data/tables.h"

namespace flyscribe {

void PatchTable::Append(std::int32_t image_row, float centre_x, float centre_y, float window_deviation) {
  image.push_back(image_row);
  x.push_back(centre_x);
  y.push_back(centre_y);
  deviation.push_back(window_deviation);
}

void PatchTable::Append(const PatchTable& other) {
  image.insert(image.end(), other.image.begin(), other.image.end());
  x.insert(x.end(), other.x.begin(), other.x.end());
  y.insert(y.end(), other.y.begin(), other.y.end());
  deviation.insert(deviation.end(), other.deviation.begin(), other.deviation.end());
}

void PatchTable::Save(const fs::path& folder) const {
  FloatMatrix position(size(), 2);
  for (std::size_t i = 0; i < size(); ++i) {
    position(i, 0) = x[i];
    position(i, 1) = y[i];
  }
  WriteNpy<std::int32_t>(folder / "image.npy", image, {size()});
  WriteNpy<float>(folder / "position.npy", position);
  WriteNpy<float>(folder / "deviation.npy", deviation, {size()});
}

PatchTable PatchTable::Load(const fs::path& folder) {
  PatchTable table;
  table.image = ReadNpyVector<std::int32_t>(folder / "image.npy");
  table.deviation = ReadNpyVector<float>(folder / "deviation.npy");
  const FloatMatrix position = ReadNpyMatrix<float>(folder / "position.npy");
  if (position.rows() != table.size() || position.cols() != 2 || table.deviation.size() != table.size()) {
    ThrowCorrupt(folder, "the patch files differ in length");
  }
  if (std::any_of(table.image.begin(), table.image.end(), [](std::int32_t row) { return row < 0; })) {
    ThrowCorrupt(folder / "image.npy", "an image's row is negative");
  }
  table.x.reserve(table.size());
  table.y.reserve(table.size());
  for (std::size_t i = 0; i < table.size(); ++i) {
    table.x.push_back(position(i, 0));
    table.y.push_back(position(i, 1));
  }
  return table;
}

void PatchSet::Save(const fs::path& folder) const {
  FLYSCRIBE_CHECK(table.size() == descriptors.rows(), "one descriptor per patch");
  table.Save(folder);
  WriteNpy<float>(folder / "descriptors.npy", descriptors);
}

MappedPatchSet::MappedPatchSet(const fs::path& folder)
    : table_(PatchTable::Load(folder)), descriptors_(folder / "descriptors.npy", 2) {
  if (descriptors_.shape()[0] != table_.size()) {
    ThrowCorrupt(folder, "descriptors.npy and the patch files differ in length");
  }
}

}  // namespace flyscribe
