// The lasso of one patch by homotopy: from the empty code down the path of all solutions to the wanted lambda.
//
//   min over z of  0.5 |x - D z|^2 + lambda |z|_1,   optionally with z >= 0
//
//   D  atoms d_1 .. d_m, one a row, |d_j| <= 1      G = D D^T, m x m      c = D x, m values      z  code, m weights
//
// The patch enters by c alone, so the length of descriptors does not matter here. Let A be the active atoms, s their
// signs, and r = c - G z. The solution for a level l >= lambda has r_A = l s, and |r_j| <= l elsewhere. Between two
// breakpoints it is linear in l: where l falls by t,
//   z_A += t w,   r -= t u,   with  G_AA w = s  and  u = G_.A w,
// up to the first of three events: an inactive atom reaches |r_j| = l and joins; a weight reaches zero and its atom
// leaves; l reaches lambda, the end. It starts with A empty and l = max |c_j|. With z >= 0 only r_j = l lets an atom
// join. G_AA = L L^T is kept as its Cholesky factor: an atom that joins adds a row to L, one that leaves is rotated
// out of it.
//
// The path may end earlier, where |x - D z| has come down to an error, or |z|_1 up to a budget: at the solution of
//   min |z|_1  with  |x - D z| <= error      or of      min |x - D z|  with  |z|_1 <= budget,
// which is that of the lasso for the level reached. On the path |x - D z|^2 = |x|^2 - z^T c - l |z|_1; where l falls by
// t, with W = s^T w, it falls by W t (2 l - t) and |z|_1 grows by W t: both ends are found inside the step.
//
// At the end the optimality conditions of all atoms are checked. Should one be missed by more than 1e-4 max |c_j|,
// coordinate descent finishes the work. This happens where the path cannot be followed in floating point: an atom that
// almost depends on the active ones (pivot of L below 1e-6 |d_j|^2) is passed over until one of them leaves, and the
// walk ends after `most_steps` events, should ties make it go in circles. Among atoms that are copies but for a
// thousandth, coordinate descent may run out of cycles: LarsTrace says by how much the conditions are missed.
// Atoms shorter than 1 are handled exactly. Atoms of norm 0, and all but one of several copies, have weight zero.
//
// It does not compute G or c, and takes no warm start. Cost: about (k^2 / 2 + 3 k) m multiplications for a code of k
// weights. Memory of a solver: 4 rows of m floats and k^2 / 2 doubles. L and the weights are double, r and u single.
//
// References: Osborne, Presnell, Turlach: A New Approach to Variable Selection in Least Squares Problems, IMA Journal
// of Numerical Analysis 20, 2000. Efron, Hastie, Johnstone, Tibshirani: Least Angle Regression, Annals of Statistics
// 32(2), 2004. Used for dictionaries by Mairal, Bach, Ponce, Sapiro: Online Learning for Matrix Factorization and
// Sparse Coding, JMLR 11, 2010.
//
// Internal to modules/sparse. Not thread-safe: one LarsSolver per worker. Deterministic: a code depends on its problem
// and the kernels alone, not on what was solved before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "sparse/kernels.h"
#include "sparse/padded_rows.h"

namespace flyscribe {

// The lower triangular L with G = L L^T, where G grows and shrinks by a row and column at a time. Not thread-safe.
class CholeskyFactor {
 public:
  std::size_t size() const { return size_; }
  void Clear() { size_ = 0; }

  // Makes G one larger: `cross` is its new last row but for the last value, `diagonal`. Returns false and changes
  // nothing where the new row almost depends on the others: pivot L_kk^2 <= 1e-6 diagonal.
  bool Append(std::span<const double> cross, double diagonal);
  // Takes row and column `position` out of G.
  void Remove(std::size_t position);

  // values: b, becoming y with L y = b. The first `solved` values are y already.
  void SolveLower(std::span<double> values, std::size_t solved = 0) const;
  // values: y, becoming v with L^T v = y.
  void SolveUpper(std::span<double> values) const;

 private:
  double* Row(std::size_t row) { return rows_.data() + row * (row + 1) / 2; }
  const double* Row(std::size_t row) const { return rows_.data() + row * (row + 1) / 2; }

  std::size_t size_ = 0;
  std::vector<double> rows_;  // packed: row k has k + 1 values
};

// One lasso. Rows of gram and correlations are aligned and filled up with zeros as in PaddedRows; all values finite.
struct LarsProblem {
  const float* gram = nullptr;          // G, symmetric
  std::size_t stride = 0;               // floats from one row of G to the next, a multiple of kLaneMultiple
  const float* correlations = nullptr;  // c, `stride` floats
  float lambda = 0.0F;                  // >= 0
  bool nonnegative = false;
  double error = -1.0;        // where to end earlier; below 0: not by the error
  double squared_norm = 0.0;  // |x|^2, for this
  double budget = std::numeric_limits<double>::infinity();
};

// What happened on the way.
struct LarsTrace {
  int joins = 0;
  int leaves = 0;
  int passed_over = 0;             // joins refused because the atom almost depended on the active ones
  int descent_cycles = 0;          // of coordinate descent; 0 if the path alone gave the code
  double level = 0.0;              // at the end: the lambda of which the code is the solution
  float largest_violation = 0.0F;  // of the optimality conditions, by the code returned
};

class LarsSolver {
 public:
  // Uses add_scaled, residual and largest of `kernels`, which must outlive it.
  LarsSolver(const Kernels& kernels, std::size_t atoms) : LarsSolver(kernels, atoms, 4 * atoms + 64) {}
  LarsSolver(const Kernels& kernels, std::size_t atoms, std::size_t most_steps);

  // Replaces indices (rising) and weights (none of them zero) by the code.
  LarsTrace Solve(const LarsProblem& problem, std::vector<std::int32_t>& indices, std::vector<float>& weights);

 private:
  enum class EventKind { kEnd, kJoin, kLeave };
  // What ends the way along the present direction.
  struct Event {
    EventKind kind = EventKind::kEnd;
    double step = 0.0;         // how far the level falls until then
    std::size_t position = 0;  // of the atom: in the dictionary if it joins, among the active ones if it leaves
    float sign = 0.0F;         // of the atom that joins
  };
  struct SignedAtom {
    std::size_t atom = 0;
    float sign = 0.0F;  // 0: there is none
  };

  void Begin(const LarsProblem& problem);

  void WalkPath();
  void ComputeDirection();
  bool Limited() const;
  // How far the level may fall until the error or the budget is met.
  double StepToLimits() const;
  Event NextEvent() const;
  void Advance(double step);
  // False if the atom was passed over: then the active set stays.
  bool Join(std::size_t atom, float sign);
  void Leave(std::size_t position);

  void TakeCodeFromActive();
  void TakeCodeFromDense();
  void ScatterCode();
  // Also computes r anew.
  float LargestViolation();

  void Descend();
  float DescendOneCycle();
  float UpdateCoordinate(std::size_t atom);

  void WriteCode(std::vector<std::int32_t>& indices, std::vector<float>& weights);

  const float* GramRow(std::size_t atom) const { return problem_.gram + atom * problem_.stride; }

  const Kernels& kernels_;
  std::size_t atoms_;
  std::size_t most_steps_;

  LarsProblem problem_;
  LarsTrace trace_;
  float tolerance_ = 0.0F;  // of the optimality conditions
  double level_ = 0.0;

  // The active atoms in the order in which they joined. All have one length but direction_, which lags behind.
  std::vector<std::int32_t> active_;
  std::vector<float> signs_;
  std::vector<double> weights_;
  std::vector<double> half_solved_;  // y with L y = s
  std::vector<double> direction_;    // w
  CholeskyFactor factor_;
  SignedAtom just_left_;                   // at the last change of the active set
  std::vector<std::int32_t> passed_over_;  // until an atom leaves, which may make them independent
  std::vector<double> cross_;              // of G, the atom that joins with the active ones

  // As long as a row of G. Entries of active atoms and of those passed over are zero on the path ("silenced"): then a
  // search for the next atom needs no list of exceptions.
  AlignedVector<float> correlations_;  // r
  AlignedVector<float> slopes_;        // u
  AlignedVector<float> zeros_;
  AlignedVector<float> dense_;  // z during coordinate descent; all zero between calls

  // The code: atoms with a weight that is not zero.
  std::vector<std::int32_t> code_atoms_;
  std::vector<float> code_weights_;
  std::vector<float> scratch_;
};

}  // namespace flyscribe
