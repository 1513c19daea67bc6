#include "data/patch_codec.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "core/error.h"

namespace flyscribe {
namespace {

// Of a descriptor. Where there are no patches, the size of the block says nothing about it.
constexpr std::size_t kMaxLength = std::numeric_limits<std::int32_t>::max();

template <class T>
void Put(std::string& bytes, const T* values, std::size_t count) {
  bytes.append(reinterpret_cast<const char*>(values), count * sizeof(T));
}

template <class T>
std::vector<T> Take(std::string_view& bytes, std::size_t count) {
  if (count > bytes.size() / sizeof(T)) throw Error(ErrorCode::kCorrupt, "the block of patches is too short");
  std::vector<T> values(count);
  if (count > 0) std::memcpy(values.data(), bytes.data(), count * sizeof(T));
  bytes.remove_prefix(count * sizeof(T));
  return values;
}

}  // namespace

std::string EncodePatches(const PatchSet& patches) {
  FLYSCRIBE_CHECK(patches.table.size() == patches.descriptors.rows(), "one descriptor per patch");
  const std::array<std::uint64_t, 2> counts = {patches.table.size(), patches.descriptors.cols()};
  std::string bytes;
  Put(bytes, counts.data(), counts.size());
  Put(bytes, patches.table.image.data(), patches.table.size());
  Put(bytes, patches.table.x.data(), patches.table.size());
  Put(bytes, patches.table.y.data(), patches.table.size());
  Put(bytes, patches.table.scale.data(), patches.table.size());
  Put(bytes, patches.table.deviation.data(), patches.table.size());
  Put(bytes, patches.table.stain.data(), patches.table.size());
  Put(bytes, patches.descriptors.data(), patches.descriptors.values().size());
  return bytes;
}

PatchSet DecodePatches(std::string_view bytes) {
  const std::vector<std::uint64_t> counts = Take<std::uint64_t>(bytes, 2);
  const std::size_t n = counts[0];
  const std::size_t p = counts[1];
  PatchSet patches;
  patches.table.image = Take<std::int32_t>(bytes, n);
  patches.table.x = Take<float>(bytes, n);
  patches.table.y = Take<float>(bytes, n);
  patches.table.scale = Take<std::int32_t>(bytes, n);
  patches.table.deviation = Take<float>(bytes, n);
  patches.table.stain = Take<float>(bytes, n);
  // Checked against what is left, so that n * p cannot overflow.
  const std::size_t left = bytes.size() / sizeof(float);
  const bool fits = p == 0 ? left == 0 : (n <= left / p && n * p == left && p <= kMaxLength);
  if (!fits || bytes.size() % sizeof(float) != 0) {
    throw Error(ErrorCode::kCorrupt, "the block of patches does not have the size its counts say");
  }
  const auto is_negative = [](std::int32_t value) { return value < 0; };
  if (std::any_of(patches.table.image.begin(), patches.table.image.end(), is_negative) ||
      std::any_of(patches.table.scale.begin(), patches.table.scale.end(), is_negative)) {
    throw Error(ErrorCode::kCorrupt, "the block of patches names a negative image or scale");
  }
  patches.descriptors = FloatMatrix(n, p, Take<float>(bytes, n * p));
  return patches;
}

PatchSet JoinPatches(std::span<const PatchSet> sets) {
  std::size_t rows = 0;
  std::size_t cols = 0;
  for (const PatchSet& set : sets) {
    if (set.descriptors.rows() == 0 && set.descriptors.cols() == 0) continue;  // never filled
    FLYSCRIBE_CHECK(cols == 0 || cols == set.descriptors.cols(), "descriptors of different lengths");
    rows += set.descriptors.rows();
    cols = set.descriptors.cols();
  }
  std::vector<float> values;
  values.reserve(rows * cols);
  PatchSet joined;
  for (const PatchSet& set : sets) {
    joined.table.Append(set.table);
    values.insert(values.end(), set.descriptors.values().begin(), set.descriptors.values().end());
  }
  joined.descriptors = FloatMatrix(rows, cols, std::move(values));
  return joined;
}

}  // namespace flyscribe
