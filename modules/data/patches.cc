#include "data/patches.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <utility>

#include "core/error.h"
#include "data/tables.h"

namespace flyscribe {
namespace {

// x and y of each patch, one after the other.
std::vector<float> Positions(const PatchTable& table) {
  std::vector<float> positions;
  positions.reserve(2 * table.size());
  for (std::size_t i = 0; i < table.size(); ++i) positions.insert(positions.end(), {table.x[i], table.y[i]});
  return positions;
}

bool HasNegative(const std::vector<std::int32_t>& values) {
  return std::ranges::any_of(values, [](std::int32_t value) { return value < 0; });
}

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

Patch PatchTable::Row(std::size_t row) const {
  return {image[row], x[row], y[row], scale[row], deviation[row], stain[row]};
}

void PatchTable::Append(const Patch& patch) {
  image.push_back(patch.image);
  x.push_back(patch.x);
  y.push_back(patch.y);
  scale.push_back(patch.scale);
  deviation.push_back(patch.deviation);
  stain.push_back(patch.stain);
}

void PatchTable::Append(const PatchTable& other) {
  image.insert(image.end(), other.image.begin(), other.image.end());
  x.insert(x.end(), other.x.begin(), other.x.end());
  y.insert(y.end(), other.y.begin(), other.y.end());
  scale.insert(scale.end(), other.scale.begin(), other.scale.end());
  deviation.insert(deviation.end(), other.deviation.begin(), other.deviation.end());
  stain.insert(stain.end(), other.stain.begin(), other.stain.end());
}

PatchTable PatchTable::Slice(std::size_t begin, std::size_t count) const {
  const auto part = [&](const auto& values) {
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(begin);
    return std::decay_t<decltype(values)>(first, first + static_cast<std::ptrdiff_t>(count));
  };
  return {part(image), part(x), part(y), part(scale), part(deviation), part(stain)};
}

PatchTable PatchTable::Load(const fs::path& folder) {
  PatchTable table;
  table.image = ReadNpyVector<std::int32_t>(folder / "image.npy");
  table.deviation = ReadNpyVector<float>(folder / "deviation.npy");
  const FloatMatrix position = ReadNpyMatrix<float>(folder / "position.npy");
  table.stain = ReadNpyVector<float>(folder / "stain.npy");
  table.scale = ReadNpyVector<std::int32_t>(folder / "scale.npy");
  const bool position_fits = position.rows() == table.size() && position.cols() == 2;
  if (!position_fits || table.deviation.size() != table.size() || table.stain.size() != table.size() ||
      table.scale.size() != table.size()) {
    ThrowCorrupt(folder, "the patch files differ in length");
  }
  if (HasNegative(table.image)) ThrowCorrupt(folder / "image.npy", "an image's row is negative");
  if (HasNegative(table.scale)) ThrowCorrupt(folder / "scale.npy", "a scale is negative");
  table.x.reserve(table.size());
  table.y.reserve(table.size());
  for (std::size_t i = 0; i < table.size(); ++i) {
    table.x.push_back(position(i, 0));
    table.y.push_back(position(i, 1));
  }
  return table;
}

PatchWriter::PatchWriter(const fs::path& folder)
    : folder_(folder),
      image_(folder / "image.npy", {}),
      position_(folder / "position.npy", {2}),
      scale_(folder / "scale.npy", {}),
      deviation_(folder / "deviation.npy", {}),
      stain_(folder / "stain.npy", {}) {}

void PatchWriter::Append(const PatchSet& patches) {
  FLYSCRIBE_CHECK(patches.table.size() == patches.descriptors.rows(), "one descriptor per patch");
  NpyRowWriter<float>& descriptors = Descriptors(patches.descriptors.cols());
  if (patches.table.size() == 0) return;
  descriptors.Append(patches.descriptors.values());
  image_.Append(patches.table.image);
  position_.Append(Positions(patches.table));
  scale_.Append(patches.table.scale);
  deviation_.Append(patches.table.deviation);
  stain_.Append(patches.table.stain);
}

NpyRowWriter<float>& PatchWriter::Descriptors(std::size_t length) {
  if (!descriptors_) descriptors_.emplace(folder_ / "descriptors.npy", Shape{length_ = length});
  FLYSCRIBE_CHECK(length == length_, "descriptors of different lengths");
  return *descriptors_;
}

void PatchWriter::Finish() {
  Descriptors(length_).Finish();
  image_.Finish();
  position_.Finish();
  scale_.Finish();
  deviation_.Finish();
  stain_.Finish();
}

MappedPatchSet::MappedPatchSet(const fs::path& folder)
    : table_(PatchTable::Load(folder)), descriptors_(folder / "descriptors.npy", 2) {
  if (descriptors_.shape()[0] != table_.size()) {
    ThrowCorrupt(folder, "descriptors.npy and the patch files differ in length");
  }
}

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
  if (HasNegative(patches.table.image) || HasNegative(patches.table.scale)) {
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
