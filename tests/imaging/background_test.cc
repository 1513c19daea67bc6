#include "imaging/background.h"

#include <gtest/gtest.h>

#include "core/rng.h"

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

}  // namespace
}  // namespace flyscribe
