#include "bench/naive_scc.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace flyscribe {
namespace {

constexpr int kCycles = 3;

float Dot(std::span<const float> a, std::span<const float> b) {
  float sum = 0.0F;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

void Update(std::span<const float> atom, float lambda, float& weight, std::vector<float>& r) {
  const float b = Dot(atom, r) + weight;
  const float updated = std::copysign(std::max(0.0F, std::abs(b) - lambda), b);
  if (updated == weight) return;
  for (std::size_t i = 0; i < r.size(); ++i) r[i] -= (updated - weight) * atom[i];
  weight = updated;
}

}  // namespace

double NaiveSccEpoch(const FloatMatrix& patches, double lambda, FloatMatrix& atoms) {
  const auto threshold = static_cast<float>(lambda);
  std::vector<double> h(atoms.rows(), 0.0);
  std::vector<float> z(atoms.rows());
  double objective = 0.0;
  for (std::size_t i = 0; i < patches.rows(); ++i) {
    std::vector<float> r(patches.Row(i).begin(), patches.Row(i).end());
    std::fill(z.begin(), z.end(), 0.0F);
    for (std::size_t j = 0; j < z.size(); ++j) Update(atoms.Row(j), threshold, z[j], r);
    for (int cycle = 1; cycle < kCycles; ++cycle) {
      for (std::size_t j = 0; j < z.size(); ++j) {
        if (z[j] != 0.0F) Update(atoms.Row(j), threshold, z[j], r);
      }
    }
    objective += 0.5 * static_cast<double>(Dot(r, r));
    for (std::size_t j = 0; j < z.size(); ++j) {
      if (z[j] == 0.0F) continue;
      const double weight = z[j];
      objective += lambda * std::abs(weight);
      h[j] += weight * weight;
      const std::span<float> atom = atoms.Row(j);
      for (std::size_t k = 0; k < r.size(); ++k) atom[k] += static_cast<float>(weight / h[j]) * r[k];
      const float norm = std::sqrt(Dot(atom, atom));
      if (norm > 1.0F) std::for_each(atom.begin(), atom.end(), [norm](float& value) { value /= norm; });
    }
  }
  return objective / static_cast<double>(patches.rows());
}

}  // namespace flyscribe
