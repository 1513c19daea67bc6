// A small lasso of its own atoms in double precision: what the kernels and LassoGroup are held against.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/matrix.h"
#include "core/rng.h"
#include "tests/sparse/random_patches.h"

namespace flyscribe {

// min over z of 0.5 |x - D z|^2 + lambda |z|_1, at weights z.
struct LaneLasso {
  FloatMatrix atoms;  // s x p
  std::vector<float> x;
  std::vector<float> weights;

  std::size_t size() const { return atoms.rows(); }
  double Gram(std::size_t k, std::size_t t) const {
    return ExactDot(atoms.Row(k).data(), atoms.Row(t).data(), atoms.cols());
  }
  // d_k^T (x - D z) for all k.
  template <class Weights>
  std::vector<double> Products(const Weights& z) const {
    std::vector<double> r(x.begin(), x.end());
    for (std::size_t k = 0; k < size(); ++k) {
      for (std::size_t i = 0; i < r.size(); ++i) r[i] -= static_cast<double>(z[k]) * static_cast<double>(atoms(k, i));
    }
    std::vector<double> products(size(), 0.0);
    for (std::size_t k = 0; k < size(); ++k) {
      for (std::size_t i = 0; i < r.size(); ++i) products[k] += r[i] * static_cast<double>(atoms(k, i));
    }
    return products;
  }
  template <class Weights>
  double Objective(const Weights& z, double lambda) const {
    return NaiveObjective(x, atoms, std::vector<double>(z.begin(), z.end()), lambda);
  }
  // How far z misses the optimality conditions: d_k^T r = lambda sign(z_k), or |d_k^T r| <= lambda where z_k = 0.
  template <class Weights>
  double Violation(const Weights& z, double lambda, bool nonnegative) const {
    const std::vector<double> c = Products(z);
    double worst = 0.0;
    for (std::size_t k = 0; k < size(); ++k) {
      const double weight = z[k];
      const double miss = weight != 0.0 ? std::abs(c[k] - (weight > 0.0 ? lambda : -lambda))
                                        : (nonnegative ? c[k] : std::abs(c[k])) - lambda;
      worst = std::max(worst, miss);
    }
    return worst;
  }
};

struct LaneKind {
  std::size_t size = 8;
  std::size_t length = 32;
  double shortest = 1.0;   // norm of an atom
  double coherence = 0.5;  // share of what all atoms have in common
  double used = 0.5;       // share of weights that are not zero
  bool nonnegative = false;
};

inline LaneLasso RandomLane(const LaneKind& kind, std::uint64_t seed) {
  LaneLasso lane;
  lane.atoms = RandomUnitRows(kind.size, kind.length, seed);
  const FloatMatrix others = RandomUnitRows(2, kind.length, ~seed);
  Rng rng(seed, std::uint64_t{1} << 32);
  for (std::size_t k = 0; k < kind.size; ++k) {
    for (std::size_t i = 0; i < kind.length; ++i) {
      lane.atoms(k, i) += static_cast<float>(kind.coherence) * others(0, i);
    }
    ScaleToNorm(lane.atoms.Row(k), rng.Uniform(kind.shortest, 1.0));
  }
  lane.x.assign(others.Row(1).begin(), others.Row(1).end());
  lane.weights.assign(kind.size, 0.0F);
  for (float& weight : lane.weights) {
    const auto value = static_cast<float>(rng.Normal(0.0, 0.3));
    if (rng.Chance(kind.used)) weight = kind.nonnegative ? std::abs(value) : value;
  }
  return lane;
}

// One cycle of coordinate descent in double precision.
inline void NaiveCycle(const LaneLasso& lane, double lambda, bool nonnegative, std::vector<double>& z) {
  for (std::size_t k = 0; k < lane.size(); ++k) {
    const double curvature = lane.Gram(k, k);
    const double b = lane.Products(z)[k] + curvature * z[k];
    const double size = std::max(0.0, (nonnegative ? b : std::abs(b)) - lambda);
    z[k] = (b < 0.0 ? -size : size) / curvature;
  }
}

}  // namespace flyscribe
