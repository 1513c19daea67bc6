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

  Artifact Add(const std::string& content = "payload") {
    ArtifactStore::Writer writer(store_);
    WriteFile(writer.folder() / "data.txt", content);
    fs::create_directories(writer.folder() / "sub");
    WriteFile(writer.folder() / "sub" / "more.txt", "more");
    return writer.Commit({"learn", "4-6", "all", kKey, 1.5, "0.1", {"patches: 3"}}, "key text\n");
  }

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
  EXPECT_EQ(found->bytes, std::string("payloadmorekey text\n").size());
  EXPECT_TRUE(store_.Verify(*found));
  EXPECT_TRUE(fs::is_empty(folder_ / "cache" / "tmp"));
  EXPECT_TRUE(warnings_.empty());
}

TEST_F(StoreTest, UncommittedWriterLeavesNothing) {
  {
    ArtifactStore::Writer writer(store_);
    WriteFile(writer.folder() / "data.txt", "x");
  }
  EXPECT_TRUE(fs::is_empty(folder_ / "cache" / "tmp"));
  EXPECT_FALSE(store_.Find("4-6", "learn", kKey));
}

TEST_F(StoreTest, WhatAKilledProcessLeftIsRemoved) {
  fs::path leftover;
  const pid_t child = fork();
  if (child == 0) {
    auto* writer = new ArtifactStore::Writer(store_);  // never destroyed, as after kill -9
    WriteFile(folder_ / "name", writer->folder().string());
    _exit(0);
  }
  waitpid(child, nullptr, 0);
  leftover = ReadFile(folder_ / "name");
  ASSERT_TRUE(fs::exists(leftover));
  ArtifactStore(folder_ / "cache", [](const std::string&) {});
  ASSERT_TRUE(fs::exists(leftover)) << "not yet a day old";
  fs::last_write_time(leftover, std::time(nullptr) - 2 * 24 * 60 * 60);
  const ArtifactStore::Writer alive(store_);
  const ArtifactStore again(folder_ / "cache", [](const std::string&) {});
  EXPECT_FALSE(fs::exists(leftover));
  EXPECT_TRUE(fs::exists(alive.folder())) << "a running process keeps its own";
}

TEST_F(StoreTest, TheFirstWriterWins) {
  Add("first");
  const Artifact second = Add("second");
  EXPECT_EQ(ReadFile(second.folder / "data.txt"), "first");
  EXPECT_TRUE(fs::is_empty(folder_ / "cache" / "tmp"));
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

TEST_F(StoreTest, VerifyCanBeHeldToSomeFiles) {
  const Artifact artifact = Add();
  WriteFile(artifact.folder / "data.txt", "paYload");
  EXPECT_TRUE(store_.Verify(artifact, {"sub/more.txt"}));
  EXPECT_FALSE(store_.Verify(artifact, {"data.txt"}));
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

TEST(ArtifactStore, RootMustBeAFolder) {
  const TempFolder folder;
  const fs::path file = folder.Write("file", "x");
  const CaughtError error = ExpectError([&] { ArtifactStore(file, [](const std::string&) {}); });
  EXPECT_EQ(error.code, ErrorCode::kDisk);
  EXPECT_NE(error.text.find("a file is in the way where a folder is needed"), std::string::npos) << error.text;
}

}  // namespace
}  // namespace flyscribe
