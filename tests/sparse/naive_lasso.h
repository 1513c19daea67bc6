// The lasso of one patch in double precision, from its definition: what solvers are held against.
//
//   f(z) = 0.5 |x - D z|^2 + lambda sum_j w_j |z_j| + (ridge / 2) |z|^2,   optionally with z >= 0
//
// D z = sum_j z_j d_j, atoms d_j of any length; all w_j = 1 unless weights are given.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "core/matrix.h"

namespace flyscribe {

inline Matrix<double> InDouble(const FloatMatrix& matrix) {
  return {matrix.rows(), matrix.cols(), {matrix.values().begin(), matrix.values().end()}};
}

struct NaiveLasso {
  std::span<const float> x;
  const Matrix<double>& atoms;
  double lambda;
  bool nonnegative = false;
  double ridge = 0.0;
  std::vector<double> weights = {};

  double Lambda(std::size_t j) const { return weights.empty() ? lambda : lambda * weights[j]; }
  // What violations of atom j are divided by: encoder.h.
  double Scale(std::size_t j) const {
    return weights.empty() ? 1.0 : weights[j] / *std::min_element(weights.begin(), weights.end());
  }

  double AtomTimes(std::size_t j, const std::vector<double>& r) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < r.size(); ++i) sum += atoms(j, i) * r[i];
    return sum;
  }

  std::vector<double> Residual(const std::vector<double>& z) const {
    std::vector<double> r(x.begin(), x.end());
    for (std::size_t j = 0; j < z.size(); ++j) {
      if (z[j] == 0.0) continue;
      for (std::size_t i = 0; i < r.size(); ++i) r[i] -= atoms(j, i) * z[j];
    }
    return r;
  }

  double Objective(const std::vector<double>& z) const {
    double sum = 0.0;
    for (const double value : Residual(z)) sum += 0.5 * value * value;
    for (std::size_t j = 0; j < z.size(); ++j) sum += Lambda(j) * std::abs(z[j]) + 0.5 * ridge * z[j] * z[j];
    return sum;
  }

  // The worst violation of an optimality condition: |d_j^T r| <= lambda w_j where z_j = 0,
  // d_j^T r - ridge z_j = lambda w_j sign(z_j) elsewhere.
  double Violation(const std::vector<double>& z) const {
    const std::vector<double> r = Residual(z);
    double worst = 0.0;
    for (std::size_t j = 0; j < z.size(); ++j) {
      const double product = AtomTimes(j, r) - ridge * z[j];
      const double miss = z[j] == 0.0 ? (nonnegative ? product : std::abs(product)) - Lambda(j)
                                      : std::abs(product - (z[j] > 0.0 ? Lambda(j) : -Lambda(j)));
      worst = std::max(worst, miss / Scale(j));
    }
    return worst;
  }

  // f(z) minus the dual objective s x^T r - 0.5 s^2 |r|^2 at s r, where s <= 1 is as large as |d_j^T (s r)| <= lambda
  // w_j allows; with a ridge, of x, r and d_j made longer, by which r becomes [r; -sqrt(ridge) z]. No code lies lower
  // than f(z) by more.
  double Gap(const std::vector<double>& z) const {
    const std::vector<double> r = Residual(z);
    double largest = 1.0;
    for (std::size_t j = 0; j < z.size(); ++j) {
      const double product = AtomTimes(j, r) - ridge * z[j];
      largest = std::max(largest, (nonnegative ? product : std::abs(product)) / Lambda(j));
    }
    const double s = 1.0 / largest;
    double dual = 0.0;
    for (std::size_t i = 0; i < r.size(); ++i) dual += s * r[i] * (static_cast<double>(x[i]) - 0.5 * s * r[i]);
    for (const double weight : z) dual -= 0.5 * s * s * ridge * weight * weight;
    return Objective(z) - dual;
  }

  // The minimum, by many cycles of coordinate descent over all atoms.
  std::vector<double> Solve() const {
    std::vector<double> z(atoms.rows(), 0.0);
    std::vector<double> r(x.begin(), x.end());
    double moved = 1.0;
    for (int cycle = 0; cycle < 20000 && moved > 1e-12; ++cycle) {
      moved = 0.0;
      for (std::size_t j = 0; j < z.size(); ++j) moved = std::max(moved, UpdateWeight(j, z, r));
    }
    return z;
  }

 private:
  // Minimises over z_j; returns by how much it changed.
  double UpdateWeight(std::size_t j, std::vector<double>& z, std::vector<double>& r) const {
    const std::vector<double> d(atoms.Row(j).begin(), atoms.Row(j).end());
    const double curvature = AtomTimes(j, d);
    if (curvature == 0.0) return 0.0;
    const double b = AtomTimes(j, r) + curvature * z[j];
    double updated = 0.0;
    if (b > Lambda(j)) updated = (b - Lambda(j)) / (curvature + ridge);
    if (b < -Lambda(j) && !nonnegative) updated = (b + Lambda(j)) / (curvature + ridge);
    const double change = updated - z[j];
    for (std::size_t i = 0; i < r.size(); ++i) r[i] -= change * d[i];
    z[j] = updated;
    return std::abs(change);
  }
};

}  // namespace flyscribe
