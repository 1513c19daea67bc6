#include "corpus/bdgp_tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string kAnnotation = "CG1,a,FBgn0000001,4,brain\n";
const std::string kImage = "CG1,a,a,FBgn0000001,RE1,img_dir_4/insitu4593.jpe,4,lateral,,\n";

BdgpTables Load(const std::string& annotations, const std::string& images) {
  const TempFolder folder;
  return BdgpTables::Load(folder.Write("annot.csv", annotations), folder.Write("images.csv", images));
}

std::vector<std::string> Reasons(const BdgpTables& tables) {
  std::vector<std::string> reasons;
  for (const SkippedRow& row : tables.skipped) {
    reasons.push_back(row.skipped.input + " " + row.skipped.reason + (row.skipped.fault ? " !" : ""));
  }
  return reasons;
}

TEST(BdgpTables, QuotedCommaTable) {
  const BdgpTables tables =
      Load("\"CG10036\",\"otp\",\"FBgn0015524\",4,\"brain, larval\"\r\n",
           "\"CG10036\",\"otp\",\"otp\",\"FBgn0015524\",,\"img_dir_4/insitu4593.jpe\",5,\"Lateral\",,\n");
  ASSERT_EQ(tables.annotations.size(), 1U);
  EXPECT_EQ(tables.annotations[0].gene.Identity(), "FBgn0015524");
  EXPECT_EQ(tables.annotations[0].gene.cg, "CG10036");
  EXPECT_EQ(tables.annotations[0].gene.symbol, "otp");
  EXPECT_EQ(tables.annotations[0].stage, 4);
  EXPECT_EQ(tables.annotations[0].term, "brain, larval");
  EXPECT_EQ(tables.annotations[0].line, 1);
  ASSERT_EQ(tables.images.size(), 1U);
  EXPECT_EQ(tables.images[0].gene.Identity(), "FBgn0015524");
  EXPECT_EQ(tables.images[0].stage, 5);
  EXPECT_EQ(tables.images[0].view, "lateral");
  EXPECT_EQ(tables.images[0].number, 4593);
  EXPECT_THAT(tables.skipped, IsEmpty());
  EXPECT_EQ(tables.annotations_name, "annot.csv");
  EXPECT_EQ(tables.images_name, "images.csv");
}

TEST(BdgpTables, TabsLatin1AndSwappedColumns) {
  const BdgpTables tables = Load("Krüppel\tCG3340\tFBgn0001325\t2\tgap\nKr\xfcppel\tCR3341\t\\N\t2\tgap\n",
                                 "CG3340\tKr\tKr\tFBgn0001325\t\\N\timg_dir_1/insitu7.jpe\t2\n");
  ASSERT_EQ(tables.annotations.size(), 2U);
  EXPECT_EQ(tables.annotations[0].gene.cg, "CG3340");
  EXPECT_EQ(tables.annotations[1].gene.cg, "CR3341");
  EXPECT_EQ(tables.annotations[1].gene.symbol, "Kr\xc3\xbcppel");
  EXPECT_EQ(tables.annotations[1].gene.Identity(), "CR3341");
  ASSERT_EQ(tables.images.size(), 1U);
  EXPECT_EQ(tables.images[0].view, "");  // seven columns name no view
}

TEST(BdgpTables, IdentityFallsBack) {
  const BdgpTables tables = Load("TE1,TE1,,1,x\n,only,,1,x\nCG2,b,not-an-fbgn,1,x\n" + kAnnotation, kImage);
  ASSERT_EQ(tables.annotations.size(), 4U);
  EXPECT_EQ(tables.annotations[0].gene.Identity(), "TE1");
  EXPECT_EQ(tables.annotations[1].gene.Identity(), "only");
  EXPECT_EQ(tables.annotations[2].gene.Identity(), "CG2");
}

TEST(BdgpTables, AMissingFbgnIsTakenFromElsewhereIfItIsClear) {
  const BdgpTables tables = Load("CG1,a,,4,brain\nCG2,b,,4,brain\nCG2,b,FBgn2,5,brain\nCG2,b,FBgn3,5,brain\n", kImage);
  EXPECT_EQ(tables.annotations[0].gene.Identity(), "FBgn0000001");  // named in the image table
  EXPECT_EQ(tables.annotations[1].gene.Identity(), "CG2");          // two answers are none
}

TEST(BdgpTables, AHeaderIsPassedOver) {
  const BdgpTables tables = Load("name,symbol,fbgn,stage,term\n" + kAnnotation,
                                 "name,s1,s2,fbgn,clone,path,stage_code,view,comment,resolution\n" + kImage);
  EXPECT_EQ(tables.annotations.size(), 1U);
  EXPECT_EQ(tables.images.size(), 1U);
  EXPECT_THAT(Reasons(tables), ElementsAre("annot.csv:1 header line", "images.csv:1 header line"));
}

TEST(BdgpTables, MalformedAnnotationsAreFaultsWithTheirLine) {
  const BdgpTables tables = Load(kAnnotation +
                                     "CG1,a,FBgn1\n"
                                     "CG1,a,FBgn1,7,brain\n"
                                     "CG1,a,FBgn1,,brain\n"
                                     "\n"
                                     "CG1,a,FBgn1,4,brain, larval\n"
                                     ",,,4,brain\n"
                                     "CG1,a,FBgn1,4,\n"
                                     "CG1,\"a,FBgn1,4,brain\n" +
                                     "CG1,a,FBgn0000001,4,eye,,\n",
                                 kImage);
  EXPECT_EQ(tables.annotations.size(), 2U);
  EXPECT_EQ(tables.annotation_lines, 9U);
  EXPECT_THAT(Reasons(tables),
              ElementsAre("annot.csv:9 cannot be parsed: quote is never closed !",
                          "annot.csv:2 too few columns: 3 !",
                          "annot.csv:3 bad stage code: '7' !",
                          "annot.csv:4 bad stage code: '' !",
                          "annot.csv:6 too many columns: 6 (a term with a comma must be quoted) !",
                          "annot.csv:7 no gene !",
                          "annot.csv:8 no term !"));
  EXPECT_EQ(tables.skipped[1].stage, 0);
  EXPECT_EQ(tables.skipped[5].stage, 4);
}

TEST(BdgpTables, MalformedImagesAreFaultsAndProductionImagesAFilter) {
  const BdgpTables tables = Load(kAnnotation,
                                 kImage +
                                     "CG1,a,a,FBgn1,,img_dir_1/insitu1.jpe\n"
                                     "CG1,a,a,FBgn1,,img_dir_1/insitu1.jpe,0\n"
                                     "CG1,a,a,FBgn1,,img_dir_1/embryo.jpe,3\n"
                                     "CG1,a,a,FBgn1,,production_images/7/insitu12.jpe,3\n"
                                     ",,,,,img_dir_1/insitu1.jpe,3\n");
  EXPECT_EQ(tables.images.size(), 1U);
  EXPECT_EQ(tables.image_lines, 6U);
  EXPECT_THAT(Reasons(tables),
              ElementsAre("images.csv:2 too few columns: 6 !",
                          "images.csv:3 bad stage code: '0' !",
                          "images.csv:4 no image number in the path: 'img_dir_1/embryo.jpe' !",
                          "images.csv:5 production image, a field of many embryos",
                          "images.csv:6 no gene !"));
  EXPECT_EQ(tables.skipped[3].stage, 3);
}

TEST(BdgpTables, ImagesOfTwoGenesAreKnown) {
  const BdgpTables tables = Load(kAnnotation,
                                 kImage + kImage +
                                     "CG2,b,b,FBgn2,,img_dir_1/insitu7.jpe,3\n"
                                     "CG3,c,c,FBgn3,,img_dir_1/insitu7.jpe,4\n");
  EXPECT_THAT(tables.shared_images, ElementsAre(7));
}

TEST(BdgpTables, TablesThatAreNone) {
  const TempFolder folder;
  const fs::path good = folder.Write("annot.csv", kAnnotation);
  const auto error = [&](const fs::path& images) { return ExpectError([&] { BdgpTables::Load(good, images); }); };
  EXPECT_THAT(error(folder / "gone.csv").text, HasSubstr("gone.csv: error: cannot read: No such file or directory"));
  EXPECT_THAT(error(folder.path()).text, HasSubstr("hint: a file is expected here, not a folder"));
  const CaughtError empty = error(folder.Write("empty.csv", " \n\n"));
  EXPECT_EQ(empty.code, ErrorCode::kInput);
  EXPECT_THAT(empty.text, HasSubstr("empty.csv: error: table is empty\n  hint: fetch the table from BDGP again"));
  EXPECT_THAT(error(folder.Write("t.gz", "\x1f\x8b\x08junk")).text, HasSubstr("hint: unpack it with `gunzip` first"));
  const CaughtError wrong = error(folder.Write("wrong.csv", "a,b\nc,d\n"));
  EXPECT_EQ(wrong.code, ErrorCode::kInput);
  EXPECT_THAT(wrong.text,
              HasSubstr("wrong.csv: error: no row of this table can be read\n  hint: expected columns: CG id"));
  EXPECT_THAT(ExpectError([&] { BdgpTables::Load(folder / "wrong.csv", good); }).text,
              HasSubstr("expected columns: CG id, symbol, FBgn, stage code 1-6, term"));
}

}  // namespace
}  // namespace flyscribe
