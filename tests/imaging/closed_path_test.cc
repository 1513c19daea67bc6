#include "imaging/closed_path.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "core/rng.h"

namespace flyscribe {
namespace {

FloatMatrix RandomCosts(std::size_t columns, std::size_t levels, Rng& rng) {
  FloatMatrix costs(columns, levels);
  for (std::size_t i = 0; i < columns * levels; ++i) costs.data()[i] = static_cast<float>(rng.Uniform(0.0, 1.0));
  return costs;
}

double CostOf(const FloatMatrix& costs, const std::vector<float>& bends, const std::vector<int>& path) {
  double cost = 0.0;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const int jump = path[i] - path[(i + path.size() - 1) % path.size()];
    cost += costs(i, static_cast<std::size_t>(path[i])) + bends[i] * static_cast<float>(jump * jump);
  }
  return cost;
}

bool JumpsAreAllowed(const std::vector<int>& path, int max_jump) {
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (std::abs(path[i] - path[(i + path.size() - 1) % path.size()]) > max_jump) return false;
  }
  return true;
}

// All closed paths of six columns.
double NaiveLeast(const FloatMatrix& costs, const std::vector<float>& bends, int max_jump, int column, int level) {
  double least = std::numeric_limits<double>::max();
  std::vector<int> path(6);
  const int levels = static_cast<int>(costs.cols());
  for (int code = 0; code < static_cast<int>(std::pow(levels, 6)); ++code) {
    int rest = code;
    for (int& at : path) {
      at = rest % levels;
      rest /= levels;
    }
    if (path[static_cast<std::size_t>(column)] != level || !JumpsAreAllowed(path, max_jump)) continue;
    least = std::min(least, CostOf(costs, bends, path));
  }
  return least;
}

TEST(LeastClosedPath, IsTheLeastThroughItsAnchor) {
  Rng rng(7);
  int global = 0;
  for (int trial = 0; trial < 40; ++trial) {
    const FloatMatrix costs = RandomCosts(6, 4, rng);
    const std::vector<float> bends = {0.1F, 0.3F, 0.05F, 0.2F, 0.1F, 0.4F};
    const std::vector<int> path = LeastClosedPath(costs, bends, 2);
    ASSERT_EQ(path.size(), 6U);
    EXPECT_TRUE(JumpsAreAllowed(path, 2));
    const double cost = CostOf(costs, bends, path);
    EXPECT_NEAR(cost, NaiveLeast(costs, bends, 2, 3, path[3]), 1e-5);
    double least = std::numeric_limits<double>::max();
    for (int level = 0; level < 4; ++level) least = std::min(least, NaiveLeast(costs, bends, 2, 3, level));
    global += cost < least + 1e-5 ? 1 : 0;
  }
  EXPECT_GE(global, 30);  // mostly the least of all: the anchor is well chosen
}

TEST(LeastClosedPath, FollowsAValleyAllTheWayRound) {
  FloatMatrix costs(40, 20, 1.0F);
  std::vector<int> valley(40);
  for (std::size_t i = 0; i < 40; ++i) {
    valley[i] = 10 + static_cast<int>(std::lround(4.0 * std::sin(2.0 * 3.14159265 * static_cast<double>(i) / 40.0)));
    costs(i, static_cast<std::size_t>(valley[i])) = 0.0F;
  }
  EXPECT_EQ(LeastClosedPath(costs, std::vector<float>(40, 0.01F), 3), valley);
}

}  // namespace
}  // namespace flyscribe
