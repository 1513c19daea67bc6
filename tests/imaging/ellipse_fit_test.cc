#include "imaging/ellipse_fit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "core/rng.h"

namespace flyscribe {
namespace {

// Points of the ellipse from one of its own angles to another.
std::vector<OutlinePoint> ArcOf(const Ellipse& e, double from, double to, int count) {
  std::vector<OutlinePoint> points;
  for (int i = 0; i < count; ++i) {
    const double t = from + (to - from) * i / (count - 1);
    const double along = e.a * std::cos(t);
    const double across = e.b * std::sin(t);
    points.push_back({e.x + along * std::cos(e.angle) - across * std::sin(e.angle),
                      e.y + along * std::sin(e.angle) + across * std::cos(e.angle)});
  }
  return points;
}

void ExpectNear(const std::optional<Ellipse>& found, const Ellipse& expected, double tolerance) {
  ASSERT_TRUE(found.has_value());
  EXPECT_NEAR(found->x, expected.x, tolerance);
  EXPECT_NEAR(found->y, expected.y, tolerance);
  EXPECT_NEAR(found->a, expected.a, tolerance);
  EXPECT_NEAR(found->b, expected.b, tolerance);
  EXPECT_NEAR(std::sin(2.0 * (found->angle - expected.angle)), 0.0, tolerance / expected.a);
  EXPECT_GT(std::cos(found->angle - expected.angle), 0.0);
}

TEST(FitEllipse, FindsTheOneThatThePointsLieOn) {
  for (const double angle : {-1.4, -0.7, 0.0, 0.3, 1.2}) {
    const Ellipse ellipse{203.5, 120.25, angle, 110.0, 45.0};
    ExpectNear(FitEllipse(ArcOf(ellipse, 0.0, 2.0 * std::numbers::pi, 200)), ellipse, 1e-6);
    ExpectNear(FitEllipse(ArcOf(ellipse, 0.4, 2.4, 30)), ellipse, 1e-4);
    ExpectNear(FitEllipse(ArcOf(ellipse, 0.0, 4.0, 5)), ellipse, 1e-4);
  }
}

TEST(FitEllipse, ToleratesNoise) {
  const Ellipse ellipse{200.0, 130.0, 0.3, 110.0, 45.0};
  std::vector<OutlinePoint> points = ArcOf(ellipse, 0.0, 4.5, 300);
  Rng rng(11);
  for (OutlinePoint& point : points) {
    point.x += 0.5 * rng.Normal();
    point.y += 0.5 * rng.Normal();
  }
  ExpectNear(FitEllipse(points), ellipse, 1.5);
}

TEST(FitEllipse, GivesAnEllipseWhateverThePointsAre) {
  Rng rng(12);
  for (int round = 0; round < 200; ++round) {
    std::vector<OutlinePoint> points;
    for (int i = 0; i < 40; ++i) points.push_back({100.0 * rng.Uniform(), 20.0 * rng.Uniform()});
    const std::optional<Ellipse> found = FitEllipse(points);
    ASSERT_TRUE(found.has_value());
    EXPECT_GE(found->a, found->b);
    EXPECT_GT(found->b, 0.0);
    EXPECT_TRUE(std::isfinite(found->a) && std::isfinite(found->x) && std::isfinite(found->angle));
  }
}

TEST(FitEllipse, NothingThroughALineOrTooFew) {
  std::vector<OutlinePoint> line;
  for (int i = 0; i < 30; ++i) line.push_back({10.0 + i, 5.0 + 0.5 * i});
  EXPECT_FALSE(FitEllipse(line).has_value());
  EXPECT_FALSE(FitEllipse(std::vector<OutlinePoint>(30, {3.0, 4.0})).has_value());
  EXPECT_FALSE(FitEllipse(ArcOf({0.0, 0.0, 0.0, 2.0, 1.0}, 0.0, 3.0, 4)).has_value());
  EXPECT_FALSE(FitEllipse({}).has_value());
}

}  // namespace
}  // namespace flyscribe
