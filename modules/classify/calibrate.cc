#include "classify/calibrate.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/statistics.h"

namespace flyscribe {
namespace {

constexpr int kMaxNewtonSteps = 100;
constexpr int kMaxHalvings = 40;
constexpr double kEnoughGradient = 1e-10;  // per bag, of decision values scaled to deviation 1
constexpr double kRidge = 1e-12;           // keeps the Hessian invertible

double Logit(double probability) { return std::log(probability / (1.0 - probability)); }

// log(1 + exp(x)) without overflow.
double SoftPlus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }

struct Moments {
  double mean = 0.0;
  double deviation = 0.0;
};

Moments MomentsOf(std::span<const double> values) {
  Moments moments;
  const auto count = static_cast<double>(values.size());
  for (const double value : values) moments.mean += value / count;
  double squares = 0.0;
  for (const double value : values) squares += (value - moments.mean) * (value - moments.mean) / count;
  moments.deviation = std::sqrt(squares);
  return moments;
}

// Platt's problem over decision values scaled to mean 0 and deviation 1, so that stopping rule and ridge mean the same
// whatever the size of C makes of the decision values.
class PlattProblem {
 public:
  struct Point {
    double slope = 0.0;
    double offset = 0.0;
  };

  PlattProblem(const HeldOut& held_out, const Moments& moments, const Above& total) {
    const double target_with =
        (static_cast<double>(total.positives) + 1.0) / (static_cast<double>(total.positives) + 2.0);
    const double target_without = 1.0 / (static_cast<double>(total.negatives) + 2.0);
    for (std::size_t i = 0; i < held_out.values.size(); ++i) {
      values_.push_back((held_out.values[i] - moments.mean) / moments.deviation);
      targets_.push_back(held_out.labels[i] != 0 ? target_with : target_without);
    }
  }

  Point Minimise(Point point) const {
    double loss = Loss(point);
    for (int step = 0; step < kMaxNewtonSteps; ++step) {
      const Slopes slopes = SlopesAt(point);
      if (std::max(std::abs(slopes.g_slope), std::abs(slopes.g_offset)) <= kEnoughGradient) break;
      const Point direction = NewtonDirection(slopes);
      double share = 1.0;
      Point next;
      double next_loss = loss;
      int halvings = 0;
      for (; halvings < kMaxHalvings; ++halvings, share /= 2.0) {
        next = {point.slope + share * direction.slope, point.offset + share * direction.offset};
        next_loss = Loss(next);
        if (next_loss < loss) break;
      }
      if (halvings == kMaxHalvings) break;  // no digit left to gain
      point = next;
      loss = next_loss;
    }
    return point;
  }

 private:
  // Gradient and Hessian of the mean loss.
  struct Slopes {
    double g_slope = 0.0;
    double g_offset = 0.0;
    double h_slope = kRidge;
    double h_offset = kRidge;
    double h_both = 0.0;
  };

  double Loss(const Point& point) const {
    double loss = 0.0;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const double x = point.slope * values_[i] + point.offset;
      loss += SoftPlus(x) - targets_[i] * x;
    }
    return loss / static_cast<double>(values_.size());
  }

  Slopes SlopesAt(const Point& point) const {
    Slopes slopes;
    const Calibration sigmoid{.slope = point.slope, .offset = point.offset, .knots = {}};
    const auto count = static_cast<double>(values_.size());
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const double value = values_[i];
      const double probability = sigmoid.Probability(value);
      const double first = (probability - targets_[i]) / count;
      const double second = probability * (1.0 - probability) / count;
      slopes.g_slope += first * value;
      slopes.g_offset += first;
      slopes.h_slope += second * value * value;
      slopes.h_offset += second;
      slopes.h_both += second * value;
    }
    return slopes;
  }

  static Point NewtonDirection(const Slopes& slopes) {
    const double determinant = slopes.h_slope * slopes.h_offset - slopes.h_both * slopes.h_both;
    return {-(slopes.h_offset * slopes.g_slope - slopes.h_both * slopes.g_offset) / determinant,
            -(slopes.h_slope * slopes.g_offset - slopes.h_both * slopes.g_slope) / determinant};
  }

  std::vector<double> values_;
  std::vector<double> targets_;
};

// Bags from `low` to `high` that share one probability.
struct Pool {
  double low = 0.0;
  double high = 0.0;
  double positives = 0.0;
  double bags = 0.0;
  double Mean() const { return positives / bags; }
};

// What may be cut off at the top: the counts of what is called and the cut that calls it, highest cut first.
struct PossibleCut {
  Above called;
  double cut = 0.0;
};

std::vector<PossibleCut> PossibleCuts(const std::vector<Above>& counts, const Calibration& calibration) {
  std::vector<PossibleCut> cuts;
  for (std::size_t k = 0; k + 1 < counts.size(); ++k) {
    const double above = counts[k].score;
    const double below = counts[k + 1].score;
    const bool apart = calibration.knots.empty() || calibration.Probability(below) < calibration.Probability(above);
    if (apart) cuts.push_back({counts[k], below + (above - below) / 2.0});
  }
  if (counts.empty()) return cuts;
  // Below the lowest, by as much as a cut above it would be.
  const double lowest = counts.back().score;
  const double gap = counts.size() > 1 ? counts[counts.size() - 2].score - lowest : 1.0;
  cuts.push_back({counts.back(), lowest - gap / 2.0});
  return cuts;
}

}  // namespace

Calibration PriorCalibration(std::size_t positives, std::size_t negatives) {
  const double prior =
      (static_cast<double>(positives) + 1.0) / (static_cast<double>(positives) + static_cast<double>(negatives) + 2.0);
  return {.slope = 0.0, .offset = Logit(prior), .knots = {}};
}

Calibration FitPlatt(const HeldOut& held_out) {
  const Above total = Total(CountsByThreshold(held_out.values, held_out.labels));
  Calibration prior = PriorCalibration(total.positives, total.negatives);
  const Moments moments = MomentsOf(held_out.values);
  if (!(moments.deviation > 0.0)) return prior;
  const PlattProblem::Point best = PlattProblem(held_out, moments, total).Minimise({0.0, prior.offset});
  const double slope = best.slope / moments.deviation;
  if (!(slope > 0.0) || !std::isfinite(slope)) return prior;
  return {.slope = slope, .offset = best.offset - slope * moments.mean, .knots = {}};
}

Calibration FitIsotonic(const HeldOut& held_out) {
  FLYSCRIBE_CHECK(!held_out.values.empty(), "isotonic regression of nothing");
  const std::vector<Above> counts = CountsByThreshold(held_out.values, held_out.labels);
  // From the highest value down, in which direction probabilities may not rise.
  std::vector<Pool> pools;
  Above before;
  for (const Above& above : counts) {
    const auto positives = static_cast<double>(above.positives - before.positives);
    const auto negatives = static_cast<double>(above.negatives - before.negatives);
    Pool pool = {above.score, above.score, positives, positives + negatives};
    while (!pools.empty() && pools.back().Mean() <= pool.Mean()) {
      const Pool& higher = pools.back();
      pool = {pool.low, higher.high, pool.positives + higher.positives, pool.bags + higher.bags};
      pools.pop_back();
    }
    pools.push_back(pool);
    before = above;
  }
  std::ranges::reverse(pools);
  Calibration calibration;
  for (const Pool& pool : pools) {
    calibration.knots.push_back({pool.low, pool.Mean()});
    if (pool.high > pool.low) calibration.knots.push_back({pool.high, pool.Mean()});
  }
  return calibration;
}

double CutForF1(const HeldOut& held_out, const Calibration& calibration) {
  const std::vector<Above> counts = CountsByThreshold(held_out.values, held_out.labels);
  const auto positives = static_cast<double>(Total(counts).positives);
  double best = 0.0;
  double cut = kCallNone;
  for (const auto& [called, possible] : PossibleCuts(counts, calibration)) {
    const auto found = static_cast<double>(called.positives);
    // 2 tp + fp + fn = calls + positives.
    const double f1 = 2.0 * found / (found + static_cast<double>(called.negatives) + positives);
    if (!(f1 > best)) continue;
    best = f1;
    cut = possible;
  }
  return cut;
}

double CutForPrecision(const HeldOut& held_out, const Calibration& calibration, double precision) {
  double cut = kCallNone;
  for (const auto& [called, possible] :
       PossibleCuts(CountsByThreshold(held_out.values, held_out.labels), calibration)) {
    const auto found = static_cast<double>(called.positives);
    const double calls = found + static_cast<double>(called.negatives);
    if (found > 0.0 && found >= precision * calls) cut = possible;
  }
  return cut;
}

double CutForProbability(const Calibration& calibration, double probability) {
  const std::vector<CalibrationKnot>& knots = calibration.knots;
  if (knots.empty()) {
    if (calibration.slope > 0.0 && probability > 0.0 && probability < 1.0) {
      return std::clamp((Logit(probability) - calibration.offset) / calibration.slope, kCallAll, kCallNone);
    }
    const double ends = calibration.slope > 0.0 ? 0.5 : calibration.Probability(0.0);
    return ends > probability ? kCallAll : kCallNone;
  }
  const auto above = std::ranges::upper_bound(knots, probability, {}, &CalibrationKnot::probability);
  if (above == knots.begin()) return kCallAll;
  if (above == knots.end()) return kCallNone;
  const CalibrationKnot& below = *(above - 1);
  const double share = (probability - below.probability) / (above->probability - below.probability);
  return below.decision_value + share * (above->decision_value - below.decision_value);
}

}  // namespace flyscribe
