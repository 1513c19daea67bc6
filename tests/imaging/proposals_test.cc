#include "imaging/proposals.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace flyscribe {
namespace {

using testing::ElementsAre;
using testing::Pair;

FloatMatrix StrengthOf(const std::vector<Ellipse>& ellipses) {
  FloatMatrix strength(260, 400, 0.2F);
  for (std::size_t row = 0; row < strength.rows(); ++row) {
    for (std::size_t col = 0; col < strength.cols(); ++col) {
      for (const Ellipse& e : ellipses) {
        if (RadiusIn(e, {static_cast<double>(col), static_cast<double>(row)}) <= 1.0) strength(row, col) = 3.0F;
      }
    }
  }
  return strength;
}

double AreaOfEllipse(const Ellipse& e) { return 3.14159265 * e.a * e.b; }

TEST(FindBlobs, OneEmbryoIsOneBlobWithoutHolesAndDust) {
  const Ellipse embryo{200.0, 130.0, 0.4, 100.0, 40.0};
  FloatMatrix strength = StrengthOf({embryo});
  for (std::size_t row = 120; row < 135; ++row) {
    for (std::size_t col = 180; col < 220; ++col) strength(row, col) = 0.1F;  // a smooth inside
  }
  for (std::size_t row = 20; row < 24; ++row) {
    for (std::size_t col = 20; col < 24; ++col) strength(row, col) = 5.0F;  // dust
  }
  const Blobs blobs = FindBlobs(strength);
  ASSERT_EQ(blobs.areas.size(), 1U);
  EXPECT_NEAR(static_cast<double>(blobs.areas[0]), AreaOfEllipse(embryo), 0.02 * AreaOfEllipse(embryo));
  EXPECT_EQ(blobs.labels(128, 200), 1);
  EXPECT_EQ(blobs.labels(22, 22), 0);
  EXPECT_NE(blobs.solid(128, 200), 0);
  EXPECT_TRUE(blobs.contacts.empty());
}

TEST(FindBlobs, CutsAtAWaist) {
  const Ellipse left{110.0, 130.0, 0.0, 95.0, 40.0};
  const Ellipse right{262.0, 130.0, 0.6, 95.0, 40.0};  // they overlap by a few pixels
  const Blobs blobs = FindBlobs(StrengthOf({left, right}));
  ASSERT_EQ(blobs.areas.size(), 2U);
  EXPECT_NE(blobs.labels(130, 110), blobs.labels(130, 262));
  EXPECT_THAT(blobs.contacts, ElementsAre(Pair(0, 1)));
  EXPECT_NE(blobs.mask(130, 110), 0);
}

TEST(FindBlobs, NothingGivesNone) {
  EXPECT_TRUE(FindBlobs(FloatMatrix(100, 100, 0.3F)).areas.empty());
  // All foreground: no background to measure a distance to, but no crash.
  EXPECT_LE(FindBlobs(FloatMatrix(100, 100, 3.0F)).areas.size(), 1U);
}

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
