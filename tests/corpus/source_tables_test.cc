#include "corpus/source_tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/expect_error.h"
#include "tests/support/gzip_text.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string kAnnotation = "CG1,a,FBgn0000001,4,brain\n";
const std::string kImage = "CG1,a,a,FBgn0000001,RE1,img_dir_4/insitu4593.jpe,4,lateral,,\n";

SourceRows Load(const std::string& annotations, const std::string& images) {
  const TempFolder folder;
  return ReadTables({folder.Write("annot.csv", annotations), folder.Write("images.csv", images), {}});
}

std::vector<std::string> Reasons(const SourceRows& rows) {
  std::vector<std::string> reasons;
  for (const LeftOut& row : rows.left_out) {
    reasons.push_back(rows.tables[row.place.table].NameOf(row.place.line) + " " + row.reason + (row.fault ? " !" : ""));
  }
  return reasons;
}

std::vector<std::string> Terms(const SourceRows& rows) {
  std::vector<std::string> terms;
  for (const AnnotationRow& row : rows.annotations) {
    terms.push_back(row.gene.Identity() + " " + std::to_string(row.stage) + " " + row.term);
  }
  return terms;
}

TEST(ReadTables, QuotedCommaTable) {
  const SourceRows rows =
      Load("\"CG10036\",\"otp\",\"FBgn0015524\",4,\"brain, larval\"\r\n",
           "\"CG10036\",\"otp\",\"otp\",\"FBgn0015524\",,\"img_dir_4/insitu4593.jpe\",5,\"Lateral\",,\n");
  EXPECT_THAT(Terms(rows), ElementsAre("FBgn0015524 4 brain, larval"));
  EXPECT_EQ(rows.annotations[0].place, (RowPlace{0, 1}));
  ASSERT_EQ(rows.images.size(), 1U);
  EXPECT_EQ(rows.images[0].gene, (Gene{"CG10036", "otp", "FBgn0015524"}));
  EXPECT_EQ(rows.images[0].stage, 5);
  EXPECT_EQ(rows.images[0].view, "lateral");
  EXPECT_EQ(rows.images[0].number, 4593);
  EXPECT_EQ(rows.images[0].place, (RowPlace{1, 1}));
  EXPECT_THAT(rows.left_out, IsEmpty());
  EXPECT_EQ(rows.tables[0].name, "annot.csv");
  EXPECT_EQ(rows.tables[0].format, "BDGP annotations");
  EXPECT_EQ(rows.tables[1].format, "BDGP images");
}

TEST(ReadTables, TabsLatin1AndSwappedColumns) {
  const SourceRows rows = Load("Krüppel\tCG3340\tFBgn0001325\t2\tgap\nKr\xfcppel\tCR3341\t\\N\t2\tgap\n",
                               "CG3340\tKr\tKr\tFBgn0001325\t\\N\timg_dir_1/insitu7.jpe\t2\n");
  ASSERT_EQ(rows.annotations.size(), 2U);
  EXPECT_EQ(rows.annotations[0].gene.cg, "CG3340");
  EXPECT_EQ(rows.annotations[1].gene.symbol, "Kr\xc3\xbcppel");
  EXPECT_EQ(rows.annotations[1].gene.Identity(), "CR3341");
  ASSERT_EQ(rows.images.size(), 1U);
  EXPECT_EQ(rows.images[0].view, "");  // seven columns name no view
}

TEST(ReadTables, ByteOrderMarkCrOnlyLinesAndGzip) {
  const std::string text =
      "\xef\xbb\xbf"
      "CG1,a,FBgn1,4,brain\rCG1,a,FBgn1,4,eye\r";
  for (const std::string& bytes : {text, GzipText(text)}) {
    EXPECT_THAT(Terms(Load(bytes, GzipText(kImage))), ElementsAre("FBgn1 4 brain", "FBgn1 4 eye"));
  }
}

TEST(ReadTables, AHeaderIsPassedOver) {
  const SourceRows rows = Load("name,symbol,fbgn,stage,term\n" + kAnnotation,
                               "name,s1,s2,fbgn,clone,path,stage_code,view,comment,resolution\n" + kImage);
  EXPECT_EQ(rows.annotations.size(), 1U);
  EXPECT_EQ(rows.images.size(), 1U);
  EXPECT_THAT(Reasons(rows), ElementsAre("annot.csv:1 header line", "images.csv:1 header line"));
}

TEST(ReadTables, TheKindIsToldByContentNotByTheOption) {
  const SourceRows swapped = Load(kImage, kAnnotation);
  EXPECT_EQ(swapped.annotations.size(), 1U);
  EXPECT_EQ(swapped.images.size(), 1U);
  const SourceRows express = Load("gene,stage,annotation\notp,4-6,\"('gap', 'brain')\"\n",
                                  "gene,stage,direction,image_url\notp,4-6,lateral,\"('1_s.bmp',)\"\n");
  EXPECT_THAT(Terms(express), ElementsAre("otp 2 gap", "otp 2 brain"));
  EXPECT_EQ(express.images.size(), 1U);
  EXPECT_EQ(express.tables[1].format, "FlyExpress images");
}

TEST(ReadTables, OneTableMaySayItAll) {
  const TempFolder folder;
  const fs::path mine =
      folder.Write("mine.tsv", "CG1\t2\timg_dir_0/insitu7.jpe\tyolk nuclei\nCG1\t2\timg_dir_0/insitu7.jpe\tgap\n");
  for (const Sources& sources : {Sources{mine, {}, {}}, Sources{{}, mine, {}}, Sources{mine, mine, {}}}) {
    const SourceRows rows = ReadTables(sources);
    EXPECT_THAT(Terms(rows), ElementsAre("CG1 2 yolk nuclei", "CG1 2 gap"));
    EXPECT_EQ(rows.images.size(), 2U);
    EXPECT_EQ(rows.tables.size(), 1U);
    EXPECT_TRUE(rows.annotations[0].may_repeat);
  }
}

TEST(ReadTables, BadRowsAreFaultsWithTheirLine) {
  const SourceRows rows = Load(kAnnotation +
                                   "CG1,a,FBgn1\n"
                                   "CG1,a,FBgn1,7,brain\n"
                                   "\n" +
                                   std::string("CG1,a\0b,FBgn1,4,x\n", 18) +
                                   "CG1,a,FBgn1,4,\n"
                                   "CG1,\"a,FBgn1,4,brain\n"
                                   "CG1,a,FBgn0000001,4,eye,,\n",
                               kImage);
  EXPECT_EQ(rows.annotations.size(), 2U);
  EXPECT_EQ(rows.tables[0].rows, 7U);
  EXPECT_THAT(Reasons(rows),
              ElementsAre("annot.csv:5 cannot be parsed: NUL byte !",
                          "annot.csv:7 cannot be parsed: quote is never closed !",
                          "annot.csv:2 too few columns: 3 !",
                          "annot.csv:3 bad stage code: '7' !",
                          "annot.csv:6 no term !"));
  EXPECT_EQ(rows.left_out[2].stage, 0);
  EXPECT_EQ(rows.left_out[4].stage, 4);
}

TEST(ReadTables, AnEndlessLineIsOneBadRow) {
  for (const char filling : {'x', ','}) {
    const SourceRows rows = Load(kAnnotation + std::string(100'000'000, filling) + "\n" + kAnnotation, kImage);
    EXPECT_EQ(rows.annotations.size(), 2U);
    EXPECT_THAT(Reasons(rows), ElementsAre("annot.csv:2 cannot be parsed: row longer than 1 MiB !"));
  }
}

TEST(ReadTables, WideTablesCostOneRowAtATime) {
  // As many fields would take several gigabytes if all rows were held together.
  const std::string wide = std::string(1'000'000, ',') + "\n";
  std::string text = kAnnotation;
  for (int i = 0; i < 50; ++i) text += wide;
  const SourceRows rows = Load(text, kImage);
  EXPECT_EQ(rows.annotations.size(), 1U);
  EXPECT_EQ(rows.tables[0].rows, 51U);
  EXPECT_EQ(rows.left_out.size(), 50U);
  EXPECT_EQ(Reasons(Load(kAnnotation + std::string(10'000, ',') + "x\n", kImage)).at(0),
            "annot.csv:2 too many columns: 10001 (a term with a comma must be quoted) !");
}

TEST(ReadTables, TooManyRowsAreAnError) {
  const TempFolder folder;
  std::string text = kAnnotation;
  for (int i = 0; i < 3'000'000; ++i) text += "a\n";
  const fs::path path = folder.Write("many.csv", text);
  const CaughtError error = ExpectError([&] { ReadTables({path, {}, {}}); });
  EXPECT_EQ(error.code, ErrorCode::kInput);
  EXPECT_THAT(error.text,
              HasSubstr("many.csv: error: table has more than 3000000 rows\n  hint: is this the right file?"));
}

TEST(ReadTables, TooManyTermsInFewRowsAreAnError) {
  const TempFolder folder;
  std::string terms = "t";
  for (int i = 1; i < 1000; ++i) terms += "|t";
  std::string text = "file\tgene\tstage_range\tterms\n";
  for (int i = 0; i < 3000; ++i) text += "a.bmp\totp\t4-6\t" + terms + "\n";
  const fs::path path = folder.Write("many.tsv", text);
  const CaughtError error = ExpectError([&] { ReadTables({path, {}, {}}); });
  EXPECT_EQ(error.code, ErrorCode::kInput);
  EXPECT_THAT(error.text, HasSubstr("many.tsv: error: table has more than 3000000 terms and images\n  hint: is this"));
}

TEST(ReadTables, ATableOfTwoSpellingsIsReadOnce) {
  const TempFolder folder;
  const fs::path mine = folder.Write("mine.tsv", "CG1\t2\timg_dir_0/insitu7.jpe\tyolk nuclei\n");
  fs::create_directory_symlink(folder.path(), folder / "link");
  for (const fs::path& other : {folder / "./mine.tsv", folder / "link/mine.tsv"}) {
    EXPECT_EQ(ReadTables({mine, other, {}}).tables.size(), 1U) << other;
  }
}

TEST(ReadTables, ADamagedFirstRowIsNoHeader) {
  for (const std::string stage : {"stage7", "late", "x"}) {
    EXPECT_THAT(Reasons(Load("CG1,a,FBgn1," + stage + ",brain\n" + kAnnotation, kImage)),
                ElementsAre("annot.csv:1 bad stage code: '" + stage + "' !"));
  }
  for (const std::string header : {"a,b,c,Stage,d\n", "CG id,Symbol,FBgn,when,what\n"}) {
    EXPECT_THAT(Reasons(Load(header + kAnnotation, kImage)), ElementsAre("annot.csv:1 header line"));
  }
}

TEST(ReadTables, FilesOfOurOwnTableLieBesideIt) {
  const TempFolder folder;
  const fs::path table =
      folder.Write("m.tsv", "file\tgene\tstage_range\na/1.bmp\totp\t4-6\n/b/2.bmp\totp\t4-6\nc.bmp\totp\t4-6\n");
  const SourceRows rows = ReadTables({{}, table, {"images"}});
  ASSERT_EQ(rows.images.size(), 3U);
  EXPECT_EQ(rows.folders[rows.images[0].folder] / rows.images[0].file, folder / "a/1.bmp");
  EXPECT_EQ(rows.folders[rows.images[1].folder] / rows.images[1].file, fs::path("/b/2.bmp"));
  EXPECT_EQ(rows.images[2].folder, rows.images[0].folder);
  EXPECT_EQ(rows.folders.size(), 3U);
}

TEST(ReadTables, TablesThatAreNone) {
  const TempFolder folder;
  const auto error = [&](const fs::path& path) {
    return ExpectError([&] {
      SourceRows rows;
      ReadTable(path, rows);
    });
  };
  EXPECT_THAT(error(folder / "gone.csv").text, HasSubstr("gone.csv: error: cannot read: No such file or directory"));
  EXPECT_THAT(error(folder.path()).text, HasSubstr("hint: a file is expected here, not a folder"));
  const CaughtError empty = error(folder.Write("empty.csv", " \n\n"));
  EXPECT_EQ(empty.code, ErrorCode::kInput);
  EXPECT_THAT(empty.text, HasSubstr("empty.csv: error: table is empty\n  hint: fetch or export the table again"));
  EXPECT_THAT(error(folder.Write("t.gz", "\x1f\x8b\x08junk")).text, HasSubstr("compressed file is cut off or damaged"));
  EXPECT_THAT(error(folder.Write("wide.csv",
                                 std::string("\xff\xfe"
                                             "C\0G\0",
                                             6)))
                  .text,
              HasSubstr("wide.csv: error: table is UTF-16 text\n  hint: save it as UTF-8"));
  const CaughtError wrong = error(folder.Write("wrong.csv", "a,b\nc,d\n"));
  EXPECT_EQ(wrong.code, ErrorCode::kInput);
  EXPECT_THAT(wrong.text, HasSubstr("wrong.csv: error: no row of this table can be read\n  hint: the kinds of tables"));
  EXPECT_THAT(wrong.text, HasSubstr("\n    BDGP annotations: CG id, symbol, FBgn, stage code 1-6, term"));
  EXPECT_THAT(error(folder.Write("quote.csv", "\"")).text, HasSubstr("no row of this table can be read"));
}

}  // namespace
}  // namespace flyscribe
