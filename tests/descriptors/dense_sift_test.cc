#include "descriptors/dense_sift.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/parallel.h"
#include "core/rng.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

using testing::HasSubstr;

constexpr int kOrientations = 8;
using Options = ExtractOptions;

// An image with structure at several sizes.
GrayImage Blobs(int width, int height, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<std::array<double, 4>> blobs(40);
  for (auto& blob : blobs) {
    blob = {rng.Uniform(0, width), rng.Uniform(0, height), rng.Uniform(2, 12), rng.Uniform(-90, 90)};
  }
  GrayImage image(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      double gray = 128;
      for (const auto& [u, v, size, height_of] : blobs) {
        gray += height_of * std::exp(-((x - u) * (x - u) + (y - v) * (y - v)) / (2 * size * size));
      }
      image.At(x, y) = static_cast<std::uint8_t>(std::clamp(gray, 0.0, 255.0));
    }
  }
  return image;
}

// --- The reference: SIFT by its definition, one window at a time, in double precision.

using Plane = std::vector<double>;

double Clamped(const Plane& plane, const GrayImage& shape, int x, int y) {
  return plane[shape.Index(std::clamp(x, 0, shape.width - 1), std::clamp(y, 0, shape.height - 1))];
}

Plane Smooth(const Plane& plane, const GrayImage& shape, double sigma) {
  if (sigma <= 0) return plane;
  const int radius = static_cast<int>(std::ceil(3 * sigma));
  std::vector<double> kernel;
  double total = 0;
  for (int i = -radius; i <= radius; ++i) {
    kernel.push_back(std::exp(-0.5 * i * i / (sigma * sigma)));
    total += kernel.back();
  }
  for (double& weight : kernel) weight /= total;
  const auto pass = [&](const Plane& from, int dx, int dy) {
    Plane to(from.size());
    for (int y = 0; y < shape.height; ++y) {
      for (int x = 0; x < shape.width; ++x) {
        double sum = 0;
        for (int i = -radius; i <= radius; ++i) {
          sum += kernel[static_cast<std::size_t>(i + radius)] * Clamped(from, shape, x + i * dx, y + i * dy);
        }
        to[shape.Index(x, y)] = sum;
      }
    }
    return to;
  };
  return pass(pass(plane, 1, 0), 0, 1);
}

// VLFeat takes the angle by a cubic in r, good to 0.01 radians (vl/mathop.h). The reference takes the same one, so that
// everything else can be compared closely; OrientationOfRamps tests the true angles.
double FastAngle(double y, double x) {
  const double up = std::abs(y) + 1e-12;
  const double r = x >= 0 ? (x - up) / (x + up) : (x + up) / (up - x);
  const double angle = (x >= 0 ? 0.25 : 0.75) * std::numbers::pi + (0.1821 * r * r - 0.9675) * r;
  return y < 0 ? -angle : angle;
}

// VLFeat's fast square root is 0 below 1e-8: gradients under 1e-4 of the gray range vanish.
double FastRoot(double square) { return square < 1e-8 ? 0.0 : std::sqrt(square); }

struct Gradient {
  Plane magnitude;
  Plane angle;  // in units of 45 degrees, [0, 8)
};

Gradient MakeGradient(const Plane& plane, const GrayImage& shape) {
  Gradient gradient{Plane(plane.size()), Plane(plane.size())};
  const auto difference = [](double before, double here, double after, bool first, bool last) {
    return first ? after - here : last ? here - before : 0.5 * (after - before);
  };
  for (int y = 0; y < shape.height; ++y) {
    for (int x = 0; x < shape.width; ++x) {
      const double here = Clamped(plane, shape, x, y);
      const double gx = difference(
          Clamped(plane, shape, x - 1, y), here, Clamped(plane, shape, x + 1, y), x == 0, x == shape.width - 1);
      const double gy = difference(
          Clamped(plane, shape, x, y - 1), here, Clamped(plane, shape, x, y + 1), y == 0, y == shape.height - 1);
      gradient.magnitude[shape.Index(x, y)] = FastRoot(gx * gx + gy * gy);
      double angle = FastAngle(gy, gx) * kOrientations / (2 * std::numbers::pi);
      if (angle < 0) angle += kOrientations;
      gradient.angle[shape.Index(x, y)] = angle;
    }
  }
  return gradient;
}

void Rescale(std::vector<double>& values) {
  double squares = 0;
  for (const double value : values) squares += value * value;
  for (double& value : values) value /= FastRoot(squares) + 1.19e-7;
}

double Gauss(double distance, double sigma) { return std::exp(-0.5 * distance * distance / (sigma * sigma)); }

// The mean of the window function over the bin whose centre is `offset` from the window's: VLFeat's flat weight.
double MeanGauss(double offset, int bin) {
  double sum = 0;
  for (int x = -bin + 1; x < bin; ++x) sum += Gauss(x - offset, 2.0 * bin);
  return sum / (2 * bin - 1);
}

// One axis of a window: where its four bins lie, and the weight of a pixel in a bin.
struct ReferenceAxis {
  int start;
  int bin;
  bool flat;

  int Centre(int i) const { return start + bin / 2 + bin * i; }
  double Weight(int i, int at) const {
    const double offset = bin * (i - 1.5);
    const int from_bin = at - Centre(i);
    const double function = flat ? MeanGauss(offset, bin) : Gauss(from_bin + offset, 2.0 * bin);
    return (1 - std::abs(from_bin) / double(bin)) * function;
  }
};

// The descriptor of the window with these axes.
std::vector<double> Reference(const Gradient& gradient,
                              const GrayImage& shape,
                              const ReferenceAxis& column,
                              const ReferenceAxis& row) {
  const int bin = column.bin;
  std::vector<double> descriptor(kSiftLength);
  for (int j = 0; j < 4; ++j) {
    for (int i = 0; i < 4; ++i) {
      const auto slot = [&](int o) { return static_cast<std::size_t>(8 * (4 * j + i) + o % 8); };
      for (int y = row.Centre(j) - bin + 1; y < row.Centre(j) + bin; ++y) {
        for (int x = column.Centre(i) - bin + 1; x < column.Centre(i) + bin; ++x) {
          const double weight = column.Weight(i, x) * row.Weight(j, y) * Clamped(gradient.magnitude, shape, x, y);
          const double angle = Clamped(gradient.angle, shape, x, y);
          const int below = static_cast<int>(angle);
          descriptor[slot(below)] += weight * (1 - (angle - below));
          descriptor[slot(below + 1)] += weight * (angle - below);
        }
      }
    }
  }
  Rescale(descriptor);
  for (double& value : descriptor) value = std::min(value, 0.2);
  Rescale(descriptor);
  return descriptor;
}

// The largest difference between the extracted descriptors and the reference's.
double WorstDifference(const GrayImage& image, const Options& options) {
  const PatchSet patches = ExtractPatches(image, 0, options);
  Plane plane(image.pixels.size());
  for (std::size_t i = 0; i < plane.size(); ++i) plane[i] = image.pixels[i] / 255.0;
  const Gradient gradient = MakeGradient(Smooth(plane, image, options.smoothing), image);
  double worst = 0;
  for (std::size_t p = 0; p < patches.table.size(); ++p) {
    const int left = static_cast<int>(patches.table.x[p]) - options.window / 2;
    const int top = static_cast<int>(patches.table.y[p]) - options.window / 2;
    const bool flat = options.window_function == Options::WindowFunction::kFlat;
    const int bin = options.window / 4;
    const auto expected = Reference(gradient, image, {left, bin, flat}, {top, bin, flat});
    for (std::size_t k = 0; k < kSiftLength; ++k) {
      worst = std::max(worst, std::abs(expected[k] - static_cast<double>(patches.descriptors(p, k))));
    }
  }
  return worst;
}

constexpr double kTolerance = 2e-4;  // single precision, a fast square root

TEST(ExtractPatches, AgreesWithSiftByDefinition) {
  for (const auto alignment : {Options::Alignment::kCentred, Options::Alignment::kCorner}) {
    for (const double smoothing : {0.0, 2.8}) {
      const Options options{.alignment = alignment, .smoothing = smoothing};
      EXPECT_LT(WorstDifference(Blobs(96, 64, 1), options), kTolerance) << smoothing;
    }
  }
}

TEST(ExtractPatches, AgreesForOtherWindowsAndStrides) {
  EXPECT_LT(WorstDifference(Blobs(96, 64, 2), {.window = 12, .stride = 5}), kTolerance);
  EXPECT_LT(WorstDifference(Blobs(96, 64, 3), {.window = 32, .stride = 8}), kTolerance);
  EXPECT_LT(WorstDifference(Blobs(61, 47, 4), {.window = 8, .stride = 3, .alignment = Options::Alignment::kCorner}),
            kTolerance);
}

TEST(ExtractPatches, AgreesWithTheFlatWindowFunction) {
  EXPECT_LT(WorstDifference(Blobs(96, 64, 1), {.window_function = Options::WindowFunction::kFlat}), 2e-3);
}

TEST(ExtractPatches, CentredGridOfAnEmbryo) {
  const PatchSet patches = ExtractPatches(Blobs(320, 128, 5), 7, {});
  ASSERT_EQ(patches.table.size(), 133U);
  EXPECT_EQ(patches.descriptors.rows(), 133U);
  EXPECT_EQ(patches.descriptors.cols(), 128U);
  EXPECT_THAT(patches.table.image, testing::Each(7));
  EXPECT_EQ(patches.table.x[0], 16.0F);
  EXPECT_EQ(patches.table.y[0], 16.0F);
  EXPECT_EQ(patches.table.x[1], 32.0F);  // row by row
  EXPECT_EQ(patches.table.y[1], 16.0F);
  EXPECT_EQ(patches.table.x[132], 304.0F);
  EXPECT_EQ(patches.table.y[132], 112.0F);
}

TEST(ExtractPatches, CornerGridOfAnEmbryo) {
  const PatchSet patches = ExtractPatches(Blobs(320, 128, 5), 0, {.alignment = Options::Alignment::kCorner});
  ASSERT_EQ(patches.table.size(), 160U);
  EXPECT_EQ(patches.table.x[0], 8.0F);
  EXPECT_EQ(patches.table.x[159], 312.0F);
  EXPECT_EQ(patches.table.y[159], 120.0F);
}

TEST(ExtractPatches, NumberOfWindows) {
  const auto count = [](int width, int height, const Options& options) {
    return ExtractPatches(GrayImage(width, height), 0, options).table.size();
  };
  EXPECT_EQ(count(320, 128, {.stride = 8}), 39U * 15U);
  EXPECT_EQ(count(320, 128, {.stride = 8, .alignment = Options::Alignment::kCorner}), 39U * 15U);
  EXPECT_EQ(count(320, 128, {.window = 32}), 19U * 7U);
  EXPECT_EQ(count(16, 16, {.alignment = Options::Alignment::kCorner}), 1U);
  EXPECT_EQ(count(16, 16, {}), 0U);  // no multiple of 16 has half a window on either side
  EXPECT_EQ(count(24, 24, {}), 1U);
  EXPECT_EQ(count(15, 200, {.alignment = Options::Alignment::kCorner}), 0U);
  EXPECT_EQ(count(0, 0, {}), 0U);
}

// The share of each orientation in the whole descriptor of the middle window.
std::vector<double> OrientationShares(const GrayImage& image) {
  const PatchSet patches = ExtractPatches(image, 0, {.smoothing = 0});
  std::vector<double> shares(kOrientations);
  double total = 0;
  const auto middle = patches.descriptors.Row(patches.table.size() / 2);
  for (std::size_t k = 0; k < middle.size(); ++k) {
    shares[k % kOrientations] += static_cast<double>(middle[k]);
    total += static_cast<double>(middle[k]);
  }
  for (double& share : shares) share /= total;
  return shares;
}

GrayImage Ramp(int dx, int dy) {
  GrayImage image(48, 48);
  for (int y = 0; y < 48; ++y) {
    for (int x = 0; x < 48; ++x) image.At(x, y) = static_cast<std::uint8_t>(120 + 2 * (dx * (x - 24) + dy * (y - 24)));
  }
  return image;
}

TEST(ExtractPatches, OrientationOfRamps) {
  const auto near = [](double value) { return testing::DoubleNear(value, 0.02); };
  EXPECT_THAT(OrientationShares(Ramp(1, 0))[0], near(1));   // brighter to the right
  EXPECT_THAT(OrientationShares(Ramp(0, 1))[2], near(1));   // brighter downwards
  EXPECT_THAT(OrientationShares(Ramp(-1, 0))[4], near(1));  // brighter to the left
  EXPECT_THAT(OrientationShares(Ramp(0, -1))[6], near(1));  // brighter upwards
  EXPECT_THAT(OrientationShares(Ramp(1, 1))[1], near(1));   // right and down
}

TEST(ExtractPatches, PlaceOfABlob) {
  // A small bright blob in the second column and third row of bins of the only window.
  GrayImage image(16, 16, 100);
  image.At(2 + 4 * 1, 2 + 4 * 2) = 200;
  const PatchSet patches = ExtractPatches(image, 0, {.alignment = Options::Alignment::kCorner, .smoothing = 0});
  ASSERT_EQ(patches.table.size(), 1U);
  std::vector<double> energy(16);
  for (std::size_t k = 0; k < kSiftLength; ++k) {
    energy[k / kOrientations] += std::pow(static_cast<double>(patches.descriptors(0, k)), 2);
  }
  EXPECT_EQ(std::max_element(energy.begin(), energy.end()) - energy.begin(), 4 * 2 + 1);
}

TEST(ExtractPatches, DeviationOfTheUnsmoothedWindow) {
  GrayImage image(32, 32, 50);
  for (int y = 8; y < 24; ++y) {
    for (int x = 8; x < 16; ++x) image.At(x, y) = 150;  // the left half of the centred window
  }
  image.At(7, 8) = 255;  // just outside
  const PatchSet patches = ExtractPatches(image, 0, {});
  ASSERT_EQ(patches.table.size(), 1U);
  EXPECT_FLOAT_EQ(patches.table.deviation[0], 50.0F);
}

TEST(ExtractPatches, StainIsHowDarkTheWindowIs) {
  EXPECT_THAT(ExtractPatches(GrayImage(32, 32, 255), 0, {}).table.stain, testing::ElementsAre(0.0F));
  EXPECT_THAT(ExtractPatches(GrayImage(32, 32, 0), 0, {}).table.stain, testing::ElementsAre(1.0F));
  GrayImage half(32, 32, 255);
  for (int y = 8; y < 24; ++y) {
    for (int x = 8; x < 16; ++x) half.At(x, y) = 51;  // the left half of the centred window
  }
  EXPECT_THAT(ExtractPatches(half, 0, {}).table.stain, testing::ElementsAre(testing::FloatEq(0.4F)));
}

TEST(ExtractPatches, EachScaleIsAGridOfItsOwn) {
  const GrayImage image = Blobs(96, 64, 9);
  const PatchSet both = ExtractPatches(image, 5, {.scales = {"1", "3"}});
  const PatchSet small = ExtractPatches(image, 5, {.window = 16});
  const PatchSet large = ExtractPatches(image, 5, {.window = 48});
  const std::size_t first = small.table.size();
  ASSERT_EQ(both.table.size(), first + large.table.size());
  EXPECT_EQ(both.table.Slice(0, first), small.table);
  PatchTable second = both.table.Slice(first, large.table.size());
  EXPECT_THAT(second.scale, testing::Each(1));
  second.scale.assign(second.size(), 0);
  EXPECT_EQ(second, large.table);
  for (std::size_t p = 0; p < both.table.size(); ++p) {
    const auto expected = p < first ? small.descriptors.Row(p) : large.descriptors.Row(p - first);
    ASSERT_THAT(both.descriptors.Row(p), testing::ElementsAreArray(expected));
  }
}

TEST(ExtractPatches, AScaleLargerThanTheImageHasNoWindows) {
  const PatchSet patches = ExtractPatches(Blobs(40, 40, 10), 0, {.scales = {"4", "1"}});
  EXPECT_THAT(patches.table.scale, testing::Each(1));
  EXPECT_EQ(patches.table.size(), 4U);
}

TEST(ExtractOptions, ScalesMustBeDistinctMultiples) {
  const auto complaint = [](std::vector<std::string> scales) {
    const CaughtError error = ExpectError([&] { ExtractOptions{.scales = scales}.WindowSides(); });
    EXPECT_EQ(error.code, ErrorCode::kUsage);
    return error.text;
  };
  EXPECT_EQ((ExtractOptions{.scales = {"1", "2", "8"}}.WindowSides()), (std::vector<int>{16, 32, 128}));
  EXPECT_EQ(
      complaint({}),
      "error: extract.scales: the list is empty\n  hint: write for instance [1] or [1, 2, 3]; windows may have up "
      "to 128 pixels a side");
  EXPECT_THAT(complaint({"2", "2"}), HasSubstr("extract.scales: '2' is listed twice"));
  for (const std::string text : {"0", "-1", "1.5", "9", "two", ""}) {
    EXPECT_THAT(complaint({text}), HasSubstr("extract.scales: '" + text + "' is no usable multiple of the window"));
  }
}

TEST(ExtractPatches, AFlatImageHasZeroDescriptors) {
  const PatchSet patches = ExtractPatches(GrayImage(320, 128, 77), 0, {});
  ASSERT_EQ(patches.table.size(), 133U);
  EXPECT_THAT(patches.table.deviation, testing::Each(0.0F));
  for (const float value : patches.descriptors.values()) ASSERT_NEAR(value, 0.0, 1e-6);
}

TEST(ExtractPatches, DescriptorsHaveUnitLength) {
  for (const auto function : {Options::WindowFunction::kGaussian, Options::WindowFunction::kFlat}) {
    const PatchSet patches = ExtractPatches(Blobs(96, 64, 6), 0, {.window_function = function});
    for (std::size_t p = 0; p < patches.table.size(); ++p) {
      double squares = 0;
      for (const float value : patches.descriptors.Row(p)) squares += static_cast<double>(value) * value;
      EXPECT_NEAR(squares, 1.0, 1e-3);
    }
  }
}

TEST(ExtractPatches, FlatWindowApproximatesTheGaussian) {
  const GrayImage image = Blobs(96, 64, 7);
  const PatchSet exact = ExtractPatches(image, 0, {});
  const PatchSet fast = ExtractPatches(image, 0, {.window_function = Options::WindowFunction::kFlat});
  ASSERT_EQ(exact.table, fast.table);
  EXPECT_NE(exact.descriptors, fast.descriptors);
  for (std::size_t p = 0; p < exact.table.size(); ++p) {
    double product = 0;
    for (std::size_t k = 0; k < kSiftLength; ++k) {
      product += static_cast<double>(exact.descriptors(p, k)) * static_cast<double>(fast.descriptors(p, k));
    }
    EXPECT_GT(product, 0.95);
  }
}

TEST(ExtractPatches, SameBytesOnAnyThread) {
  const GrayImage image = Blobs(320, 128, 8);
  const PatchSet alone = ExtractPatches(image, 0, {});
  std::vector<PatchSet> several(6);
  ParallelFor(3, several.size(), [&](std::size_t i) { several[i] = ExtractPatches(image, 0, {}); });
  for (const PatchSet& each : several) {
    EXPECT_EQ(each.descriptors, alone.descriptors);
    EXPECT_EQ(each.table, alone.table);
  }
}

TEST(ExtractPatches, WindowMustBeAMultipleOfFour) {
  const CaughtError error = ExpectError([] { ExtractPatches(GrayImage(32, 32), 0, {.window = 18}); });
  EXPECT_EQ(error.code, ErrorCode::kUsage);
  EXPECT_THAT(error.text, HasSubstr("extract.window: 18 is no multiple of 4\n  hint: a window is cut into 4 x 4 bins"));
}

TEST(ExtractOptions, KeyText) {
  EXPECT_EQ(KeyText(ExtractOptions{}),
            "window: 16\nscales: [\"1\"]\nstride: 16\nalignment: \"centred\"\nsmoothing: 2.8\nwindow_function: "
            "\"gaussian\"\n");
}

}  // namespace
}  // namespace flyscribe
