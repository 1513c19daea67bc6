#include "corpus/import_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/text.h"
#include "tests/support/expect_error.h"
#include "tests/support/real_data.h"
#include "tests/support/report_totals.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> Lines(const ImportReport& report) {
  std::vector<std::string> lines = Split(report.Tsv(), '\n');
  lines.pop_back();
  return lines;
}

TEST(ImportReport, EveryRowIsUsedOrHasAReason) {
  const TempFolder folder;
  folder.Write("images/1_s.bmp", "x");
  folder.Write("images/insitu1.bmp", "xx");
  folder.Write("images/insitu99.bmp", "x");
  const Corpus corpus(
      {folder.Write("annot.csv", "CG1,a,FBgn1,4,brain\nCG1,a,FBgn1,4,brain\nCG1,a,FBgn1,5,gut\nCG1,a,FBgn1,9,x\n"),
       folder.Write("images.csv",
                    "CG1,a,a,FBgn1,,d/insitu1.jpe,4,dorsal\nCG1,a,a,FBgn1,,d/insitu2.jpe,4,\n"
                    "CG1,a,a,FBgn1,,production_images/insitu3.jpe,4,\n"),
       {folder / "images"}});
  const ImportReport report = MakeImportReport(corpus);
  CheckedTotals(report.Tsv());
  EXPECT_EQ(report.faults, 2U);
  EXPECT_THAT(Lines(report),
              ElementsAre("table\tline\toutcome\treason\tdetail\tcount",
                          "annot.csv\t\ttotal\trows\tBDGP annotations\t4",
                          "annot.csv\t\ttotal\tused\t\t1",
                          "annot.csv\t\ttotal\tannotation without image\t\t1",
                          "annot.csv\t\ttotal\tbad stage code\t\t1",
                          "annot.csv\t\ttotal\tduplicate row\t\t1",
                          "images.csv\t\ttotal\trows\tBDGP images\t3",
                          "images.csv\t\ttotal\tused\t\t1",
                          "images.csv\t\ttotal\timage file not found\t\t1",
                          "images.csv\t\ttotal\tproduction image, a field of many embryos\t\t1",
                          "image files\t\ttotal\tfiles\t\t3",
                          "image files\t\ttotal\tused\t\t1",
                          "image files\t\ttotal\tanother file of the same image is larger\t\t1",
                          "image files\t\ttotal\tlisted, but not used\t\t0",
                          "image files\t\ttotal\tlisted in no table\t\t1",
                          "annot.csv\t2\tleft out\tduplicate row\t\t1",
                          "annot.csv\t3\tleft out\tannotation without image\t\t1",
                          "annot.csv\t4\tfault\tbad stage code\t'9'\t1",
                          "images.csv\t2\tfault\timage file not found\tinsitu2\t1",
                          "images.csv\t3\tleft out\tproduction image, a field of many embryos\t\t1"));
}

TEST(ImportReport, RowsThatSaySeveralThings) {
  const TempFolder folder;
  folder.Write("1_s.bmp", "x");
  const Corpus corpus(
      {folder.Write("annot.csv", "gene,stage,annotation\na,4,\"('brain','eye')\"\n"),
       folder.Write("images.csv", "gene,stage,direction,image_url\na,4,lateral,\"('1_s.bmp','2_s.bmp','x.bmp')\"\n"),
       {folder.path()}});
  const ImportReport report = MakeImportReport(corpus);
  CheckedTotals(report.Tsv());
  EXPECT_EQ(report.faults, 2U);
  std::vector<std::string> faults;
  for (const ReportRow& row : report.rows) {
    if (row.outcome == "fault") faults.push_back(row.reason + " | " + row.detail);
  }
  EXPECT_THAT(faults,
              ElementsAre("no image number in the path (part of a row) | 'x.bmp'",
                          "image file not found (part of a row) | insitu2"));
}

TEST(ImportReport, ARowThatOnlyRepeatsIsCounted) {
  const TempFolder folder;
  folder.Write("insitu1.bmp", "x");
  const std::string yolk = "CG1\t2\td/insitu1.jpe\tyolk\n";
  const Corpus corpus(
      {{}, folder.Write("mine.tsv", yolk + "CG1\t2\td/insitu1.jpe\tbrain\n" + yolk + yolk), {folder.path()}});
  auto totals = CheckedTotals(MakeImportReport(corpus).Tsv());
  EXPECT_EQ((totals[{"mine.tsv", "used"}]), 2U) << "the second row repeats its image, but has another term";
  EXPECT_EQ((totals[{"mine.tsv", "duplicate row"}]), 2U);
}

TEST(ImportReport, FilesAreKnownWhateverPathLeadsToThem) {
  const TempFolder folder;
  for (const char* file : {"images/a.bmp", "images/b.bmp", "images/c.bmp"}) folder.Write(file, file);
  fs::create_directory_symlink(folder / "images", folder / "link");
  const fs::path table = folder.Write(
      "m.tsv", "file\tgene\tstage_range\nimages/a.bmp\totp\t4-6\nimages/b.bmp\totp\t4-6\nimages/b.bmp\teve\t4-6\n");
  auto totals = CheckedTotals(MakeImportReport(Corpus({{}, table, {folder / "link"}})).Tsv());
  EXPECT_EQ((totals[{"image files", "files"}]), 3U);
  EXPECT_EQ((totals[{"image files", "used"}]), 1U);
  EXPECT_EQ((totals[{"image files", "listed, but not used"}]), 1U);
  EXPECT_EQ((totals[{"image files", "listed in no table"}]), 1U);
}

TEST(ImportReport, FilesOfATree) {
  const TempFolder folder;
  for (const char* file : {"t/otp/4-6/insitu1.bmp", "t/otp/4-6/1_s.bmp", "t/otp/4-6/x.bmp", "t/stray.bmp"}) {
    folder.Write(file, file);
  }
  auto totals = CheckedTotals(MakeImportReport(Corpus({{}, {}, {folder / "t"}})).Tsv());
  EXPECT_EQ((totals[{"image files", "files"}]), 4U);
  EXPECT_EQ((totals[{"image files", "used"}]), 2U);
  EXPECT_EQ((totals[{"image files", "another file of the same image is larger"}]), 1U);
  EXPECT_EQ((totals[{"image files", "listed, but not used"}]), 1U);
  EXPECT_EQ((totals[{"image files", "listed in no table"}]), 0U);
}

TEST(ImportReport, RealTables) {
  const fs::path data = RealDataFile("bdgp");
  FLYSCRIBE_SKIP_WITHOUT(data / "insitu_annot.csv");
  const Corpus corpus(
      {data / "insitu_annot.csv", data / "insitu_images.csv", {data / "images_80x32", data / "images_320x128"}});
  auto totals = CheckedTotals(MakeImportReport(corpus).Tsv());
  EXPECT_EQ((totals[{"insitu_annot.csv", "rows"}]), 16086U);
  EXPECT_EQ((totals[{"insitu_images.csv", "rows"}]), 1795U);
  EXPECT_EQ((totals[{"insitu_images.csv", "used"}]), 1729U);
  EXPECT_EQ((totals[{"image files", "files"}]), 1734U);
  EXPECT_EQ((totals[{"image files", "used"}]), 1729U);
  EXPECT_EQ((totals[{"image files", "another file of the same image is larger"}]), 5U);
}

TEST(ImageTableText, PathsLeadToTheFilesThroughALink) {
  const TempFolder folder;
  folder.Write("images/insitu7.bmp", "x");
  fs::create_directories(folder / "far/away/real");
  fs::create_directory_symlink(folder / "far/away/real", folder / "out");
  fs::create_directory_symlink(folder / "images", folder / "far/link");
  const fs::path table = folder.Write("images.csv", "CG1,a,a,FBgn1,,d/insitu7.jpe,4,dorsal\n");
  const Corpus corpus({{}, table, {folder / "far/link"}});
  const std::string text = ImageTableText(corpus, folder / "out", {});
  EXPECT_THAT(text, HasSubstr("\t../../../images/insitu7.bmp\t"));
  const Corpus again({{}, folder.Write("out/manifest.tsv", text), {}});
  EXPECT_TRUE(again.images.at(0).IsJoined()) << text;
}

TEST(ImageTableText, IsReadBackAsItWasWritten) {
  const TempFolder folder;
  folder.Write("images/insitu7.bmp", "x");
  folder.Write("images/insitu8.bmp", "x");
  const Corpus corpus({folder.Write("annot.csv", "CG1,a,FBgn1,4,eye\nCG1,a,FBgn1,4,brain\nCG1,a,FBgn1,5,gut\n"),
                       folder.Write("images.csv",
                                    "CG1,a,a,FBgn1,,d/insitu7.jpe,4,dorsal\nCG1,a,a,FBgn1,,d/insitu9.jpe,4,\n"
                                    "CG2,b,b,FBgn2,,d/insitu8.jpe,4,\n"),
                       {folder / "images"}});
  const auto id_of = [](const std::string& term, StageRange range) {
    return term == "brain" && range.name() == "9-10" ? "FBbt:1" : "";
  };
  const std::string text = ImageTableText(corpus, folder / "out", id_of);
  const std::string fbdv = StageRange::FromCode(4).fbdv();
  EXPECT_EQ(text,
            "image_id\tfile\tstage_range\tfbdv_ids\tfbgn\tcg\tsymbol\tview\tterms\tfbbt_ids\n"
            "insitu7\t../images/insitu7.bmp\t9-10\t" +
                fbdv +
                "\tFBgn1\tCG1\ta\tdorsal\tbrain|eye\tFBbt:1|\n"
                "insitu8\t../images/insitu8.bmp\t9-10\t" +
                fbdv + "\tFBgn2\tCG2\tb\t\t\t\n");
  const Corpus again({{}, folder.Write("out/manifest.tsv", text), {}});
  EXPECT_EQ(ImageTableText(again, folder / "out", id_of), text);
  EXPECT_THAT(again.notes, IsEmpty());
}

TEST(ImageTableText, QuotesInNamesAndTermsAreReadBack) {
  const TempFolder folder;
  folder.Write("images/\"q\".bmp", "x");
  const fs::path table = folder.Write(
      "m.csv",
      "file,symbol,stage_range,view,terms,image_id\n"
      "\"images/\"\"q\"\".bmp\",\"\"\"a\"\" b\",4-6,lateral,\"\"\"deep\"\" brain|eye\",\"\"\"mine\"\"\"\n");
  const Corpus corpus({{}, table, {}});
  ASSERT_EQ(corpus.images.size(), 1U);
  ASSERT_TRUE(corpus.images[0].IsJoined());
  const std::string text = ImageTableText(corpus, folder / "images", {});
  const Corpus again({{}, folder.Write("images/manifest.tsv", text), {}});
  ASSERT_EQ(again.images.size(), 1U) << text;
  EXPECT_TRUE(again.images[0].IsJoined()) << text;
  EXPECT_EQ(again.images[0].id, "\"mine\"");
  EXPECT_EQ(again.genes[0].symbol, "\"a\" b");
  ASSERT_EQ(again.labels.size(), 2U);
  EXPECT_EQ(again.labels[0].term, "\"deep\" brain");
}

TEST(ImageTableText, APathThatIsNoTextIsAnError) {
  const TempFolder folder;
  folder.Write("caf\xe9/insitu1.bmp", "x");
  const Corpus corpus({{}, folder.Write("i.csv", "CG1,a,a,FBgn1,,d/insitu1.jpe,4,lateral\n"), {folder.path()}});
  ASSERT_TRUE(corpus.images.at(0).IsJoined()) << "a run does not mind";
  const CaughtError error = ExpectError([&] { ImageTableText(corpus, folder.path(), {}); });
  EXPECT_EQ(error.code, ErrorCode::kInput);
  EXPECT_THAT(
      error.text,
      HasSubstr("caf\xc3\xa9/insitu1.bmp: error: manifest.tsv cannot name this file: its path is not UTF-8 text"));
}

}  // namespace
}  // namespace flyscribe
