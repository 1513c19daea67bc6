// A dictionary of m atoms and how it was learned, the sparse codes over it, and the features pooled from them: what
// `learn`, `encode` and `pool` leave.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/fs.h"
#include "core/matrix.h"

namespace flyscribe {

// How learning went. Times are not here: the same inputs give the same bytes.
struct LearningSummary {
  double lambda = 0.0;
  bool nonnegative = false;  // weights were not allowed to be negative
  std::size_t patches = 0;
  // The running objective of each epoch: the mean over patches of 0.5 |x - Dz|^2 + lambda |z|_1 with the dictionary as
  // it stood when the patch was visited, after its codes were updated.
  std::vector<double> objective_per_epoch;
  bool settled = false;            // it ended because the objective had settled, not because all epochs were done
  double nonzeros_per_code = 0.0;  // of the last epoch
  std::size_t unused_atoms = 0;    // in no code of the last epoch
  std::size_t replaced_atoms = 0;  // unused ones that were replaced by patches, over all epochs

  // Of the last epoch; 0 if there was none.
  double Objective() const { return objective_per_epoch.empty() ? 0.0 : objective_per_epoch.back(); }
  friend bool operator==(const LearningSummary&, const LearningSummary&) = default;
};

//   dictionary.npy  float32 [m, p]: one atom a row, in the unit ball
//   summary.json    LearningSummary
struct Dictionary {
  FloatMatrix atoms;
  LearningSummary summary;

  void Save(const fs::path& folder) const;
  static Dictionary Load(const fs::path& folder);
};

// Sparse codes of n patches over m atoms, compressed by rows as in SciPy's csr_matrix.
//   codes.indptr.npy  int64 [n + 1];  codes.indices.npy  int32 [nnz], rising within a row;  codes.data.npy  float32
//   [nnz]
struct SparseCodes {
  std::vector<std::int64_t> indptr = {0};
  std::vector<std::int32_t> indices;
  std::vector<float> data;
  std::size_t atoms = 0;

  std::size_t rows() const { return indptr.size() - 1; }
  std::span<const std::int32_t> RowIndices(std::size_t row) const;
  std::span<const float> RowData(std::size_t row) const;
  // Appends a row given dense: keeps what is not zero.
  void AppendDense(std::span<const float> code);
  void Append(const SparseCodes& other);

  void Save(const fs::path& folder) const;
  // The same as one file, which scipy.sparse.load_npz opens.
  void SaveNpz(const fs::path& path) const;
  // Throws Error(kCorrupt) unless the files describe a valid matrix with `atoms` columns.
  static SparseCodes Load(const fs::path& folder, std::size_t atoms);
  friend bool operator==(const SparseCodes&, const SparseCodes&) = default;
};

// Pooled features of bags.
//   features.npy  float32 [bags, features]
//   argmax.npy    int32 [bags, features]: the patch each feature came from (row of the patch table), -1 where none did
struct BagFeatures {
  FloatMatrix values;
  Matrix<std::int32_t> argmax;

  void Save(const fs::path& folder) const;
  static BagFeatures Load(const fs::path& folder);
};

}  // namespace flyscribe
