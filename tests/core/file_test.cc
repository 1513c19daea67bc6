#include "core/file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <set>
#include <string>
#include <utility>

#include "core/parallel.h"
#include "tests/support/expect_error.h"
#include "tests/support/ordinary_user.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

std::set<std::string> NamesIn(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename().string());
  return names;
}

TEST(ReadFileTest, ReadsAllBytes) {
  const TempFolder folder;
  std::string content("a\0b\r\n\xff", 6);
  content.append(1000000, 'z');
  EXPECT_EQ(ReadFile(folder.Write("f", content)), content);
  EXPECT_EQ(ReadFile(folder.Write("empty", "")), "");
}

TEST(ReadFileTest, ReadsFilesThatClaimToBeEmpty) {
  if (!fs::exists("/proc/self/status")) GTEST_SKIP() << "no /proc here";
  EXPECT_THAT(ReadFile("/proc/self/status"), ::testing::HasSubstr("Pid:"));
}

TEST(ReadFileTest, MissingFile) {
  const TempFolder folder;
  const CaughtError error = ExpectError([&] { ReadFile(folder / "no.csv"); });
  EXPECT_EQ(error.code, ErrorCode::kInput);
  EXPECT_EQ(
      error.text,
      (folder / "no.csv").string() +
          ": error: cannot read: No such file or directory\n  hint: check the spelling; relative paths in a config "
          "are relative to the config's own folder");
  EXPECT_EQ(
      ExpectError([] { ReadFile("no such folder/X.npy"); }).text,
      "no such folder/X.npy: error: cannot read: No such file or directory\n  hint: check the spelling; it is looked "
      "for in the folder you are in")
      << "of a command line";
}

TEST(ReadFileTest, Folder) {
  const TempFolder folder;
  const CaughtError error = ExpectError([&] { ReadFile(folder.path()); });
  EXPECT_EQ(error.code, ErrorCode::kInput);
  EXPECT_EQ(
      error.text,
      folder.path().string() + ": error: cannot read: Is a directory\n  hint: a file is expected here, not a folder");
}

TEST(ReadFileTest, CircleOfLinks) {
  const TempFolder folder;
  fs::create_symlink("b", folder / "a");
  fs::create_symlink("a", folder / "b");
  const CaughtError error = ExpectError([&] { ReadFile(folder / "a"); });
  EXPECT_EQ(error.code, ErrorCode::kInput);
  EXPECT_THAT(error.text, ::testing::EndsWith("\n  hint: symbolic links point at each other in a circle"));
}

TEST(ReadFileTest, APipeDoesNotHang) {
  const TempFolder folder;
  const fs::path pipe = folder / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const std::string expected =
      pipe.string() +
      ": error: cannot read: not a regular file\n  hint: pipes, sockets and devices cannot be inputs, because they "
      "cannot be read twice";
  EXPECT_EQ(ExpectError([&] { ReadFile(pipe); }).text, expected);
  EXPECT_EQ(ExpectError([&] { MappedFile{pipe}; }).text, expected);
}

TEST(ReadFileTest, Limit) {
  const TempFolder folder;
  const fs::path path = folder.Write("f", "12345");
  EXPECT_EQ(ReadFile(path, 5), "12345");
  const CaughtError error = ExpectError([&] { ReadFile(path, 4); });
  EXPECT_EQ(error.code, ErrorCode::kInput);
  EXPECT_EQ(error.text,
            path.string() + ": error: file is larger than the limit of 4 bytes\n  hint: is this the right file?");
  EXPECT_EQ(ReadFile(folder.Write("empty", ""), 0), "");
}

TEST(ReadFileTest, LimitHoldsForFilesThatClaimToBeEmpty) {
  if (!fs::exists("/proc/self/status")) GTEST_SKIP() << "no /proc here";
  EXPECT_EQ(ExpectError([] { ReadFile("/proc/self/status", 3); }).code, ErrorCode::kInput);
}

TEST(ReadFileTest, UnreadableFile) {
  if (geteuid() == 0) GTEST_SKIP() << "root may read everything";
  const TempFolder folder;
  const fs::path path = folder.Write("f", "x");
  fs::permissions(path, fs::no_perms);
  const CaughtError error = ExpectError([&] { ReadFile(path); });
  EXPECT_EQ(error.code, ErrorCode::kInput);
  EXPECT_THAT(error.text, ::testing::HasSubstr("hint: check the permissions of the file and of the folders above it"));
}

TEST(ForEachBlockTest, HandsOutTheFileInOrder) {
  const TempFolder folder;
  std::string content;
  for (int i = 0; i < 200000; ++i) content += std::to_string(i);
  std::string read;
  int blocks = 0;
  ForEachBlock(folder.Write("f", content), [&](std::string_view block) {
    read += block;
    ++blocks;
  });
  EXPECT_EQ(read, content);
  EXPECT_GT(blocks, 1);
}

TEST(MappedFileTest, ShowsTheBytes) {
  const TempFolder folder;
  const std::string content("ab\0c", 4);
  MappedFile file(folder.Write("f", content));
  EXPECT_EQ(file.bytes(), content);
  const MappedFile moved = std::move(file);
  EXPECT_EQ(moved.bytes(), content);
}

TEST(MappedFileTest, AnEmptyFileHasNoBytes) {
  const TempFolder folder;
  EXPECT_EQ(MappedFile(folder.Write("f", "")).bytes(), "");
}

TEST(MappedFileTest, AssignmentKeepsBothAlive) {
  const TempFolder folder;
  MappedFile a(folder.Write("a", "first"));
  MappedFile b(folder.Write("b", "second"));
  a = std::move(b);
  EXPECT_EQ(a.bytes(), "second");
}

TEST(MappedFileTest, IsFoundByItsAddresses) {
  const TempFolder folder;
  const fs::path path = folder.Write("f", std::string(10000, 'x'));
  const char* first = nullptr;
  {
    MappedFile file(path);
    const MappedFile other(folder.Write("g", "y"));
    const MappedFile moved = std::move(file);
    first = moved.bytes().data();
    EXPECT_EQ(MappedFileAt(first), path);
    EXPECT_EQ(MappedFileAt(first + 9999), path);
    EXPECT_EQ(MappedFileAt(first + 10000), fs::path());
    EXPECT_EQ(MappedFileAt(other.bytes().data()), folder / "g");
    EXPECT_EQ(MappedFileAt(&file), fs::path());
  }
  EXPECT_EQ(MappedFileAt(first), fs::path());
}

TEST(MappedFileTest, OneThatBecameShorterIsNoLongerWhole) {
  const TempFolder folder;
  const fs::path path = folder.Write("f", "12345");
  const MappedFile file(path);
  file.RequireWhole();
  AppendToFile(path, "6");
  file.RequireWhole();
  fs::resize_file(path, 4);
  const CaughtError error = ExpectError([&] { file.RequireWhole(); });
  EXPECT_EQ(error.code, ErrorCode::kInput);
  EXPECT_EQ(error.text,
            path.string() +
                ": error: the file was cut short while it was read\n"
                "  hint: run the same command again once nothing writes to the file any more");
  fs::remove(path);
  file.RequireWhole();
  folder.Write("f", "1");
  file.RequireWhole();  // another file of its name: what is mapped is still there
}

TEST(MappedFileTest, LeaksNoDescriptor) {
  if (!fs::exists("/proc/self/fd")) GTEST_SKIP() << "no /proc here";
  const TempFolder folder;
  const fs::path path = folder.Write("f", "x");
  const std::size_t before = NamesIn("/proc/self/fd").size();
  const MappedFile file(path);
  ExpectError([&] { MappedFile{folder.path()}; });
  ExpectError([&] { MappedFile{folder / "missing"}; });
  EXPECT_EQ(NamesIn("/proc/self/fd").size(), before);
}

TEST(MappedFileTest, ErrorsAreThoseOfReadFile) {
  const TempFolder folder;
  const CaughtError error = ExpectError([&] { MappedFile{folder.path()}; });
  EXPECT_EQ(error.code, ErrorCode::kInput);
  EXPECT_THAT(error.text, ::testing::HasSubstr("Is a directory\n  hint: a file is expected here, not a folder"));
  EXPECT_EQ(ExpectError([&] { MappedFile{folder / "missing"}; }).code, ErrorCode::kInput);
}

TEST(WriteFileTest, WritesAndShortens) {
  const TempFolder folder;
  WriteFile(folder / "f", "a longer content");
  WriteFile(folder / "f", "short");
  EXPECT_EQ(ReadFile(folder / "f"), "short");
}

TEST(WriteFileTest, WritesPartsOneAfterTheOther) {
  const TempFolder folder;
  const std::array<std::string_view, 4> parts = {"head", "", std::string_view("\0x", 2), "tail"};
  WriteFile(folder / "f", parts);
  EXPECT_EQ(ReadFile(folder / "f"), std::string("head\0xtail", 10));
  WriteFile(folder / "none", std::span<const std::string_view>{});
  EXPECT_EQ(ReadFile(folder / "none"), "");
}

TEST(WriteFileTest, MissingFolder) {
  const TempFolder folder;
  const CaughtError error = ExpectError([&] { WriteFile(folder / "no/f", "x"); });
  EXPECT_EQ(error.code, ErrorCode::kDisk);
  EXPECT_EQ(error.text,
            (folder / "no/f").string() +
                ": error: cannot write: No such file or directory\n  hint: the folder it belongs in does not exist");
}

TEST(WriteFileTest, FullDisk) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  const CaughtError error = ExpectError([] { WriteFile("/dev/full", "x"); });
  EXPECT_EQ(error.code, ErrorCode::kDisk);
  EXPECT_EQ(error.text,
            "/dev/full: error: cannot write: No space left on device\n  hint: free some space and run the same command "
            "again");
}

TEST(FileWriterTest, AppendsAndReplacesTheStart) {
  const TempFolder folder;
  FileWriter writer(folder / "a");
  writer.Append("0000");
  writer.Append("tail");
  writer.ReplaceStart("12");
  writer.Append("!");
  writer.Finish();
  EXPECT_EQ(ReadFile(folder / "a"), "1200tail!");
}

TEST(FileWriterTest, FullDiskAndMissingFolder) {
  const TempFolder folder;
  EXPECT_EQ(ExpectError([&] { FileWriter(folder / "none/a"); }).code, ErrorCode::kDisk);
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  FileWriter writer("/dev/full");
  EXPECT_EQ(ExpectError([&] { writer.Append("x"); }).code, ErrorCode::kDisk);
}

TEST(WriteFileAtomicallyTest, CreatesFoldersAndLeavesOnlyTheFile) {
  const TempFolder folder;
  WriteFileAtomically(folder / "a/b/f", "one");
  WriteFileAtomically(folder / "a/b/f", "two");
  EXPECT_EQ(ReadFile(folder / "a/b/f"), "two");
  EXPECT_THAT(NamesIn(folder / "a/b"), ::testing::ElementsAre("f"));
}

TEST(WriteFileAtomicallyTest, LeavesNothingBehindOnFailure) {
  const TempFolder folder;
  CreateFolder(folder / "taken");
  const CaughtError error = ExpectError([&] { WriteFileAtomically(folder / "taken", "x"); });
  EXPECT_EQ(error.code, ErrorCode::kDisk);
  EXPECT_EQ(error.text,
            (folder / "taken").string() +
                ": error: cannot write: Is a directory\n  hint: a folder is in the way where a file is needed");
  EXPECT_THAT(NamesIn(folder.path()), ::testing::ElementsAre("taken"));
}

TEST(WriteFileAtomicallyTest, ReplacesALinkNotItsTarget) {
  const TempFolder folder;
  folder.Write("target", "old");
  fs::create_symlink("target", folder / "link");
  WriteFileAtomically(folder / "link", "new");
  EXPECT_EQ(ReadFile(folder / "target"), "old");
  EXPECT_EQ(ReadFile(folder / "link"), "new");
}

TEST(WriteFileAtomicallyTest, WritersOfOneFileDoNotDisturbEachOther) {
  const TempFolder folder;
  ParallelFor(4, 200, [&](std::size_t i) {
    WriteFileAtomically(folder / "f", std::string(10000, static_cast<char>('a' + i % 26)));
  });
  const std::string content = ReadFile(folder / "f");
  EXPECT_EQ(content, std::string(10000, content.at(0)));
  EXPECT_THAT(NamesIn(folder.path()), ::testing::ElementsAre("f"));
}

TEST(CreateFolderTest, AFileInTheWay) {
  const TempFolder folder;
  folder.Write("f", "x");
  CreateFolder(folder / "a/b/c");
  CreateFolder(folder / "a/b/c");
  EXPECT_TRUE(fs::is_directory(folder / "a/b/c"));
  for (const std::string name : {"f", "f/below"}) {
    const CaughtError error = ExpectError([&] { CreateFolder(folder / name); });
    EXPECT_EQ(error.code, ErrorCode::kDisk) << name;
    EXPECT_THAT(error.text, ::testing::EndsWith("\n  hint: a file is in the way where a folder is needed")) << name;
  }
}

TEST(SyncFolderTest, NeedsAFolder) {
  const TempFolder folder;
  EXPECT_NO_THROW(SyncFolder(folder.path()));
  EXPECT_EQ(ExpectError([&] { SyncFolder(folder.Write("f", "x")); }).code, ErrorCode::kDisk);
}

TEST(RequireWritableFolderTest, LeavesNothingBehind) {
  const TempFolder folder;
  RequireWritableFolder(folder / "out/deep");
  EXPECT_THAT(NamesIn(folder / "out/deep"), ::testing::IsEmpty());
}

TEST(RequireWritableFolderTest, AFileInTheWay) {
  const TempFolder folder;
  folder.Write("f", "x");
  EXPECT_EQ(ExpectError([&] { RequireWritableFolder(folder / "f"); }).code, ErrorCode::kDisk);
}

TEST(RequireWritableFolderTest, UnwritableFolder) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  const TempFolder folder;
  CreateFolder(folder / "locked");
  fs::permissions(folder / "locked", fs::owner_read | fs::owner_exe);
  const CaughtError error = ExpectError([&] { RequireWritableFolder(folder / "locked"); });
  EXPECT_EQ(error.code, ErrorCode::kDisk);
  EXPECT_EQ(error.text,
            (folder / "locked").string() +
                ": error: cannot write: Permission denied\n  hint: choose another folder (--output; `output:` or "
                "`cache: {dir: "
                "...}` in a config), or change its permissions");
  EXPECT_EQ(ExpectError([&] { WriteFileAtomically(folder / "locked/f", "x"); }).code, ErrorCode::kDisk);
}

TEST(ThrowWriteErrorTest, HintsFollowTheReason) {
  const auto text = [](int number) { return ExpectError([&] { ThrowWriteError("p", number); }).text; };
  EXPECT_EQ(
      text(EROFS),
      "p: error: cannot write: Read-only file system\n  hint: choose another folder (--output; `output:` or `cache: "
      "{dir: ...}` in a config), or change its permissions");
  EXPECT_EQ(text(EIO), "p: error: cannot write: Input/output error");
}

TEST(RenamePathTest, MovesFilesAndFoldersOverFiles) {
  const TempFolder folder;
  folder.Write("from/deep/f", "new");
  RenamePath(folder / "from", folder / "to");
  EXPECT_EQ(ReadFile(folder / "to/deep/f"), "new");
  EXPECT_FALSE(fs::exists(folder / "from"));
  RenamePath(folder / "to/deep/f", folder.Write("old", "old"));
  EXPECT_EQ(ReadFile(folder / "old"), "new");
}

TEST(RenamePathTest, SaysWhyNot) {
  const TempFolder folder;
  const CaughtError missing = ExpectError([&] { RenamePath(folder / "none", folder / "to"); });
  EXPECT_EQ(missing.code, ErrorCode::kDisk);
  EXPECT_EQ(missing.text,
            (folder / "to").string() +
                ": error: cannot write: No such file or directory\n  hint: the folder it belongs in does not exist");
  folder.Write("full/f", "x");
  folder.Write("other/g", "x");
  EXPECT_EQ(ExpectError([&] { RenamePath(folder / "other", folder / "full"); }).code, ErrorCode::kDisk);
  EXPECT_THAT(NamesIn(folder / "full"), ::testing::ElementsAre("f")) << "nothing is merged";
}

TEST(RemoveTreeTest, RemovesAllBelowButFollowsNoLinks) {
  const TempFolder folder;
  const fs::path kept = folder.Write("kept/f", "x");
  folder.Write("tree/a/b", "x");
  fs::create_directory_symlink(folder / "kept", folder / "tree/link");
  RemoveTree(folder / "tree");
  EXPECT_THAT(NamesIn(folder.path()), ::testing::ElementsAre("kept"));
  EXPECT_TRUE(fs::exists(kept));
  RemoveTree(kept);
  EXPECT_FALSE(fs::exists(kept));
  RemoveTree(folder / "missing");
}

TEST(RemoveTreeTest, SaysWhyNot) {
  if (geteuid() == 0) GTEST_SKIP() << "root may remove everything";
  const TempFolder folder;
  folder.Write("locked/f", "x");
  fs::permissions(folder / "locked", fs::owner_read | fs::owner_exe);
  EXPECT_EQ(ExpectError([&] { RemoveTree(folder / "locked"); }).code, ErrorCode::kDisk);
  fs::permissions(folder / "locked", fs::owner_all);
}

TEST(EntriesOfTest, SortedAndNothingWhereThereIsNoFolder) {
  const TempFolder folder;
  folder.Write("b", "");
  folder.Write("a/deep", "");
  EXPECT_THAT(EntriesOf(folder.path()), ::testing::ElementsAre(folder / "a", folder / "b"));
  EXPECT_THAT(EntriesOf(folder / "missing"), ::testing::IsEmpty());
  EXPECT_THAT(EntriesOf(folder / "missing/deep"), ::testing::IsEmpty());
}

TEST(EntriesOfTest, WhatCannotBeListedIsNotEmpty) {
  const TempFolder folder;
  folder.Write("file", "");
  fs::create_symlink("nowhere", folder / "dangling");
  fs::create_symlink("loop", folder / "loop");
  const std::array<std::pair<std::string, std::string>, 4> expected = {
      {{"file", "Not a directory\n  hint: a folder is expected here, not a file"},
       {"file/deep", "Not a directory\n  hint: a folder is expected here, not a file"},
       {"dangling", "No such file or directory\n  hint: the link leads to nothing: is a disk not mounted?"},
       {"loop", "Too many levels of symbolic links\n  hint: symbolic links point at each other in a circle"}}};
  for (const auto& [name, text] : expected) {
    for (const bool below : {false, true}) {
      const CaughtError error = ExpectError([&, path = folder / name] {
        if (below) {
          FilesBelow(path);
        } else {
          EntriesOf(path);
        }
      });
      EXPECT_EQ(error.code, ErrorCode::kInput);
      EXPECT_EQ(error.text, (folder / name).string() + ": error: cannot list the folder: " + text);
    }
  }
}

TEST(IsThereTest, WhatCannotBeLookedAtIsNotMissing) {
  const TempFolder folder;
  const fs::path file = folder.Write("locked/f", "x");
  fs::create_symlink("nowhere", folder / "link");
  fs::create_symlink("circle", folder / "circle");
  EXPECT_TRUE(IsThere(file));
  EXPECT_TRUE(IsThere(folder.path()));
  for (const char* name : {"none", "none/deep", "locked/f/below a file", "link"}) EXPECT_FALSE(IsThere(folder / name));
  for (const char* name : {"locked/f", "link", "circle"}) EXPECT_TRUE(IsTaken(folder / name)) << name;
  for (const char* name : {"none", "none/deep", "locked/f/below a file"}) EXPECT_FALSE(IsTaken(folder / name)) << name;
  const CaughtError circle = ExpectError([&] { IsThere(folder / "circle"); });
  EXPECT_EQ(circle.code, ErrorCode::kInput);
  EXPECT_EQ(
      circle.text,
      (folder / "circle").string() +
          ": error: cannot look at it: Too many levels of symbolic links\n  hint: symbolic links point at each other "
          "in a circle");
  fs::permissions(file.parent_path(), fs::owner_read);
  fs::permissions(folder.path(), fs::all_all);
  {
    const AsOrdinaryUser user;
    EXPECT_THAT(ExpectError([&] { IsThere(file); }).text,
                ::testing::HasSubstr("locked/f: error: cannot look at it: Permission denied\n  hint: check the perm"));
    EXPECT_TRUE(IsTaken(file));
  }
  fs::permissions(file.parent_path(), fs::owner_all);
}

TEST(EntriesOfTest, AFolderWithoutRightsIsNotEmpty) {
  const TempFolder folder;
  folder.Write("locked/f", "x");
  folder.Write("open/locked/f", "x");
  for (const char* name : {"locked", "open/locked"}) fs::permissions(folder / name, fs::no_perms);
  fs::permissions(folder.path(), fs::all_all);
  {
    const AsOrdinaryUser user;
    EXPECT_THAT(ExpectError([&] { EntriesOf(folder / "locked"); }).text,
                ::testing::HasSubstr("locked: error: cannot list the folder: Permission denied"));
    EXPECT_THAT(ExpectError([&] { FilesBelow(folder / "open"); }).text,
                ::testing::HasSubstr("open/locked: error: cannot list the folder: Permission denied"));
  }
  for (const char* name : {"locked", "open/locked"}) fs::permissions(folder / name, fs::owner_all);
}

TEST(FilesBelowTest, AllFilesByNameButNoLinksToFolders) {
  const TempFolder folder;
  folder.Write("b", "");
  folder.Write("a/deep/x", "");
  folder.Write("a.txt", "");
  fs::create_directory_symlink(folder / "a", folder / "link");
  fs::create_symlink("b", folder / "c");
  fs::create_directory(folder / "empty");
  EXPECT_THAT(FilesBelow(folder.path()), ::testing::ElementsAre("a.txt", "a/deep/x", "b", "c"));
  EXPECT_THAT(FilesBelow(folder / "missing"), ::testing::IsEmpty());
}

TEST(AppendToFileTest, AddsAtTheEndAndFollowsNoLink) {
  const TempFolder folder;
  AppendToFile(folder / "list", "a\n");
  AppendToFile(folder / "list", "b\n");
  EXPECT_EQ(ReadFile(folder / "list"), "a\nb\n");
  fs::create_symlink("list", folder / "link");
  EXPECT_EQ(ExpectError([&] { AppendToFile(folder / "link", "c"); }).code, ErrorCode::kDisk);
  EXPECT_EQ(ReadFile(folder / "list"), "a\nb\n");
}

TEST(SyncTest, FoldersAndFileSystems) {
  const TempFolder folder;
  folder.Write("f", "x");
  SyncFolder(folder.path());
  SyncFileSystem(folder.path());
  EXPECT_EQ(ExpectError([&] { SyncFileSystem(folder / "missing"); }).code, ErrorCode::kDisk);
}

}  // namespace
}  // namespace flyscribe
