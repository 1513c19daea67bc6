#include "evaluate/metrics.h"

#include <algorithm>
#include <tuple>

#include "core/error.h"
#include "core/statistics.h"

namespace flyscribe {
namespace {

using Scores = std::span<const double>;
using Labels = std::span<const std::uint8_t>;

double Ratio(double part, double whole) { return whole == 0.0 ? 0.0 : part / whole; }

double Ratio(std::uint64_t part, std::uint64_t whole) {
  return Ratio(static_cast<double>(part), static_cast<double>(whole));
}

}  // namespace

RankedTests::RankedTests(std::vector<Tested> tests) {
  // Beyond the score, so that sums are taken in one order however the bags were given.
  const auto rank = [](const Tested& test) {
    return std::tuple(-test.score, test.probability, test.label, test.call, test.gene);
  };
  std::ranges::sort(tests, {}, rank);
  items_.reserve(tests.size());
  for (std::size_t i = 0; i < tests.size(); ++i) {
    const bool last_of_equals = i + 1 == tests.size() || tests[i + 1].score != tests[i].score;
    const double error = tests[i].probability - (tests[i].label ? 1.0 : 0.0);
    items_.push_back({tests[i].gene, tests[i].label, tests[i].call, last_of_equals, error * error});
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

std::vector<CurvePoint> RocCurve(Scores scores, Labels labels) {
  const std::vector<Above> counts = CountsByThreshold(scores, labels);
  const Above total = Total(counts);
  if (total.positives == 0 || total.negatives == 0) return {};
  std::vector<CurvePoint> points = {{0.0, 0.0}};
  for (const Above& above : counts) {
    points.push_back({Ratio(above.negatives, total.negatives), Ratio(above.positives, total.positives)});
  }
  return points;
}

std::vector<CurvePoint> PrecisionRecallCurve(Scores scores, Labels labels) {
  const std::vector<Above> counts = CountsByThreshold(scores, labels);
  const std::size_t positives = Total(counts).positives;
  if (positives == 0) return {};
  std::vector<CurvePoint> points;
  for (const Above& above : counts) {
    const double precision = Ratio(above.positives, above.positives + above.negatives);
    if (points.empty()) points.push_back({0.0, precision});
    points.push_back({Ratio(above.positives, positives), precision});
  }
  return points;
}

std::vector<CurvePoint> ThinCurve(const std::vector<CurvePoint>& points, std::size_t most) {
  if (points.size() <= most) return points;
  std::vector<CurvePoint> thinned;
  for (std::size_t k = 0; k < most; ++k) thinned.push_back(points[k * (points.size() - 1) / (most - 1)]);
  return thinned;
}

std::vector<ReliabilityBin> ReliabilityCurve(std::span<const Tested> tests, std::size_t bins) {
  FLYSCRIBE_CHECK(bins > 0, "a curve needs bins");
  struct Said {
    double probability = 0.0;
    bool label = false;
  };
  std::vector<Said> sorted;
  for (const Tested& test : tests) sorted.push_back({test.probability, test.label});
  std::ranges::sort(sorted, {}, &Said::probability);
  std::vector<ReliabilityBin> curve;
  std::size_t begin = 0;
  for (std::size_t bin = 1; bin <= bins; ++bin) {
    std::size_t end = sorted.size() * bin / bins;
    if (end <= begin) continue;
    while (end < sorted.size() && sorted[end].probability == sorted[end - 1].probability) ++end;
    ReliabilityBin group{end - begin, 0.0, 0.0};
    for (; begin < end; ++begin) {
      group.probability += sorted[begin].probability;
      group.observed += sorted[begin].label ? 1.0 : 0.0;
    }
    group.probability /= static_cast<double>(group.count);
    group.observed /= static_cast<double>(group.count);
    curve.push_back(group);
  }
  return curve;
}

}  // namespace flyscribe
