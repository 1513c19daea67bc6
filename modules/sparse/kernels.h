// The arithmetic the learners and the encoder are built from, compiled for several instruction sets.
//
// ActiveKernels picks one set at run time: the one core/simd.h says. "plain" is the same arithmetic as plain loops.
// Results of two sets differ by rounding; those of one set are the same bytes on every machine that has it. Vectors
// wider than eight lanes are not used: on the processors that have them they gain little here, and so "auto" gives the
// same bytes on most machines of today.
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

inline constexpr std::size_t kLaneMultiple = 16;   // of padded lengths: two vectors of eight
inline constexpr std::size_t kGroupLanes = 8;      // lassos solved side by side
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

// Eight small lassos in lock-step, lane l belonging to patch l: see lasso_group.h. Arrays hold kGroupLanes values for
// each entry, lane innermost: gram[(k * capacity + t) * 8 + l] = d_k^T d_t of patch l.
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
  std::int32_t* awake = nullptr;  // eight flags, in and out
  float* factor = nullptr;        // scratch for finish_group: max(kMostFinished squared, capacity) x 8, aligned
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
  // The first k in [begin, end) whose weight would change in an update of coordinate j = ids[k] (or j = k, if ids is
  // null) with the present r, or end: z_j against h_lambda(d_j^T r + z_j). *updated becomes the new weight.
  std::size_t (*next_change)(const DescentProblem& problem, std::size_t begin, std::size_t end, float* updated);
  // One cycle of coordinate descent over the ids in their order; updates r and the weights.
  void (*descend)(const DescentProblem& problem, std::size_t count);
  // out[k] = d_ids[k]^T r. Each value is the same whatever stands beside it in the list.
  void (*products_of_list)(
      const float* atoms, const std::int32_t* ids, std::size_t count, const float* r, float* out, std::size_t length);
  // out[i * out_stride + j] = d_j^T r_i for all atoms and rows: a matrix product. Each value is the same whatever
  // stands beside it, but not to the last bit the one of products_of_list.
  void (*products)(const float* atoms,
                   std::size_t atom_count,
                   const float* rows,
                   std::size_t row_count,
                   float* out,
                   std::size_t out_stride,
                   std::size_t length);
  // gram[(i * capacity + j) * 8] = d_ids[i]^T d_ids[j], all count x count values: a lane of a GroupProblem.
  void (*gram)(const float* atoms,
               const std::int32_t* ids,
               std::size_t count,
               float* gram,
               std::size_t capacity,
               std::size_t length);
  // The largest |values[i]| (or values[i], if nonnegative), at least 0; count is a multiple of kLaneMultiple.
  float (*largest)(const float* values, std::size_t count, bool nonnegative);
  // Appends to ids the i with |values[i]| > bound (or values[i] > bound), rising; returns how many. ids has room for
  // count + 1; count is a multiple of kLaneMultiple.
  std::size_t (*find_above)(const float* values, std::size_t count, float bound, bool nonnegative, std::int32_t* ids);
  // Coordinate descent on eight lassos at once. cycles, of eight, becomes the number each lane took.
  void (*descend_group)(const GroupProblem& problem, int* cycles);
  // Moves each waking lane to the minimum over its non-zero weights, by a Cholesky factor; where a weight would change
  // its sign on the way, only as far as to where the first one becomes zero. Never raises the objective.
  void (*finish_group)(const GroupProblem& problem);
  // d += step r, then onto the unit ball (scaled down if longer than 1) or, if sphere, onto the unit sphere. A vector
  // of length 0 stays as it is.
  void (*move_atom)(float step, const float* r, float* atom, bool sphere, std::size_t length);

  // 16-bit copies, for looking at many atoms quickly: q = round(scale x), |q| <= 32767.
  void (*quantise)(float scale, const float* x, std::int16_t* q, std::size_t length);
  // out[j] = q_j^T q, exact in 32 bits if |q_j|_2 |q|_2 < 2^31.
  void (*quantised_products)(
      const std::int16_t* atoms, std::size_t atom_count, const std::int16_t* q, std::int32_t* out, std::size_t length);
  // Appends to ids the j in [begin, end) with |products[j]| > bound or weights[j] != 0, rising; returns how many. ids
  // has room for end - begin + 1.
  std::size_t (*find_doubtful)(const std::int32_t* products,
                               const float* weights,
                               std::size_t begin,
                               std::size_t end,
                               std::int32_t bound,
                               std::int32_t* ids);
};

// Those of the instruction set this process uses: SimdInUse() of core/simd.h.
const Kernels& ActiveKernels();

// `name` is one of SimdTargets().
const Kernels& KernelsFor(const std::string& name);

// The kernels without vector instructions (kernels_plain.cc): KernelsFor("plain").
const Kernels& PlainKernels();

}  // namespace flyscribe
