#include "core/npy.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "core/error.h"
#include "core/text.h"

namespace flyscribe {

static_assert(std::endian::native == std::endian::little, "arrays are mapped as they lie on disk: little-endian");

template <>
const char* const kNpyType<float> = "<f4";
template <>
const char* const kNpyType<double> = "<f8";
template <>
const char* const kNpyType<std::int32_t> = "<i4";
template <>
const char* const kNpyType<std::int64_t> = "<i8";
template <>
const char* const kNpyType<std::uint8_t> = "|u1";

namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kAlignment = 64;  // of the data, as NumPy writes it
constexpr std::size_t kMaxDimensions = 32;
constexpr std::size_t kMaxHeaderBytes = 1 << 16;  // NumPy's own limit for plain arrays is 10,000
// Of an array without elements: its file's size says nothing about the other dimensions.
constexpr std::size_t kMaxEmptyLength = std::numeric_limits<std::int32_t>::max();

[[noreturn]] void ThrowCorrupt(const std::string& place, const std::string& reason) {
  throw Error(ErrorCode::kCorrupt,
              "not a readable .npy array: " + reason,
              "expected what numpy.save writes: little-endian, C order",
              {place, 0, 0});
}

// The value after "'name':" in the header's Python dictionary.
std::string_view HeaderValue(std::string_view header, std::string_view name, const std::string& place) {
  const std::string quoted = "'" + std::string(name) + "':";
  const std::size_t start = header.find(quoted);
  if (start == std::string_view::npos) ThrowCorrupt(place, "the header has no " + std::string(name));
  return Trim(header.substr(start + quoted.size()));
}

Shape ParseShape(std::string_view text, const std::string& place) {
  const std::size_t close = text.find(')');
  if (text.empty() || text.front() != '(' || close == std::string_view::npos) ThrowCorrupt(place, "bad shape");
  std::vector<std::string> parts = Split(text.substr(1, close - 1), ',');
  if (Trim(parts.back()).empty()) parts.pop_back();  // "()" and "(3,)"
  Shape shape;
  for (const std::string& part : parts) {
    const auto length = ParseInteger(Trim(part));
    if (!length || *length < 0) ThrowCorrupt(place, "bad shape");
    shape.push_back(static_cast<std::size_t>(*length));
  }
  if (shape.size() > kMaxDimensions) ThrowCorrupt(place, "too many dimensions");
  return shape;
}

// The number of elements; an overflow counts as corrupt.
std::size_t ElementCount(const Shape& shape, const std::string& place) {
  std::size_t count = 1;
  for (const std::size_t length : shape) {
    if (length != 0 && count > std::numeric_limits<std::size_t>::max() / length) ThrowCorrupt(place, "shape too large");
    count *= length;
  }
  const bool absurd = count == 0 && *std::max_element(shape.begin(), shape.end()) > kMaxEmptyLength;
  if (absurd) ThrowCorrupt(place, "shape too large");
  return count;
}

std::string ParseType(std::string_view text, const std::string& place) {
  const std::size_t quote = text.find('\'', 1);
  if (text.empty() || text.front() != '\'' || quote == std::string_view::npos) ThrowCorrupt(place, "bad descr");
  return std::string(text.substr(1, quote - 1));
}

bool ParseFlag(std::string_view text, const std::string& place) {
  if (text.starts_with("True")) return true;
  if (!text.starts_with("False")) ThrowCorrupt(place, "bad fortran_order");
  return false;
}

std::string ShapeText(const Shape& shape) {
  std::string text = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
  return text + (shape.size() == 1 ? ",)" : ")");
}

std::string HeaderBytes(const char* type, const Shape& shape) {
  std::string header =
      std::string("{'descr': '") + type + "', 'fortran_order': False, 'shape': " + ShapeText(shape) + ", }";
  const std::size_t prefix = kMagic.size() + 4;
  const std::size_t unpadded = prefix + header.size() + 1;
  header.append((kAlignment - unpadded % kAlignment) % kAlignment, ' ');
  header += '\n';
  std::string bytes(kMagic);
  bytes += '\1';
  bytes += '\0';
  bytes += static_cast<char>(header.size() & 0xff);
  bytes += static_cast<char>(header.size() >> 8);
  return bytes + header;
}

}  // namespace

std::string NpyHeader::ToString() const { return type + " " + ShapeText(shape); }

NpyHeader ParseNpyHeader(std::string_view bytes, const std::string& place) {
  if (!bytes.starts_with(kMagic)) ThrowCorrupt(place, "bad magic");
  if (bytes.size() < kMagic.size() + 2) ThrowCorrupt(place, "truncated header");
  const int version = static_cast<unsigned char>(bytes[kMagic.size()]);
  if (version < 1 || version > 3) ThrowCorrupt(place, "unknown version " + std::to_string(version));
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  const std::size_t header_start = kMagic.size() + 2 + length_bytes;
  if (bytes.size() < header_start) ThrowCorrupt(place, "truncated header");
  std::size_t length = 0;
  for (std::size_t i = 0; i < length_bytes; ++i) {
    length |= std::size_t{static_cast<unsigned char>(bytes[kMagic.size() + 2 + i])} << (8 * i);
  }
  if (length > bytes.size() - header_start) ThrowCorrupt(place, "truncated header");
  if (length > kMaxHeaderBytes) ThrowCorrupt(place, "header too large");
  const std::string_view header = bytes.substr(header_start, length);
  NpyHeader result;
  result.type = ParseType(HeaderValue(header, "descr", place), place);
  result.fortran_order = ParseFlag(HeaderValue(header, "fortran_order", place), place);
  result.shape = ParseShape(HeaderValue(header, "shape", place), place);
  result.data_offset = header_start + length;
  return result;
}

template <class T>
MappedNpy<T>::MappedNpy(const fs::path& path, std::size_t dimensions) : file_(path) {
  const std::string& place = path.string();
  const NpyHeader header = ParseNpyHeader(file_.bytes(), place);
  if (header.type != kNpyType<T> || header.fortran_order || header.shape.size() != dimensions) {
    ThrowCorrupt(place,
                 std::string("expected ") + kNpyType<T> + " with " + std::to_string(dimensions) +
                     " dimension(s) in C order, found " + header.ToString() +
                     (header.fortran_order ? " in Fortran order" : ""));
  }
  const std::size_t count = ElementCount(header.shape, place);
  const std::size_t available = file_.bytes().size() - header.data_offset;
  if (count > available / sizeof(T) || count * sizeof(T) != available) {
    ThrowCorrupt(place, "the shape " + header.ToString() + " does not fit the file's size");
  }
  const char* data = file_.bytes().data() + header.data_offset;
  if (reinterpret_cast<std::uintptr_t>(data) % alignof(T) != 0) ThrowCorrupt(place, "misaligned data");
  shape_ = header.shape;
  values_ = {reinterpret_cast<const T*>(data), count};
}

template <class T>
void WriteNpy(const fs::path& path, std::span<const T> values, const Shape& shape) {
  WriteNpyParts<T>(path, {&values, 1}, shape);
}

template <class T>
void WriteNpyParts(const fs::path& path, std::span<const std::span<const T>> parts, const Shape& shape) {
  const std::string header = HeaderBytes(kNpyType<T>, shape);
  std::vector<std::string_view> bytes = {header};
  std::size_t count = 0;
  for (const std::span<const T> part : parts) {
    bytes.emplace_back(reinterpret_cast<const char*>(part.data()), part.size_bytes());
    count += part.size();
  }
  FLYSCRIBE_CHECK(ElementCount(shape, path.string()) == count, "array shape and values differ");
  WriteFile(path, bytes);
}

#define FLYSCRIBE_INSTANTIATE(T)                                                                  \
  template class MappedNpy<T>;                                                                    \
  template void WriteNpy<T>(const fs::path& path, std::span<const T> values, const Shape& shape); \
  template void WriteNpyParts<T>(const fs::path& path, std::span<const std::span<const T>> parts, const Shape& shape)
FLYSCRIBE_INSTANTIATE(float);
FLYSCRIBE_INSTANTIATE(double);
FLYSCRIBE_INSTANTIATE(std::int32_t);
FLYSCRIBE_INSTANTIATE(std::int64_t);
FLYSCRIBE_INSTANTIATE(std::uint8_t);
#undef FLYSCRIBE_INSTANTIATE

}  // namespace flyscribe
