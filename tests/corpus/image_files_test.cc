#include "corpus/image_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/support/expect_error.h"
#include "tests/support/ordinary_user.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::int64_t> Numbers(const ImageFiles& files) {
  std::vector<std::int64_t> numbers;
  for (const auto& [number, file] : files.by_number) numbers.push_back(number);
  return numbers;
}

TEST(ImageNumber, FourSpellings) {
  EXPECT_EQ(ImageNumber("insitu18837"), 18837);
  EXPECT_EQ(ImageNumber("insitu18837_s"), 18837);
  EXPECT_EQ(ImageNumber("18837_s"), 18837);
  EXPECT_EQ(ImageNumber("18837"), 18837);
  EXPECT_EQ(ImageNumber("InSitu007_S"), 7);
  for (const std::string_view stem : {"", "insitu", "_s", "insitu_s", "insitu12b", "x12", "insitu-5", "12_t", "1 2"}) {
    EXPECT_EQ(ImageNumber(stem), std::nullopt) << stem;
  }
  EXPECT_EQ(ImageNumber("99999999999999999999999"), std::nullopt);
  for (const char* stem : {"insitu7", "insitu007_s", "7_s"}) EXPECT_EQ(ExplicitImageNumber(stem), 7) << stem;
  for (const char* stem : {"7", "007", "embryo7", "insitu", ""}) {
    EXPECT_EQ(ExplicitImageNumber(stem), std::nullopt) << stem;
  }
}

TEST(FindImageFiles, AnyNameExtensionCaseAndDepth) {
  const TempFolder folder;
  for (const char* name :
       {"insitu1.bmp", "a/insitu2_s.PNG", "a/b/3_s.jpg", "a/b/c/4.JPEG", "insitu5.jpe", "6.tif", "7.TIFF"}) {
    folder.Write(name, "x");
  }
  for (const char* name : {"insitu8.txt", "insitu9", "notes.bmp", "insitu10.bmp.part"}) folder.Write(name, "x");
  const ImageFiles files = FindImageFiles({folder.path()});
  EXPECT_THAT(Numbers(files), ElementsAre(1, 2, 3, 4, 5, 6, 7));
  EXPECT_EQ(files.by_number.at(3).file, "a/b/3_s.jpg");
  EXPECT_EQ(files.by_number.at(3).folder, 0U);
  EXPECT_EQ(files.by_number.at(3).bytes, 1U);
  EXPECT_THAT(files.problems, IsEmpty());
}

TEST(FindImageFiles, TheLargestFileWinsThenTheFirst) {
  const TempFolder one;
  const TempFolder two;
  one.Write("insitu1_s.bmp", "small");
  two.Write("deep/insitu1.bmp", "larger than small");
  one.Write("b/2.bmp", "same");
  one.Write("a/insitu2.png", "same");
  two.Write("A/2.bmp", "same");
  const ImageFiles files = FindImageFiles({one.path(), two.path()});
  EXPECT_EQ(files.by_number.at(1).folder, 1U);
  EXPECT_EQ(files.by_number.at(1).file, "deep/insitu1.bmp");
  EXPECT_EQ(files.by_number.at(2).folder, 0U);
  EXPECT_EQ(files.by_number.at(2).file, "a/insitu2.png");
}

TEST(FindImageFiles, CirclesOfLinksEnd) {
  const TempFolder folder;
  folder.Write("a/insitu1.bmp", "x");
  fs::create_directory_symlink(folder.path(), folder / "UP");  // sorts before "a", so a second visit would show
  fs::create_symlink("self", folder / "self");
  fs::create_symlink("gone.bmp", folder / "insitu2.bmp");
  fs::create_symlink("a/insitu1.bmp", folder / "insitu3.bmp");
  const ImageFiles files = FindImageFiles({folder.path()});
  EXPECT_THAT(Numbers(files), ElementsAre(1, 3));  // a link to a file counts, a dangling one does not
  EXPECT_EQ(files.by_number.at(1).file, "a/insitu1.bmp");
  ASSERT_EQ(files.problems.size(), 1U);
  EXPECT_EQ(files.problems[0].reason, "link to a file that is not there");
}

TEST(FindImageFiles, WhatHasTheNameOfAnImageButIsNoFileIsListed) {
  const TempFolder folder;
  folder.Write("shut/insitu4.bmp", "x");
  fs::create_symlink("1.bmp", folder / "1.bmp");
  ASSERT_EQ(mkfifo((folder / "2.png").c_str(), 0600), 0);
  folder.Write("3.jpg/inner.txt", "a folder, whatever its name");
  ASSERT_EQ(chmod((folder / "shut").c_str(), 0744), 0);  // names can be read, nothing more
  ImageFiles files;
  {
    const AsOrdinaryUser user;
    files = FindImageFiles({folder.path()});
  }
  ASSERT_EQ(chmod((folder / "shut").c_str(), 0755), 0);
  EXPECT_THAT(files.all, IsEmpty());
  const std::string root = folder.path().filename().string() + "/";
  const auto problem = [&](const std::string& input, const std::string& reason) {
    return Skipped{root + input, reason, true};
  };
  EXPECT_THAT(files.problems,
              ElementsAre(problem("1.bmp", "file cannot be looked at: Too many levels of symbolic links"),
                          problem("2.png", "not a regular file"),
                          problem("shut/insitu4.bmp", "file cannot be looked at: Permission denied")));
}

TEST(FindImageFiles, LinkedFoldersAreEntered) {
  const TempFolder folder;
  const TempFolder elsewhere;
  elsewhere.Write("insitu1.bmp", "x");
  fs::create_directory_symlink(elsewhere.path(), folder / "more");
  EXPECT_EQ(FindImageFiles({folder.path()}).by_number.at(1).file, "more/insitu1.bmp");
}

TEST(FindImageFiles, NamesBeyondAscii) {
  const TempFolder folder;
  folder.Write("Z\xc3\xbcrich/insitu1.bmp", "x");
  folder.Write("\xff\xfe/insitu2.bmp", "x");  // no valid UTF-8
  const ImageFiles files = FindImageFiles({folder.path()});
  EXPECT_EQ(files.by_number.at(1).file, "Z\xc3\xbcrich/insitu1.bmp");
  EXPECT_EQ(files.by_number.at(2).file, "\xff\xfe/insitu2.bmp");
}

TEST(FindImageFiles, ATabInAPathIsAFault) {
  const TempFolder folder;
  folder.Write("a\tb/insitu1.bmp", "x");
  const ImageFiles files = FindImageFiles({folder.path()});
  EXPECT_THAT(files.by_number, IsEmpty());
  ASSERT_EQ(files.problems.size(), 1U);
  EXPECT_EQ(files.problems[0].reason, "a tab or line end in the path");
  EXPECT_TRUE(files.problems[0].fault);
}

TEST(FindImageFiles, AFolderThatCannotBeReadIsListed) {
  const TempFolder folder;
  folder.Write("open/insitu1.bmp", "x");
  folder.Write("locked/insitu2.bmp", "x");
  ASSERT_EQ(chmod((folder / "locked").c_str(), 0), 0);
  ImageFiles files;
  {
    const AsOrdinaryUser user;
    files = FindImageFiles({folder.path()});
  }
  ASSERT_EQ(chmod((folder / "locked").c_str(), 0755), 0);
  EXPECT_THAT(Numbers(files), ElementsAre(1));
  ASSERT_EQ(files.problems.size(), 1U);
  EXPECT_EQ(files.problems[0].input, (folder.path().filename() / "locked").string());
  EXPECT_EQ(files.problems[0].reason, "folder cannot be read: Permission denied");
  EXPECT_TRUE(files.problems[0].fault);
}

TEST(FindImageFiles, AFolderThatIsNone) {
  const TempFolder folder;
  const fs::path file = folder.Write("file", "x");
  const CaughtError missing = ExpectError([&] { FindImageFiles({folder / "gone"}); });
  EXPECT_EQ(missing.code, ErrorCode::kInput);
  EXPECT_THAT(missing.text, HasSubstr("gone: error: image folder does not exist\n  hint: check the spelling"));
  const CaughtError is_file = ExpectError([&] { FindImageFiles({folder.path(), file}); });
  EXPECT_EQ(is_file.code, ErrorCode::kInput);
  EXPECT_THAT(is_file.text, HasSubstr("image folder is not a folder\n  hint: name the folder the images lie in"));
}

TEST(FindImageFiles, AnUnreadableRootIsAnError) {
  const TempFolder folder;
  fs::create_directory(folder / "locked");
  ASSERT_EQ(chmod((folder / "locked").c_str(), 0), 0);
  CaughtError error;
  {
    const AsOrdinaryUser user;
    error = ExpectError([&] { FindImageFiles({folder / "locked"}); });
  }
  ASSERT_EQ(chmod((folder / "locked").c_str(), 0755), 0);
  EXPECT_EQ(error.code, ErrorCode::kInput);
  EXPECT_THAT(error.text, HasSubstr("image folder cannot be read: Permission denied"));
}

TEST(FindImageFiles, NoFoldersNoFiles) { EXPECT_THAT(FindImageFiles({}).by_number, IsEmpty()); }

SourceRows ReadTree(const std::vector<fs::path>& folders) {
  SourceRows rows;
  rows.folders = folders;
  ReadFolderTree(FindImageFiles(folders, {}, ExplicitImageNumber), rows);
  return rows;
}

TEST(FolderTree, FoldersNameGeneAndRange) {
  const TempFolder folder;
  folder.Write("tree/otp/4-6/insitu12.bmp", "x");
  folder.Write("tree/more/FBgn0015524/13-17/my embryo.png", "x");
  folder.Write("tree/CG1/stage9-10/7_s.jpe", "x");
  folder.Write("tree/CG1/stage9-10/notes.txt", "x");
  folder.Write("tree/otp/loose.bmp", "x");
  const SourceRows rows = ReadTree({folder / "tree"});
  std::vector<std::string> images;
  for (const ImageRow& row : rows.images) {
    images.push_back(row.gene.Identity() + " " + std::to_string(row.stage) + " " + row.Id() + " " + row.file);
  }
  EXPECT_THAT(images,
              ElementsAre("CG1 4 insitu7 CG1/stage9-10/7_s.jpe",
                          "FBgn0015524 6 more/FBgn0015524/13-17/my embryo.png more/FBgn0015524/13-17/my embryo.png",
                          "otp 2 insitu12 otp/4-6/insitu12.bmp"));
  ASSERT_EQ(rows.tables.size(), 1U);
  EXPECT_EQ(rows.tables[0].rows, 4U);
  ASSERT_EQ(rows.left_out.size(), 1U);
  EXPECT_EQ(rows.left_out[0].reason, "file does not lie in <gene>/<stage range>/");
  EXPECT_EQ(rows.tables[0].NameOf(rows.left_out[0].place.line), "tree/otp/loose.bmp");
}

TEST(FolderTree, NamesThatAreNoTextNameNothing) {
  const TempFolder folder;
  folder.Write("tree/caf\xc3\xa9/4-6/a b 100%.bmp", "x");
  folder.Write("tree/caf\xe9/4-6/b.bmp", "x");
  folder.Write("tree/otp/4-6/\x1b[2J.bmp", "x");
  const SourceRows rows = ReadTree({folder / "tree"});
  ASSERT_EQ(rows.images.size(), 1U);
  EXPECT_EQ(rows.images[0].Id(), "caf\xc3\xa9/4-6/a b 100%.bmp");
  ASSERT_EQ(rows.left_out.size(), 2U);
  for (const LeftOut& row : rows.left_out) EXPECT_EQ(row.reason, "name is not plain UTF-8 text");
  EXPECT_EQ(rows.tables[0].NameOf(rows.left_out[0].place.line), "tree/caf\xc3\xa9/4-6/b.bmp") << "for people";
}

TEST(FolderTree, OnlyAnExplicitNumberIsBdgps) {
  const TempFolder folder;
  for (const char* file : {"otp/4-6/1.bmp", "eve/4-6/1.bmp", "eve/4-6/1.png", "eve/4-6/1_s.png"}) {
    folder.Write(std::string("tree/") + file, file);
  }
  std::vector<std::string> ids;
  for (const ImageRow& row : ReadTree({folder / "tree"}).images) ids.push_back(row.Id());
  EXPECT_THAT(ids, ElementsAre("eve/4-6/1.bmp", "eve/4-6/1.png", "insitu1", "otp/4-6/1.bmp"));
}

TEST(FolderTree, TheLargestCopyComesFirst) {
  const TempFolder folder;
  folder.Write("small/otp/4-6/1_s.bmp", "x");
  folder.Write("large/otp/4-6/insitu1.bmp", "xxxx");
  const SourceRows rows = ReadTree({folder / "small", folder / "large"});
  ASSERT_EQ(rows.images.size(), 2U);
  EXPECT_EQ(rows.images[0].folder, 1U);
  EXPECT_EQ(rows.images[1].folder, 0U);
}

TEST(FolderTree, IsToldByOneFile) {
  const TempFolder folder;
  folder.Write("flat/a.png", "x");
  folder.Write("flat/4-6/b.png", "x");
  folder.Write("tree/a.png", "x");
  folder.Write("tree/otp/4-6/b.png", "x");
  EXPECT_FALSE(IsFolderTree(FindImageFiles({folder / "flat"})));
  EXPECT_TRUE(IsFolderTree(FindImageFiles({folder / "tree"})));
}

}  // namespace
}  // namespace flyscribe
