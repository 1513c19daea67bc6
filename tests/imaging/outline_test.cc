#include "imaging/outline.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/rng.h"
#include "tests/imaging/drawn_photograph.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

std::vector<OutlinePoint> PolygonOf(const Ellipse& e, double pointedness = 0.0) {
  std::vector<OutlinePoint> points;
  for (int i = 0; i < 720; ++i) {
    const double t = 2.0 * std::numbers::pi * i / 720.0;
    const double u = e.a * std::cos(t);
    const double v = e.b * std::sin(t) * (1.0 + pointedness * std::cos(t));
    points.push_back(
        {e.x + std::cos(e.angle) * u - std::sin(e.angle) * v, e.y + std::sin(e.angle) * u + std::cos(e.angle) * v});
  }
  return points;
}

TEST(EllipseOf, AFullEllipseIsItsOwn) {
  for (const double angle : {-1.5, -0.4, 0.0, 0.7, 1.5}) {
    const Ellipse drawn{1200.0, 350.0, angle, 160.0, 62.0};
    const std::vector<OutlinePoint> polygon = PolygonOf(drawn);
    const Ellipse found = EllipseOf(polygon);
    EXPECT_NEAR(found.x, drawn.x, 1e-6);
    EXPECT_NEAR(found.y, drawn.y, 1e-6);
    EXPECT_NEAR(found.angle, drawn.angle, 1e-6);
    EXPECT_NEAR(found.a, drawn.a, 0.01);
    EXPECT_NEAR(found.b, drawn.b, 0.01);
    EXPECT_NEAR(AreaOf(polygon), std::numbers::pi * 160.0 * 62.0, 2.0);
    EXPECT_NEAR(SkewnessAlong(polygon, found), 0.0, 1e-6);
    EXPECT_NEAR(Likeness(polygon, found), 1.0, 1e-3);
  }
}

// The naive way: pixel by pixel.
TEST(EllipseOf, PolygonAgreesWithItsPixels) {
  const std::vector<OutlinePoint> polygon = PolygonOf({200.0, 150.0, 0.5, 120.0, 50.0}, 0.3);
  AreaSums sums;
  double third = 0.0;
  const Ellipse whole = EllipseOf(polygon);
  for (int y = 0; y < 300; ++y) {
    for (int x = 0; x < 400; ++x) {
      bool inside = false;
      for (std::size_t i = 0, j = polygon.size() - 1; i < polygon.size(); j = i++) {
        const OutlinePoint& p = polygon[i];
        const OutlinePoint& q = polygon[j];
        if ((p.y > y) != (q.y > y) && x < (q.x - p.x) * (y - p.y) / (q.y - p.y) + p.x) inside = !inside;
      }
      if (!inside) continue;
      sums.Add(x, y);
      const double u = std::cos(whole.angle) * (x - whole.x) + std::sin(whole.angle) * (y - whole.y);
      third += u * u * u;
    }
  }
  const Ellipse pixels = EllipseOf(sums);
  EXPECT_NEAR(whole.x, pixels.x, 0.05);
  EXPECT_NEAR(whole.y, pixels.y, 0.05);
  EXPECT_NEAR(whole.angle, pixels.angle, 0.002);
  EXPECT_NEAR(whole.a, pixels.a, 0.1);
  EXPECT_NEAR(whole.b, pixels.b, 0.1);
  EXPECT_NEAR(AreaOf(polygon), sums.one, 0.002 * sums.one);
  EXPECT_NEAR(SkewnessAlong(polygon, whole), third / sums.one / std::pow(pixels.a / 2.0, 3), 0.003);
}

TEST(SkewnessAlong, IsNegativeIfTheEndAgainstTheAngleIsPointed) {
  const std::vector<OutlinePoint> polygon = PolygonOf({0.0, 0.0, 0.3, 100.0, 40.0}, 0.2);
  EXPECT_LT(SkewnessAlong(polygon, EllipseOf(polygon)), -0.05);
  const std::vector<OutlinePoint> turned = PolygonOf({0.0, 0.0, 0.3, 100.0, 40.0}, -0.2);
  EXPECT_GT(SkewnessAlong(turned, EllipseOf(turned)), 0.05);
}

TEST(RadiusIn, IsOneOnTheEllipse) {
  const Ellipse e{10.0, 20.0, 0.0, 4.0, 2.0};
  EXPECT_DOUBLE_EQ(RadiusIn(e, {14.0, 20.0}), 1.0);
  EXPECT_DOUBLE_EQ(RadiusIn(e, {10.0, 18.0}), 1.0);
  EXPECT_DOUBLE_EQ(RadiusIn(e, {10.0, 20.0}), 0.0);
}

TEST(Likeness, FallsWithTheOverlap) {
  const Ellipse e{0.0, 0.0, 0.0, 100.0, 40.0};
  EXPECT_NEAR(Likeness(PolygonOf({0.0, 0.0, 0.0, 80.0, 32.0}), e), 0.64, 1e-3);
}

TEST(EllipseOf, NothingHasNone) {
  const CaughtError error = ExpectError([] { EllipseOf(AreaSums{}); });
  EXPECT_NE(error.text.find("nothing has no ellipse"), std::string::npos);
}

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

Ellipse ToWorking(const EmbryoPose& pose, const TissueMap& tissue) {
  return {tissue.FromPhotoX(pose.centre_x),
          tissue.FromPhotoY(pose.centre_y),
          pose.angle * std::numbers::pi / 180.0,
          pose.half_length / tissue.scale_x(),
          pose.half_height / tissue.scale_x()};
}

TEST(OutlineTracer, FindsItsWayFromARoughStart) {
  DrawnPhotograph drawn;
  drawn.taper = 0.0;
  const TissueMap tissue = MapTissue(Draw(drawn));
  const Ellipse truth = ToWorking(drawn.embryos[0], tissue);
  Ellipse start = truth;
  start.x += 0.08 * truth.a;
  start.angle += 0.1;
  start.a *= 0.9;
  start.b *= 1.15;
  const Outline outline = OutlineTracer(tissue).Trace(start);
  EXPECT_NEAR(outline.ellipse.x, truth.x, 1.5);
  EXPECT_NEAR(outline.ellipse.y, truth.y, 1.5);
  EXPECT_NEAR(outline.ellipse.angle, truth.angle, 0.02);
  EXPECT_NEAR(outline.ellipse.a / truth.a, 1.0, 0.03);
  EXPECT_NEAR(outline.ellipse.b / truth.b, 1.0, 0.04);
  EXPECT_GT(outline.edge, 0.55);
  EXPECT_GT(outline.weakest, 0.4);
  EXPECT_GT(outline.likeness, 0.94);
  EXPECT_EQ(outline.border, 0.0);
}

TEST(OutlineTracer, StaysWithItsEmbryoWhereANeighbourTouches) {
  DrawnPhotograph drawn;
  drawn.taper = 0.0;
  drawn.embryos = {{700.0, 500.0, -60.0, 270.0, 105.0}, {430.0, 300.0, 10.0, 270.0, 105.0}};
  const TissueMap tissue = MapTissue(Draw(drawn));
  const Ellipse truth = ToWorking(drawn.embryos[1], tissue);
  const Outline outline = OutlineTracer(tissue).Trace(truth);
  EXPECT_NEAR(outline.ellipse.x, truth.x, 3.0);
  EXPECT_NEAR(outline.ellipse.y, truth.y, 3.0);
  EXPECT_NEAR(outline.ellipse.a / truth.a, 1.0, 0.04);
  EXPECT_NEAR(outline.ellipse.b / truth.b, 1.0, 0.05);
}

TEST(OutlineTracer, GoesOnBeyondTheBorderAndSaysSo) {
  DrawnPhotograph drawn;
  drawn.embryos = {{150.0, 300.0, 0.0, 270.0, 105.0}};
  const TissueMap tissue = MapTissue(Draw(drawn));
  const Outline outline = OutlineTracer(tissue).Trace(ToWorking(drawn.embryos[0], tissue));
  EXPECT_GT(outline.border, 0.1);
  EXPECT_LT(outline.border, 0.5);
}

}  // namespace
}  // namespace flyscribe
