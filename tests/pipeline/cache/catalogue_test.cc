#include "pipeline/cache/catalogue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/file.h"
#include "pipeline/cache/items.h"
#include "pipeline/cache/store.h"
#include "tests/support/expect_error.h"
#include "tests/support/recording_progress.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
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

class VerifyTest : public testing::Test {
 protected:
  fs::path Add(char digit) {
    const std::string key(64, digit);
    ArtifactStore::Writer writer(store_, key, std::move(*FileLock::TryAcquire(store_.LockOf(key), "test")));
    WriteFile(writer.folder() / "data.txt", "payload");
    ArtifactManifest manifest;
    manifest.step = "learn";
    manifest.range = "4-6";
    manifest.part = "all";
    manifest.key = key;
    return writer.Commit(manifest, "key\n").artifact.folder;
  }

  TempFolder folder_;
  RecordingProgress listener_;
  ArtifactStore store_{folder_ / "cache", [this](const std::string& message) { listener_.Warn(message); }};
};

TEST_F(VerifyTest, AnIntactCache) {
  Add('a');
  ItemCache(folder_ / "cache", "extract", "recipe", folder_.path()).Get("d", [] { return std::string("x"); });
  const VerifyResult result = VerifyCache(store_, listener_);
  EXPECT_EQ(result.artifacts, 1U);
  EXPECT_EQ(result.items, 1U);
  EXPECT_TRUE(result.damaged.empty());
  EXPECT_TRUE(result.unreadable.empty());
}

TEST_F(VerifyTest, DamageIsSetAsideAndNamed) {
  const fs::path good = Add('a');
  const fs::path bad = Add('b');
  WriteFile(bad / "data.txt", "paYload");
  const VerifyResult result = VerifyCache(store_, listener_);
  ASSERT_EQ(result.damaged.size(), 1U);
  EXPECT_EQ(result.damaged[0].path, bad);
  EXPECT_EQ(result.damaged[0].problem, "data.txt was changed");
  EXPECT_TRUE(fs::exists(good));
  EXPECT_FALSE(fs::exists(bad));
  EXPECT_THAT(listener_.warnings, ElementsAre(HasSubstr("4-6/learn/" + std::string(64, 'b') + " is damaged")));
}

TEST_F(VerifyTest, ADamagedItemIsRemoved) {
  const ItemCache items(folder_ / "cache", "extract", "recipe", folder_.path());
  items.Get("d", [] { return std::string("x"); });
  WriteFile(items.PathOf("d"), std::string(64, '0') + "x");
  EXPECT_EQ(VerifyCache(store_, listener_).damaged.size(), 1U);
  EXPECT_FALSE(fs::exists(items.PathOf("d")));
}

TEST_F(VerifyTest, WhatCannotBeReadIsLeftAlone) {
  // Reading a folder is an error that is no damage.
  const fs::path item = folder_ / "cache" / "items" / "extract" / std::string(64, 'a') / "ab" / "item";
  fs::create_directories(item);
  const VerifyResult result = VerifyCache(store_, listener_);
  ASSERT_EQ(result.unreadable.size(), 1U);
  EXPECT_EQ(result.unreadable[0].path, item);
  EXPECT_TRUE(fs::exists(item));
}

TEST_F(VerifyTest, WhatIsBeingWrittenIsLeftToItsWriter) {
  const fs::path bad = Add('b');
  WriteFile(bad / "data.txt", "paYload");
  const auto lock = FileLock::TryAcquire(store_.LockOf(std::string(64, 'b')), "another process");
  EXPECT_TRUE(VerifyCache(store_, listener_).damaged.empty());
  EXPECT_TRUE(fs::exists(bad));
}

TEST_F(VerifyTest, StopsWhenAsked) {
  Add('a');
  listener_.stop = AtOnce;
  EXPECT_EQ(ExpectError([&] { VerifyCache(store_, listener_); }).code, ErrorCode::kInterrupted);
}

}  // namespace
}  // namespace flyscribe
