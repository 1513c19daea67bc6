#include "pooling/pool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/rng.h"
#include "tests/support/expect_error.h"

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
  std::vector<std::size_t> bag_of_image = {0, 0, 2};

  HandMade() {
    patches.Append(0, 40.0F, 40.0F, 10.0F);
    patches.Append(0, 200.0F, 40.0F, 10.0F);
    patches.Append(1, 40.0F, 100.0F, 10.0F);
    patches.Append(2, 300.0F, 120.0F, 10.0F);
  }
  BagFeatures Pooled(const PoolOptions& options) const { return Pool(codes, patches, bag_of_image, 3, options); }
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
    patches.Append(0, x, y, 1.0F);
    const std::vector<std::size_t> bag_of_image = {0};
    const BagFeatures features =
        Pool(CodesOf({{1.0F}}, 1), patches, bag_of_image, 1, Plain(PoolSigns::kAbsolute, {"2x2"}));
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
  const BagFeatures features = Pool(CodesOf({}, 4), PatchTable{}, {}, 2, PoolOptions{});
  EXPECT_EQ(features.values, FloatMatrix(2, 4, 0.0F));
  EXPECT_EQ(features.argmax, Matrix<std::int32_t>(2, 4, -1));
  EXPECT_EQ(Pool(CodesOf({}, 4), PatchTable{}, {}, 0, PoolOptions{}).values.rows(), 0U);
}

// The definition, feature by feature, over dense codes.
float NaiveValue(float weight, PoolSigns signs, std::size_t half) {
  if (signs == PoolSigns::kSigned) return weight;
  if (signs == PoolSigns::kAbsolute) return std::abs(weight);
  return half == 0 ? weight : -weight;
}

TEST(Pool, EqualsTheDefinitionOnRandomCodes) {
  constexpr std::size_t kAtoms = 7;
  constexpr std::size_t kBags = 4;
  constexpr int kColumns = 4;
  constexpr int kRows = 2;
  Rng rng(1);
  PatchTable patches;
  std::vector<std::vector<float>> dense;
  const std::vector<std::size_t> bag_of_image = {0, 0, 1, 3, 3, 3};
  for (std::int32_t image = 0; image < 6; ++image) {
    for (int k = 0; k < 15; ++k) {
      patches.Append(image, static_cast<float>(rng.Uniform(0, 320)), static_cast<float>(rng.Uniform(0, 128)), 1.0F);
      std::vector<float> code(kAtoms, 0.0F);
      // Few distinct weights, so that ties are common.
      for (float& weight : code) weight = rng.Chance(0.4) ? static_cast<float>(rng.Below(7)) * 0.25F - 0.75F : 0.0F;
      dense.push_back(code);
    }
  }
  for (const PoolSigns signs : {PoolSigns::kSigned, PoolSigns::kAbsolute, PoolSigns::kApart}) {
    const BagFeatures features =
        Pool(CodesOf(dense, kAtoms), patches, bag_of_image, kBags, Plain(signs, {"4x2", "1x1"}));
    const std::size_t halves = signs == PoolSigns::kApart ? 2 : 1;
    ASSERT_EQ(features.values.cols(), 9 * kAtoms * halves);
    for (std::size_t bag = 0; bag < kBags; ++bag) {
      for (std::size_t feature = 0; feature < features.values.cols(); ++feature) {
        const std::size_t half = feature % halves;
        const std::size_t atom = feature / halves % kAtoms;
        const std::size_t region = feature / halves / kAtoms;
        float value = 0.0F;
        std::int32_t source = -1;
        for (std::size_t i = 0; i < patches.size(); ++i) {
          if (bag_of_image[static_cast<std::size_t>(patches.image[i])] != bag) continue;
          const auto column = static_cast<std::size_t>(patches.x[i] / (320.0F / kColumns));
          const auto row = static_cast<std::size_t>(patches.y[i] / (128.0F / kRows));
          if (region < 8 && region != row * kColumns + column) continue;
          const float candidate = NaiveValue(dense[i][atom], signs, half);
          if (candidate <= value) continue;
          value = candidate;
          source = static_cast<std::int32_t>(i);
        }
        ASSERT_EQ(features.values(bag, feature), value) << "bag " << bag << " feature " << feature;
        ASSERT_EQ(features.argmax(bag, feature), source) << "bag " << bag << " feature " << feature;
      }
    }
  }
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
  EXPECT_EQ(ExpectError([&] { Pool(data.codes, PatchTable{}, data.bag_of_image, 3, {}); }).code, ErrorCode::kInternal);
  EXPECT_EQ(ExpectError([&] { Pool(data.codes, data.patches, one_image, 3, {}); }).code, ErrorCode::kInternal);
  EXPECT_EQ(ExpectError([&] { Pool(data.codes, data.patches, data.bag_of_image, 2, {}); }).code, ErrorCode::kInternal);
}

TEST(PoolOptions, KeyTextNamesEveryField) {
  EXPECT_EQ(KeyText(PoolOptions{}), "regions: [\"1x1\"]\nsigns: \"absolute\"\nnormalise: \"l2\"\n");
}

}  // namespace
}  // namespace flyscribe
