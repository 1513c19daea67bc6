#include "core/npy.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

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
constexpr std::size_t kMaxShownType = 60;  // characters of a type in a message
constexpr std::size_t kTile = 32;          // rows and columns transposed together: 12 KiB fit any first-level cache

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
  const bool absurd = count == 0 && *std::ranges::max_element(shape) > kMaxEmptyLength;
  if (absurd) ThrowCorrupt(place, "shape too large");
  return count;
}

bool IsStructured(std::string_view type) { return type.starts_with('['); }

// A type string, or the list of fields up to its matching bracket.
std::string ParseType(std::string_view text, const std::string& place) {
  if (IsStructured(text)) {
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '[') ++depth;
      if (text[i] == ']') --depth;
      if (depth == 0) return std::string(text.substr(0, i + 1));
    }
    ThrowCorrupt(place, "bad descr");
  }
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

// The number of elements, after checking that they fill the file to its end.
std::size_t CheckedCount(std::string_view bytes,
                         const NpyHeader& header,
                         std::size_t element_bytes,
                         const std::string& place) {
  const std::size_t count = ElementCount(header.shape, place);
  const std::size_t available = bytes.size() - header.data_offset;
  if (count > available / element_bytes || count * element_bytes != available) {
    ThrowCorrupt(place, "the shape " + header.ToString() + " does not fit the file's size");
  }
  return count;
}

template <class T>
bool IsAligned(const char* data) {
  return reinterpret_cast<std::uintptr_t>(data) % alignof(T) == 0;
}

struct KindName {
  char kind;
  std::string_view name;
  bool has_width;  // whether NumPy's name ends with the number of bits
};
constexpr std::array<KindName, 11> kKindNames = {{{'f', "float", true},
                                                  {'i', "int", true},
                                                  {'u', "uint", true},
                                                  {'c', "complex", true},
                                                  {'b', "bool", false},
                                                  {'O', "Python objects", false},
                                                  {'S', "text", false},
                                                  {'U', "text", false},
                                                  {'M', "dates", false},
                                                  {'m', "time spans", false},
                                                  {'V', "raw bytes", false}}};

// The second letter of a type string tells its kind; 0 for a list of fields and for what is too short.
char KindOf(std::string_view type) { return IsStructured(type) || type.size() < 2 ? '\0' : type[1]; }

// A type string in NumPy's words: "big-endian float32" for ">f4".
std::string TypeName(std::string_view type) {
  if (IsStructured(type)) return "named fields";
  constexpr const char* kUnknown = "an unknown type";
  const auto* const found = std::ranges::find(kKindNames, KindOf(type), &KindName::kind);
  if (found == kKindNames.end()) return kUnknown;
  std::string name(found->name);
  if (!found->has_width) return name;
  const auto bytes = ParseInteger(type.substr(2));
  if (!bytes || *bytes < 1 || *bytes > 32) return kUnknown;
  name += std::to_string(8 * *bytes);
  if (type.front() == '>') return "big-endian " + name;
  return name + (type.front() == '<' || *bytes == 1 ? "" : " without a byte order");
}

// Bytes of one element, if its type string tells them.
std::optional<std::size_t> ElementBytes(std::string_view type) {
  constexpr std::string_view kSized = "fiucbSV";
  constexpr std::int64_t kMostBytes = std::numeric_limits<std::int32_t>::max();
  const char kind = KindOf(type);
  if (kind == 'M' || kind == 'm') return 8;
  const auto length = kind == '\0' ? std::nullopt : ParseInteger(type.substr(2));
  if (!length || *length < 1 || *length > kMostBytes) return std::nullopt;
  if (kind == 'U') return 4 * static_cast<std::size_t>(*length);
  return kSized.find(kind) == std::string_view::npos ? std::nullopt : std::optional(static_cast<std::size_t>(*length));
}

// Short and without control characters: a file's text must not steer the reader's terminal.
std::string ShownType(std::string_view type) {
  std::string shown(type.substr(0, kMaxShownType));
  std::ranges::replace_if(
      shown, [](char c) { return c < ' ' || c > '~'; }, '?');
  return shown + (type.size() > kMaxShownType ? "..." : "");
}

bool IsFloat(std::string_view type) { return type == kNpyType<float> || type == kNpyType<double>; }

// How to get real numbers out of an array x of this type, as an expression of NumPy.
std::string RealNumbers(std::string_view type) {
  if (IsFloat(type)) return "x";
  if (IsStructured(type)) return "numpy.stack([x[name] for name in x.dtype.names], axis=-1).astype('float32')";
  if (KindOf(type) == 'c') return "x.real.astype('float32')";
  if (KindOf(type) == 'O') return "numpy.array(x.tolist(), dtype='float32')";
  return "x.astype('float32')";
}

std::string SaveCall(const std::string& expression) { return "numpy.save(path, " + expression + ")"; }

// What to type in NumPy to turn this array into one that FloatNpy reads.
std::string Remedy(const NpyHeader& header) {
  const std::string numbers = RealNumbers(header.type);
  const std::size_t dimensions = header.shape.size() + (IsStructured(header.type) ? 1 : 0);  // the fields become one
  if (KindOf(header.type) == 'O') return SaveCall(numbers) + ", if the objects are rows of one length";
  if (dimensions == 2) return SaveCall(numbers);
  if (dimensions == 0) return SaveCall(numbers + ".reshape(1, 1)");
  if (dimensions > 2) return SaveCall(numbers + ".reshape(len(x), -1)");
  return SaveCall(numbers + ".reshape(1, -1)") + " for one row, or " + SaveCall(numbers + ".reshape(-1, 1)") +
         " for one column";
}

void RequireFloatMatrix(const NpyHeader& header, const std::string& place) {
  if (IsFloat(header.type) && header.shape.size() == 2) return;
  throw Error(ErrorCode::kInput,
              "expected float32 or float64 in two dimensions, found " + TypeName(header.type) + " (" +
                  ShownType(header.type) + ") of shape " + ShapeText(header.shape),
              "in NumPy: " + Remedy(header),
              {place, 0, 0});
}

// Damage, with a hint that suits a file from outside: the usual one demands C order, which is not asked here.
[[noreturn]] void RethrowForUser(const Error& error) {
  std::vector<Diagnostic> diagnostics = error.diagnostics();
  for (Diagnostic& diagnostic : diagnostics) diagnostic.hint = "expected a whole file as numpy.save(path, x) writes it";
  throw Error(error.code(), std::move(diagnostics));
}

// The header of a float matrix that fits its file. Kind before size: pickled objects fit no shape.
NpyHeader CheckedFloatHeader(std::string_view bytes, const std::string& place) {
  try {
    NpyHeader header = ParseNpyHeader(bytes, place);
    RequireFloatMatrix(header, place);
    CheckedCount(bytes, header, header.type == kNpyType<float> ? sizeof(float) : sizeof(double), place);
    return header;
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kCorrupt) RethrowForUser(error);
    throw;
  }
}

NpyHeader CheckedAnyHeader(std::string_view bytes, const std::string& place) {
  try {
    NpyHeader header = ParseNpyHeader(bytes, place);
    if (const auto element_bytes = ElementBytes(header.type)) CheckedCount(bytes, header, *element_bytes, place);
    return header;
  } catch (const Error& error) {
    RethrowForUser(error);
  }
}

// A matrix of T as it lies in a file, where nothing promises that its elements are aligned.
template <class T>
struct RawMatrix {
  const char* data;
  std::size_t rows;
  std::size_t cols;
  bool row_major;

  T At(std::size_t index) const {
    T value;
    std::memcpy(&value, data + index * sizeof(T), sizeof(T));
    return value;
  }
  T operator()(std::size_t row, std::size_t col) const { return At(row_major ? row * cols + col : col * rows + row); }
};

// Copies one tile from Fortran order to C order; both sides of it stay in the cache meanwhile.
template <class T>
void TransposeTile(const RawMatrix<T>& source, std::size_t first_row, std::size_t first_col, FloatMatrix& target) {
  const std::size_t end_row = std::min(first_row + kTile, source.rows);
  const std::size_t end_col = std::min(first_col + kTile, source.cols);
  for (std::size_t row = first_row; row < end_row; ++row) {
    const std::span<float> values = target.Row(row);
    for (std::size_t col = first_col; col < end_col; ++col) {
      values[col] = static_cast<float>(source.At(col * source.rows + row));
    }
  }
}

template <class T>
FloatMatrix ToFloat32(const RawMatrix<T>& source) {
  FloatMatrix target(source.rows, source.cols);
  if (source.row_major) {
    const std::size_t count = source.rows * source.cols;
    for (std::size_t i = 0; i < count; ++i) target.data()[i] = static_cast<float>(source.At(i));
    return target;
  }
  for (std::size_t row = 0; row < source.rows; row += kTile) {
    for (std::size_t col = 0; col < source.cols; col += kTile) TransposeTile(source, row, col, target);
  }
  return target;
}

// Searches the result, which lies in order, so that it is the first by row and column that is named.
void RequireNoOverflow(const RawMatrix<double>& source, const FloatMatrix& result, const std::string& place) {
  const std::span<const float> values = result.values();
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isinf(values[i])) continue;
    const std::size_t row = i / source.cols;
    const std::size_t col = i % source.cols;
    const double value = source(row, col);
    if (std::isinf(value)) continue;
    throw Error(ErrorCode::kInput,
                "the value " + FormatReal(value) + " at row " + std::to_string(row) + ", column " +
                    std::to_string(col) + " (counted from 0) is beyond float32's range",
                "float32 ends at 3.4e38: correct the value, or in NumPy: numpy.save(path, x / numpy.abs(x).max())",
                {place, 0, 0});
  }
}

// With a single row or column both orders are the same bytes.
bool IsRowMajor(const NpyHeader& header) { return !header.fortran_order || header.shape[0] < 2 || header.shape[1] < 2; }

FloatMatrix ConvertedMatrix(const char* data, const NpyHeader& header, const std::string& place) {
  const std::size_t rows = header.shape[0];
  const std::size_t cols = header.shape[1];
  const bool row_major = IsRowMajor(header);
  if (header.type == kNpyType<float>) return ToFloat32(RawMatrix<float>{data, rows, cols, row_major});
  const RawMatrix<double> source = {data, rows, cols, row_major};
  FloatMatrix result = ToFloat32(source);
  RequireNoOverflow(source, result, place);
  return result;
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

template <class T>
std::string NpyHeaderBytes(const Shape& shape) {
  return HeaderBytes(kNpyType<T>, shape);
}

std::string NpyTextHeaderBytes(std::size_t length) { return HeaderBytes(("|S" + std::to_string(length)).c_str(), {}); }

std::string NpyHeader::ToString() const { return ShownType(type) + " " + ShapeText(shape); }

std::string NpyHeader::TypeName() const { return flyscribe::TypeName(type); }

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
  if (IsStructured(header.type)) ThrowCorrupt(place, "bad descr");
  if (header.type != kNpyType<T> || header.fortran_order || header.shape.size() != dimensions) {
    ThrowCorrupt(place,
                 std::string("expected ") + kNpyType<T> + " with " + std::to_string(dimensions) +
                     " dimension(s) in C order, found " + header.ToString() +
                     (header.fortran_order ? " in Fortran order" : ""));
  }
  const std::size_t count = CheckedCount(file_.bytes(), header, sizeof(T), place);
  const char* data = file_.bytes().data() + header.data_offset;
  if (!IsAligned<T>(data)) ThrowCorrupt(place, "misaligned data");
  shape_ = header.shape;
  values_ = {reinterpret_cast<const T*>(data), count};
}

FloatNpy::FloatNpy(const fs::path& path) {
  MappedFile file(path);
  const NpyHeader header = CheckedFloatHeader(file.bytes(), path.string());
  const char* data = file.bytes().data() + header.data_offset;
  if (header.type == kNpyType<float> && IsRowMajor(header) && IsAligned<float>(data)) {
    view_ = {reinterpret_cast<const float*>(data), header.shape[0], header.shape[1]};
    file_ = std::move(file);
  } else {
    matrix_ = ConvertedMatrix(data, header, path.string());
    view_ = matrix_;
  }
}

AnyNpy::AnyNpy(const fs::path& path) : file_(path), header_(CheckedAnyHeader(file_.bytes(), path.string())) {}

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

template <class T>
NpyRowWriter<T>::NpyRowWriter(const fs::path& path, Shape row)
    : file_(path), row_(std::move(row)), row_size_(ElementCount(row_, path.string())) {
  file_.Append(HeaderBytes(kNpyType<T>, ShapeNow()));
}

template <class T>
void NpyRowWriter<T>::Append(std::span<const T> rows) {
  FLYSCRIBE_CHECK(row_size_ > 0 && rows.size() % row_size_ == 0, "a whole number of rows");
  file_.Append({reinterpret_cast<const char*>(rows.data()), rows.size_bytes()});
  rows_ += rows.size() / row_size_;
}

template <class T>
void NpyRowWriter<T>::Finish() {
  Shape none = ShapeNow();
  none[0] = 0;
  const std::string header = HeaderBytes(kNpyType<T>, ShapeNow());
  // Headers are filled up to a multiple of 64 bytes, which leaves room for any count.
  FLYSCRIBE_CHECK(header.size() == HeaderBytes(kNpyType<T>, none).size(), "the header kept its size");
  file_.ReplaceStart(header);
  file_.Finish();
}

template <class T>
Shape NpyRowWriter<T>::ShapeNow() const {
  Shape shape = {rows_};
  shape.insert(shape.end(), row_.begin(), row_.end());
  return shape;
}

#define FLYSCRIBE_INSTANTIATE(T)                                                                  \
  template class MappedNpy<T>;                                                                    \
  template std::string NpyHeaderBytes<T>(const Shape& shape);                                     \
  template class NpyRowWriter<T>;                                                                 \
  template void WriteNpy<T>(const fs::path& path, std::span<const T> values, const Shape& shape); \
  template void WriteNpyParts<T>(const fs::path& path, std::span<const std::span<const T>> parts, const Shape& shape)
FLYSCRIBE_INSTANTIATE(float);
FLYSCRIBE_INSTANTIATE(double);
FLYSCRIBE_INSTANTIATE(std::int32_t);
FLYSCRIBE_INSTANTIATE(std::int64_t);
FLYSCRIBE_INSTANTIATE(std::uint8_t);
#undef FLYSCRIBE_INSTANTIATE

}  // namespace flyscribe
