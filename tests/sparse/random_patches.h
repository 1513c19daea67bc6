// Random data for the tests of modules/sparse.
#pragma once

#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "core/matrix.h"
#include "core/rng.h"

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

inline std::vector<std::size_t> AllRows(const FloatMatrix& matrix) {
  std::vector<std::size_t> rows(matrix.rows());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  return rows;
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
