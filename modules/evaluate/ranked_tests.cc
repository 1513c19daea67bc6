#include "evaluate/ranked_tests.h"

#include <algorithm>
#include <tuple>

namespace flyscribe {
namespace {

double Ratio(double part, double whole) { return whole == 0.0 ? 0.0 : part / whole; }

double Ratio(std::uint64_t part, std::uint64_t whole) {
  return Ratio(static_cast<double>(part), static_cast<double>(whole));
}

double SquaredError(const Tested& test) {
  const double error = test.probability - (test.label ? 1.0 : 0.0);
  return error * error;
}

}  // namespace

RankedTests::RankedTests(std::vector<Tested> tests) {
  // Beyond the score, so that sums are taken in one order however the bags were given.
  const auto rank = [](const Tested& test) {
    return std::tuple(-test.score, test.probability, test.label, test.call, test.gene);
  };
  std::sort(tests.begin(), tests.end(), [&](const Tested& a, const Tested& b) { return rank(a) < rank(b); });
  items_.reserve(tests.size());
  for (std::size_t i = 0; i < tests.size(); ++i) {
    const bool last_of_equals = i + 1 == tests.size() || tests[i + 1].score != tests[i].score;
    items_.push_back({tests[i].gene, tests[i].label, tests[i].call, last_of_equals, SquaredError(tests[i])});
  }
}

TestSums RankedTests::Sum(std::span<const std::uint32_t> draws) const {
  TestSums sums;
  std::uint64_t group_positives = 0;
  std::uint64_t group_negatives = 0;
  for (const Item& item : items_) {
    const std::uint32_t times = draws[item.gene];
    (item.label ? group_positives : group_negatives) += times;
    if (item.call) (item.label ? sums.called_positives : sums.called_negatives) += times;
    sums.squared_error += times * item.squared_error;
    if (!item.last_of_equals) continue;
    sums.twice_wins += group_negatives * (2 * sums.positives + group_positives);
    sums.positives += group_positives;
    sums.negatives += group_negatives;
    if (group_positives > 0) {
      sums.precision_sum +=
          static_cast<double>(group_positives) * Ratio(sums.positives, sums.positives + sums.negatives);
    }
    group_positives = 0;
    group_negatives = 0;
  }
  return sums;
}

Metrics MetricsOf(const TestSums& sums) {
  const std::uint64_t all = sums.positives + sums.negatives;
  const std::uint64_t calls = sums.called_positives + sums.called_negatives;
  const std::uint64_t true_negatives = sums.negatives - sums.called_negatives;
  Metrics metrics;
  metrics.accuracy = Ratio(sums.called_positives + true_negatives, all);
  metrics.baseline = Ratio(sums.Majority(), all);
  metrics.auc = sums.HasBothClasses() ? Ratio(sums.twice_wins, 2 * sums.positives * sums.negatives) : 0.5;
  metrics.sensitivity = Ratio(sums.called_positives, sums.positives);
  metrics.specificity = Ratio(true_negatives, sums.negatives);
  metrics.balanced_accuracy = 0.5 * (metrics.sensitivity + metrics.specificity);
  metrics.precision = Ratio(sums.called_positives, calls);
  // 2 tp + fp + fn = (tp + fp) + (tp + fn) = calls + positives.
  metrics.f1 = Ratio(2 * sums.called_positives, calls + sums.positives);
  metrics.f1_of_means = F1Of(metrics.precision, metrics.sensitivity);
  metrics.average_precision = Ratio(sums.precision_sum, static_cast<double>(sums.positives));
  metrics.brier = Ratio(sums.squared_error, static_cast<double>(all));
  return metrics;
}

double F1Of(double precision, double sensitivity) {
  return Ratio(2.0 * precision * sensitivity, precision + sensitivity);
}

}  // namespace flyscribe
