#include "imaging/outline.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/imaging/drawn_photograph.h"

namespace flyscribe {
namespace {

Ellipse ToWorking(const EmbryoPose& pose, const PhotoEvidence& evidence) {
  return {evidence.FromPhotoX(pose.centre_x),
          evidence.FromPhotoY(pose.centre_y),
          pose.angle * std::numbers::pi / 180.0,
          pose.half_length / evidence.scale_x(),
          pose.half_height / evidence.scale_x()};
}

TEST(OutlineTracer, FindsItsWayFromARoughStart) {
  DrawnPhotograph drawn;
  drawn.taper = 0.0;
  const PhotoEvidence evidence = WeighPhotograph(Draw(drawn));
  const Ellipse truth = ToWorking(drawn.embryos[0], evidence);
  Ellipse start = truth;
  start.x += 0.08 * truth.a;
  start.angle += 0.1;
  start.a *= 0.9;
  start.b *= 1.15;
  const Outline outline = OutlineTracer(evidence).Trace(start);
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
  const PhotoEvidence evidence = WeighPhotograph(Draw(drawn));
  const Ellipse truth = ToWorking(drawn.embryos[1], evidence);
  const Outline outline = OutlineTracer(evidence).Trace(truth);
  EXPECT_NEAR(outline.ellipse.x, truth.x, 3.0);
  EXPECT_NEAR(outline.ellipse.y, truth.y, 3.0);
  EXPECT_NEAR(outline.ellipse.a / truth.a, 1.0, 0.04);
  EXPECT_NEAR(outline.ellipse.b / truth.b, 1.0, 0.05);
}

TEST(OutlineTracer, GoesOnBeyondTheBorderAndSaysSo) {
  DrawnPhotograph drawn;
  drawn.embryos = {{150.0, 300.0, 0.0, 270.0, 105.0}};
  const PhotoEvidence evidence = WeighPhotograph(Draw(drawn));
  const Outline outline = OutlineTracer(evidence).Trace(ToWorking(drawn.embryos[0], evidence));
  EXPECT_GT(outline.border, 0.1);
  EXPECT_LT(outline.border, 0.5);
}

}  // namespace
}  // namespace flyscribe
