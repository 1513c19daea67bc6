#include "pipeline/cache/store.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ctime>

#include "core/file.h"
#include "core/hash.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

class StoreTest : public testing::Test {
 protected:
  StoreTest() : store_(folder_ / "cache", [this](const std::string& message) { warnings_.push_back(message); }) {}

  FileLock Lock() { return std::move(*FileLock::TryAcquire(store_.LockOf(kKey), "test")); }

  ArtifactStore::Writer::Committed Write(const std::string& content) {
    ArtifactStore::Writer writer(store_, kKey, Lock());
    WriteFile(writer.folder() / "data.txt", content);
    fs::create_directories(writer.folder() / "sub");
    WriteFile(writer.folder() / "sub" / "more.txt", "more");
    ArtifactManifest manifest;
    manifest.step = "learn";
    manifest.range = "4-6";
    manifest.part = "all";
    manifest.key = kKey;
    manifest.seconds = 1.5;
    manifest.facts = {"patches: 3"};
    return writer.Commit(manifest, "key text\n");
  }
  Artifact Add(const std::string& content = "payload") { return Write(content).artifact; }

  const std::string kKey = Sha256OfText("key text\n");
  TempFolder folder_;
  std::vector<std::string> warnings_;
  ArtifactStore store_;
};

TEST_F(StoreTest, MissThenHit) {
  EXPECT_FALSE(store_.Find("4-6", "learn", kKey));
  const Artifact written = Add();
  const auto found = store_.Find("4-6", "learn", kKey);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->folder, folder_ / "cache" / "4-6" / "learn" / kKey);
  EXPECT_EQ(found->folder, written.folder);
  EXPECT_EQ(found->manifest.seconds, 1.5);
  EXPECT_EQ(found->manifest.facts, (std::vector<std::string>{"patches: 3"}));
  EXPECT_EQ(ReadFile(found->folder / "data.txt"), "payload");
  EXPECT_EQ(ReadFile(found->folder / "key.txt"), "key text\n");
  EXPECT_EQ(found->manifest.TotalBytes(), std::string("payloadmorekey text\n").size());
  EXPECT_TRUE(store_.Verify(*found));
  EXPECT_TRUE(fs::is_empty(folder_ / "cache" / "tmp"));
  EXPECT_TRUE(warnings_.empty());
}

TEST_F(StoreTest, UncommittedWriterLeavesNothing) {
  {
    ArtifactStore::Writer writer(store_, kKey, Lock());
    WriteFile(writer.folder() / "data.txt", "x");
    WriteFile(writer.scratch() / "item", "x");
  }
  EXPECT_TRUE(fs::is_empty(folder_ / "cache" / "tmp"));
  EXPECT_FALSE(store_.Find("4-6", "learn", kKey));
}

TEST_F(StoreTest, WhatAKilledProcessLeftIsRemovedAtOnce) {
  const pid_t child = fork();
  if (child == 0) {
    auto* writer = new ArtifactStore::Writer(store_, kKey, Lock());  // never destroyed, as after kill -9
    WriteFile(writer->folder() / "half", "x");
    _exit(0);
  }
  waitpid(child, nullptr, 0);
  const fs::path leftover = folder_ / "cache" / "tmp" / kKey;
  ASSERT_TRUE(fs::exists(leftover));
  const std::string other(64, 'b');
  const ArtifactStore::Writer alive(store_, other, std::move(*FileLock::TryAcquire(store_.LockOf(other), "test")));
  store_.RemoveLeftovers();
  EXPECT_FALSE(fs::exists(leftover));
  EXPECT_TRUE(fs::exists(alive.folder())) << "a running process keeps its own";
}

TEST_F(StoreTest, TheNextWriterStartsFromNothing) {
  folder_.Write("cache/tmp/" + kKey + "/artifact/old.txt", "of a killed process");
  const Artifact artifact = Add();
  EXPECT_FALSE(fs::exists(artifact.folder / "old.txt"));
}

TEST_F(StoreTest, ComputedAgainWithTheSameBytes) {
  const Artifact first = Add();
  const auto again = Write("payload");
  EXPECT_TRUE(again.differing.empty());
  EXPECT_EQ(again.artifact.folder, first.folder);
  EXPECT_FALSE(again.artifact.just_written) << "the old one stays";
  EXPECT_FALSE(fs::exists(folder_ / "cache" / "damaged"));
}

TEST_F(StoreTest, ComputedAgainWithOtherBytes) {
  Add("first");
  const auto again = Write("other");
  EXPECT_EQ(again.differing, (std::vector<std::string>{"data.txt"}));
  EXPECT_EQ(ReadFile(again.artifact.folder / "data.txt"), "other");
  EXPECT_FALSE(fs::is_empty(folder_ / "cache" / "damaged")) << "the old one is there to be looked at";
  EXPECT_TRUE(fs::is_empty(folder_ / "cache" / "tmp"));
}

TEST_F(StoreTest, LookChangesNothing) {
  const Artifact artifact = Add();
  EXPECT_TRUE(store_.Look("4-6", "learn", kKey).artifact);
  EXPECT_TRUE(store_.Look("4-6", "learn", std::string(64, 'c')).problem.empty());
  WriteFile(artifact.folder / "data.txt", "pay");
  const Found found = store_.Look("4-6", "learn", kKey);
  EXPECT_FALSE(found.artifact);
  EXPECT_EQ(found.problem, "data.txt has the wrong size");
  EXPECT_TRUE(fs::exists(artifact.folder));
  EXPECT_TRUE(warnings_.empty());
}

TEST_F(StoreTest, TouchIsRememberedByTheManifest) {
  const Artifact artifact = Add();
  fs::last_write_time(artifact.folder / "manifest.json", 1000);
  store_.Touch(artifact);
  EXPECT_GT(fs::last_write_time(artifact.folder / "manifest.json"), 1000000);
  EXPECT_TRUE(store_.Find("4-6", "learn", kKey)) << "its content is the same";
}

TEST_F(StoreTest, AnArtifactRemovedMeanwhileIsNoDamage) {
  const Artifact artifact = Add();
  fs::remove_all(artifact.folder);
  EXPECT_FALSE(store_.Verify(artifact));
  EXPECT_TRUE(warnings_.empty());
}

TEST_F(StoreTest, TruncatedOrMissingFileIsAMissWithAWarning) {
  const Artifact artifact = Add();
  WriteFile(artifact.folder / "data.txt", "pay");
  EXPECT_FALSE(store_.Find("4-6", "learn", kKey));
  ASSERT_EQ(warnings_.size(), 1U);
  EXPECT_NE(warnings_[0].find("4-6/learn/" + kKey + " is damaged (data.txt has the wrong size)"), std::string::npos)
      << warnings_[0];
  EXPECT_FALSE(fs::exists(artifact.folder));
  fs::remove(Add().folder / "sub" / "more.txt");
  EXPECT_FALSE(store_.Find("4-6", "learn", kKey));
  EXPECT_NE(warnings_[1].find("sub/more.txt is missing"), std::string::npos);
}

TEST_F(StoreTest, FlippedByteIsFoundByVerify) {
  const Artifact artifact = Add();
  WriteFile(artifact.folder / "data.txt", "paYload");
  ASSERT_TRUE(store_.Find("4-6", "learn", kKey));  // same size
  EXPECT_FALSE(store_.Verify(artifact));
  EXPECT_NE(warnings_.at(0).find("data.txt was changed"), std::string::npos);
  EXPECT_FALSE(fs::exists(artifact.folder));
  EXPECT_FALSE(fs::is_empty(folder_ / "cache" / "damaged"));
}

TEST_F(StoreTest, VerifyBelievesTheDigestItIsGiven) {
  const Artifact artifact = Add();
  EXPECT_FALSE(store_.Verify(artifact, [](const fs::path&) { return std::string(64, '0'); }));
}

TEST_F(StoreTest, AFlippedByteOfTheManifestIsFound) {
  const std::string text = ReadFile(Add().folder / "manifest.json");
  for (std::size_t i = 0; i < text.size(); i += 7) {
    std::string flipped = text;
    flipped[i] = static_cast<char>(flipped[i] ^ 1);
    WriteFile(Add().folder / "manifest.json", flipped);
    EXPECT_FALSE(store_.Find("4-6", "learn", kKey)) << i;
  }
}

TEST_F(StoreTest, BadManifestIsAMiss) {
  for (const char* content : {"", "{", "{}", "[]", "{\"format\": 99}"}) {
    WriteFile(Add().folder / "manifest.json", content);
    EXPECT_FALSE(store_.Find("4-6", "learn", kKey)) << content;
  }
  fs::remove(Add().folder / "manifest.json");
  EXPECT_FALSE(store_.Find("4-6", "learn", kKey));
  EXPECT_EQ(warnings_.size(), 6U);
}

TEST_F(StoreTest, ManifestOfAnotherArtifactIsNotTrusted) {
  const Artifact artifact = Add();
  const std::string other(64, 'a');
  fs::rename(artifact.folder, store_.FolderOf("4-6", "learn", other));
  EXPECT_FALSE(store_.Find("4-6", "learn", other));
  EXPECT_NE(warnings_.at(0).find("names another artifact"), std::string::npos);
}

TEST_F(StoreTest, OnlyWhatThisProgramMakesIsClearedAway) {
  for (const char* file : {"cache/tmp/mine", "cache/locks/mine", "cache/checkpoints/mine/x"}) folder_.Write(file, "x");
  store_.RemoveLeftovers();
  for (const char* file : {"cache/tmp/mine", "cache/locks/mine", "cache/checkpoints/mine/x"}) {
    EXPECT_TRUE(fs::exists(folder_ / file)) << file;
  }
}

TEST(PrepareCache, MarksNewAndEmptyFoldersAndRefusesOthers) {
  const TempFolder folder;
  PrepareCache(folder / "new" / "cache");
  EXPECT_TRUE(
      ReadFile(folder / "new" / "cache" / "CACHEDIR.TAG").starts_with("Signature: 8a477f597d28d172789f06886806"));
  PrepareCache(folder / "new" / "cache");
  RequireCache(folder / "new" / "cache");
  RequireCache(folder / "missing");
  fs::create_directory(folder / "empty");
  RequireCache(folder / "empty");
  folder.Write("begun/CACHEDIR.TAG.tmp-1234", "");
  RequireCache(folder / "begun");
  folder.Write("project/tmp/thesis", "x");
  const CaughtError error = ExpectError([&] { PrepareCache(folder / "project"); });
  EXPECT_EQ(error.code, ErrorCode::kUsage);
  EXPECT_EQ(
      error.text,
      (folder / "project").string() +
          ": error: this folder is no cache of flyscribe, and is not empty\n  hint: choose a new or empty folder, so "
          "that no file of yours is ever removed with the cache's own");
}

TEST(ArtifactStore, TouchesNothingUntilSomethingIsWritten) {
  const TempFolder folder;
  const ArtifactStore store(folder / "cache", [](const std::string&) {});
  EXPECT_FALSE(store.Find("4-6", "learn", std::string(64, 'a')));
  store.RemoveLeftovers();
  EXPECT_FALSE(fs::exists(folder / "cache"));
}

}  // namespace
}  // namespace flyscribe
