#include "pooling/pool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "core/rng.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

SparseCodes CodesOf(const std::vector<std::vector<float>>& dense, std::size_t atoms) {
  SparseCodes codes;
  codes.atoms = atoms;
  for (const std::vector<float>& row : dense) codes.AppendDense(row);
  return codes;
}

PoolOptions Plain(PoolSigns signs, std::vector<std::string> regions = {"1x1"}) {
  PoolOptions options;
  options.regions = std::move(regions);
  options.signs = signs;
  options.normalise = PoolNormalise::kNone;
  return options;
}

std::vector<float> Values(const BagFeatures& features, std::size_t bag) {
  return {features.values.Row(bag).begin(), features.values.Row(bag).end()};
}
std::vector<std::int32_t> Sources(const BagFeatures& features, std::size_t bag) {
  return {features.argmax.Row(bag).begin(), features.argmax.Row(bag).end()};
}

// Three patches of two images of bag 0, one patch of bag 2; bag 1 has none.
struct HandMade {
  SparseCodes codes = CodesOf({{0.5F, -0.9F, 0.0F}, {0.7F, 0.0F, 0.0F}, {0.7F, 0.2F, 0.0F}, {0.0F, -0.4F, 0.3F}}, 3);
  PatchTable patches;
  PatchTable one_scale;
  std::vector<std::size_t> bag_of_image = {0, 0, 2};

  HandMade() {
    patches.Append({.image = 0, .x = 40.0F, .y = 40.0F, .scale = 0, .stain = 0.5F});
    patches.Append({.image = 0, .x = 200.0F, .y = 40.0F, .scale = 1, .stain = 0.25F});
    patches.Append({.image = 1, .x = 40.0F, .y = 100.0F, .scale = 0, .stain = 1.0F});
    patches.Append({.image = 2, .x = 300.0F, .y = 120.0F, .scale = 1, .stain = 0.0F});
    one_scale = patches;
    one_scale.scale.assign(4, 0);
  }
  BagFeatures Pooled(const PoolOptions& options) const { return Pool({codes, one_scale, bag_of_image, 3}, options); }
  BagFeatures PooledByScale(const PoolOptions& options) const {
    return Pool({codes, patches, bag_of_image, 3, 2}, options);
  }
};

TEST(Pool, SignedByHand) {
  const BagFeatures features = HandMade().Pooled(Plain(PoolSigns::kSigned));
  EXPECT_THAT(Values(features, 0), ElementsAre(0.7F, 0.2F, 0.0F));
  EXPECT_THAT(Sources(features, 0), ElementsAre(1, 2, -1));  // patches 1 and 2 tie at 0.7: the first counts
  EXPECT_THAT(Values(features, 1), ElementsAre(0.0F, 0.0F, 0.0F));
  EXPECT_THAT(Sources(features, 1), ElementsAre(-1, -1, -1));
  EXPECT_THAT(Values(features, 2), ElementsAre(0.0F, 0.0F, 0.3F));  // -0.4 alone does not go below zero
  EXPECT_THAT(Sources(features, 2), ElementsAre(-1, -1, 3));
}

TEST(Pool, AbsoluteByHand) {
  const BagFeatures features = HandMade().Pooled(Plain(PoolSigns::kAbsolute));
  EXPECT_THAT(Values(features, 0), ElementsAre(0.7F, 0.9F, 0.0F));
  EXPECT_THAT(Sources(features, 0), ElementsAre(1, 0, -1));
  EXPECT_THAT(Values(features, 2), ElementsAre(0.0F, 0.4F, 0.3F));
}

TEST(Pool, ApartByHand) {
  const BagFeatures features = HandMade().Pooled(Plain(PoolSigns::kApart));
  EXPECT_THAT(Values(features, 0), ElementsAre(0.7F, 0.0F, 0.2F, 0.9F, 0.0F, 0.0F));
  EXPECT_THAT(Sources(features, 0), ElementsAre(1, -1, 2, 0, -1, -1));
  EXPECT_THAT(Values(features, 2), ElementsAre(0.0F, 0.0F, 0.0F, 0.4F, 0.3F, 0.0F));
}

TEST(Pool, RegionsByHand) {
  const BagFeatures features = HandMade().Pooled(Plain(PoolSigns::kAbsolute, {"1x1", "2x2"}));
  ASSERT_EQ(features.values.cols(), 15U);
  EXPECT_THAT(Values(features, 0),
              ElementsAre(0.7F,
                          0.9F,
                          0.0F,  // whole image
                          0.5F,
                          0.9F,
                          0.0F,  // top left: patch 0
                          0.7F,
                          0.0F,
                          0.0F,  // top right: patch 1
                          0.7F,
                          0.2F,
                          0.0F,  // bottom left: patch 2
                          0.0F,
                          0.0F,
                          0.0F));  // bottom right
  EXPECT_EQ(features.argmax(0, 9), 2);
  EXPECT_EQ(features.argmax(2, 13), 3);
}

TEST(Pool, BordersGoToTheRightAndLowerRegionAndOutsidersToTheNearest) {
  const auto region_of = [](float x, float y) {
    PatchTable patches;
    patches.Append({.image = 0, .x = x, .y = y});
    const std::vector<std::size_t> bag_of_image = {0};
    const BagFeatures features =
        Pool({CodesOf({{1.0F}}, 1), patches, bag_of_image, 1}, Plain(PoolSigns::kAbsolute, {"2x2"}));
    for (std::size_t region = 0; region < 4; ++region) {
      if (features.values(0, region) != 0.0F) return region;
    }
    return std::size_t{99};
  };
  EXPECT_EQ(region_of(159.9F, 63.9F), 0U);
  EXPECT_EQ(region_of(160.0F, 63.9F), 1U);
  EXPECT_EQ(region_of(159.9F, 64.0F), 2U);
  EXPECT_EQ(region_of(160.0F, 64.0F), 3U);
  EXPECT_EQ(region_of(-5.0F, -5.0F), 0U);
  EXPECT_EQ(region_of(320.0F, 128.0F), 3U);
  EXPECT_EQ(region_of(1e30F, 0.0F), 1U);
}

TEST(Pool, L2ScalesEachBagAndKeepsTheSources) {
  const HandMade data;
  PoolOptions options = Plain(PoolSigns::kApart, {"1x1", "2x1"});
  const BagFeatures plain = data.Pooled(options);
  options.normalise = PoolNormalise::kL2;
  const BagFeatures scaled = data.Pooled(options);
  EXPECT_EQ(plain.argmax, scaled.argmax);
  for (const std::size_t bag : {0U, 2U}) {
    double plain_squares = 0.0;
    double squares = 0.0;
    for (const float value : plain.values.Row(bag)) plain_squares += static_cast<double>(value * value);
    for (const float value : scaled.values.Row(bag)) squares += static_cast<double>(value * value);
    EXPECT_NEAR(squares, 1.0, 1e-6);
    for (std::size_t i = 0; i < plain.values.cols(); ++i) {
      EXPECT_NEAR(scaled.values(bag, i), plain.values(bag, i) / std::sqrt(plain_squares), 1e-6);
    }
  }
  EXPECT_THAT(Values(scaled, 1), ::testing::Each(0.0F));
}

TEST(Pool, NothingToPool) {
  const BagFeatures features = Pool({CodesOf({}, 4), PatchTable{}, {}, 2}, PoolOptions{});
  EXPECT_EQ(features.values, FloatMatrix(2, 4, 0.0F));
  EXPECT_EQ(features.argmax, Matrix<std::int32_t>(2, 4, -1));
  EXPECT_EQ(Pool({CodesOf({}, 4), PatchTable{}, {}, 0}, PoolOptions{}).values.rows(), 0U);
}

TEST(Pool, StainWeighsEachPatch) {
  PoolOptions options = Plain(PoolSigns::kAbsolute);
  options.weight = PoolWeight::kStain;
  const BagFeatures features = HandMade().Pooled(options);
  EXPECT_THAT(Values(features, 0), ElementsAre(0.7F, 0.45F, 0.0F));  // 1 x 0.7 of patch 2, 0.5 x 0.9 of patch 0
  EXPECT_THAT(Sources(features, 0), ElementsAre(2, 0, -1));
  EXPECT_THAT(Values(features, 2), ElementsAre(0.0F, 0.0F, 0.0F));  // a white window says nothing
}

TEST(Pool, ScalesStayApart) {
  const BagFeatures features = HandMade().PooledByScale(Plain(PoolSigns::kAbsolute));
  EXPECT_THAT(Values(features, 0), ElementsAre(0.7F, 0.9F, 0.0F, 0.7F, 0.0F, 0.0F));
  EXPECT_THAT(Sources(features, 0), ElementsAre(2, 0, -1, 1, -1, -1));
  EXPECT_THAT(Values(features, 2), ElementsAre(0.0F, 0.0F, 0.0F, 0.0F, 0.4F, 0.3F));
}

TEST(Pool, SoftRegionsByHand) {
  PoolOptions options = Plain(PoolSigns::kAbsolute, {"2x1"});
  options.softness = 0.5;
  const BagFeatures features = HandMade().Pooled(options);
  // In units of a region, 160 x 128 pixels, patch 1 lies at (1.25, 0.3125): 0.25 and 0.75 from the centres along x.
  const double row_1 = std::exp(-0.1875 * 0.1875 / 0.5);
  const double row_2 = std::exp(-0.28125 * 0.28125 / 0.5);  // of patch 2, at (0.25, 0.78125)
  const double near = std::exp(-0.25 * 0.25 / 0.5);
  const double far = std::exp(-1.25 * 1.25 / 0.5);
  EXPECT_FLOAT_EQ(features.values(0, 0), static_cast<float>(0.7 * near * row_2));
  EXPECT_FLOAT_EQ(features.values(0, 3), static_cast<float>(0.7 * near * row_1));
  EXPECT_FLOAT_EQ(features.values(0, 4), static_cast<float>(0.9 * far * row_1));  // patch 0 reaches the right half
  EXPECT_EQ(features.argmax(0, 0), 2);
  EXPECT_EQ(features.argmax(0, 4), 0);
}

TEST(Pool, WhatIsTooFarFromASoftRegionIsNotInIt) {
  PoolOptions options = Plain(PoolSigns::kAbsolute, {"8x1"});
  options.softness = 0.3;
  const BagFeatures features = HandMade().Pooled(options);
  EXPECT_EQ(features.values(0, 3 * 7), 0.0F);
  EXPECT_EQ(features.argmax(0, 3 * 7), -1);
}

TEST(Pool, TheStainMapComesLastAndIsNotNormalised) {
  PoolOptions options;
  options.stain_map = 0.5;
  const BagFeatures features = HandMade().PooledByScale(options);
  const BagFeatures without = HandMade().PooledByScale(PoolOptions{});
  ASSERT_EQ(features.values.cols(), without.values.cols() + 160);
  EXPECT_EQ(features.values.cols(), FeatureCount(3, 2, options));
  for (std::size_t f = 0; f < without.values.cols(); ++f) EXPECT_EQ(features.values(0, f), without.values(0, f));
  const std::size_t map = without.values.cols();
  EXPECT_FLOAT_EQ(features.values(0, map + 2 * 20 + 2), 0.25F);  // patch 0 at (40, 40): 0.5 x 0.5
  EXPECT_EQ(features.argmax(0, map + 2 * 20 + 2), 0);
  EXPECT_FLOAT_EQ(features.values(0, map + 6 * 20 + 2), 0.5F);  // patch 2 at (40, 100)
  EXPECT_EQ(features.values(0, map + 2 * 20 + 12), 0.0F);       // patch 1 is of the second scale
  EXPECT_EQ(features.argmax(0, map + 2 * 20 + 12), -1);
}

TEST(Pool, AverageByHand) {
  PoolOptions options = Plain(PoolSigns::kAbsolute);
  options.method = PoolMethod::kAverage;
  const BagFeatures features = HandMade().Pooled(options);
  EXPECT_FLOAT_EQ(features.values(0, 0), 1.9F / 3);
  EXPECT_FLOAT_EQ(features.values(0, 1), 1.1F / 3);
  EXPECT_FLOAT_EQ(features.values(2, 1), 0.4F);
  EXPECT_THAT(Sources(features, 0), ElementsAre(1, 0, -1));
}

TEST(Pool, RootOfMeanSquaresByHand) {
  PoolOptions options = Plain(PoolSigns::kAbsolute);
  options.method = PoolMethod::kRoot;
  const BagFeatures features = HandMade().Pooled(options);
  EXPECT_FLOAT_EQ(features.values(0, 0), std::sqrt((0.25F + 0.49F + 0.49F) / 3));
  EXPECT_FLOAT_EQ(features.values(0, 1), std::sqrt((0.81F + 0.04F) / 3));
}

TEST(Pool, RootNormalisationTakesSquareRootsFirst) {
  PoolOptions options = Plain(PoolSigns::kAbsolute);
  options.normalise = PoolNormalise::kRoot;
  const BagFeatures features = HandMade().Pooled(options);
  const float norm = std::sqrt(0.7F + 0.9F);
  EXPECT_FLOAT_EQ(features.values(0, 0), std::sqrt(0.7F) / norm);
  EXPECT_FLOAT_EQ(features.values(0, 1), std::sqrt(0.9F) / norm);
  EXPECT_THAT(Values(features, 1), ::testing::Each(0.0F));
}

// Random codes with few distinct weights, so that ties are common.
struct RandomCodes {
  static constexpr std::size_t kAtoms = 7;
  static constexpr std::size_t kBags = 4;
  static constexpr std::size_t kScales = 2;
  PatchTable patches;
  std::vector<std::vector<float>> dense;
  std::vector<std::size_t> bag_of_image = {0, 0, 1, 3, 3, 3};

  RandomCodes() {
    Rng rng(1);
    for (std::int32_t image = 0; image < 6; ++image) {
      for (int k = 0; k < 30; ++k) {
        patches.Append({.image = image,
                        .x = static_cast<float>(rng.Uniform(0, 320)),
                        .y = static_cast<float>(rng.Uniform(0, 128)),
                        .scale = static_cast<std::int32_t>(rng.Below(kScales)),
                        .stain = static_cast<float>(rng.Below(5)) * 0.25F});
        std::vector<float> code(kAtoms, 0.0F);
        for (float& weight : code) weight = rng.Chance(0.4) ? static_cast<float>(rng.Below(7)) * 0.25F - 0.75F : 0.0F;
        dense.push_back(code);
      }
    }
  }
};

// The definition over dense codes, for one feature of one bag: grids 4x2, then 1x1.
struct NaiveFeature {
  float value = 0.0F;
  std::int32_t source = -1;

  NaiveFeature(const RandomCodes& data, const PoolOptions& options, std::size_t bag, std::size_t feature) {
    const std::size_t halves = options.signs == PoolSigns::kApart ? 2 : 1;
    const std::size_t half = feature % halves;
    const std::size_t atom = feature / halves % RandomCodes::kAtoms;
    const std::size_t cell = feature / halves / RandomCodes::kAtoms;
    float largest = 0.0F;
    float sum = 0.0F;
    float count = 0.0F;
    for (std::size_t i = 0; i < data.patches.size(); ++i) {
      const Patch patch = data.patches.Row(i);
      if (data.bag_of_image[static_cast<std::size_t>(patch.image)] != bag) continue;
      if (static_cast<std::size_t>(patch.scale) != cell / 9) continue;
      const auto region = 4 * static_cast<std::size_t>(patch.y / 64.0F) + static_cast<std::size_t>(patch.x / 80.0F);
      if (cell % 9 < 8 && cell % 9 != region) continue;
      float weight = data.dense[i][atom];
      if (options.weight == PoolWeight::kStain) weight *= patch.stain;
      if (options.signs == PoolSigns::kAbsolute) weight = std::abs(weight);
      if (half == 1) weight = -weight;
      weight = std::max(0.0F, weight);
      ++count;
      sum += options.method == PoolMethod::kRoot ? weight * weight : weight;
      if (weight <= largest) continue;
      largest = weight;
      source = static_cast<std::int32_t>(i);
    }
    if (options.method == PoolMethod::kMax) value = largest;
    if (options.method == PoolMethod::kAverage && count > 0) value = sum / count;
    if (options.method == PoolMethod::kRoot && count > 0) value = std::sqrt(sum / count);
  }
};

TEST(Pool, EqualsTheDefinitionOnRandomCodes) {
  const RandomCodes data;
  const SparseCodes codes = CodesOf(data.dense, RandomCodes::kAtoms);
  for (const PoolSigns signs : {PoolSigns::kSigned, PoolSigns::kAbsolute, PoolSigns::kApart}) {
    for (const PoolMethod method : {PoolMethod::kMax, PoolMethod::kAverage, PoolMethod::kRoot}) {
      for (const PoolWeight weight : {PoolWeight::kPlain, PoolWeight::kStain}) {
        PoolOptions options = Plain(signs, {"4x2", "1x1"});
        options.method = method;
        options.weight = weight;
        const BagFeatures features =
            Pool({codes, data.patches, data.bag_of_image, RandomCodes::kBags, RandomCodes::kScales}, options);
        ASSERT_EQ(features.values.cols(), FeatureCount(RandomCodes::kAtoms, RandomCodes::kScales, options));
        for (std::size_t bag = 0; bag < RandomCodes::kBags; ++bag) {
          for (std::size_t feature = 0; feature < features.values.cols(); ++feature) {
            const NaiveFeature expected(data, options, bag, feature);
            ASSERT_FLOAT_EQ(features.values(bag, feature), expected.value) << "bag " << bag << " feature " << feature;
            ASSERT_EQ(features.argmax(bag, feature), expected.source) << "bag " << bag << " feature " << feature;
          }
        }
      }
    }
  }
}

TEST(FeatureCount, IsCellsTimesAtomsTimesSigns) {
  EXPECT_EQ(FeatureCount(500, 1, Plain(PoolSigns::kAbsolute)), 500U);
  EXPECT_EQ(FeatureCount(500, 3, Plain(PoolSigns::kApart, {"1x1", "4x2", "8x3"})), 3U * 33U * 500U * 2U);
}

TEST(ParseRegions, ReadsGrids) {
  EXPECT_EQ(ParseRegions({"1x1", "4x2", "64x64"}), (std::vector<RegionGrid>{{1, 1}, {4, 2}, {64, 64}}));
}

TEST(ParseRegions, RefusesWhatIsNoGrid) {
  for (const std::string text : {"4by2", "", "x", "4x", "x2", "0x1", "1x0", "-1x2", "65x1", "1x65", "2x2x2", "4 x 2"}) {
    const CaughtError error = ExpectError([&] { ParseRegions({"1x1", text}); });
    EXPECT_EQ(error.code, ErrorCode::kUsage);
    EXPECT_THAT(error.text, HasSubstr("pool.regions: '" + text + "' is not COLUMNSxROWS"));
    EXPECT_THAT(error.text, HasSubstr("hint: write for instance [1x1]"));
  }
}

TEST(ParseRegions, RefusesEmptyListsAndRepetition) {
  EXPECT_THAT(ExpectError([] { ParseRegions({}); }).text, HasSubstr("pool.regions: the list is empty"));
  EXPECT_THAT(ExpectError([] { ParseRegions({"2x1", "2x1"}); }).text, HasSubstr("pool.regions: '2x1' is listed twice"));
}

TEST(Pool, RefusesCodesThatDoNotFitThePatches) {
  const HandMade data;
  const std::vector<std::size_t> one_image = {0};
  EXPECT_EQ(ExpectError([&] {
              Pool({data.codes, PatchTable{}, data.bag_of_image, 3}, {});
            }).code,
            ErrorCode::kInternal);
  EXPECT_EQ(ExpectError([&] { Pool({data.codes, data.one_scale, one_image, 3}, {}); }).code, ErrorCode::kInternal);
  EXPECT_EQ(ExpectError([&] {
              Pool({data.codes, data.one_scale, data.bag_of_image, 2}, {});
            }).code,
            ErrorCode::kInternal);
  // Patches of two scales, of which one is announced.
  EXPECT_EQ(ExpectError([&] {
              Pool({data.codes, data.patches, data.bag_of_image, 3}, {});
            }).code,
            ErrorCode::kInternal);
}

TEST(PoolOptions, KeyTextNamesEveryField) {
  EXPECT_EQ(KeyText(PoolOptions{}),
            "codes: \"encoded\"\nregions: [\"1x1\"]\nsoftness: 0\nweight: \"plain\"\nmethod: \"max\"\nsigns: "
            "\"absolute\"\nnormalise: \"l2\"\nstain_map: 0\n");
}

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
