#include "sparse/coordinate_descent.h"

#include <algorithm>
#include <cmath>

namespace flyscribe {

LassoState::LassoState(const FloatMatrix& atoms, double lambda)
    : atoms_(atoms), lambda_(static_cast<float>(lambda)), code_(atoms.rows(), 0.0F), residual_(atoms.cols(), 0.0F) {}

void LassoState::Start(std::span<const float> x,
                       std::span<const std::int32_t> indices,
                       std::span<const float> weights) {
  for (std::size_t k = 0; k < indices.size(); ++k) code_[static_cast<std::size_t>(indices[k])] = weights[k];
  RefreshResidual(x, indices);
}

void LassoState::Clear(std::span<const std::int32_t> support) {
  for (const std::int32_t atom : support) code_[static_cast<std::size_t>(atom)] = 0.0F;
}

void LassoState::SetWeight(std::size_t atom, float weight) {
  AddScaled(code_[atom] - weight, atoms_.Row(atom).data(), residual_.data(), residual_.size());
  code_[atom] = weight;
}

void LassoState::RefreshResidual(std::span<const float> x, std::span<const std::int32_t> support) {
  std::copy(x.begin(), x.end(), residual_.begin());
  for (const std::int32_t index : support) {
    const auto atom = static_cast<std::size_t>(index);
    AddScaled(-code_[atom], atoms_.Row(atom).data(), residual_.data(), residual_.size());
  }
}

double LassoState::Violation(std::size_t atom) const {
  const double correlation = Correlation(atom);
  const double lambda = lambda_;
  if (code_[atom] > 0.0F) return std::abs(correlation - lambda);
  if (code_[atom] < 0.0F) return std::abs(correlation + lambda);
  return std::max(0.0, std::abs(correlation) - lambda);
}

double LassoState::Objective(std::span<const std::int32_t> support) const {
  double weights = 0.0;
  for (const std::int32_t atom : support) weights += std::abs(code_[static_cast<std::size_t>(atom)]);
  double squares = 0.0;
  for (const float value : residual_) squares += static_cast<double>(value) * static_cast<double>(value);
  return 0.5 * squares + static_cast<double>(lambda_) * weights;
}

void FindSupport(const LassoState& state, std::size_t atoms, std::vector<std::int32_t>& support) {
  support.clear();
  for (std::size_t atom = 0; atom < atoms; ++atom) {
    if (state.weight(atom) != 0.0F) support.push_back(static_cast<std::int32_t>(atom));
  }
}

bool AllFinite(std::span<const float> values) {
  return std::all_of(values.begin(), values.end(), [](float value) { return std::isfinite(value); });
}

}  // namespace flyscribe
