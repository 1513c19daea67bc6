// A folder with a small matrix of patches in it, for the commands that need no images.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "core/npy.h"
#include "core/rng.h"
#include "data/dictionary.h"
#include "tests/integration/workspace.h"

namespace flyscribe {

class MatrixWorkspace : public Workspace {
 protected:
  static void ScaleToNorm1(std::span<float> row) {
    double squares = 0.0;
    for (const float value : row) squares += static_cast<double>(value) * static_cast<double>(value);
    for (float& value : row) value = static_cast<float>(value / std::sqrt(squares));
  }

  static FloatMatrix RandomRows(std::size_t rows, std::size_t cols, std::uint64_t seed) {
    FloatMatrix matrix(rows, cols);
    for (std::size_t row = 0; row < rows; ++row) {
      Rng rng(seed, row);
      for (float& value : matrix.Row(row)) value = static_cast<float>(rng.Normal());
      ScaleToNorm1(matrix.Row(row));
    }
    return matrix;
  }

  static FloatMatrix Scaled(FloatMatrix matrix, double factor) {
    for (std::size_t row = 0; row < matrix.rows(); ++row) {
      for (float& value : matrix.Row(row)) value = static_cast<float>(value * factor);
    }
    return matrix;
  }

  // Sums of three of `atoms` random directions: something can be learned from them.
  static FloatMatrix PlantedRows(std::size_t rows, std::size_t cols, std::size_t atoms) {
    const FloatMatrix planted = RandomRows(atoms, cols, 99);
    FloatMatrix matrix(rows, cols);
    for (std::size_t row = 0; row < rows; ++row) {
      Rng rng(7, row);
      for (int k = 0; k < 3; ++k) {
        const std::size_t atom = rng.Below(atoms);
        const auto weight = static_cast<float>(rng.Normal());
        for (std::size_t i = 0; i < cols; ++i) matrix(row, i) += weight * planted(atom, i);
      }
      ScaleToNorm1(matrix.Row(row));
    }
    return matrix;
  }

  void Write(const std::string& name, const FloatMatrix& matrix) const { WriteNpy<float>(folder_ / name, matrix); }

  FloatMatrix DictionaryOf(const std::string& folder) const {
    return ReadNpyMatrix<float>(folder_ / folder / "dictionary.npy");
  }
  // All files of the result but summary.json, which holds times.
  std::string BytesOf(const std::string& folder, bool with_dictionary = true) const {
    std::string bytes;
    for (const char* name : {"codes.indptr.npy", "codes.indices.npy", "codes.data.npy"}) {
      bytes += ReadFile(folder_ / folder / name);
    }
    return with_dictionary ? bytes + ReadFile(folder_ / folder / "dictionary.npy") : bytes;
  }
  std::vector<std::string> NamesIn(const std::string& folder) const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_ / folder))
      names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }

  // The mean over patches of 0.5 |x - D z|^2 + lambda |z|_1, in double precision.
  static double MeanObjective(const FloatMatrix& patches,
                              const FloatMatrix& atoms,
                              const SparseCodes& codes,
                              double lambda) {
    double sum = 0.0;
    for (std::size_t row = 0; row < patches.rows(); ++row) {
      std::vector<double> r(patches.Row(row).begin(), patches.Row(row).end());
      for (std::size_t k = 0; k < codes.RowData(row).size(); ++k) {
        const auto atom = static_cast<std::size_t>(codes.RowIndices(row)[k]);
        const double weight = codes.RowData(row)[k];
        for (std::size_t i = 0; i < r.size(); ++i) r[i] -= weight * static_cast<double>(atoms(atom, i));
        sum += lambda * std::abs(weight);
      }
      for (const double value : r) sum += 0.5 * value * value;
    }
    return sum / static_cast<double>(patches.rows());
  }

  void ExpectFailure(const ProgramResult& result, int exit_code, const std::vector<std::string>& texts) const {
    EXPECT_EQ(result.exit_code, exit_code) << result.err;
    for (const std::string& text : texts) EXPECT_THAT(result.err, HasSubstr(text));
    EXPECT_EQ(result.out, "");
  }
};

}  // namespace flyscribe
