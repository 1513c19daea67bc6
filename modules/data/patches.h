// Where patches lie, and their descriptors: what `extract` and `normalise` leave.
//
//   descriptors.npy  float32 [n, p]
//   image.npy        int32 [n]: row of the collection's image table
//   position.npy     float32 [n, 2]: centre of the window, x and y in pixels of the standardised image
//   deviation.npy    float32 [n]: standard deviation of the window's gray values, 0..127.5
//
// Patches are ordered by image, then row by row from the top left.
#pragma once

#include <cstdint>
#include <vector>

#include "core/fs.h"
#include "core/matrix.h"
#include "core/npy.h"

namespace flyscribe {

// The patches' places, without their descriptors: 16 bytes a patch.
struct PatchTable {
  std::vector<std::int32_t> image;
  std::vector<float> x;
  std::vector<float> y;
  std::vector<float> deviation;

  std::size_t size() const { return image.size(); }
  void Append(std::int32_t image_row, float centre_x, float centre_y, float window_deviation);
  void Append(const PatchTable& other);

  void Save(const fs::path& folder) const;
  static PatchTable Load(const fs::path& folder);
  friend bool operator==(const PatchTable&, const PatchTable&) = default;
};

// Patches with their descriptors in memory.
struct PatchSet {
  PatchTable table;
  FloatMatrix descriptors;

  void Save(const fs::path& folder) const;
};

// The same, descriptors mapped from disk.
class MappedPatchSet {
 public:
  // Throws Error(kCorrupt) if the files disagree about n.
  explicit MappedPatchSet(const fs::path& folder);
  const PatchTable& table() const { return table_; }
  FloatView descriptors() const { return descriptors_.matrix(); }

 private:
  PatchTable table_;
  MappedNpy<float> descriptors_;
};

}  // namespace flyscribe
