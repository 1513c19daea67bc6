// NumPy's .npy arrays: written so that numpy.load opens them, mapped so that large ones cost no memory.
//
// Format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html (versions 1 to 3 are read, 1 is
// written). There are three readers, the first two for little-endian data:
//
// - MappedNpy, for what flyscribe wrote: one known element type, C order; anything else is an Error(kCorrupt) that says
//   what was found.
// - FloatNpy, for what people bring: an n x d matrix of float32 or float64 in C order (element (i, j) lies at i d + j)
//   or Fortran order (at j n + i), given as float32 in C order. A sound array of another kind is an Error(kInput) that
//   says what was found and what to type in NumPy; a damaged file stays an Error(kCorrupt).
// - AnyNpy, for looking at what is there: an array of any type, its elements as bytes.
//
// Sizes named in a header are checked against the file's real size before anything is allocated. Not read: pickled
// objects, .npz archives, headers in Python 2's spelling. Const readers may be shared between threads; no result
// depends on the machine or on threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/file.h"
#include "core/fs.h"
#include "core/matrix.h"

namespace flyscribe {

using Shape = std::vector<std::size_t>;

// The element types, as NumPy's type strings. Specialised for float, double, int32, int64 and uint8.
template <class T>
extern const char* const kNpyType;

struct NpyHeader {
  std::string type;  // such as "<f4"; of a structured array the list of its fields, "[('x', '<f4'), ...]"
  bool fortran_order = false;
  Shape shape;
  std::size_t data_offset = 0;  // bytes from the start of the file

  std::string ToString() const;  // "<f4 (133, 128)"; short and safe on a terminal, whatever the type
  std::string TypeName() const;  // in NumPy's words: "float32", "big-endian int16", "text", "an unknown type"
};

// The header of an array in C order, as NumPy writes it: the elements follow.
template <class T>
std::string NpyHeaderBytes(const Shape& shape);
// That of a text: NumPy keeps it as an array of bytes without dimensions.
std::string NpyTextHeaderBytes(std::size_t length);

// Parses the header at the start of `bytes`; `place` names the file in errors.
NpyHeader ParseNpyHeader(std::string_view bytes, const std::string& place);

// An .npy array of T in a mapped file.
template <class T>
class MappedNpy {
 public:
  // Throws Error(kCorrupt) unless the file holds a C-order array of T with `dimensions` dimensions.
  MappedNpy(const fs::path& path, std::size_t dimensions);

  const Shape& shape() const { return shape_; }
  std::span<const T> values() const { return values_; }
  // REQUIRES: two dimensions.
  MatrixView<T> matrix() const { return {values_.data(), shape_[0], shape_[1]}; }

 private:
  MappedFile file_;
  Shape shape_;
  std::span<const T> values_;
};

// A real matrix from a user's .npy file, as float32.
//
// float32 in C order is used where it is mapped and costs no memory. Fortran order, float64 and misaligned data are
// copied once, into 4 n d bytes, and the file is let go. float64 is rounded to the nearest float32, what is tiny to 0;
// a finite number that would become infinite is an Error(kInput) that names the first such row and column. NaN and
// infinity of the file are passed on. While mapped(), the file must be neither cut short nor written to.
class FloatNpy {
 public:
  // Throws Error(kInput) for a missing file and a sound array of another kind, Error(kCorrupt) for a damaged file.
  explicit FloatNpy(const fs::path& path);

  // Valid as long as this object or the one it was moved to.
  FloatView view() const { return view_; }
  // Whether the view lies in the file instead of in memory.
  bool mapped() const { return file_.has_value(); }
  // Throws Error(kInput) if the file has become shorter since: the end of the view may then hold zeros.
  void RequireWhole() const {
    if (file_) file_->RequireWhole();
  }

 private:
  std::optional<MappedFile> file_;
  FloatMatrix matrix_;  // empty if mapped
  FloatView view_;
};

// An array of any type in a mapped file, which must be neither cut short nor written to meanwhile.
class AnyNpy {
 public:
  // Throws Error(kCorrupt) if the header is damaged or the elements do not fill the file. (How much pickled objects and
  // named fields fill is not known.)
  explicit AnyNpy(const fs::path& path);

  const NpyHeader& header() const { return header_; }
  // The elements, in the file's order.
  std::string_view data() const { return file_.bytes().substr(header_.data_offset); }

 private:
  MappedFile file_;
  NpyHeader header_;
};

// The values are written from where they lie, without a copy. REQUIRES: as many values as the shape says.
template <class T>
void WriteNpy(const fs::path& path, std::span<const T> values, const Shape& shape);
// The same for values that lie in several places, one after the other.
template <class T>
void WriteNpyParts(const fs::path& path, std::span<const std::span<const T>> parts, const Shape& shape);
template <class T>
void WriteNpy(const fs::path& path, const MatrixView<T>& matrix) {
  WriteNpy<T>(path, matrix.values(), {matrix.rows(), matrix.cols()});
}

// Writes an array row by row, so that it need not be in memory: the same bytes as WriteNpy of the whole.
template <class T>
class NpyRowWriter {
 public:
  // Each row has the shape `row`; {} for single values.
  NpyRowWriter(const fs::path& path, Shape row);
  // REQUIRES: a whole number of rows.
  void Append(std::span<const T> rows);
  // How many rows there are is written last: without this the file is not an array.
  void Finish();
  std::size_t rows() const { return rows_; }

 private:
  Shape ShapeNow() const;

  FileWriter file_;
  Shape row_;
  std::size_t row_size_;
  std::size_t rows_ = 0;
};

template <class T>
std::vector<T> ReadNpyVector(const fs::path& path) {
  const MappedNpy<T> array(path, 1);
  return {array.values().begin(), array.values().end()};
}
template <class T>
Matrix<T> ReadNpyMatrix(const fs::path& path) {
  const MappedNpy<T> array(path, 2);
  return {array.shape()[0], array.shape()[1], std::vector<T>(array.values().begin(), array.values().end())};
}

}  // namespace flyscribe
