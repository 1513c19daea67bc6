#include "data/calibration.h"

#include <algorithm>
#include <cmath>

namespace flyscribe {
namespace {

// Without overflow at either end.
double Sigmoid(double value) {
  if (value >= 0.0) return 1.0 / (1.0 + std::exp(-value));
  const double raised = std::exp(value);
  return raised / (1.0 + raised);
}

double Interpolate(const std::vector<CalibrationKnot>& knots, double decision_value) {
  const auto above =
      std::upper_bound(knots.begin(), knots.end(), decision_value, [](double s, const CalibrationKnot& k) {
        return s < k.decision_value;
      });
  if (above == knots.begin()) return knots.front().probability;
  if (above == knots.end()) return knots.back().probability;
  const CalibrationKnot& below = *(above - 1);
  const double share = (decision_value - below.decision_value) / (above->decision_value - below.decision_value);
  return below.probability + share * (above->probability - below.probability);
}

bool IsProbability(double value) { return value >= 0.0 && value <= 1.0; }

}  // namespace

double Calibration::Probability(double decision_value) const {
  return knots.empty() ? Sigmoid(slope * decision_value + offset) : Interpolate(knots, decision_value);
}

bool Calibration::IsValid() const {
  if (!std::isfinite(slope) || !std::isfinite(offset) || slope < 0.0) return false;
  for (std::size_t k = 0; k < knots.size(); ++k) {
    if (!std::isfinite(knots[k].decision_value) || !IsProbability(knots[k].probability)) return false;
    if (k == 0) continue;
    if (!(knots[k - 1].decision_value < knots[k].decision_value)) return false;
    if (knots[k - 1].probability > knots[k].probability) return false;
  }
  return true;
}

}  // namespace flyscribe
