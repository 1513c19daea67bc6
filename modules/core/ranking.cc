#include "core/ranking.h"

#include <algorithm>
#include <numeric>

#include "core/error.h"

namespace flyscribe {

std::vector<Above> CountsByThreshold(std::span<const double> scores, std::span<const std::uint8_t> labels) {
  FLYSCRIBE_CHECK(scores.size() == labels.size(), "one score per label");
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  std::vector<Above> counts;
  Above above;
  for (std::size_t k = 0; k < order.size(); ++k) {
    above.score = scores[order[k]];
    ++(labels[order[k]] != 0 ? above.positives : above.negatives);
    const bool last_of_equals = k + 1 == order.size() || scores[order[k + 1]] != above.score;
    if (last_of_equals) counts.push_back(above);
  }
  return counts;
}

Above Total(const std::vector<Above>& counts) { return counts.empty() ? Above{} : counts.back(); }

double Auc(const std::vector<Above>& counts) {
  const Above total = Total(counts);
  if (total.positives == 0 || total.negatives == 0) return 0.5;
  // Of each group of equal scores: its positives win against the negatives below, and half against its own negatives.
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

double Auc(std::span<const double> scores, std::span<const std::uint8_t> labels) {
  return Auc(CountsByThreshold(scores, labels));
}

}  // namespace flyscribe
