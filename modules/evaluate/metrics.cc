#include "evaluate/metrics.h"

namespace flyscribe {
namespace {

using Scores = std::span<const double>;
using Labels = std::span<const std::uint8_t>;

double Ratio(std::size_t part, std::size_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

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
