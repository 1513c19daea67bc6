// From out-of-fold decision values to a probability and a cut.
//
//   s_i  decision value of bag i by a model that did not see its gene      l_i  1 with the term, 0 without
//   n+, n-  bags with and without the term
//
// Platt: P(s) = 1 / (1 + exp(-(a s + b))) with a, b minimising the cross-entropy
//
//   - sum_i t_i log P(s_i) + (1 - t_i) log (1 - P(s_i)),   t = (n+ + 1) / (n+ + 2) with the term, 1 / (n- + 2) without
//
// by Newton's method with halved steps. The targets t keep a perfectly separated term from an infinite slope. Where the
// best a is negative, or all s are equal, P is the constant prior (n+ + 1) / (n+ + n- + 2).
//
// Isotonic: the never falling P that minimises sum_i (l_i - P(s_i))^2, by pooling adjacent violators; a pool from s_1
// to s_2 with mean p becomes the knots (s_1, p), (s_2, p). P may be exactly 0 or 1 at the ends.
//
// A cut calls the bags with s > cut. Cuts are tried halfway between neighbouring distinct values, and below the lowest;
// with knots only where P changes, so that bags of one probability are called alike.
//
// It does not make the folds. Cost: n log n; Platt some ten passes over n.
// References: Platt: Probabilistic outputs for support vector machines, 1999; Lin, Lin, Weng: A note on Platt's
// probabilistic outputs for support vector machines, Machine Learning 68, 2007; Ayer et al.: An empirical distribution
// function for sampling with incomplete information, Annals of Mathematical Statistics 26, 1955.
// Thread-safe; deterministic; the order of the bags may change the last digit of Platt's numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "data/models.h"

namespace flyscribe {

// Cuts that call nothing and everything.
inline constexpr double kCallNone = std::numeric_limits<double>::max();
inline constexpr double kCallAll = std::numeric_limits<double>::lowest();

// The decision values and labels of one term. REQUIRES, throughout: as many of the one as of the other, all finite.
struct HeldOut {
  std::vector<double> values;
  std::vector<std::uint8_t> labels;
};

// The constant (positives + 1) / (positives + negatives + 2).
Calibration PriorCalibration(std::size_t positives, std::size_t negatives);

Calibration FitPlatt(const HeldOut& held_out);

// REQUIRES: at least one bag.
Calibration FitIsotonic(const HeldOut& held_out);

// The cut with the largest F1 = 2 tp / (2 tp + fp + fn); of equals the highest. kCallNone without positives.
double CutForF1(const HeldOut& held_out, const Calibration& calibration);

// The lowest cut at which the called bags' share with the term is at least `precision`; kCallNone if there is none.
double CutForPrecision(const HeldOut& held_out, const Calibration& calibration, double precision);

// The cut above which P(s) > probability; kCallNone or kCallAll where P never crosses it.
double CutForProbability(const Calibration& calibration, double probability);

}  // namespace flyscribe
