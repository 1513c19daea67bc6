// Random data for the tests of modules/sparse.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "core/matrix.h"
#include "core/rng.h"
#include "data/dictionary.h"
#include "sparse/padded_rows.h"

namespace flyscribe {

inline void ScaleToNorm(std::span<float> row, double norm) {
  double squares = 0.0;
  for (const float value : row) squares += static_cast<double>(value) * static_cast<double>(value);
  for (float& value : row) value = static_cast<float>(value * norm / std::sqrt(squares));
}

// Rows of independent normal numbers, scaled to norm 1.
inline FloatMatrix RandomUnitRows(std::size_t rows, std::size_t cols, std::uint64_t seed) {
  FloatMatrix matrix(rows, cols);
  for (std::size_t row = 0; row < rows; ++row) {
    Rng rng(seed, row);
    for (float& value : matrix.Row(row)) value = static_cast<float>(rng.Normal());
    ScaleToNorm(matrix.Row(row), 1.0);
  }
  return matrix;
}

// Patches that are sums of three rows of `atoms` with random weights, plus a little noise, scaled to norm 1.
inline FloatMatrix PlantedPatches(std::size_t rows, const FloatMatrix& atoms, std::uint64_t seed) {
  FloatMatrix patches(rows, atoms.cols());
  for (std::size_t row = 0; row < rows; ++row) {
    Rng rng(seed, row);
    for (float& value : patches.Row(row)) value = static_cast<float>(rng.Normal(0.0, 0.01));
    for (int k = 0; k < 3; ++k) {
      const auto atom = static_cast<std::size_t>(rng.Below(atoms.rows()));
      const auto weight = static_cast<float>(rng.Uniform(0.5, 1.5) * (rng.Chance(0.5) ? 1.0 : -1.0));
      for (std::size_t i = 0; i < atoms.cols(); ++i) patches(row, i) += weight * atoms(atom, i);
    }
    ScaleToNorm(patches.Row(row), 1.0);
  }
  return patches;
}

// Such rows with each its own norm, between `shortest` and 1, padded for the kernels.
inline PaddedRows RandomPaddedRows(std::size_t rows, std::size_t cols, std::uint64_t seed, double shortest = 1.0) {
  FloatMatrix matrix = RandomUnitRows(rows, cols, seed);
  for (std::size_t row = 0; row < rows; ++row) {
    ScaleToNorm(matrix.Row(row), Rng(~seed, row).Uniform(shortest, 1.0));
  }
  return PaddedRows(FloatView(matrix));
}

// a^T b in double precision: exact as far as single precision can tell.
inline double ExactDot(const float* a, const float* b, std::size_t length) {
  double sum = 0.0;
  for (std::size_t i = 0; i < length; ++i) sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  return sum;
}

// Patches much like descriptors: mixtures of two of `clusters` non-negative histograms plus noise, with zero mean and
// norm 1. Their neighbours in a cluster are alike, so a dictionary of them is coherent.
inline FloatMatrix ClusteredPatches(
    std::size_t rows, std::size_t cols, std::size_t clusters, double noise, std::uint64_t seed) {
  FloatMatrix centres(clusters, cols);
  for (std::size_t k = 0; k < clusters; ++k) {
    Rng rng(seed + 77, k);
    for (float& value : centres.Row(k)) value = static_cast<float>(std::max(0.0, rng.Normal()));
  }
  FloatMatrix patches(rows, cols);
  for (std::size_t row = 0; row < rows; ++row) {
    Rng rng(seed, row);
    const auto a = static_cast<std::size_t>(rng.Below(clusters));
    const auto b = static_cast<std::size_t>(rng.Below(clusters));
    const auto share = static_cast<float>(rng.Uniform());
    float sum = 0.0F;
    for (std::size_t i = 0; i < cols; ++i) {
      const float clean = share * centres(a, i) + (1.0F - share) * centres(b, i);
      patches(row, i) = std::max(0.0F, clean + static_cast<float>(rng.Normal(0.0, noise)));
      sum += patches(row, i);
    }
    for (float& value : patches.Row(row)) value -= sum / static_cast<float>(cols);
    ScaleToNorm(patches.Row(row), 1.0);
  }
  return patches;
}

inline std::vector<std::size_t> AllRows(const FloatMatrix& matrix) {
  std::vector<std::size_t> rows(matrix.rows());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  return rows;
}

// A row of codes with its zeros.
inline std::vector<double> DenseCode(const SparseCodes& codes, std::size_t row) {
  std::vector<double> dense(codes.atoms, 0.0);
  for (std::size_t k = 0; k < codes.RowIndices(row).size(); ++k) {
    dense[static_cast<std::size_t>(codes.RowIndices(row)[k])] = codes.RowData(row)[k];
  }
  return dense;
}

// How many rows of `planted` lie along a row of `atoms`, up to sign: |cosine| > `alike`.
inline std::size_t FoundAtoms(const FloatMatrix& planted, const FloatMatrix& atoms, double alike) {
  std::size_t found = 0;
  for (std::size_t k = 0; k < planted.rows(); ++k) {
    bool seen = false;
    for (std::size_t j = 0; j < atoms.rows(); ++j) {
      const double norm = std::sqrt(ExactDot(atoms.Row(j).data(), atoms.Row(j).data(), atoms.cols()));
      seen = seen || std::abs(ExactDot(planted.Row(k).data(), atoms.Row(j).data(), atoms.cols())) > alike * norm;
    }
    found += seen ? 1U : 0U;
  }
  return found;
}

// 0.5 |x - D z|^2 + lambda |z|_1 in double precision, for a dense code.
inline double NaiveObjective(std::span<const float> x,
                             const FloatMatrix& atoms,
                             const std::vector<double>& code,
                             double lambda) {
  double objective = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    double residual = x[i];
    for (std::size_t j = 0; j < atoms.rows(); ++j) residual -= static_cast<double>(atoms(j, i)) * code[j];
    objective += 0.5 * residual * residual;
  }
  for (const double weight : code) objective += lambda * std::abs(weight);
  return objective;
}

}  // namespace flyscribe
