// Rows of floats, each filled up with zeros to a multiple of kLaneMultiple and aligned for vector instructions.
//
// Internal to modules/sparse.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "core/aligned.h"
#include "core/matrix.h"
#include "sparse/kernels.h"

namespace flyscribe {

inline std::size_t PaddedLength(std::size_t length) {
  return (length + kLaneMultiple - 1) / kLaneMultiple * kLaneMultiple;
}

class PaddedRows {
 public:
  PaddedRows() = default;
  PaddedRows(std::size_t rows, std::size_t cols)
      : rows_(rows), cols_(cols), length_(PaddedLength(cols)), data_(rows * length_, 0.0F) {}
  explicit PaddedRows(FloatView matrix) : PaddedRows(matrix.rows(), matrix.cols()) {
    for (std::size_t row = 0; row < rows_; ++row) Set(row, matrix.Row(row));
  }

  std::size_t rows() const { return rows_; }
  std::size_t cols() const { return cols_; }
  // Floats from one row to the next, zeros included.
  std::size_t length() const { return length_; }
  float* data() { return data_.data(); }
  const float* data() const { return data_.data(); }
  float* Row(std::size_t row) { return data_.data() + row * length_; }
  const float* Row(std::size_t row) const { return data_.data() + row * length_; }
  // The row without its padding.
  std::span<const float> Values(std::size_t row) const { return {Row(row), cols_}; }

  void Set(std::size_t row, std::span<const float> values) { std::copy(values.begin(), values.end(), Row(row)); }

  FloatMatrix ToMatrix() const {
    FloatMatrix matrix(rows_, cols_);
    for (std::size_t row = 0; row < rows_; ++row) std::copy_n(Row(row), cols_, matrix.Row(row).begin());
    return matrix;
  }

 private:
  std::size_t rows_ = 0;
  std::size_t cols_ = 0;
  std::size_t length_ = 0;
  AlignedVector<float> data_;
};

}  // namespace flyscribe
