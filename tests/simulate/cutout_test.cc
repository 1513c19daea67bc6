#include "simulate/cutout.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "data/image.h"
#include "tests/simulate/small_embryos.h"

namespace flyscribe {
namespace {

Placement SomePlacement() {
  Placement placement;
  placement.centre = {400.0, 210.0};
  placement.turn = 0.7;
  placement.along = 2.5;
  placement.across = 2.2;
  return placement;
}

// The cubic B-spline by its two pieces.
double Spline(double t) {
  t = std::abs(t);
  if (t < 1.0) return 2.0 / 3.0 - t * t + 0.5 * t * t * t;
  return t < 2.0 ? (2.0 - t) * (2.0 - t) * (2.0 - t) / 6.0 : 0.0;
}

// Over the whole picture, so that nothing can be forgotten.
double SlowColour(const RgbImage& image, const Point& at, std::size_t channel) {
  double sum = 0.0;
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) sum += Spline(x - at.x) * Spline(y - at.y) * image.At(x, y)[channel];
  }
  return sum;
}

TEST(Placement, TurnsClockwiseToTheEyeAndScales) {
  Placement placement;
  placement.centre = {100.0, 50.0};
  placement.turn = 0.5 * std::numbers::pi;
  placement.along = 2.0;
  placement.across = 3.0;
  const Point posterior = placement.ToPhotograph()({159.5 + 10.0, 63.5});  // what was right is below
  EXPECT_NEAR(posterior.x, 100.0, 1e-9);
  EXPECT_NEAR(posterior.y, 70.0, 1e-9);
  const Point ventral = placement.ToPhotograph()({159.5, 63.5 + 10.0});
  EXPECT_NEAR(ventral.x, 70.0, 1e-9);
  EXPECT_NEAR(ventral.y, 50.0, 1e-9);
  EXPECT_NEAR(placement.Scale(), std::sqrt(6.0), 1e-12);
}

TEST(Placement, TheTwoWaysAreInverse) {
  const Placement placement = SomePlacement();
  for (const Point& point : {Point{0.0, 0.0}, Point{159.5, 63.5}, Point{310.0, 20.0}}) {
    const Point back = placement.ToEmbryo()(placement.ToPhotograph()(point));
    EXPECT_NEAR(back.x, point.x, 1e-9);
    EXPECT_NEAR(back.y, point.y, 1e-9);
  }
}

TEST(Placement, TurnedBackFollowsTheEmbryosAxes) {
  const Placement placement = SomePlacement();
  const Point axis = placement.TurnedBack({std::cos(0.7), std::sin(0.7)});
  EXPECT_NEAR(axis.x, 1.0, 1e-12);
  EXPECT_NEAR(axis.y, 0.0, 1e-12);
}

TEST(Cutout, EdgeInterpolatesDepth) {
  const EmbryoSpec spec = BareEmbryo();
  const Cutout cutout(spec);
  const FloatMatrix depth = EmbryoDepth(spec, 0);
  EXPECT_EQ(cutout.EdgeAt({40.0, 30.0}).depth, depth(30, 40));
  const float mean = 0.25F * (depth(30, 40) + depth(30, 41) + depth(31, 40) + depth(31, 41));
  EXPECT_NEAR(cutout.EdgeAt({40.5, 30.5}).depth, mean, 1e-4);
  const Cutout::Edge edge = cutout.EdgeAt({40.25, 30.5});
  const float ahead = cutout.EdgeAt({40.75, 30.5}).depth;
  EXPECT_NEAR(edge.slope_x, 2.0F * (ahead - edge.depth), 1e-3);
  const float below = cutout.EdgeAt({40.25, 30.75}).depth;
  EXPECT_NEAR(edge.slope_y, 4.0F * (below - edge.depth), 1e-3);
}

TEST(Cutout, BeyondItsMarginIsFarOutside) {
  const Cutout cutout(BareEmbryo());
  EXPECT_GT(cutout.EdgeAt({-kCutoutMargin + 0.5, 60.0}).depth, -1e5F);
  EXPECT_LT(cutout.EdgeAt({-kCutoutMargin - 0.5, 60.0}).depth, -1e5F);
  EXPECT_LT(cutout.EdgeAt({160.0, 1e9}).depth, -1e5F);
  EXPECT_LT(cutout.EdgeAt({std::nan(""), 0.0}).depth, -1e5F);
}

TEST(Cutout, ColoursAreTheSplineOfThePicture) {
  const EmbryoSpec spec = EmbryoWith("4-6", "posterior endoderm anlage in statu nascendi");
  const Cutout cutout(spec);
  const RgbImage image = RenderEmbryo(spec);
  for (const Point& point : {Point{100.0, 60.0}, Point{150.3, 70.8}, Point{280.6, 64.25}}) {
    for (std::size_t c = 0; c < 3; ++c) {
      EXPECT_NEAR(cutout.ColourAt(point)[c], SlowColour(image, point, c), 0.05) << point.x << ' ' << c;
    }
  }
}

TEST(Cutout, NoWhiteShowsAtTheEdge) {
  EmbryoSpec spec = BareEmbryo();
  spec.look.body = {90.0F, 90.0F, 90.0F};
  const Cutout cutout(spec);
  ASSERT_GT(cutout.outline().size(), 300U);
  for (const Point& point : cutout.outline()) {
    for (const double out : {0.0, 2.0}) {
      const Point beyond = {point.x + (point.x > 159.5 ? out : -out), point.y + (point.y > 63.5 ? out : -out)};
      ASSERT_LT(cutout.ColourAt(beyond)[0], 170.0F) << point.x << ' ' << point.y;
      ASSERT_GT(cutout.ColourAt(beyond)[0], 20.0F) << point.x << ' ' << point.y;
    }
  }
}

TEST(Cutout, OutlineAndBodyLieWhereDepthSays) {
  const Cutout cutout(BareEmbryo());
  for (const Point& point : cutout.outline()) EXPECT_LT(std::abs(cutout.EdgeAt(point).depth), 1.6F);
  for (const Point& point : cutout.body()) EXPECT_GT(cutout.EdgeAt(point).depth, 0.0F);
  EXPECT_NEAR(static_cast<double>(cutout.body().size()), 3.1416 * 156 * 60 / 64, 60.0);
}

TEST(Overlap, EndsWhereTheOutlinesPart) {
  LaidEmbryo a{Cutout(BareEmbryo(1)), SomePlacement()};
  LaidEmbryo b{Cutout(BareEmbryo(2)), SomePlacement()};
  EXPECT_TRUE(Overlap(a, b));
  // Side by side: heights of about 2 x 60 x 2.2 pixels.
  const auto shift = [&](double pixels) {
    b.placement.centre = {400.0 - std::sin(0.7) * pixels, 210.0 + std::cos(0.7) * pixels};
  };
  shift(230.0);
  EXPECT_TRUE(Overlap(a, b));
  EXPECT_TRUE(Overlap(b, a));
  shift(310.0);
  EXPECT_FALSE(Overlap(a, b));
  // A small one wholly within.
  b.placement = SomePlacement();
  b.placement.along = b.placement.across = 0.2;
  EXPECT_TRUE(Overlap(a, b));
}

}  // namespace
}  // namespace flyscribe
