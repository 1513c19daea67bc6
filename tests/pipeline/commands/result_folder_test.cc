#include "pipeline/commands/result_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/file.h"
#include "core/hash.h"
#include "pipeline/annotate/annotation_folder.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

using testing::HasSubstr;

class ResultFolderTest : public testing::Test {
 protected:
  static void WriteBoth(const fs::path& folder) {
    WriteFile(folder / "a", "new a");
    WriteFile(folder / "b", "new b");
  }
  std::size_t Entries() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(out_), fs::directory_iterator()));
  }

  const std::vector<std::string> files_ = {"a", "b"};
  TempFolder folder_;
  fs::path out_ = folder_ / "out";
};

TEST_F(ResultFolderTest, CommitMovesTheFilesIntoPlace) {
  ResultFolder result(out_, files_, false);
  result.Commit([&](const fs::path& unfinished) {
    WriteBoth(unfinished);
    EXPECT_FALSE(fs::exists(out_ / "a")) << "not before all are written";
  });
  EXPECT_EQ(ReadFile(out_ / "a"), "new a");
  EXPECT_EQ(ReadFile(out_ / "b"), "new b");
  EXPECT_EQ(Entries(), 2U);
}

TEST_F(ResultFolderTest, AFailureLeavesNothing) {
  const auto fail = [&] {
    ResultFolder result(out_, files_, false);
    result.Commit([](const fs::path& unfinished) {
      WriteFile(unfinished / "a", "x");
      throw Error(ErrorCode::kDisk, "full");
    });
  };
  EXPECT_EQ(ExpectError(fail).code, ErrorCode::kDisk);
  EXPECT_FALSE(fs::exists(out_)) << "it was made for the result";
  fs::create_directories(out_);
  ExpectError(fail);
  EXPECT_TRUE(fs::is_empty(out_)) << "it was there before";
}

TEST_F(ResultFolderTest, AFileThatCannotBeMovedTakesTheOthersBack) {
  ResultFolder result(out_, files_, false);
  const auto only_one = [](const fs::path& unfinished) { WriteFile(unfinished / "a", "x"); };
  EXPECT_EQ(ExpectError([&] { result.Commit(only_one); }).code, ErrorCode::kDisk);
  EXPECT_FALSE(fs::exists(out_ / "a"));
}

TEST_F(ResultFolderTest, WhatIsThereIsNotReplacedUnasked) {
  folder_.Write("out/b", "old b");
  const CaughtError error = ExpectError([&] { ResultFolder(out_, files_, false); });
  EXPECT_EQ(error.code, ErrorCode::kUsage);
  EXPECT_EQ(error.text,
            out_.string() +
                ": error: the folder already holds a result (b)\n"
                "  hint: choose another --output, or give --force to replace it");
  EXPECT_EQ(ReadFile(out_ / "b"), "old b");
  ResultFolder result(out_, files_, true);
  EXPECT_EQ(ReadFile(out_ / "b"), "old b") << "only Clear removes it";
  result.Clear();
  EXPECT_FALSE(fs::exists(out_ / "b"));
  result.Commit(WriteBoth);
  EXPECT_EQ(ReadFile(out_ / "b"), "new b");
}

TEST_F(ResultFolderTest, OtherFilesAreLeftAlone) {
  folder_.Write("out/mine", "m");
  folder_.Write("out/.unfinished/a", "of a killed process");
  {
    ResultFolder result(out_, files_, true);
    EXPECT_FALSE(fs::exists(out_ / ".unfinished"));
    result.Clear();
    result.Commit(WriteBoth);
  }
  EXPECT_EQ(ReadFile(out_ / "mine"), "m");
  EXPECT_EQ(Entries(), 3U);
}

TEST_F(ResultFolderTest, UnfinishedAnnotationsAreLeftAlone) {
  const fs::path chunk = folder_.Write("out/" + std::string(kUnfinishedAnnotation) + "/chunks/00000.jsonl", "hours");
  for (const bool replace : {false, true}) {
    const CaughtError error = ExpectError([&] { ResultFolder(out_, files_, replace); });
    EXPECT_EQ(error.code, ErrorCode::kUsage);
    EXPECT_EQ(error.text,
              out_.string() +
                  ": error: the folder holds unfinished work of `flyscribe annotate`\n"
                  "  hint: give the same annotate command again to finish it, or choose another --output");
  }
  EXPECT_EQ(ReadFile(chunk), "hours");
}

TEST_F(ResultFolderTest, AnInputIsNotReplaced) {
  folder_.Write("out/a", "x");
  const fs::path other = folder_.Write("other", "x");
  const ResultFolder result(out_, files_, true);
  result.RequireNotReplaced(other);
  const CaughtError error = ExpectError([&] { result.RequireNotReplaced(folder_ / "out/../out/a"); });
  EXPECT_EQ(error.code, ErrorCode::kUsage);
  EXPECT_THAT(error.text, HasSubstr("a: error: the result would replace this input"));
}

TEST_F(ResultFolderTest, OneProcessAtATime) {
  {
    const ResultFolder first(out_, files_, false);
    const CaughtError error = ExpectError([&] { ResultFolder(out_, files_, false); });
    EXPECT_EQ(error.code, ErrorCode::kLockTimeout);
    EXPECT_EQ(error.text,
              out_.string() +
                  ": error: another flyscribe is writing to this folder\n"
                  "  hint: wait until it has ended, or choose another --output");
  }
  const ResultFolder second(out_, files_, false);
}

TEST_F(ResultFolderTest, AFileInTheWay) {
  const fs::path file = folder_.Write("file", "x");
  const CaughtError error = ExpectError([&] { ResultFolder(file, files_, true); });
  EXPECT_EQ(error.code, ErrorCode::kDisk);
  EXPECT_THAT(error.text, HasSubstr("a file is in the way where a folder is needed"));
  EXPECT_EQ(ReadFile(file), "x");
}

TEST_F(ResultFolderTest, WhatAKilledProcessHasMovedIsNoResult) {
  folder_.Write("out/.unfinished/moving", "a\t" + Sha256OfText("moved") + "\nb\t" + Sha256OfText("to be moved") + "\n");
  WriteFile(out_ / files_.front(), "moved");
  ResultFolder result(out_, files_, false);
  EXPECT_FALSE(fs::exists(out_ / files_.front()));
  EXPECT_FALSE(fs::exists(out_ / ".unfinished"));
}

TEST_F(ResultFolderTest, WhatIsMovedIsListedFirst) {
  ResultFolder result(out_, {"a", "missing", "b"}, false);
  EXPECT_EQ(ExpectError([&] { result.Commit(WriteBoth); }).code, ErrorCode::kDisk) << "the second cannot be moved";
  EXPECT_EQ(ReadFile(out_ / ".unfinished" / "moving"),
            "a\t" + Sha256OfText("new a") + "\nb\t" + Sha256OfText("new b") + "\n");
}

// Whatever .unfinished holds: only what it lists, as it was written, is removed.
TEST_F(ResultFolderTest, FilesOfOthersBesideUnfinishedWorkAreLeftAlone) {
  const std::string moved = "a\t" + Sha256OfText("moved") + "\n";
  for (const std::string& moving : {std::string(), std::string("a\n"), moved}) {
    folder_.Write("out/.unfinished/a", "unfinished");
    if (!moving.empty()) folder_.Write("out/.unfinished/moving", moving);
    const fs::path mine = folder_.Write("out/a", "mine");
    EXPECT_EQ(ExpectError([&] { ResultFolder(out_, files_, false); }).code, ErrorCode::kUsage);
    EXPECT_EQ(ReadFile(mine), "mine");
    RemoveTree(out_);
  }
  CreateFolder(out_);
  fs::create_symlink("nowhere", out_ / "a");
  EXPECT_EQ(ExpectError([&] { ResultFolder(out_, files_, false); }).code, ErrorCode::kUsage)
      << "also a link to nowhere";
}

TEST_F(ResultFolderTest, TheOldResultStaysUntilTheNewOneIsWritten) {
  for (const std::string& file : files_) WriteFileAtomically(out_ / file, "old");
  {
    ResultFolder result(out_, files_, true);
    ExpectError([&] { result.Commit([](const fs::path&) { throw Error(ErrorCode::kDisk, "full"); }); });
  }
  for (const std::string& file : files_) EXPECT_EQ(ReadFile(out_ / file), "old");
}

}  // namespace
}  // namespace flyscribe
