#include "imaging/arcs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace flyscribe {
namespace {

Matrix<std::uint8_t> MaskOf(const std::vector<Ellipse>& ellipses) {
  Matrix<std::uint8_t> mask(260, 400);
  for (std::size_t row = 0; row < mask.rows(); ++row) {
    for (std::size_t col = 0; col < mask.cols(); ++col) {
      for (const Ellipse& e : ellipses) {
        if (RadiusIn(e, {static_cast<double>(col), static_cast<double>(row)}) <= 1.0) mask(row, col) = 255;
      }
    }
  }
  return mask;
}

bool IsNear(const Ellipse& a, const Ellipse& b) {
  return std::hypot(a.x - b.x, a.y - b.y) < 4.0 && std::abs(a.a / b.a - 1.0) < 0.05 &&
         std::abs(a.b / b.b - 1.0) < 0.05 && std::abs(std::remainder(a.angle - b.angle, 3.14159265)) < 0.05;
}

TEST(EllipsesOfArcs, FindsBothOfTwoThatTouchAlongTheirSides) {
  const Ellipse upper{190.0, 90.0, 0.05, 100.0, 40.0};
  const Ellipse lower{215.0, 164.0, 0.15, 100.0, 40.0};  // no waist: the contact is long
  const std::vector<ArcEllipse> found = EllipsesOfArcs(MaskOf({upper, lower}));
  for (const Ellipse& truth : {upper, lower}) {
    EXPECT_TRUE(
        std::any_of(found.begin(), found.end(), [&](const ArcEllipse& arc) { return IsNear(arc.ellipse, truth); }));
  }
}

TEST(EllipsesOfArcs, OneEmbryoAloneHasNothingToTakeApart) {
  EXPECT_TRUE(EllipsesOfArcs(MaskOf({{200.0, 130.0, 0.3, 110.0, 45.0}})).empty());
  EXPECT_TRUE(EllipsesOfArcs(Matrix<std::uint8_t>(100, 100)).empty());
}

TEST(EllipsesOfArcs, AnEmbryoCutByTheBorderIsCompleted) {
  const Ellipse cut{370.0, 130.0, 0.0, 100.0, 40.0};
  const std::vector<ArcEllipse> found = EllipsesOfArcs(MaskOf({cut}));
  ASSERT_FALSE(found.empty());
  EXPECT_NEAR(found.front().ellipse.y, 130.0, 3.0);
  EXPECT_GT(found.front().ellipse.x, 330.0);
  EXPECT_LT(found.front().share, 0.8);
}

}  // namespace
}  // namespace flyscribe
