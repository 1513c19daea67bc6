// A dense row-major matrix, and a view of one that lives elsewhere (for instance in a mapped file).
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "core/error.h"

namespace flyscribe {

// Rows of `cols` contiguous values each. Does not own them.
template <class T>
class MatrixView {
 public:
  MatrixView() = default;
  MatrixView(const T* data, std::size_t rows, std::size_t cols) : data_(data), rows_(rows), cols_(cols) {}

  std::size_t rows() const { return rows_; }
  std::size_t cols() const { return cols_; }
  const T* data() const { return data_; }
  std::span<const T> values() const { return {data_, rows_ * cols_}; }
  std::span<const T> Row(std::size_t row) const { return {data_ + row * cols_, cols_}; }
  // The rows [begin, begin + count).
  MatrixView Rows(std::size_t begin, std::size_t count) const { return {data_ + begin * cols_, count, cols_}; }
  const T& operator()(std::size_t row, std::size_t col) const { return data_[row * cols_ + col]; }

 private:
  const T* data_ = nullptr;
  std::size_t rows_ = 0;
  std::size_t cols_ = 0;
};

template <class T>
class Matrix {
 public:
  Matrix() = default;
  Matrix(std::size_t rows, std::size_t cols, T value = T{}) : rows_(rows), cols_(cols), data_(rows * cols, value) {}
  Matrix(std::size_t rows, std::size_t cols, std::vector<T> data) : rows_(rows), cols_(cols), data_(std::move(data)) {
    FLYSCRIBE_CHECK(data_.size() == rows * cols, "matrix shape and data differ");
  }

  std::size_t rows() const { return rows_; }
  std::size_t cols() const { return cols_; }
  T* data() { return data_.data(); }
  const T* data() const { return data_.data(); }
  std::span<const T> values() const { return data_; }
  std::span<T> Row(std::size_t row) { return {data_.data() + row * cols_, cols_}; }
  std::span<const T> Row(std::size_t row) const { return {data_.data() + row * cols_, cols_}; }
  T& operator()(std::size_t row, std::size_t col) { return data_[row * cols_ + col]; }
  const T& operator()(std::size_t row, std::size_t col) const { return data_[row * cols_ + col]; }

  // A matrix may be used wherever a view is expected.
  operator MatrixView<T>() const { return {data_.data(), rows_, cols_}; }  // NOLINT(google-explicit-constructor)

  friend bool operator==(const Matrix&, const Matrix&) = default;

 private:
  std::size_t rows_ = 0;
  std::size_t cols_ = 0;
  std::vector<T> data_;
};

using FloatMatrix = Matrix<float>;
using FloatView = MatrixView<float>;

}  // namespace flyscribe
