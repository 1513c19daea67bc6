#include "corpus/folder_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

using testing::ElementsAre;

SourceRows Read(const std::vector<fs::path>& folders) {
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
  const SourceRows rows = Read({folder / "tree"});
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
  const SourceRows rows = Read({folder / "tree"});
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
  for (const ImageRow& row : Read({folder / "tree"}).images) ids.push_back(row.Id());
  EXPECT_THAT(ids, ElementsAre("eve/4-6/1.bmp", "eve/4-6/1.png", "insitu1", "otp/4-6/1.bmp"));
}

TEST(FolderTree, TheLargestCopyComesFirst) {
  const TempFolder folder;
  folder.Write("small/otp/4-6/1_s.bmp", "x");
  folder.Write("large/otp/4-6/insitu1.bmp", "xxxx");
  const SourceRows rows = Read({folder / "small", folder / "large"});
  ASSERT_EQ(rows.images.size(), 2U);
  EXPECT_EQ(rows.images[0].folder, 1U);
  EXPECT_EQ(rows.images[1].folder, 0U);
}

}  // namespace
}  // namespace flyscribe
