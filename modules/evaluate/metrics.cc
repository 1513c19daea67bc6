#include "evaluate/metrics.h"

#include <algorithm>
#include <numeric>

#include "core/error.h"

namespace flyscribe {
namespace {

using Scores = std::span<const double>;
using Labels = std::span<const std::uint8_t>;

// How many positives and negatives have a value of at least some threshold.
struct Above {
  std::size_t positives = 0;
  std::size_t negatives = 0;
};

double Ratio(std::size_t part, std::size_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

// The counts at each distinct value, highest first; the last entry counts everything.
std::vector<Above> CountsByThreshold(Scores scores, Labels labels) {
  FLYSCRIBE_CHECK(scores.size() == labels.size(), "one score per label");
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  std::vector<Above> counts;
  Above above;
  for (std::size_t k = 0; k < order.size(); ++k) {
    ++(labels[order[k]] != 0 ? above.positives : above.negatives);
    const bool last_of_equals = k + 1 == order.size() || scores[order[k + 1]] != scores[order[k]];
    if (last_of_equals) counts.push_back(above);
  }
  return counts;
}

Above Total(const std::vector<Above>& counts) { return counts.empty() ? Above{} : counts.back(); }

double AucOf(const std::vector<Above>& counts) {
  const Above total = Total(counts);
  if (total.positives == 0 || total.negatives == 0) return 0.5;
  // Of each group of equal values: its positives win against the negatives below, and half against its own negatives.
  double wins = 0.0;
  Above before;
  for (const Above& above : counts) {
    const auto positives = static_cast<double>(above.positives - before.positives);
    const auto below = static_cast<double>(total.negatives - above.negatives);
    const auto equal = static_cast<double>(above.negatives - before.negatives);
    wins += positives * (below + 0.5 * equal);
    before = above;
  }
  return wins / (static_cast<double>(total.positives) * static_cast<double>(total.negatives));
}

double AveragePrecisionOf(const std::vector<Above>& counts) {
  const std::size_t positives = Total(counts).positives;
  double sum = 0.0;
  std::size_t found = 0;
  for (const Above& above : counts) {
    sum += Ratio(above.positives - found, positives) * Ratio(above.positives, above.positives + above.negatives);
    found = above.positives;
  }
  return sum;
}

}  // namespace

double Auc(Scores scores, Labels labels) { return AucOf(CountsByThreshold(scores, labels)); }

double AveragePrecision(Scores scores, Labels labels) { return AveragePrecisionOf(CountsByThreshold(scores, labels)); }

Metrics ComputeMetrics(Scores scores, Labels labels) {
  const std::vector<Above> counts = CountsByThreshold(scores, labels);
  const Above total = Total(counts);
  Above called;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (scores[i] > 0.0) ++(labels[i] != 0 ? called.positives : called.negatives);
  }
  const std::size_t true_negatives = total.negatives - called.negatives;
  Metrics metrics;
  metrics.accuracy = Ratio(called.positives + true_negatives, scores.size());
  metrics.baseline = Ratio(std::max(total.positives, total.negatives), scores.size());
  metrics.auc = AucOf(counts);
  metrics.sensitivity = Ratio(called.positives, total.positives);
  metrics.specificity = Ratio(true_negatives, total.negatives);
  // 2 tp + fp + fn = (tp + fp) + (tp + fn) = calls + positives.
  metrics.f1 = Ratio(2 * called.positives, called.positives + called.negatives + total.positives);
  metrics.average_precision = AveragePrecisionOf(counts);
  return metrics;
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

}  // namespace flyscribe
