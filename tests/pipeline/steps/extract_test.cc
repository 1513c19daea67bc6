#include "pipeline/steps/extract.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/hash.h"
#include "data/image.h"
#include "data/patches.h"
#include "descriptors/dense_sift.h"
#include "tests/pipeline/cache_copy.h"
#include "tests/pipeline/tiny_run.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

std::vector<fs::path> ItemsIn(const fs::path& cache) {
  std::vector<fs::path> items;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(cache / "items" / "extract")) {
    if (fs::is_regular_file(entry.path()) && entry.path().filename() != "recipe.txt") items.push_back(entry.path());
  }
  return items;
}

// name -> content of an artifact's files, but for what differs from time to time.
std::map<std::string, std::string> Payload(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name != "manifest.json") files[name] = ReadFile(entry.path());
  }
  return files;
}

TEST(ExtractStep, SaysWhatEveryImageHas) {
  const TinyRun& run = SharedTinyRun();
  const ImageStack stack(run.FolderOf("standardise"));
  const std::vector<ExtractedImage> images = LoadExtracted(run.FolderOf("extract"));
  ASSERT_EQ(images.size(), stack.size());
  for (const std::size_t i : {std::size_t{0}, stack.size() - 1}) {
    const PatchSet expected = ExtractPatches(stack.Get(i), 0, run.config.extract);
    EXPECT_EQ(images[i],
              (ExtractedImage{stack.source(i), expected.table.size(), Sha256OfText(EncodePatches(expected))}));
  }
}

TEST(ExtractStep, DescriptorsAreInItemsNotInTheArtifact) {
  const TinyRun& run = SharedTinyRun();
  EXPECT_EQ(ItemsIn(run.folder / "cache").size(), ImageStack(run.FolderOf("standardise")).size());
  std::vector<std::string> names;
  for (const auto& [name, content] : Payload(run.FolderOf("extract"))) names.push_back(name);
  EXPECT_THAT(names, testing::ElementsAre("key.txt", "patches.tsv"));
}

TEST(ExtractStep, ItemsMayVanish) {
  const CacheCopy cache;
  const Plan plan = cache.PlanWith();
  const fs::path normalise = cache.Store().FolderOf("4-6", "normalise", InstanceOf(plan, "normalise 4-6").key);
  const auto before = Payload(normalise);
  const std::size_t items = ItemsIn(cache.root()).size();
  RemoveTree(cache.root() / "items");
  cache.Remove("normalise");
  EXPECT_EQ(Computed(Execute(cache.ConfigWith(), {.until = "normalise"})), std::vector<std::string>{"normalise"});
  EXPECT_EQ(Payload(normalise), before);
  EXPECT_EQ(ItemsIn(cache.root()).size(), items) << "and are there again";
}

TEST(ExtractStep, OneAddedImageCostsOneImage) {
  const CacheCopy cache;
  for (const std::string step : {"extract", "normalise"}) cache.Remove(step);
  fs::remove(ItemsIn(cache.root()).front());
  Execute(cache.ConfigWith(), {.until = "normalise"});
  const Plan plan = cache.PlanWith();
  const StepInstance& extract = InstanceOf(plan, "extract 4-6");
  const ArtifactManifest manifest = ReadManifest(cache.Store().FolderOf("4-6", "extract", extract.key));
  const double images = static_cast<double>(ItemsIn(cache.root()).size());
  EXPECT_DOUBLE_EQ(manifest.work, extract.amount.work / images);
  EXPECT_GT(manifest.size, 0.0);
}

TEST(ExtractStep, DescriptorsThatCameOutDifferentAreRefused) {
  const CacheCopy cache;
  cache.Remove("normalise");
  // An item that is whole, but not what extract saw.
  PatchSet other;
  other.descriptors = FloatMatrix(0, kSiftLength);
  const std::string block = EncodePatches(other);
  WriteFile(ItemsIn(cache.root()).front(), Sha256OfText(block) + block);
  const CaughtError error = ExpectError([&] { Execute(cache.ConfigWith(), {.until = "normalise"}); });
  EXPECT_EQ(error.code, ErrorCode::kCorrupt);
  EXPECT_THAT(error.text, testing::HasSubstr("came out different from those that extract made"));
}

}  // namespace
}  // namespace flyscribe
