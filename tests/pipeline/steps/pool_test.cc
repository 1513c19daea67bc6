#include "pooling/pool.h"

#include <gtest/gtest.h>

#include "data/dictionary.h"
#include "data/patches.h"
#include "tests/pipeline/tiny_run.h"

namespace flyscribe {
namespace {

TEST(PoolStep, FeaturesComeFromPatchesOfTheirOwnBag) {
  const TinyRun& run = SharedTinyRun();
  const Collection collection = Collection::Load(run.FolderOf("ingest"), StageRange::FromName("4-6"));
  const PatchTable patches = PatchTable::Load(run.FolderOf("normalise"));
  const BagFeatures features = BagFeatures::Load(run.FolderOf("pool"));
  ASSERT_EQ(features.values.rows(), collection.bags.size());
  EXPECT_EQ(features.values.cols(), 24U);
  std::size_t nonzero = 0;
  for (std::size_t bag = 0; bag < collection.bags.size(); ++bag) {
    for (std::size_t f = 0; f < features.values.cols(); ++f) {
      const std::int32_t patch = features.argmax(bag, f);
      if (patch < 0) continue;
      ++nonzero;
      const auto image = static_cast<std::size_t>(patches.image.at(static_cast<std::size_t>(patch)));
      ASSERT_EQ(collection.images[image].bag, bag);
    }
  }
  EXPECT_GT(nonzero, collection.bags.size());
}

TEST(PoolStep, LearnedCodesAreThoseThatLearningLeft) {
  const TempFolder folder;
  const Config config = TinyConfig(folder.path(), {"protocol.profile=paper", "pool.codes=learned"});
  const RunOutcome outcome = Execute(config);
  const PatchTable patches = PatchTable::Load(outcome.FolderOf("4-6", "normalise"));
  const SparseCodes codes = SparseCodes::Load(outcome.FolderOf("4-6", "learn"), 24);
  const Collection collection = Collection::Load(outcome.FolderOf("4-6", "ingest"), StageRange::FromName("4-6"));
  std::vector<std::size_t> bag_of_image;
  for (const ImageRecord& image : collection.images) bag_of_image.push_back(image.bag);
  const BagFeatures expected = Pool({codes, patches, bag_of_image, collection.bags.size()}, config.pool);
  const BagFeatures features = BagFeatures::Load(outcome.FolderOf("4-6", "pool"));
  EXPECT_EQ(features.values, expected.values);
  EXPECT_EQ(features.argmax, expected.argmax);
}

TEST(PoolStep, ABagWithoutAPatchIsListed) {
  const TempFolder folder;
  // Only windows of very high contrast are kept, so some bags lose all of theirs.
  const RunOutcome outcome = Execute(TinyConfig(folder.path(), {"normalise.min_deviation=45", "learn.atoms=2"}));
  const std::vector<Skipped> skipped = LoadSkipped(outcome.FolderOf("4-6", "pool"));
  const BagFeatures features = BagFeatures::Load(outcome.FolderOf("4-6", "pool"));
  const Collection collection = Collection::Load(outcome.FolderOf("4-6", "ingest"), StageRange::FromName("4-6"));
  const PatchTable patches = PatchTable::Load(outcome.FolderOf("4-6", "normalise"));
  std::vector<bool> has_patch(collection.bags.size());
  for (const std::int32_t image : patches.image)
    has_patch[collection.images[static_cast<std::size_t>(image)].bag] = true;
  const auto empty = static_cast<std::size_t>(std::count(has_patch.begin(), has_patch.end(), false));
  ASSERT_GT(empty, 0U);
  ASSERT_EQ(skipped.size(), empty);
  EXPECT_EQ(skipped[0].reason, "bag has no usable patch");
}

}  // namespace
}  // namespace flyscribe
