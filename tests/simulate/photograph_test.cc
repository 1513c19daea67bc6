#include "simulate/photograph.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <numbers>

#include "tests/simulate/small_embryos.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

TEST(MakeBackdrop, IsPlainWithoutNoise) {
  Rng rng(1);
  const Backdrop backdrop = MakeBackdrop(263, 113, 0.0F, rng);
  ASSERT_EQ(backdrop.light.rows(), 113U);
  ASSERT_EQ(backdrop.light.cols(), 263U);
  for (const float light : backdrop.light.values()) ASSERT_EQ(light, 1.0F);
}

TEST(MakeBackdrop, IsLightAndUnevenButNeverEmpty) {
  double widest = 0.0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Rng rng(seed);
    const Backdrop backdrop = MakeBackdrop(400, 200, 1.0F, rng);
    const auto [least, most] = std::ranges::minmax(backdrop.light.values());
    widest = std::max(widest, static_cast<double>(most) - least);
    double sum = 0.0;
    for (const float light : backdrop.light.values()) sum += light;
    EXPECT_NEAR(sum / 80000.0, 1.0, 0.13) << seed;
    EXPECT_GT(least, 0.2F) << seed;
    EXPECT_LT(most, 1.5F) << seed;
    EXPECT_GT(most - least, 0.02F) << seed;
    for (const float gray : backdrop.colour) {
      EXPECT_GE(gray, 145.0F);
      EXPECT_LE(gray, 240.0F);
    }
  }
  EXPECT_GT(widest, 0.3) << "no dust anywhere";
}

TEST(MakeBackdrop, SameStateSameBackdrop) {
  Rng first(7);
  Rng second(7);
  Rng other(8);
  const Backdrop a = MakeBackdrop(300, 150, 1.0F, first);
  const Backdrop b = MakeBackdrop(300, 150, 1.0F, second);
  EXPECT_EQ(a.light, b.light);
  EXPECT_EQ(a.colour, b.colour);
  EXPECT_NE(a.light, MakeBackdrop(300, 150, 1.0F, other).light);
}

TEST(MakeBackdrop, ManyTimesTheNoiseStaysFinite) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Rng rng(seed);
    const Backdrop backdrop = MakeBackdrop(263, 113, 3.0F, rng);
    for (const float light : backdrop.light.values()) {
      ASSERT_GT(light, -1.0F);
      ASSERT_LT(light, 3.0F);
    }
  }
}

constexpr double kDegree = std::numbers::pi / 180.0;

PhotographSpec SpecOfSeed(std::uint64_t seed) {
  PhotographSpec spec;
  spec.embryo = BareEmbryo(seed);
  return spec;
}

PhotographSpec CleanSpec(std::uint64_t seed) {
  PhotographSpec spec = SpecOfSeed(seed);
  spec.neighbours = 0;
  spec.noise = 0.0F;
  return spec;
}

// Variance of the mask along a direction, about its centroid: two passes, no eigenvalues.
double VarianceAlong(const FloatMatrix& mask, double x0, double y0, double degrees) {
  double sum = 0.0;
  double mass = 0.0;
  for (std::size_t row = 0; row < mask.rows(); ++row) {
    for (std::size_t col = 0; col < mask.cols(); ++col) {
      const double m = mask(row, col);
      const double along = std::cos(degrees * kDegree) * (static_cast<double>(col) - x0) +
                           std::sin(degrees * kDegree) * (static_cast<double>(row) - y0);
      mass += m;
      sum += m * along * along;
    }
  }
  return sum / mass;
}

struct Centroid {
  double x = 0.0;
  double y = 0.0;
};

Centroid CentroidOf(const FloatMatrix& weights) {
  Centroid sum;
  double mass = 0.0;
  for (std::size_t row = 0; row < weights.rows(); ++row) {
    for (std::size_t col = 0; col < weights.cols(); ++col) {
      mass += weights(row, col);
      sum.x += weights(row, col) * static_cast<double>(col);
      sum.y += weights(row, col) * static_cast<double>(row);
    }
  }
  return {sum.x / mass, sum.y / mass};
}

FloatMatrix EllipseMask(double a, double b, double degrees) {
  FloatMatrix mask(300, 400);
  for (std::size_t row = 0; row < mask.rows(); ++row) {
    for (std::size_t col = 0; col < mask.cols(); ++col) {
      const double x = static_cast<double>(col) - 190.0;
      const double y = static_cast<double>(row) - 160.0;
      const double u = std::cos(degrees * kDegree) * x + std::sin(degrees * kDegree) * y;
      const double v = std::cos(degrees * kDegree) * y - std::sin(degrees * kDegree) * x;
      if (u * u / (a * a) + v * v / (b * b) <= 1.0) mask(row, col) = 1.0F;
    }
  }
  return mask;
}

int Distance(const RgbImage& image, std::size_t pixel, const std::array<int, 3>& colour) {
  int most = 0;
  for (std::size_t c = 0; c < 3; ++c) most = std::max(most, std::abs(image.pixels[3 * pixel + c] - colour[c]));
  return most;
}

TEST(PoseOfMask, FindsAnEllipse) {
  for (const double angle : {0.0, 30.0, -60.0, 90.0, 135.0, -170.0}) {
    const EmbryoPose pose = PoseOfMask(EllipseMask(120.0, 50.0, angle), angle + 20.0);
    EXPECT_NEAR(pose.centre_x, 190.0, 0.05);
    EXPECT_NEAR(pose.centre_y, 160.0, 0.05);
    EXPECT_NEAR(pose.angle, angle, 0.1);
    EXPECT_NEAR(pose.half_length, 120.0, 0.3);
    EXPECT_NEAR(pose.half_height, 50.0, 0.3);
  }
}

TEST(PoseOfMask, TheTurnChoosesTheEnd) {
  const FloatMatrix mask = EllipseMask(120.0, 50.0, 30.0);
  EXPECT_NEAR(PoseOfMask(mask, 60.0).angle, 30.0, 0.1);
  EXPECT_NEAR(PoseOfMask(mask, 200.0).angle, -150.0, 0.1);
  EXPECT_NEAR(PoseOfMask(mask, -160.0).angle, -150.0, 0.1);
  EXPECT_NEAR(PoseOfMask(EllipseMask(120.0, 50.0, 0.0), 175.0).angle, 180.0, 0.1);
}

TEST(PoseOfMask, AnEmptyMaskIsABug) {
  const CaughtError error = ExpectError([] { PoseOfMask(FloatMatrix(4, 4), 0.0); });
  EXPECT_EQ(error.code, ErrorCode::kInternal);
  EXPECT_NE(error.text.find("an empty mask has no pose"), std::string::npos) << error.text;
}

TEST(TakePhotograph, ThePoseIsThatOfTheMask) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const Photograph photograph = TakePhotograph(SpecOfSeed(seed));
    const FloatMatrix mask = PhotographMask(SpecOfSeed(seed));
    ASSERT_EQ(static_cast<int>(mask.cols()), photograph.image.width);
    ASSERT_EQ(static_cast<int>(mask.rows()), photograph.image.height);
    const EmbryoPose& pose = photograph.pose;
    const Centroid centre = CentroidOf(mask);
    EXPECT_NEAR(pose.centre_x, centre.x, 1e-6);
    EXPECT_NEAR(pose.centre_y, centre.y, 1e-6);
    const double along = VarianceAlong(mask, centre.x, centre.y, pose.angle);
    EXPECT_NEAR(pose.half_length, 2.0 * std::sqrt(along), 1e-6);
    EXPECT_NEAR(pose.half_height, 2.0 * std::sqrt(VarianceAlong(mask, centre.x, centre.y, pose.angle + 90.0)), 1e-6);
    EXPECT_GT(along, VarianceAlong(mask, centre.x, centre.y, pose.angle + 0.2)) << "not the longest axis";
    EXPECT_GT(along, VarianceAlong(mask, centre.x, centre.y, pose.angle - 0.2)) << "not the longest axis";
  }
}

TEST(TakePhotograph, TheMaskIsOneWholeEmbryo) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const PhotographSpec spec = SpecOfSeed(seed);
    const FloatMatrix mask = PhotographMask(spec);
    const EmbryoPose pose = PoseOfMask(mask, 0.0);
    double area = 0.0;
    for (const float value : mask.values()) area += value;
    // A full shape without holes or second parts fills its ellipse of moments.
    const double ellipse = std::numbers::pi * pose.half_length * pose.half_height;
    EXPECT_NEAR(area / ellipse, 1.0, 0.02) << seed;
    EXPECT_NEAR(pose.half_length / pose.half_height, 2.5, 0.5) << seed;
    for (std::size_t col = 0; col < mask.cols(); ++col) {
      ASSERT_EQ(mask(0, col), 0.0F) << seed;
      ASSERT_EQ(mask(mask.rows() - 1, col), 0.0F) << seed;
    }
    for (std::size_t row = 0; row < mask.rows(); ++row) {
      ASSERT_EQ(mask(row, 0), 0.0F) << seed;
      ASSERT_EQ(mask(row, mask.cols() - 1), 0.0F) << seed;
    }
  }
}

// Without noise the ground is one colour: what differs from it is the embryo.
TEST(TakePhotograph, TheEmbryoIsWhereThePoseSays) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const Photograph photograph = TakePhotograph(CleanSpec(seed));
    const RgbImage& image = photograph.image;
    EXPECT_EQ(photograph.neighbours, 0);
    const std::array<int, 3> ground = {image.pixels[0], image.pixels[1], image.pixels[2]};
    const double c = std::cos(photograph.pose.angle * kDegree);
    const double s = std::sin(photograph.pose.angle * kDegree);
    std::map<bool, int> differing;
    std::map<bool, int> all;
    for (int y = 0; y < image.height; ++y) {
      for (int x = 0; x < image.width; ++x) {
        const double dx = x - photograph.pose.centre_x;
        const double dy = y - photograph.pose.centre_y;
        const double r = std::hypot((c * dx + s * dy) / photograph.pose.half_length,
                                    (c * dy - s * dx) / photograph.pose.half_height);
        if (r > 0.85 && r < 2.0) continue;  // the rim, which is no ellipse, and the halo
        ++all[r < 1.0];
        if (Distance(image, static_cast<std::size_t>(y * image.width + x), ground) > 1) ++differing[r < 1.0];
      }
    }
    EXPECT_EQ(differing[false], 0) << seed;
    EXPECT_GT(differing[true], all[true] * 9 / 10) << seed;
  }
}

TEST(TakePhotograph, TheAngleIsThatOfThePosteriorEnd) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    PhotographSpec stained = CleanSpec(seed);
    stained.max_turn = 180.0;
    stained.embryo = BareEmbryo(seed, "4-6");
    const Photograph bare = TakePhotograph(stained);
    stained.embryo = EmbryoWith("4-6", "posterior endoderm anlage in statu nascendi", seed);
    const Photograph photograph = TakePhotograph(stained);
    ASSERT_EQ(photograph.image.width, bare.image.width);
    FloatMatrix darker(static_cast<std::size_t>(bare.image.height), static_cast<std::size_t>(bare.image.width));
    for (std::size_t i = 0; i < darker.values().size(); ++i) {
      darker.data()[i] = std::max(
          0.0F, static_cast<float>(bare.image.pixels[3 * i]) - static_cast<float>(photograph.image.pixels[3 * i]));
    }
    const Centroid stain = CentroidOf(darker);
    const double direction =
        std::atan2(stain.y - photograph.pose.centre_y, stain.x - photograph.pose.centre_x) / kDegree;
    EXPECT_LT(std::abs(std::remainder(direction - photograph.pose.angle, 360.0)), 15.0) << seed;
    EXPECT_GT(std::hypot(stain.x - photograph.pose.centre_x, stain.y - photograph.pose.centre_y),
              0.6 * photograph.pose.half_length);
  }
}

TEST(TakePhotograph, TurnsNoFurtherThanAsked) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    PhotographSpec spec = CleanSpec(seed);
    spec.max_turn = 0.0;
    const EmbryoPose pose = PoseOfMask(PhotographMask(spec), 0.0);
    EXPECT_LT(std::abs(pose.angle), 6.0) << "an embryo may be a little oblique in its own picture";
  }
}

TEST(TakePhotograph, NeighboursChangeNothingButTheirOwnPlace) {
  int neighbours = 0;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    PhotographSpec spec = CleanSpec(seed);
    const Photograph alone = TakePhotograph(spec);
    spec.neighbours = 6;
    const Photograph among = TakePhotograph(spec);
    EXPECT_LE(among.neighbours, 6);
    neighbours += among.neighbours;
    EXPECT_EQ(among.pose.centre_x, alone.pose.centre_x);
    EXPECT_EQ(among.pose.angle, alone.pose.angle);
    const FloatMatrix mask = PhotographMask(spec);
    int changed_inside = 0;
    int changed = 0;
    for (std::size_t i = 0; i < mask.values().size(); ++i) {
      const auto* pixel = &alone.image.pixels[3 * i];
      if (Distance(among.image, i, {pixel[0], pixel[1], pixel[2]}) == 0) continue;
      ++changed;
      if (mask.data()[i] >= 1.0F) ++changed_inside;
    }
    EXPECT_EQ(changed > 500, among.neighbours > 0) << seed;
    EXPECT_LE(changed_inside, changed / 50) << seed << ": only a soft rim may show what lies below";
  }
  EXPECT_GT(neighbours, 8);
}

TEST(TakePhotograph, SameSeedSameBytes) {
  const Photograph first = TakePhotograph(SpecOfSeed(4));
  EXPECT_EQ(TakePhotograph(SpecOfSeed(4)).image.pixels, first.image.pixels);
  EXPECT_NE(TakePhotograph(SpecOfSeed(5)).image.pixels, first.image.pixels);
}

TEST(TakePhotograph, MoreNoiseChangesNoPose) {
  PhotographSpec spec = SpecOfSeed(6);
  const Photograph usual = TakePhotograph(spec);
  spec.noise = 3.0F;
  const Photograph noisy = TakePhotograph(spec);
  EXPECT_EQ(noisy.pose.half_length, usual.pose.half_length);
  EXPECT_NE(noisy.image.pixels, usual.image.pixels);
}

}  // namespace
}  // namespace flyscribe
