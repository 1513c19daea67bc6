#include "pooling/pixels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "core/rng.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

using Images = std::vector<GrayImage>;

constexpr std::size_t kFeatures = 640;

GrayImage NoiseImage(std::uint64_t seed) {
  GrayImage image(kEmbryoWidth, kEmbryoHeight);
  Rng rng(seed);
  for (std::uint8_t& pixel : image.pixels) pixel = static_cast<std::uint8_t>(rng.Below(256));
  return image;
}

// Image i is row source[i] of the collection.
void SaveStack(const TempFolder& folder, const Images& images, const std::vector<std::size_t>& source) {
  ImageStackWriter writer(folder.path());
  for (std::size_t i = 0; i < images.size(); ++i) writer.Append(images[i], source[i]);
  writer.Finish();
}

// One image a row of the collection, in order.
BagFeatures PixelsOf(const Images& images, const std::vector<std::size_t>& bag_of_image, std::size_t bags) {
  const TempFolder folder;
  std::vector<std::size_t> source(images.size());
  std::iota(source.begin(), source.end(), std::size_t{0});
  SaveStack(folder, images, source);
  return PoolPixels(ImageStack(folder.path()), bag_of_image, bags);
}

// The definition, written out: means of blocks, mean of images, minus the mean, over the norm.
std::vector<double> NaiveFeatures(const Images& images) {
  std::vector<double> values(kFeatures, 0.0);
  for (std::size_t feature = 0; feature < kFeatures; ++feature) {
    const int left = static_cast<int>(feature % 40) * 8;
    const int top = static_cast<int>(feature / 40) * 8;
    for (const GrayImage& image : images) {
      double block = 0.0;
      for (int y = top; y < top + 8; ++y) {
        for (int x = left; x < left + 8; ++x) block += image.At(x, y) / 64.0;
      }
      values[feature] += block / static_cast<double>(images.size());
    }
  }
  double mean = 0.0;
  for (const double value : values) mean += value / static_cast<double>(kFeatures);
  double squares = 0.0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  for (double& value : values) value = (value - mean) / std::sqrt(squares);
  return values;
}

void ExpectNear(std::span<const float> values, const std::vector<double>& expected) {
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_NEAR(values[i], expected[i], 1e-6) << "feature " << i;
}

TEST(PoolPixels, EqualsTheDefinitionOnNoise) {
  const Images images = {NoiseImage(1), NoiseImage(2), NoiseImage(3), NoiseImage(4)};
  const BagFeatures features = PixelsOf(images, {2, 0, 2, 2}, 3);
  ASSERT_EQ(features.values.rows(), 3U);
  ExpectNear(features.values.Row(0), NaiveFeatures({images[1]}));
  ExpectNear(features.values.Row(2), NaiveFeatures({images[0], images[2], images[3]}));
}

TEST(PoolPixels, PutsABlockInItsPlace) {
  GrayImage image(kEmbryoWidth, kEmbryoHeight, 200);
  for (int y = 16; y < 24; ++y) {
    for (int x = 312; x < 320; ++x) image.At(x, y) = 100;
  }
  const BagFeatures features = PixelsOf({image}, {0}, 1);
  // One of 640 numbers is 100 lower: d = -639/640 and 1/640, over the norm sqrt(639/640).
  const double norm = std::sqrt(639.0 / 640.0);
  for (std::size_t i = 0; i < kFeatures; ++i) {
    const bool dark = i == 2 * 40 + 39;
    ASSERT_NEAR(features.values(0, i), (dark ? -639.0 : 1.0) / 640.0 / norm, 1e-6) << i;
  }
}

TEST(PoolPixels, ForgetsBrightnessAndContrast) {
  GrayImage plain(kEmbryoWidth, kEmbryoHeight);
  Rng rng(5);
  for (std::uint8_t& pixel : plain.pixels) pixel = static_cast<std::uint8_t>(rng.Below(100));
  GrayImage stronger = plain;
  for (std::uint8_t& pixel : stronger.pixels) pixel = static_cast<std::uint8_t>(2 * pixel + 50);
  const BagFeatures features = PixelsOf({plain, stronger}, {0, 1}, 2);
  for (std::size_t i = 0; i < kFeatures; ++i) {
    EXPECT_NEAR(features.values(0, i), features.values(1, i), 1e-6);
  }
}

TEST(PoolPixels, TheOrderOfImagesChangesNoByte) {
  const Images images = {NoiseImage(6), NoiseImage(7), NoiseImage(8)};
  const Images turned = {images[2], images[0], images[1]};
  EXPECT_EQ(PixelsOf(images, {0, 0, 0}, 1).values, PixelsOf(turned, {0, 0, 0}, 1).values);
}

TEST(PoolPixels, NoImageAndOneGrayHaveNoFeatures) {
  const BagFeatures features = PixelsOf({GrayImage(kEmbryoWidth, kEmbryoHeight, 77)}, {1}, 2);
  EXPECT_EQ(features.values, FloatMatrix(2, kFeatures, 0.0F));
  EXPECT_EQ(PixelsOf({}, {}, 0).values.rows(), 0U);
}

TEST(PoolPixels, NoFeatureComesFromAPatch) {
  EXPECT_EQ(PixelsOf({NoiseImage(9)}, {0}, 1).argmax, Matrix<std::int32_t>(1, kFeatures, -1));
}

// The stack leaves out what could not be used: its third image may be the collection's tenth.
TEST(PoolPixels, FollowsTheSourceOfAnImage) {
  const TempFolder folder;
  SaveStack(folder, {NoiseImage(1), NoiseImage(2)}, {3, 1});
  const std::vector<std::size_t> bag_of_image = {0, 1, 0, 2};
  const BagFeatures features = PoolPixels(ImageStack(folder.path()), bag_of_image, 3);
  ExpectNear(features.values.Row(1), NaiveFeatures({NoiseImage(2)}));
  ExpectNear(features.values.Row(2), NaiveFeatures({NoiseImage(1)}));
  EXPECT_THAT(features.values.Row(0), testing::Each(0.0F));
}

TEST(PoolPixels, RefusesAnImageOfNoBag) {
  const CaughtError error = ExpectError([] { PixelsOf({NoiseImage(1)}, {2}, 2); });
  EXPECT_EQ(error.code, ErrorCode::kInternal);
  EXPECT_THAT(error.text, testing::HasSubstr("an image belongs to no bag"));
  EXPECT_EQ(ExpectError([] { PixelsOf({NoiseImage(1), NoiseImage(2)}, {0}, 1); }).code, ErrorCode::kInternal);
}

}  // namespace
}  // namespace flyscribe
