// From a decision value to a probability: a map that never falls.
//
//   sigmoid  P(s) = 1 / (1 + exp(-(slope s + offset))),   slope >= 0   (Platt)
//   steps    P(s) is linear between the knots (s_k, p_k) and constant beyond them; s_k rises, p_k never falls
//            (isotonic regression)
//
// How one is fitted is another matter (classify/calibrate.h). Thread-safe: a value.
#pragma once

#include <vector>

namespace flyscribe {

struct CalibrationKnot {
  double decision_value = 0.0;
  double probability = 0.0;
  friend bool operator==(const CalibrationKnot&, const CalibrationKnot&) = default;
};

struct Calibration {
  double slope = 0.0;
  double offset = 0.0;
  std::vector<CalibrationKnot> knots;  // empty: sigmoid

  // In [0, 1]. REQUIRES: the decision value is finite.
  double Probability(double decision_value) const;
  // Finite numbers, a slope that is not negative, knots that rise as said above.
  bool IsValid() const;
  friend bool operator==(const Calibration&, const Calibration&) = default;
};

}  // namespace flyscribe
