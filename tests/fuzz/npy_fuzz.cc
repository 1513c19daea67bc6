// Arrays: a shape that is believed fits the file, and the values are those that lie there.
#include <cmath>
#include <cstring>

#include "core/npy.h"
#include "tests/fuzz/memory_file.h"
#include "tests/fuzz/promise.h"
#include "tests/fuzz/targets.h"

namespace flyscribe {
namespace {

std::size_t Product(const Shape& shape) {
  std::size_t product = 1;
  for (const std::size_t length : shape) product *= length;
  return product;
}

// By the header; 1 if it cannot be read.
std::size_t DimensionsOf(std::string_view bytes) {
  const auto header = TryRead([&] { return ParseNpyHeader(bytes, "x.npy"); });
  if (!header) return 1;
  Promise(header->data_offset <= bytes.size(), "the data begins within the file");
  Promise(header->shape.size() <= 32, "dimensions are few");
  Promise(!header->TypeName().empty() && IsSafeToPrint(header->TypeName()), "every type has a name");
  return header->shape.size();
}

// Reading, writing and reading again changes nothing.
template <class T>
void CheckMapped(const fs::path& path, std::size_t dimensions, std::size_t file_bytes) {
  const auto array = TryRead([&] { return MappedNpy<T>(path, dimensions); });
  if (!array) return;
  const std::span<const T> values = array->values();
  Promise(array->shape().size() == dimensions, "the shape has the dimensions asked for");
  Promise(values.size() == Product(array->shape()), "the shape holds the values");
  Promise(values.size_bytes() < file_bytes, "the values lie in the file");
  const MemoryFile copy("");
  WriteNpy<T>(copy.path(), values, array->shape());
  const MappedNpy<T> again(copy.path(), dimensions);
  Promise(again.shape() == array->shape(), "a written shape reads back");
  const bool same = values.empty() || std::memcmp(again.values().data(), values.data(), values.size_bytes()) == 0;
  Promise(same, "written values read back");
}

// The value of a float matrix at (row, col), straight from the format's definition.
double NaiveValue(std::string_view bytes, const NpyHeader& header, std::size_t row, std::size_t col) {
  const std::size_t index = header.fortran_order ? col * header.shape[0] + row : row * header.shape[1] + col;
  if (header.type == "<f4") {
    float value = 0;
    std::memcpy(&value, bytes.data() + header.data_offset + index * sizeof value, sizeof value);
    return value;
  }
  double value = 0;
  std::memcpy(&value, bytes.data() + header.data_offset + index * sizeof value, sizeof value);
  return static_cast<float>(value);
}

void CheckFloats(const fs::path& path, std::string_view bytes) {
  const auto matrix = TryRead([&] { return FloatNpy(path); });
  if (!matrix) return;
  const NpyHeader header = ParseNpyHeader(bytes, "x.npy");
  const FloatView view = matrix->view();
  Promise(header.shape == Shape{view.rows(), view.cols()}, "the matrix has the file's shape");
  if (view.cols() == 0) return;
  for (std::size_t row = 0; row < view.rows(); ++row) {
    for (std::size_t col = 0; col < view.cols(); ++col) {
      const double value = view.Row(row)[col];
      const double expected = NaiveValue(bytes, header, row, col);
      Promise(value == expected || (std::isnan(value) && std::isnan(expected)), "values are those of the file");
    }
  }
}

void CheckAny(const fs::path& path, std::string_view bytes) {
  const auto array = TryRead([&] { return AnyNpy(path); });
  if (!array) return;
  Promise(array->header().data_offset + array->data().size() == bytes.size(), "header and data are the file");
  Promise(array->data() == bytes.substr(array->header().data_offset), "the data is what lies there");
}

}  // namespace

void FuzzNpy(std::string_view bytes) {
  const std::size_t dimensions = DimensionsOf(bytes);
  const MemoryFile file(bytes);
  CheckMapped<float>(file.path(), dimensions, bytes.size());
  CheckMapped<double>(file.path(), dimensions, bytes.size());
  CheckMapped<std::int32_t>(file.path(), dimensions, bytes.size());
  CheckMapped<std::int64_t>(file.path(), dimensions, bytes.size());
  CheckMapped<std::uint8_t>(file.path(), dimensions, bytes.size());
  const bool other = TryRead([&] { return MappedNpy<float>(file.path(), dimensions + 1); }).has_value();
  Promise(!other, "an array has the dimensions it has");
  CheckFloats(file.path(), bytes);
  CheckAny(file.path(), bytes);
}

}  // namespace flyscribe
