// Rows of floats, each filled up with zeros to a multiple of kLaneMultiple and aligned for vector instructions; and the
// same rows in panels, as matrix products read them.
//
// Internal to modules/sparse.
#pragma once

#include <algorithm>
#include <array>
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

// Rows in panels of sixteen: value k of row j stands at ((j / 16) length + k) 16 + j % 16. Rows that are not there, in
// the last panel, are zero.
class Panels {
 public:
  Panels() = default;
  // Of `rows` rows of `length` values each, a multiple of kLaneMultiple; all zero.
  Panels(std::size_t rows, std::size_t length)
      : length_(length), panels_(PaddedLength(rows) / kLaneMultiple), data_(panels_ * length * kLaneMultiple, 0.0F) {}
  Panels(const Kernels& kernels, const PaddedRows& rows) : Panels(rows.rows(), rows.length()) {
    for (std::size_t panel = 0; panel < panels_; ++panel) Fill(kernels, rows, panel);
  }

  std::size_t length() const { return length_; }
  std::size_t panels() const { return panels_; }
  const float* data() const { return data_.data(); }

  // Takes over the rows of one panel. REQUIRES: as many rows, as long, as there are here.
  void Fill(const Kernels& kernels, const PaddedRows& rows, std::size_t panel) {
    std::array<const float*, kLaneMultiple> sources{};
    for (std::size_t lane = 0; lane < kLaneMultiple; ++lane) {
      sources[lane] = rows.Row(std::min(panel * kLaneMultiple + lane, rows.rows() - 1));
    }
    float* to = data_.data() + panel * length_ * kLaneMultiple;
    kernels.interleave(sources.data(), length_, to);
    const std::size_t used = std::min(kLaneMultiple, rows.rows() - panel * kLaneMultiple);
    for (std::size_t k = 0; used < kLaneMultiple && k < length_; ++k) {
      std::fill(to + k * kLaneMultiple + used, to + (k + 1) * kLaneMultiple, 0.0F);
    }
  }
  // Value k of all rows.
  void SetColumn(std::size_t k, std::span<const float> values) {
    for (std::size_t row = 0; row < values.size(); ++row) {
      data_[((row / kLaneMultiple) * length_ + k) * kLaneMultiple + row % kLaneMultiple] = values[row];
    }
  }

 private:
  std::size_t length_ = 0;
  std::size_t panels_ = 0;
  AlignedVector<float> data_;
};

}  // namespace flyscribe
