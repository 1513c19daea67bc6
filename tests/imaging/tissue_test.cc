#include "imaging/tissue.h"

#include <gtest/gtest.h>

#include "core/rng.h"
#include "tests/imaging/drawn_photograph.h"

namespace flyscribe {
namespace {

constexpr std::size_t kRows = 90;
constexpr std::size_t kCols = 160;

double Light(double x, double y) { return 190.0 + 12.0 * x - 8.0 * y - 9.0 * x * x + 3.0 * x * y - 5.0 * y * y; }

struct Picture {
  FloatMatrix gray = FloatMatrix(kRows, kCols);
  FloatMatrix texture = FloatMatrix(kRows, kCols, 1.0F);
};

Picture EmptyPicture() {
  Picture picture;
  Rng rng(11);
  for (std::size_t row = 0; row < kRows; ++row) {
    for (std::size_t col = 0; col < kCols; ++col) {
      const double light =
          Light(EdgeToEdge(static_cast<double>(col), kCols), EdgeToEdge(static_cast<double>(row), kRows));
      picture.gray(row, col) = static_cast<float>(light + rng.Normal(0.0, 1.0));
    }
  }
  return picture;
}

// Covers a rectangle with a body that is darker by `darker`.
void Cover(Picture& picture, std::size_t row_end, std::size_t col_begin, float darker, float texture) {
  for (std::size_t row = 10; row < row_end; ++row) {
    for (std::size_t col = col_begin; col < kCols - 20; ++col) {
      picture.gray(row, col) -= darker;
      picture.texture(row, col) = texture;
    }
  }
}

double WorstError(const Background& background) {
  double worst = 0.0;
  for (double y = -1.0; y <= 1.0; y += 0.1) {
    for (double x = -1.0; x <= 1.0; x += 0.1) worst = std::max(worst, std::abs(background.At(x, y) - Light(x, y)));
  }
  return worst;
}

TEST(FitBackground, FindsAQuadraticSurface) {
  const Picture picture = EmptyPicture();
  const Background background = FitBackground(picture.gray, picture.texture);
  EXPECT_LT(WorstError(background), 1.0);
  EXPECT_NEAR(background.deviation, 1.0, 0.15);
}

TEST(FitBackground, IsNotPulledByAnEmbryoWhetherSmoothOrGrainy) {
  Picture smooth = EmptyPicture();
  Cover(smooth, 70, 40, 90.0F, 1.0F);  // 43 % of the picture, as smooth as the ground but dark
  EXPECT_LT(WorstError(FitBackground(smooth.gray, smooth.texture)), 2.0);
  Picture grainy = EmptyPicture();
  Cover(grainy, 80, 20, 12.0F, 6.0F);  // nearly as bright as the ground, over half of the picture
  EXPECT_LT(WorstError(FitBackground(grainy.gray, grainy.texture)), 3.0);
}

TEST(EdgeToEdge, PutsCentresOfPixelsBetweenTheEdges) {
  EXPECT_DOUBLE_EQ(EdgeToEdge(0.0, 4.0), -0.75);
  EXPECT_DOUBLE_EQ(EdgeToEdge(3.0, 4.0), 0.75);
}

// Shares of the pixels well inside and well outside of the embryo that count as foreground.
struct Shares {
  double inside = 0.0;
  double outside = 0.0;
};

Shares ForegroundShares(const DrawnPhotograph& drawn, const TissueMap& tissue) {
  std::array<double, 4> counts{};
  for (std::size_t row = 0; row < tissue.gray.rows(); ++row) {
    for (std::size_t col = 0; col < tissue.gray.cols(); ++col) {
      const double x = tissue.ToPhotoX(static_cast<double>(col));
      const double y = tissue.ToPhotoY(static_cast<double>(row));
      const double radius = DrawnRadius(drawn.embryos[0], drawn.taper, x, y);
      if (radius > 0.9 && radius < 1.2) continue;
      const std::size_t kind = radius < 1.0 ? 0 : 2;
      counts[kind] += tissue.strength(row, col) > 1.0F ? 1.0 : 0.0;
      counts[kind + 1] += 1.0;
    }
  }
  return {counts[0] / counts[1], counts[2] / counts[3]};
}

TEST(MapTissue, TellsEmbryoFromGround) {
  const DrawnPhotograph drawn;
  const TissueMap tissue = MapTissue(Draw(drawn));
  EXPECT_EQ(tissue.gray.cols(), 400U);
  EXPECT_EQ(tissue.gray.rows(), 267U);
  const Shares shares = ForegroundShares(drawn, tissue);
  EXPECT_GT(shares.inside, 0.98);
  EXPECT_LT(shares.outside, 0.02);
}

TEST(MapTissue, TextureAloneIsEnough) {
  DrawnPhotograph drawn;
  drawn.body = 1.0;
  const Shares shares = ForegroundShares(drawn, MapTissue(Draw(drawn)));
  EXPECT_GT(shares.inside, 0.6);
  EXPECT_LT(shares.outside, 0.02);
}

TEST(MapTissue, SmallPhotographsKeepTheirPixels) {
  const TissueMap tissue = MapTissue(GrayImage(263, 113, 200));
  EXPECT_EQ(tissue.gray.cols(), 263U);
  EXPECT_EQ(tissue.gray.rows(), 113U);
  EXPECT_NEAR(tissue.background.At(0.3, -0.2), 200.0, 0.01);
}

TEST(MapTissue, AStripKeepsPixelsAcross) {
  const TissueMap tissue = MapTissue(GrayImage(1900, 64, 200));
  EXPECT_EQ(tissue.gray.rows(), 48U);
  EXPECT_EQ(tissue.gray.cols(), 1425U);
}

TEST(MapTissue, ShowsTheSamePlaceAtItsOwnScale) {
  const DrawnPhotograph drawn;
  const GrayImage photograph = Draw(drawn);
  const TissueMap whole = MapTissue(photograph);
  const TissueMap part = MapTissue(photograph, {100, 120, 700, 400}, 2.0, whole);
  EXPECT_EQ(part.gray.cols(), 350U);
  EXPECT_EQ(part.gray.rows(), 200U);
  EXPECT_DOUBLE_EQ(part.ToPhotoX(0.0), 100.5);
  EXPECT_DOUBLE_EQ(part.FromPhotoY(part.ToPhotoY(17.25)), 17.25);
  const Shares shares = ForegroundShares(drawn, part);
  EXPECT_GT(shares.inside, 0.95);
  EXPECT_LT(shares.outside, 0.03);
}

TEST(EnforceSolid, MakesEnclosedPixelsForeground) {
  TissueMap tissue = MapTissue(GrayImage(80, 80, 200));
  tissue.solid = Matrix<std::uint8_t>(80, 80);
  tissue.solid(3, 4) = 255;
  EnforceSolid(tissue);
  EXPECT_GT(tissue.strength(3, 4), 1.0F);
  EXPECT_LT(tissue.strength(4, 4), 1.0F);
}

}  // namespace
}  // namespace flyscribe
