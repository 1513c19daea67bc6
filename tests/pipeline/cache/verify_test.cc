#include "pipeline/cache/verify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/file.h"
#include "pipeline/cache/items.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class Listener : public Progress {
 public:
  void Warn(const std::string& message) override { warnings.push_back(message); }
  bool StopRequested() const override { return stop; }
  std::vector<std::string> warnings;
  bool stop = false;
};

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
  Listener listener_;
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
  listener_.stop = true;
  EXPECT_EQ(ExpectError([&] { VerifyCache(store_, listener_); }).code, ErrorCode::kInterrupted);
}

}  // namespace
}  // namespace flyscribe
