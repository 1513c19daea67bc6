#include "imaging/ellipse.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

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

}  // namespace
}  // namespace flyscribe
