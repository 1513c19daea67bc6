#include "imaging/photo_evidence.h"

#include <gtest/gtest.h>

#include "tests/imaging/drawn_photograph.h"

namespace flyscribe {
namespace {

// Shares of the pixels well inside and well outside of the embryo that count as foreground.
struct Shares {
  double inside = 0.0;
  double outside = 0.0;
};

Shares ForegroundShares(const DrawnPhotograph& drawn, const PhotoEvidence& evidence) {
  std::array<double, 4> counts{};
  for (std::size_t row = 0; row < evidence.gray.rows(); ++row) {
    for (std::size_t col = 0; col < evidence.gray.cols(); ++col) {
      const double x = evidence.ToPhotoX(static_cast<double>(col));
      const double y = evidence.ToPhotoY(static_cast<double>(row));
      const double radius = DrawnRadius(drawn.embryos[0], drawn.taper, x, y);
      if (radius > 0.9 && radius < 1.2) continue;
      const std::size_t kind = radius < 1.0 ? 0 : 2;
      counts[kind] += evidence.strength(row, col) > 1.0F ? 1.0 : 0.0;
      counts[kind + 1] += 1.0;
    }
  }
  return {counts[0] / counts[1], counts[2] / counts[3]};
}

TEST(WeighPhotograph, TellsEmbryoFromGround) {
  const DrawnPhotograph drawn;
  const PhotoEvidence evidence = WeighPhotograph(Draw(drawn));
  EXPECT_EQ(evidence.gray.cols(), 400U);
  EXPECT_EQ(evidence.gray.rows(), 267U);
  const Shares shares = ForegroundShares(drawn, evidence);
  EXPECT_GT(shares.inside, 0.98);
  EXPECT_LT(shares.outside, 0.02);
}

TEST(WeighPhotograph, TextureAloneIsEnough) {
  DrawnPhotograph drawn;
  drawn.body = 1.0;
  const Shares shares = ForegroundShares(drawn, WeighPhotograph(Draw(drawn)));
  EXPECT_GT(shares.inside, 0.6);
  EXPECT_LT(shares.outside, 0.02);
}

TEST(WeighPhotograph, SmallPhotographsKeepTheirPixels) {
  const PhotoEvidence evidence = WeighPhotograph(GrayImage(263, 113, 200));
  EXPECT_EQ(evidence.gray.cols(), 263U);
  EXPECT_EQ(evidence.gray.rows(), 113U);
  EXPECT_NEAR(evidence.background.At(0.3, -0.2), 200.0, 0.01);
}

TEST(WeighPhotograph, AStripKeepsPixelsAcross) {
  const PhotoEvidence evidence = WeighPhotograph(GrayImage(1900, 64, 200));
  EXPECT_EQ(evidence.gray.rows(), 48U);
  EXPECT_EQ(evidence.gray.cols(), 1425U);
}

TEST(WeighPart, ShowsTheSamePlaceAtItsOwnScale) {
  const DrawnPhotograph drawn;
  const GrayImage photograph = Draw(drawn);
  const PhotoEvidence whole = WeighPhotograph(photograph);
  const PhotoEvidence part = WeighPart(photograph, {100, 120, 700, 400}, 2.0, whole);
  EXPECT_EQ(part.gray.cols(), 350U);
  EXPECT_EQ(part.gray.rows(), 200U);
  EXPECT_DOUBLE_EQ(part.ToPhotoX(0.0), 100.5);
  EXPECT_DOUBLE_EQ(part.FromPhotoY(part.ToPhotoY(17.25)), 17.25);
  const Shares shares = ForegroundShares(drawn, part);
  EXPECT_GT(shares.inside, 0.95);
  EXPECT_LT(shares.outside, 0.03);
}

TEST(EnforceSolid, MakesEnclosedPixelsForeground) {
  PhotoEvidence evidence = WeighPhotograph(GrayImage(80, 80, 200));
  evidence.solid = Matrix<std::uint8_t>(80, 80);
  evidence.solid(3, 4) = 255;
  EnforceSolid(evidence);
  EXPECT_GT(evidence.strength(3, 4), 1.0F);
  EXPECT_LT(evidence.strength(4, 4), 1.0F);
}

}  // namespace
}  // namespace flyscribe
