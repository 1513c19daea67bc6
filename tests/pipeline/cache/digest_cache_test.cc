#include "pipeline/cache/digest_cache.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <array>

#include "core/file.h"
#include "core/hash.h"
#include "core/text.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

using testing::HasSubstr;

std::int64_t Nanoseconds(const timespec& time) {
  return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

// A file that was changed long ago.
const fs::path kSettled = fs::path(FLYSCRIBE_SOURCE_DIR) / "LICENSE";

class DigestCacheTest : public testing::Test {
 protected:
  // A row of the table: the file as it is, its time of change moved, with any digest.
  static std::string Row(const fs::path& path, std::int64_t later, const std::string& digest) {
    struct stat status {};
    EXPECT_EQ(stat(path.c_str(), &status), 0);
    std::string row;
    for (const std::int64_t number : {static_cast<std::int64_t>(status.st_dev),
                                      static_cast<std::int64_t>(status.st_ino),
                                      static_cast<std::int64_t>(status.st_size),
                                      Nanoseconds(status.st_mtim),
                                      Nanoseconds(status.st_ctim) + later}) {
      row += std::to_string(number) + "\t";
    }
    return row + digest + "\n";
  }

  void WriteTable(const std::string& rows) const {
    WriteFileAtomically(table_, "device\tinode\tsize\tmtime\tctime\t" + Sha256OfText(rows) + "\n" + rows);
  }

  // Hashed again, though the table states a false digest of it?
  bool Hashes(const fs::path& path, bool rehash = false) const {
    DigestCache digests(table_, rehash);
    const std::string digest = digests.Of(path);
    EXPECT_EQ(digest, digests.hashed() == 0 ? "false" : Sha256OfFile(path));
    return digests.hashed() > 0;
  }

  TempFolder folder_;
  fs::path table_ = folder_ / "digests" / "table.tsv";
};

TEST_F(DigestCacheTest, AnUnchangedFileIsNotReadAgain) {
  DigestCache first(table_, false);
  EXPECT_EQ(first.Of(kSettled), Sha256OfFile(kSettled));
  EXPECT_EQ(first.Of(kSettled), Sha256OfFile(kSettled));
  EXPECT_EQ(first.hashed(), 1U) << "not twice in one run either";
  first.Save();
  DigestCache second(table_, false);
  EXPECT_EQ(second.Of(kSettled), Sha256OfFile(kSettled));
  EXPECT_EQ(second.hashed(), 0U);
}

TEST_F(DigestCacheTest, TheTableIsBelievedOnlyIfEveryTimeFits) {
  const fs::path file = folder_.Write("f", "content");
  WriteTable(Row(file, 0, "false"));
  EXPECT_FALSE(Hashes(file));
  WriteTable(Row(file, -1, "false"));
  EXPECT_TRUE(Hashes(file)) << "one nanosecond is enough";
}

TEST_F(DigestCacheTest, ChangedContentWithTheOldTimeAndSizeIsNoticed) {
  const fs::path file = folder_.Write("f", "content");
  WriteTable(Row(file, 0, "false"));
  ASSERT_FALSE(Hashes(file));
  struct stat before {};
  ASSERT_EQ(stat(file.c_str(), &before), 0);
  struct stat after = before;
  while (Nanoseconds(after.st_ctim) == Nanoseconds(before.st_ctim)) {  // until the file system's clock has moved on
    WriteFile(file, "CONTENT", Durability::kUnsynced);
    const std::array<timespec, 2> times = {before.st_atim, before.st_mtim};
    ASSERT_EQ(utimensat(AT_FDCWD, file.c_str(), times.data(), 0), 0);
    ASSERT_EQ(stat(file.c_str(), &after), 0);
  }
  EXPECT_EQ(Nanoseconds(after.st_mtim), Nanoseconds(before.st_mtim));
  EXPECT_TRUE(Hashes(file));
}

TEST_F(DigestCacheTest, AFreshFileIsNotRemembered) {
  const fs::path file = folder_.Write("f", "content");
  DigestCache digests(table_, false);
  digests.Of(file);
  WriteFile(file, "CONTENT");  // may leave the same times
  EXPECT_EQ(digests.Of(file), Sha256OfText("CONTENT"));
  EXPECT_EQ(digests.hashed(), 2U);
  digests.Save();
  EXPECT_FALSE(fs::exists(table_)) << "there is nothing to write down";
}

TEST_F(DigestCacheTest, RehashBelievesNothing) {
  WriteTable(Row(kSettled, 0, "false"));
  EXPECT_FALSE(Hashes(kSettled));
  EXPECT_TRUE(Hashes(kSettled, true));
  DigestCache rehashed(table_, true);
  rehashed.Of(kSettled);
  rehashed.Save();
  EXPECT_EQ(DigestCache(table_, false).Of(kSettled), Sha256OfFile(kSettled)) << "the false digest is replaced";
}

TEST_F(DigestCacheTest, ADamagedTableCountsAsEmpty) {
  WriteTable(Row(kSettled, 0, "false"));
  const std::string good = ReadFile(table_);
  ASSERT_FALSE(Hashes(kSettled));
  for (std::size_t i = 0; i < good.size(); i += 3) {
    std::string text = good;
    text[i] ^= 1;
    WriteFile(table_, text, Durability::kUnsynced);
    EXPECT_TRUE(Hashes(kSettled)) << "byte " << i;
  }
  for (const std::string& text : {std::string(), std::string("\n"), good.substr(0, good.size() - 1), good + "\n"}) {
    WriteFile(table_, text);
    EXPECT_TRUE(Hashes(kSettled)) << text;
  }
  fs::remove(table_);
  fs::create_directory(table_);
  EXPECT_TRUE(Hashes(kSettled));
}

TEST_F(DigestCacheTest, KeepsWhatOthersAskForAndDropsWhatAFileWas) {
  const fs::path other = folder_.Write("other", "content");
  WriteTable(Row(other, 0, "false") + Row(kSettled, -5, "old"));
  DigestCache digests(table_, false);
  digests.Of(kSettled);
  digests.Save();
  const std::string text = ReadFile(table_);
  EXPECT_THAT(text, HasSubstr(Row(other, 0, "false")));
  EXPECT_THAT(text, HasSubstr(Row(kSettled, 0, Sha256OfFile(kSettled))));
  EXPECT_EQ(Split(text, '\n').size(), 4U) << "header, two rows, and the end of the last line";
  EXPECT_FALSE(Hashes(other)) << "what was written is whole";
}

TEST_F(DigestCacheTest, SavesNothingWhenNothingIsNew) {
  WriteTable(Row(kSettled, 0, "false"));
  fs::last_write_time(table_, 1000);
  DigestCache digests(table_, false);
  digests.Of(kSettled);
  digests.Save();
  EXPECT_EQ(fs::last_write_time(table_), 1000);
}

TEST_F(DigestCacheTest, WhereItCannotWriteItOnlyCostsTime) {
  folder_.Write("digests", "a file in the way");
  DigestCache digests(table_, false);
  EXPECT_EQ(digests.Of(kSettled), Sha256OfFile(kSettled));
  digests.Save();
  EXPECT_EQ(ReadFile(folder_ / "digests"), "a file in the way");
}

TEST_F(DigestCacheTest, AFileThatCannotBeReadIsAnError) {
  DigestCache digests(table_, false);
  const CaughtError error = ExpectError([&] { digests.Of(folder_ / "none"); });
  EXPECT_EQ(error.code, ErrorCode::kInput);
  EXPECT_THAT(error.text, HasSubstr("none: error: cannot read: No such file or directory"));
}

}  // namespace
}  // namespace flyscribe
