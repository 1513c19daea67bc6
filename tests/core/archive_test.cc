#include "core/archive.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/file.h"
#include "core/rng.h"
#include "tests/support/archive_bytes.h"
#include "tests/support/expect_error.h"
#include "tests/support/gzip_text.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

const std::string kDamagedHint = "\n  hint: fetch or make it again; nothing of it was used";
const std::string kHostileHint = "\n  hint: flyscribe writes no such archive: do not trust where it comes from";

std::string Noise(std::size_t size) {
  Rng rng(11);
  std::string text;
  for (std::size_t i = 0; i < size; ++i) text += static_cast<char>(rng.Below(256));
  return text;
}

class ArchiveTest : public testing::Test {
 protected:
  // What is unpacked from these bytes, or what is said about them without the place.
  std::vector<std::string> Extract(const std::string& bytes, const ArchiveLimits& limits = {}) {
    WriteFile(archive_, bytes, Durability::kUnsynced);
    RemoveTree(out_);
    return ExtractArchive(archive_, out_, limits);
  }
  CaughtError Refusal(const std::string& bytes, const ArchiveLimits& limits = {}) {
    CaughtError error = ExpectError([&] { Extract(bytes, limits); });
    const std::string place = archive_.string() + ": error: ";
    EXPECT_THAT(error.text, StartsWith(place));
    if (error.text.size() > place.size()) error.text = error.text.substr(place.size());
    EXPECT_THAT(EntriesOf(folder_.path()), testing::Each(testing::AnyOf(archive_, out_))) << "nothing lies outside";
    return error;
  }
  // Of a tar that is packed honestly.
  std::string TarRefusal(const std::string& tar, const ArchiveLimits& limits = {}) {
    const CaughtError error = Refusal(ZstdFrame(tar), limits);
    EXPECT_EQ(error.code, ErrorCode::kCorrupt);
    return error.text;
  }

  TempFolder folder_;
  fs::path archive_ = folder_ / "a.tar.zst";
  fs::path out_ = folder_ / "out";
};

TEST_F(ArchiveTest, RoundTrip) {
  const TempFolder in;
  const std::vector<std::pair<std::string, std::string>> files = {
      {"a.txt", ""}, {"b/c/d.npy", Noise(300000)}, {"b/e", "x"}, {"z", std::string(1024, '\0')}};
  for (const auto& [name, content] : files) in.Write(name, content);
  WriteArchive(in.path(), archive_);
  RequireSealed(archive_);
  EXPECT_TRUE(LooksLikeArchive(archive_));
  EXPECT_THAT(ExtractArchive(archive_, out_, {}), ElementsAre("a.txt", "b/c/d.npy", "b/e", "z"));
  for (const auto& [name, content] : files) EXPECT_EQ(ReadFile(out_ / name), content) << name;
}

TEST_F(ArchiveTest, AnEmptyFolderIsAnArchiveToo) {
  const TempFolder in;
  WriteArchive(in.path(), archive_);
  RequireSealed(archive_);
  EXPECT_TRUE(ExtractArchive(archive_, out_, {}).empty());
}

TEST_F(ArchiveTest, SameFilesSameBytes) {
  const TempFolder one;
  one.Write("b/y", "2");
  one.Write("a", Noise(5000));
  const TempFolder two;
  two.Write("a", Noise(5000));
  two.Write("b/y", "2");
  fs::last_write_time(two / "a", 12345);
  fs::permissions(two / "a", fs::owner_all);
  WriteArchive(one.path(), archive_);
  WriteArchive(two.path(), folder_ / "b.tar.zst");
  EXPECT_EQ(ReadFile(archive_), ReadFile(folder_ / "b.tar.zst"));
}

TEST_F(ArchiveTest, AFlippedCutOrAddedByteBreaksTheSeal) {
  const TempFolder in;
  in.Write("a", "some text");
  in.Write("b", Noise(300));
  WriteArchive(in.path(), archive_);
  const std::string bytes = ReadFile(archive_);
  const auto sealed = [&](const std::string& changed) {
    WriteFile(archive_, changed, Durability::kUnsynced);
    try {
      RequireSealed(archive_);
      return true;
    } catch (const Error& error) {
      EXPECT_TRUE(error.code() == ErrorCode::kCorrupt || error.code() == ErrorCode::kInput);
      return false;
    }
  };
  ASSERT_TRUE(sealed(bytes));
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string flipped = bytes;
    flipped[i] = static_cast<char>(flipped[i] ^ (1 << (i % 8)));
    ASSERT_FALSE(sealed(flipped)) << "byte " << i;
    ASSERT_FALSE(sealed(bytes.substr(0, i))) << "cut to " << i;
  }
  EXPECT_FALSE(sealed(bytes + '\0'));
  EXPECT_FALSE(sealed(bytes + bytes));
}

TEST_F(ArchiveTest, WhatTheSealSays) {
  const std::string frame = ZstdFrame(TarEntry("a", "1") + TarEnd());
  const auto refusal = [&](const std::string& bytes) {
    WriteFile(archive_, bytes, Durability::kUnsynced);
    return ExpectError([&] { RequireSealed(archive_); }).text;
  };
  WriteFile(archive_, Sealed(frame));
  EXPECT_NO_THROW(RequireSealed(archive_));
  EXPECT_EQ(refusal(frame),
            archive_.string() +
                ": error: the archive is cut off, or was not written by flyscribe: its seal is missing" + kDamagedHint);
  EXPECT_THAT(refusal(frame + Sealed("another")), HasSubstr("the archive is damaged: its bytes do not fit its seal"));
  EXPECT_THAT(refusal("PK\x03\x04"),
              HasSubstr("error: this is no archive compressed by Zstandard\n  hint: give a .tar.zst"));
  EXPECT_THAT(ExpectError([&] { RequireSealed(folder_ / "none"); }).text, HasSubstr("cannot read: No such file"));
}

TEST_F(ArchiveTest, HandMadeOnesAreReadToo) {
  const std::string tar = TarEntry("a/b", "text") + TarEntry("c", std::string(512, 'x')) + TarEnd();
  EXPECT_THAT(Extract(Sealed(ZstdFrame(tar))), ElementsAre("a/b", "c"));
  EXPECT_EQ(ReadFile(out_ / "a/b"), "text");
  EXPECT_THAT(Extract(ZstdFrame(tar + std::string(8192, '\0'))), ElementsAre("a/b", "c")) << "padded as by tar";
  EXPECT_THAT(Extract(ZstdFrame(tar.substr(0, 700)) + ZstdFrame(tar.substr(700))), ElementsAre("a/b", "c"))
      << "two frames are one text";
}

TEST_F(ArchiveTest, OtherKindsOfFilesAreRefused) {
  const std::string tar = TarEntry("a", "1") + TarEnd();
  for (const std::string& bytes :
       {tar, GzipText(tar), std::string("BZh91AY"), std::string("\xfd\x37zXZ"), std::string()}) {
    const CaughtError error = Refusal(bytes);
    EXPECT_EQ(error.code, ErrorCode::kInput);
    EXPECT_THAT(error.text, StartsWith("this is no archive compressed by Zstandard"));
  }
  EXPECT_THAT(TarRefusal("no tar at all, but some text"), StartsWith("the archive holds no sound tar: "));
  EXPECT_THAT(TarRefusal(Noise(2000)), StartsWith("the archive holds no sound tar: "));
  EXPECT_FALSE(LooksLikeArchive(folder_ / "none"));
  EXPECT_FALSE(LooksLikeArchive(folder_.path()));
}

TEST_F(ArchiveTest, HostileNamesAreRefused) {
  const std::vector<std::pair<std::string, std::string>> names = {
      {"/etc/passwd", "is an absolute path: '/etc/passwd'"},
      {"../outside", "leads out of the folder: '../outside'"},
      {"a/../../outside", "leads out of the folder: 'a/../../outside'"},
      {"a/..", "leads out of the folder: 'a/..'"},
      {"./a", "is no plain path: './a'"},
      {"a//b", "is no plain path: 'a//b'"},
      {"a\x1b[2J", "holds control characters: 'a?[2J'"},
      {"caf\xe9", "is not UTF-8: 'caf?'"},
      {"long-name-of-a-file", "is longer than 16 bytes: 'long-name-of-a-file'"}};
  for (const auto& [name, problem] : names) {
    const std::string tar = TarEntry("good", "1") + TarEntry(name, "evil") + TarEnd();
    EXPECT_EQ(TarRefusal(tar, {.name_bytes = 16}), "a name in the archive " + problem + kHostileHint);
  }
}

TEST_F(ArchiveTest, OnlyRegularFilesAreTaken) {
  const std::vector<std::pair<char, std::string>> types = {{'1', "a hard link"},
                                                           {'2', "a symbolic link"},
                                                           {'3', "a device, pipe or socket"},
                                                           {'4', "a device, pipe or socket"},
                                                           {'5', "a folder"},
                                                           {'6', "a device, pipe or socket"}};
  for (const auto& [type, word] : types) {
    const std::string tar = TarEntry("x", "", type, "/etc/passwd") + TarEntry("x/y", "evil") + TarEnd();
    EXPECT_THAT(TarRefusal(tar), testing::MatchesRegex("the archive holds " + word + ": 'x/?'" + kHostileHint)) << type;
  }
}

// Many files that are nearly all hole would fill a disk from a few kilobytes, each within the limits of a file.
TEST_F(ArchiveTest, FilesWithHolesAreRefused) {
  const std::string tar = TarEntry("good", "1") + SparseTarEntry("holed", 1'000'000, "evil") + TarEnd();
  EXPECT_EQ(TarRefusal(tar), "the archive holds a file with holes: 'holed'" + kHostileHint);
  EXPECT_FALSE(fs::exists(out_ / "holed"));
  const std::string pax = "29 GNU.sparse.map=0,1,9999,1\n27 GNU.sparse.size=1000000\n";
  const std::string modern = TarEntry("pax", pax, 'x') + TarEntry("holed", "12");
  EXPECT_EQ(TarRefusal(modern + TarEnd()), "the archive holds a file with holes: 'holed'" + kHostileHint);
}

TEST_F(ArchiveTest, ANameOccursOnce) {
  const std::string end = TarEntry("b", "2") + TarEnd();
  for (const auto& [first, second] :
       {std::pair<std::string, std::string>{"a", "a"}, {"a", "a/b"}, {"a/b", "a"}, {"a/b/c", "a/b"}}) {
    EXPECT_EQ(TarRefusal(TarEntry(first, "1") + TarEntry(second, "2") + end),
              "a name occurs twice in the archive: '" + second + "'" + kHostileHint);
  }
}

TEST_F(ArchiveTest, LimitsHold) {
  const std::string two = TarEntry("a", "12345") + TarEntry("b", "1") + TarEnd();
  EXPECT_EQ(Extract(ZstdFrame(two), {.files = 2, .file_bytes = 5, .total_bytes = two.size()}).size(), 2U);
  EXPECT_EQ(TarRefusal(two, {.files = 1}), "the archive holds more than 1 files" + kHostileHint);
  EXPECT_EQ(TarRefusal(two, {.file_bytes = 4}), "a file of the archive is larger than 4 B: 'a'" + kHostileHint);
  EXPECT_EQ(TarRefusal(two, {.total_bytes = two.size() - 1}), "the archive unpacks to more than 3.1 kB" + kHostileHint);
}

// 200 MB in 6 kB, as a file, between files and after the end.
TEST_F(ArchiveTest, BombsAreRefusedWhileTheyUnpack) {
  constexpr std::size_t kHuge = 200'000'000;
  const ArchiveLimits limits = {.file_bytes = 1 << 20, .total_bytes = 1 << 21};
  const std::string file = ZstdFrame(TarEntry("bomb", "", '0', "", kHuge)) + ZstdZeros(kHuge);
  EXPECT_LT(file.size(), 8000U);
  EXPECT_EQ(Refusal(file, limits).text, "a file of the archive is larger than 1.0 MB: 'bomb'" + kHostileHint);
  EXPECT_FALSE(fs::exists(out_ / "bomb")) << "what came out is gone again";
  const std::string after = ZstdFrame(TarEntry("a", "1") + TarEnd()) + ZstdZeros(kHuge);
  EXPECT_EQ(Refusal(after, limits).text, "the archive unpacks to more than 2.1 MB" + kHostileHint);
}

TEST_F(ArchiveTest, AHeaderThatLiesIsFound) {
  EXPECT_THAT(TarRefusal(TarEntry("a", "1", '0', "", 100000) + TarEnd()),
              testing::AnyOf(StartsWith("the archive holds no sound tar: "), StartsWith("the archive is cut off")));
  std::string flipped = TarEntry("a", "1") + TarEnd();
  flipped[130] = '7';
  EXPECT_THAT(TarRefusal(flipped), StartsWith("the archive holds no sound tar: "));
}

TEST_F(ArchiveTest, ACutArchiveIsRefused) {
  const std::string tar = TarEntry("a", "1") + TarEntry("b", Noise(600)) + TarEnd();
  for (std::size_t size = 0; size < tar.size(); size += 64) {
    EXPECT_EQ(ExpectError([&] { Extract(ZstdFrame(tar.substr(0, size))); }).code, ErrorCode::kCorrupt) << size;
  }
  EXPECT_EQ(TarRefusal(TarEntry("a", "1")), "the archive is cut off" + kDamagedHint);
  EXPECT_EQ(TarRefusal(TarEntry("a", "1") + std::string(512, '\0')), "the archive is cut off" + kDamagedHint);
  const std::string frame = ZstdFrame(tar);
  for (std::size_t size = 4; size < frame.size(); size += 37) {
    EXPECT_EQ(ExpectError([&] { Extract(frame.substr(0, size)); }).code, ErrorCode::kCorrupt) << size;
  }
}

TEST_F(ArchiveTest, NothingMayFollow) {
  const std::string tar = TarEntry("a", "1") + TarEnd();
  const std::string refusal = "something follows after the end of the archive" + kDamagedHint;
  EXPECT_EQ(TarRefusal(tar + "x"), refusal);
  EXPECT_EQ(TarRefusal(tar + TarEntry("b", "2") + TarEnd()), refusal);
  EXPECT_EQ(TarRefusal(tar + std::string(100000, '\0') + "x"), refusal);
  EXPECT_EQ(Refusal(ZstdFrame(tar) + ZstdFrame("x")).text, refusal);
  EXPECT_THAT(Refusal(ZstdFrame(tar) + "garbage").text, StartsWith("the archive cannot be unpacked: "));
}

TEST_F(ArchiveTest, WhatCameOutWholeStays) {
  TarRefusal(TarEntry("a", "1") + TarEntry("../b", "2") + TarEnd());
  EXPECT_EQ(ReadFile(out_ / "a"), "1");
}

TEST(Gzip, RoundTrip) {
  for (const std::size_t size : {0U, 1U, 1000U, 1U << 18, 700000U}) {
    const std::string text = Noise(size);
    EXPECT_TRUE(IsGzip(GzipText(text)));
    EXPECT_EQ(Gunzip(GzipText(text), 1 << 20, "t.gz"), text) << size;
  }
}

TEST(Gzip, SeveralMembersAreOneText) {
  EXPECT_EQ(Gunzip(GzipText("fly") + GzipText("scribe"), 100, "t.gz"), "flyscribe");
}

TEST(Gzip, PlainTextIsNone) { EXPECT_FALSE(IsGzip("CG1,a")); }

TEST(Gzip, ACutOrFlippedByteIsFound) {
  const std::string packed = GzipText(Noise(2000));
  for (const std::size_t keep : {std::size_t{2}, std::size_t{9}, packed.size() / 2, packed.size() - 1}) {
    EXPECT_THAT(ExpectError([&] { Gunzip(packed.substr(0, keep), 1 << 20, "t.gz"); }).text,
                HasSubstr("t.gz: error: compressed file is cut off or damaged\n  hint: fetch it again"))
        << keep;
  }
  std::string flipped = packed;
  flipped[packed.size() / 2] = static_cast<char>(flipped[packed.size() / 2] ^ 1);
  EXPECT_EQ(ExpectError([&] { Gunzip(flipped, 1 << 20, "t.gz"); }).code, ErrorCode::kInput);
}

// The second part of a text is not lost without a word because its first byte is damaged.
TEST(Gzip, OnlyZerosMayFollow) {
  const std::string packed = GzipText("fly");
  EXPECT_EQ(Gunzip(packed + std::string(512, '\0'), 100, "t.gz"), "fly");
  for (const std::string& rest : {"\x1e" + GzipText("scribe").substr(1),
                                  std::string("\x1f"),
                                  std::string("x"),
                                  std::string(512, '\0') + GzipText("scribe")}) {
    EXPECT_EQ(
        ExpectError([&] { Gunzip(packed + rest, 100, "t.gz"); }).text,
        "t.gz: error: compressed file is cut off or damaged\n  hint: fetch it again; `gunzip --test` tells whether "
        "it is whole");
  }
}

TEST(Gzip, ABombIsRefused) {
  EXPECT_THAT(ExpectError([&] { Gunzip(GzipText(std::string(10'000'000, 'a')), 1 << 20, "bomb.gz"); }).text,
              HasSubstr("bomb.gz: error: compressed file unpacks to more than 1.0 MB"));
}

}  // namespace
}  // namespace flyscribe
