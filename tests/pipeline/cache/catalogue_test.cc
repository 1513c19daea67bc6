#include "pipeline/cache/catalogue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/file.h"
#include "pipeline/cache/items.h"
#include "pipeline/cache/store.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

class CatalogueTest : public testing::Test {
 protected:
  // The key is the digit, 64 times.
  fs::path Store(const std::string& range, const std::string& step, char digit) const {
    const std::string key(64, digit);
    auto lock = FileLock::TryAcquire(store_.LockOf(key), "test");
    ArtifactStore::Writer writer(store_, key, std::move(*lock));
    WriteFile(writer.folder() / "data.tsv", "0123456789");
    ArtifactManifest manifest;
    manifest.range = range;
    manifest.step = step;
    manifest.part = "fold-1";
    manifest.key = key;
    return writer.Commit(manifest, "step: " + step + " 1\n").artifact.folder;
  }

  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const CatalogueEntry& entry : ListArtifacts(root_)) {
      names.push_back(entry.manifest.range + " " + entry.manifest.step + " " + entry.manifest.key.substr(63));
    }
    return names;
  }

  TempFolder folder_;
  fs::path root_ = folder_ / "cache";
  ArtifactStore store_{root_, [](const std::string&) {}};
};

TEST_F(CatalogueTest, NoCacheIsAnEmptyOne) {
  EXPECT_THAT(ListArtifacts(root_), IsEmpty());
  EXPECT_THAT(ListItemGroups(root_), IsEmpty());
  EXPECT_EQ(FolderBytes(root_), 0U);
  EXPECT_FALSE(fs::exists(root_));
}

TEST_F(CatalogueTest, ArtifactsByRangeStepAndKey) {
  Store("all", "report", 'd');
  Store("13-16", "learn", 'e');
  Store("4-6", "learn", 'b');
  Store("4-6", "learn", 'a');
  Store("4-6", "encode", 'c');
  folder_.Write("cache/damaged/x/manifest.json", "{}");
  folder_.Write("cache/4-6/learn/notes.txt", "no folder");
  folder_.Write("cache/all/notes/thesis/chapter", "not ours");
  EXPECT_THAT(Names(), ElementsAre("4-6 encode c", "4-6 learn a", "4-6 learn b", "13-16 learn e", "all report d"));
}

TEST_F(CatalogueTest, TellsAllAboutAnArtifact) {
  const fs::path folder = Store("4-6", "learn", 'a');
  fs::last_write_time(folder / kManifestName, 1234567);
  const CatalogueEntry entry = ListArtifacts(root_).at(0);
  EXPECT_EQ(entry.folder, folder);
  EXPECT_EQ(entry.manifest.part, "fold-1");
  EXPECT_EQ(entry.key_text, "step: learn 1\n");
  EXPECT_EQ(entry.bytes, FolderBytes(folder));
  EXPECT_EQ(entry.bytes, 10 + 14 + fs::file_size(folder / kManifestName));
  EXPECT_EQ(entry.last_use, 1234567);
  EXPECT_EQ(entry.problem, "");
}

TEST_F(CatalogueTest, ProblemsAreNamedAndTheRestIsStillTold) {
  const fs::path damaged = Store("4-6", "learn", 'a');
  WriteFile(damaged / kManifestName, "{}");
  WriteFile(Store("4-6", "learn", 'b') / "data.tsv", "short");
  const auto entries = ListArtifacts(root_);
  ASSERT_THAT(entries, SizeIs(2));
  EXPECT_EQ(entries[0].problem, "manifest.json is damaged: it has no digest");
  EXPECT_EQ(entries[0].manifest.step, "learn");
  EXPECT_EQ(entries[0].manifest.range, "4-6");
  EXPECT_EQ(entries[0].manifest.key, std::string(64, 'a'));
  EXPECT_EQ(entries[0].bytes, 10U + 14U + 2U);
  EXPECT_GT(entries[0].last_use, 0);
  EXPECT_EQ(entries[1].problem, "data.tsv has the wrong size");
  fs::remove(damaged / kManifestName);
  EXPECT_EQ(ListArtifacts(root_)[0].problem, "manifest.json is missing");
}

TEST_F(CatalogueTest, ItemsByRecipe) {
  for (const std::string recipe : {"recipe a\n", "recipe b\n"}) {
    const ItemCache items(root_, "extract", recipe, folder_.path());
    items.Get("x", [] { return std::string("payload"); });
    items.Get("y", [] { return std::string("payload"); });
  }
  const ItemCache empty(root_, "standardise", "recipe c\n", folder_.path());
  const fs::path group = ItemFolder(root_, "standardise", "recipe c\n");
  fs::last_write_time(group / kRecipeName, 1234567);
  const auto groups = ListItemGroups(root_);
  ASSERT_THAT(groups, SizeIs(3));
  EXPECT_EQ(groups[0].step, "extract");
  EXPECT_EQ(groups[0].count, 2U);
  EXPECT_EQ(groups[0].bytes, 2 * (64U + 7U) + 9U);
  EXPECT_NE(groups[0].recipe, groups[1].recipe);
  EXPECT_EQ(groups[2].step, "standardise");
  EXPECT_EQ(groups[2].folder, group);
  EXPECT_EQ(groups[2].recipe, "recipe c\n");
  EXPECT_EQ(groups[2].count, 0U) << "the recipe is no item";
  EXPECT_EQ(groups[2].last_use, 1234567);
  const ItemCache items(root_, "extract", "recipe a\n", folder_.path());
  EXPECT_THAT(ItemFiles(ItemFolder(root_, "extract", "recipe a\n")),
              testing::UnorderedElementsAre(items.PathOf("x"), items.PathOf("y")));
}

TEST_F(CatalogueTest, AGroupWithoutARecipeIsStillThere) {
  folder_.Write("cache/items/extract/" + std::string(64, 'a') + "/12/34", "item");
  folder_.Write("cache/items/extract/notes/12/34", "not ours");
  const auto groups = ListItemGroups(root_);
  ASSERT_THAT(groups, SizeIs(1));
  EXPECT_EQ(groups[0].recipe, "");
  EXPECT_EQ(groups[0].count, 1U);
}

}  // namespace
}  // namespace flyscribe
