// Where patches lie, and their descriptors: what `normalise` leaves.
//
//   descriptors.npy  float32 [n, p]
//   image.npy        int32 [n]: row of the collection's image table
//   position.npy     float32 [n, 2]: centre of the window, x and y in pixels of the standardised image
//   deviation.npy    float32 [n]: standard deviation of the window's gray values, 0..127.5
//   scale.npy        int32 [n]: which of the sizes of windows that were extracted, from 0
//   stain.npy        float32 [n]: how dark the window is: 1 - (mean of its gray values) / 255, 0 (white) .. 1 (black)
//
// Patches are ordered by image, then by scale, then row by row from the top left.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/fs.h"
#include "core/matrix.h"
#include "core/npy.h"

namespace flyscribe {

// One row of the table below.
struct Patch {
  std::int32_t image = 0;
  float x = 0.0F;
  float y = 0.0F;
  std::int32_t scale = 0;
  float deviation = 0.0F;
  float stain = 0.0F;
};

// All that is known of patches but their descriptors: 24 bytes a patch.
struct PatchTable {
  std::vector<std::int32_t> image;
  std::vector<float> x;
  std::vector<float> y;
  std::vector<std::int32_t> scale;
  std::vector<float> deviation;
  std::vector<float> stain;

  std::size_t size() const { return image.size(); }
  Patch Row(std::size_t row) const;
  void Append(const Patch& patch);
  void Append(const PatchTable& other);
  // The rows [begin, begin + count).
  PatchTable Slice(std::size_t begin, std::size_t count) const;

  static PatchTable Load(const fs::path& folder);
  friend bool operator==(const PatchTable&, const PatchTable&) = default;
};

// Patches with their descriptors in memory.
struct PatchSet {
  PatchTable table;
  FloatMatrix descriptors;
};

// Writes patches set by set: memory does not grow with their number.
class PatchWriter {
 public:
  explicit PatchWriter(const fs::path& folder);
  // All sets must have descriptors of one length.
  void Append(const PatchSet& patches);
  // Without any set the descriptors have length 0. REQUIRES: called once, and last.
  void Finish();
  std::size_t size() const { return image_.rows(); }

 private:
  NpyRowWriter<float>& Descriptors(std::size_t length);

  fs::path folder_;
  NpyRowWriter<std::int32_t> image_;
  NpyRowWriter<float> position_;
  NpyRowWriter<std::int32_t> scale_;
  NpyRowWriter<float> deviation_;
  NpyRowWriter<float> stain_;
  std::size_t length_ = 0;
  std::optional<NpyRowWriter<float>> descriptors_;  // once their length is known
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

// The patches of one image as a block of bytes, for caches of single images.
//
// Layout, little-endian: uint64 n, uint64 p, then int32 image[n], float x[n], y[n],
// int32 scale[n], float deviation[n], stain[n], descriptors[n * p].
std::string EncodePatches(const PatchSet& patches);
// Throws Error(kCorrupt) if the size does not fit the counts.
PatchSet DecodePatches(std::string_view bytes);

// One after the other. All must have descriptors of one length, which the result has even if there are no patches.
PatchSet JoinPatches(std::span<const PatchSet> sets);

}  // namespace flyscribe
