#include "imaging/closed_path.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "core/error.h"

namespace flyscribe {
namespace {

constexpr float kNever = std::numeric_limits<float>::max() / 4.0F;

// A ring of columns, walked from one of them all the way round.
class Ring {
 public:
  Ring(const FloatMatrix& costs, std::span<const float> bends, int max_jump)
      : costs_(costs),
        bends_(bends),
        max_jump_(max_jump),
        levels_(static_cast<int>(costs.cols())),
        from_(costs.rows() + 1, costs.cols()) {}

  // Costs of the best ways from `best` (cost of each level of column `first`) over `steps` further columns.
  std::vector<float> Walk(std::size_t first, std::size_t steps, std::vector<float> best) {
    std::vector<float> next(best.size());
    for (std::size_t step = 1; step <= steps; ++step) {
      const std::size_t column = (first + step) % costs_.rows();
      for (int level = 0; level < levels_; ++level) {
        const auto [cost, jump] = Cheapest(best, level, bends_[column]);
        next[static_cast<std::size_t>(level)] = cost + costs_(column, static_cast<std::size_t>(level));
        from_(step, static_cast<std::size_t>(level)) = static_cast<std::int8_t>(jump);
      }
      best.swap(next);
    }
    return best;
  }

  // The level `steps` columns after the first of Walk, and all those before it, given the last.
  std::vector<int> Back(std::size_t steps, int level) const {
    std::vector<int> levels(steps + 1);
    for (std::size_t step = steps + 1; step-- > 0;) {
      levels[step] = level;
      if (step > 0) level += from_(step, static_cast<std::size_t>(level));
    }
    return levels;
  }

 private:
  std::pair<float, int> Cheapest(const std::vector<float>& best, int level, float bend) const {
    std::pair<float, int> cheapest = {kNever, 0};
    const int last = std::min(level + max_jump_, levels_ - 1);
    for (int k = std::max(level - max_jump_, 0); k <= last; ++k) {
      const auto jump = static_cast<float>(k - level);
      const float cost = best[static_cast<std::size_t>(k)] + bend * jump * jump;
      if (cost < cheapest.first) cheapest = {cost, k - level};
    }
    return cheapest;
  }

  const FloatMatrix& costs_;
  std::span<const float> bends_;
  int max_jump_;
  int levels_;
  Matrix<std::int8_t> from_;
};

}  // namespace

std::vector<int> LeastClosedPath(const FloatMatrix& costs, std::span<const float> bends, int max_jump) {
  const std::size_t columns = costs.rows();
  FLYSCRIBE_CHECK(columns >= 2 && bends.size() == columns && max_jump > 0 && max_jump < 128,
                  "a closed path needs two columns");
  Ring ring(costs, bends, max_jump);
  const std::vector<float> open = ring.Walk(0, columns - 1, {costs.Row(0).begin(), costs.Row(0).end()});
  const auto last = static_cast<int>(std::min_element(open.begin(), open.end()) - open.begin());
  const std::size_t anchor = columns / 2;
  const int kept = ring.Back(columns - 1, last)[anchor];
  std::vector<float> start(costs.cols(), kNever);
  start[static_cast<std::size_t>(kept)] = 0.0F;  // its own cost comes when the walk is back
  ring.Walk(anchor, columns, start);
  const std::vector<int> levels = ring.Back(columns, kept);
  std::vector<int> path(columns);
  for (std::size_t i = 0; i < columns; ++i) path[(anchor + i) % columns] = levels[i];
  return path;
}

}  // namespace flyscribe
