// Solves the lassos of sixteen patches side by side, each restricted to a few atoms.
//
//   min over z of  0.5 |x - sum_k z_k d_k|^2 + lambda |z|_1,   k over the atoms of an ActiveSet
//
// Coordinate descent in the form that keeps c_k = d_k^T r instead of the residual r: with G_kt = d_k^T d_t,
//   z_k <- h_lambda(c_k + G_kk z_k) / G_kk,   then   c_t <- c_t - G_kt (change of z_k)   for all t of the set.
// A cycle costs s^2 multiplications where the residual would cost 2 s p; sixteen patches fill a virtual vector, one
// lane each, so the long chain of dependent updates of one patch is hidden behind those of the others.
//
// A ridge, sum_k (mu_k / 2) z_k^2 on top, is the same lasso with G_kk + mu_k and c_k - mu_k z_k in place of G_kk and
// c_k: that of x and d_k each made longer, by zeros and by sqrt(mu_k) in a place of its own.
//
// Internal to modules/sparse. Not thread-safe: one per worker. Deterministic; a lane does not see its neighbours.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sparse/padded_rows.h"

namespace flyscribe {

// An atom that may join, and its product with the residual.
struct AtomProduct {
  std::int32_t id = 0;
  float product = 0.0F;
};

// The atoms a patch may use, rising, with its weights z and the products c = d^T r at these weights.
struct ActiveSet {
  std::vector<std::int32_t> ids;
  std::vector<float> weights;
  std::vector<float> products;

  std::size_t size() const { return ids.size(); }
  bool Contains(std::int32_t id) const;
  // Adds atoms with weight zero in their places. REQUIRES: rising, and none of them is in the set.
  void Insert(std::span<const AtomProduct> candidates);
  // Forgets atoms of weight zero.
  void DropZeros();
};

// What all lassos of a call have in common.
struct LassoTerms {
  float lambda = 0.0F;
  bool nonnegative = false;
  std::span<const float> ridge = {};  // mu_j of every atom; empty: none. The products of an ActiveSet stay d^T r.
};

class LassoGroup {
 public:
  LassoGroup(const Kernels& kernels, LassoTerms terms) : kernels_(kernels), terms_(terms) {}

  // Up to sixteen sets, each with products that belong to its weights. Runs at most `max_cycles` cycles; a set whose
  // products change by at most `rest` in a cycle is finished. Returns the cycles each set took.
  std::span<const int> Descend(const PaddedRows& atoms, std::span<ActiveSet* const> sets, int max_cycles, float rest);
  // The same, with steps to the minimum over the non-zero weights in between: a few cycles find the support, and the
  // step spares the many that would be needed to polish it.
  std::span<const int> Solve(const PaddedRows& atoms, std::span<ActiveSet* const> sets, int max_cycles, float rest);

 private:
  GroupProblem Load(const PaddedRows& atoms, std::span<ActiveSet* const> sets, float rest);
  std::span<const int> Store(std::span<ActiveSet* const> sets);
  void DescendMore(GroupProblem& problem, int max_cycles);

  const Kernels& kernels_;
  LassoTerms terms_;
  std::size_t capacity_ = 0;
  AlignedVector<float> gram_;  // capacity x capacity x 16
  AlignedVector<float> inverse_curvatures_;
  AlignedVector<float> weights_;
  AlignedVector<float> products_;
  AlignedVector<float> factor_;
  std::array<std::int32_t, kGroupLanes> awake_{};
  std::array<int, kGroupLanes> cycles_{};
};

}  // namespace flyscribe
