// The arithmetic the learners and the encoder are built from, compiled for several instruction sets (core/simd.h
// chooses), with the same bytes from each: every multiply-add is fused, every sum has one order (kernels.cc).
//
// Vectors are padded: every pointer below leads to `length` floats, a multiple of kLaneMultiple, filled up with zeros
// (PaddedRows). So no kernel has a special case for the last few values.
//
//   d_j   atom j, row j of a PaddedRows      r   a residual, one row      c_j = d_j^T r
//
// Internal to modules/sparse. Thread-safe; no state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace flyscribe {

inline constexpr std::size_t kLaneMultiple = 16;   // lanes of the virtual vector; of it padded lengths are multiples
inline constexpr std::size_t kShortMultiple = 32;  // the same for 16-bit copies
inline constexpr std::size_t kGroupLanes = 16;     // lassos solved side by side
inline constexpr std::size_t kMostFinished = 128;  // finish_group leaves lanes with more weights as they are
inline constexpr float kSmallestPivot = 1e-5F;     // and lanes whose atoms are this near to being dependent

// The lasso of one patch, as coordinate descent on its residual sees it. The weights are stored for all atoms.
struct DescentProblem {
  const float* atoms = nullptr;
  std::size_t length = 0;
  const std::int32_t* ids = nullptr;
  float* r = nullptr;
  float* weights = nullptr;
  float lambda = 0.0F;
  bool nonnegative = false;
};

// A look for atoms that may break the lasso's condition, by 16-bit copies of atoms and residual (atom_cycle.h).
struct ScreenProblem {
  const std::int16_t* copies = nullptr;  // of the atoms
  const std::int16_t* residual = nullptr;
  std::size_t length = 0;             // of a copy, a multiple of kShortMultiple
  const std::int32_t* ids = nullptr;  // the order to look in; null: by number
  const float* weights = nullptr;     // of all atoms
  std::int32_t bound = 0;
};

// Sixteen small lassos in lock-step, lane l belonging to patch l: see lasso_group.h. Arrays hold kGroupLanes values for
// each entry, lane innermost: gram[(k * capacity + t) * 16 + l] = d_k^T d_t of patch l.
struct GroupProblem {
  std::size_t width = 0;     // coordinates per lane; shorter lanes are filled up with zeros (and 1 on gram's diagonal)
  std::size_t capacity = 0;  // distance between rows of gram, in entries
  const float* gram = nullptr;
  const float* inverse_curvatures = nullptr;  // 1 / gram[k][k]
  float* weights = nullptr;                   // z, in and out
  float* correlations = nullptr;              // d_k^T r, in and out
  float lambda = 0.0F;
  bool nonnegative = false;
  int max_cycles = 0;
  // A lane whose largest change of d_k^T r in a cycle is at most this goes to sleep, and is left alone from then on:
  // its result does not depend on the other lanes.
  float rest = 0.0F;
  std::int32_t* awake = nullptr;  // a flag a lane, in and out
  float* factor = nullptr;        // scratch for finish_group: max(kMostFinished squared, capacity) x 16, aligned
};

struct Kernels {
  const char* name;

  float (*dot)(const float* a, const float* b, std::size_t length);
  // |a - b|^2.
  float (*squared_distance)(const float* a, const float* b, std::size_t length);
  // y += scale x.
  void (*add_scaled)(float scale, const float* x, float* y, std::size_t length);
  // r = x - sum_k weights[k] d_ids[k]. r and x may be the same.
  void (*residual)(const float* x,
                   const float* atoms,
                   const std::int32_t* ids,
                   const float* weights,
                   std::size_t count,
                   float* r,
                   std::size_t length);
  // One cycle of coordinate descent over the ids in their order; updates r and the weights.
  void (*descend)(const DescentProblem& problem, std::size_t count);
  // out[k] = d_ids[k]^T r. Each value is the same whatever stands beside it in the list.
  void (*products_of_list)(
      const float* atoms, const std::int32_t* ids, std::size_t count, const float* r, float* out, std::size_t length);
  // panel[k * 16 + i] = rows[i][k] of sixteen rows.
  void (*interleave)(const float* const* rows, std::size_t length, float* panel);
  // out[i * out_stride + j] = d_j^T r_i for all rows r_i and the 16 panel_count atoms of a Panels: a matrix product.
  // Each value is one chain of multiply-adds, the same whatever stands beside it, but not to the last bit the one of
  // products_of_list.
  void (*products)(const float* panels,
                   std::size_t panel_count,
                   const float* rows,
                   std::size_t row_count,
                   float* out,
                   std::size_t out_stride,
                   std::size_t length);
  // gram[(i * capacity + j) * 16] = d_ids[i]^T d_ids[j], all count x count values: a lane of a GroupProblem.
  void (*gram)(const float* atoms,
               const std::int32_t* ids,
               std::size_t count,
               float* gram,
               std::size_t capacity,
               std::size_t length);
  // The largest |values[i]| (or values[i], if nonnegative), at least 0; count is a multiple of kLaneMultiple.
  float (*largest)(const float* values, std::size_t count, bool nonnegative);
  // Appends to ids the i with |values[i]| > bound (or values[i] > bound), rising; returns how many. ids has room for
  // count + kLaneMultiple; count is a multiple of kLaneMultiple.
  std::size_t (*find_above)(const float* values, std::size_t count, float bound, bool nonnegative, std::int32_t* ids);
  // Coordinate descent on sixteen lassos at once. cycles, of sixteen, becomes the number each lane took.
  void (*descend_group)(const GroupProblem& problem, int* cycles);
  // Moves each waking lane to the minimum over its non-zero weights, by a Cholesky factor; where a weight would change
  // its sign on the way, only as far as to where the first one becomes zero. Never raises the objective.
  void (*finish_group)(const GroupProblem& problem);
  // d += step r, then onto the unit ball (scaled down if longer than 1) or, if sphere, onto the unit sphere. A vector
  // of length 0 stays as it is.
  void (*move_atom)(float step, const float* r, float* atom, bool sphere, std::size_t length);
  // The same without negative values: d <- max(0, d + step r), then as above. Where nothing is left, d stays as it is.
  void (*move_nonnegative_atom)(float step, const float* r, float* atom, bool sphere, std::size_t length);

  // 16-bit copies, for looking at many atoms quickly: q = round(scale x), |q| <= 32767.
  void (*quantise)(float scale, const float* x, std::int16_t* q, std::size_t length);
  // The first k = begin, begin + 8, ... below end, or end, with a doubtful atom among k .. k + 7: one with |q_j^T q| >
  // bound or a weight that is not zero, j = ids[k + b] (or j = k + b); bit b of *which says whether it is. The products
  // are exact in 32 bits if |q_j|_2 |q|_2 < 2^31.
  std::size_t (*next_doubtful)(const ScreenProblem& problem, std::size_t begin, std::size_t end, std::uint32_t* which);
};

// REQUIRES: one of SimdTargets() of core/simd.h.
const Kernels& KernelsFor(const std::string& name);
// Those in use: KernelsFor(SimdInUse()).
const Kernels& ActiveKernels();

}  // namespace flyscribe
