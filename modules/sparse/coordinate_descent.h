// Coordinate descent for the lasso problem of one patch: what learning and encoding share.
//
//   min over z of  f(z) = 0.5 |x - D z|^2 + lambda |z|_1
//
//   x  patch, p values      D  atoms d_1 .. d_m, one a row, p values each, |d_j| <= 1
//   z  code, m weights      r = x - D z, the residual, kept up to date with every change of z
//
// One update of coordinate j with curvature q is   z_j <- h_lambda(d_j^T r + q z_j) / q,   h = SoftThreshold.
//   q = |d_j|^2  the exact minimiser over z_j;
//   q = 1        the paper's update (Lin et al. 2014, appendix A). Where |d_j| < 1 it minimises an upper bound of f
//   that
//                touches it at the present z, so f still never rises.
//
// z is optimal if and only if for every j:  d_j^T r = lambda sign(z_j) where z_j != 0, and |d_j^T r| <= lambda
// elsewhere (the Karush-Kuhn-Tucker conditions). Violation() says by how much one of them is missed.
//
// Internal to modules/sparse. Single precision. Not thread-safe: one LassoState per worker. Deterministic.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/linalg.h"
#include "core/matrix.h"

namespace flyscribe {

// h_lambda(v): v moved towards zero by lambda, and zero if it would cross it.
inline float SoftThreshold(float value, float lambda) {
  if (value > lambda) return value - lambda;
  if (value < -lambda) return value + lambda;
  return 0.0F;
}

// The code of one patch in the making. z is stored dense for direct access, but is zero outside a short list of atoms
// the caller knows: the functions that take `support` trust that every non-zero weight is listed there.
class LassoState {
 public:
  // Refers to `atoms`, which may change from one patch to the next.
  LassoState(const FloatMatrix& atoms, double lambda);

  // Takes up patch x with the code given sparse as its starting point. REQUIRES: the code is zero everywhere (Clear).
  void Start(std::span<const float> x, std::span<const std::int32_t> indices, std::span<const float> weights);
  // Makes the code zero again.
  void Clear(std::span<const std::int32_t> support);

  float weight(std::size_t atom) const { return code_[atom]; }
  std::span<const float> residual() const { return residual_; }

  // d_j^T r.
  float Correlation(std::size_t atom) const { return Dot(atoms_.Row(atom).data(), residual_.data(), residual_.size()); }
  // Updates z_j and r; returns the change of z_j. REQUIRES: curvature > 0.
  float Update(std::size_t atom, float curvature) {
    const float old = code_[atom];
    const float updated = SoftThreshold(Correlation(atom) + curvature * old, lambda_) / curvature;
    if (updated != old) SetWeight(atom, updated);
    return updated - old;
  }
  // Computes r = x - D z anew, without the rounding errors many updates have left in it.
  void RefreshResidual(std::span<const float> x, std::span<const std::int32_t> support);

  // How far coordinate j is from its optimality condition; 0 if it is met.
  double Violation(std::size_t atom) const;
  // f(z).
  double Objective(std::span<const std::int32_t> support) const;

 private:
  void SetWeight(std::size_t atom, float weight);

  const FloatMatrix& atoms_;
  float lambda_;
  std::vector<float> code_;
  std::vector<float> residual_;
};

// The positions of the weights of all m atoms that are not zero, rising.
void FindSupport(const LassoState& state, std::size_t atoms, std::vector<std::int32_t>& support);

bool AllFinite(std::span<const float> values);

}  // namespace flyscribe
