// flyscribe data import: tables and folders into one table of images, and that table into a run.
#include <sys/stat.h>

#include <set>

#include "core/csv.h"
#include "core/text.h"
#include "data/image.h"
#include "data/tables.h"
#include "tests/integration/workspace.h"
#include "tests/support/gzip_text.h"
#include "tests/support/real_data.h"
#include "tests/support/report_totals.h"

namespace flyscribe {
namespace {

using testing::StartsWith;

class DataCommandTest : public Workspace {
 protected:
  ProgramResult Import(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"data", "import"});
    return Flyscribe(arguments);
  }
  std::size_t RowsIn(const std::string& file) const {
    return ParseTable(ReadFile(folder_ / file), '\t').rows.size() - 1;
  }

  struct ImageTable {
    std::size_t images = 0;
    std::size_t large = 0;                               // of 320x128
    std::map<std::string, std::set<std::string>> genes;  // by range
    std::size_t labels = 0;                              // of bags
    std::size_t labels_with_id = 0;
  };

  ImageTable ReadImageTable(const std::string& file) const {
    ImageTable found;
    const Table table = ParseTable(ReadFile(folder_ / file), '\t');
    for (std::size_t i = 1; i < table.rows.size(); ++i) {
      const std::vector<std::string>& fields = table.rows[i].fields;
      ++found.images;
      found.large += fields[1].find("images_320x128") != std::string::npos ? 1U : 0U;
      const std::string gene = fields[4] + (fields[4].empty() ? fields[5] + " " + fields[6] : "");
      if (!found.genes[fields[2]].insert(gene).second || fields[8].empty()) continue;
      for (const std::string& id : Split(fields[9], '|')) {
        ++found.labels;
        found.labels_with_id += id.empty() ? 0U : 1U;
      }
    }
    return found;
  }
};

TEST_F(DataCommandTest, AnImportRunsAsItsTablesDo) {
  WriteRealConfig();
  const ProgramResult imported = Import({"--annotations",
                                         "data/insitu_annot.csv",
                                         "--images-table",
                                         "data/insitu_images.csv",
                                         "--images",
                                         "data/images",
                                         "--output",
                                         "imported"});
  EXPECT_EQ(imported.exit_code, 0) << imported.err;
  EXPECT_THAT(imported.out, HasSubstr("insitu_images.csv  rows (BDGP images)"));
  EXPECT_THAT(imported.out, HasSubstr("images  bags  annotated"));
  EXPECT_EQ(RowsIn("imported/manifest.tsv"), Images().size());  // whatever their view
  ASSERT_EQ(Flyscribe({"run", "real.yaml", "--quiet"}).exit_code, 0);
  const std::string scores = ReadFile(folder_ / "output" / "4-6" / "terms.tsv");
  folder_.Write("manifest.yaml",
                "ranges: [4-6]\noutput: again\ncache: {dir: again_cache}\ndata: {images_table: imported/manifest.tsv}\n"
                "extract: {stride: 32}\nlearn: {atoms: 24, epochs: 2}\ntrain: {min_positives: 5}\n"
                "report: {examples: 2}\n");
  const ProgramResult again = Flyscribe({"run", "manifest.yaml", "--quiet"});
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(ReadFile(folder_ / "again" / "4-6" / "terms.tsv"), scores);
}

TEST_F(DataCommandTest, AFolderTreeNeedsNoTable) {
  folder_.Write("tree/otp/4-6/insitu1.bmp", "x");
  folder_.Write("tree/otp/13-17/embryo.png", "x");
  folder_.Write("tree/stray.png", "x");
  const ProgramResult result = Import({"--images", "tree", "-o", "out"});
  EXPECT_EQ(result.exit_code, 3) << result.err;  // the stray file is a fault
  EXPECT_EQ(RowsIn("out/manifest.tsv"), 2U);
  EXPECT_THAT(ReadFile(folder_ / "out/import-report.tsv"),
              HasSubstr("tree\t\tfault\tfile does not lie in <gene>/<stage range>/\ttree/stray.png\t1\n"));
}

TEST_F(DataCommandTest, NothingIsReplacedUnlessToldTo) {
  folder_.Write("tree/otp/4-6/insitu1.bmp", "x");
  EXPECT_EQ(Import({"--images", "tree", "-o", "out", "--quiet"}).out, "");
  const ProgramResult second = Import({"--images", "tree", "-o", "out"});
  EXPECT_EQ(second.exit_code, 4);
  EXPECT_THAT(second.err, HasSubstr("--force"));
  EXPECT_EQ(Import({"--images", "tree", "-o", "out", "--force"}).exit_code, 0);
}

TEST_F(DataCommandTest, BadInputLeavesNothingBehind) {
  const ProgramResult none = Import({"-o", "out"});
  EXPECT_EQ(none.exit_code, 4);
  EXPECT_THAT(none.err, HasSubstr("nothing to import is named"));
  folder_.Write("table.csv", "hello\nworld\n");
  const ProgramResult wrong = Import({"--annotations", "table.csv", "-o", "out"});
  EXPECT_EQ(wrong.exit_code, 5);
  EXPECT_THAT(wrong.err, StartsWith("table.csv: error: no row of this table can be read"));
  EXPECT_EQ(Import({"--images", "nowhere", "-o", "out"}).exit_code, 5);
  EXPECT_FALSE(fs::exists(folder_ / "out"));
  EXPECT_EQ(Flyscribe({"data"}).exit_code, 4);
}

TEST_F(DataCommandTest, DamagedTablesCostTheirRows) {
  using namespace std::string_literals;
  folder_.Write("images/insitu1.bmp", "one");
  folder_.Write("images/2_s.bmp", "two");
  folder_.Write("images/insitu0002.bmp", "the same number once more");
  folder_.Write("images/insitu3.bmp", "three");
  folder_.Write("images/insitu4.bmp", "four");
  folder_.Write(
      "annot.csv",  // a byte order mark, CR only, a NUL byte, an open quote
      "\xef\xbb\xbf"s + "CG1,a,FBgn1,4,brain\rCG1,a\0,FBgn1,4,eye\rCG1,\"a,FBgn1,4,gut\rCG2,b,FBgn2,4,caf\xe9\r"s);
  folder_.Write("images.csv",
                "CG1,a,a,FBgn1,,d/insitu1.jpe,4,lateral\nCG2,b,b,FBgn2,,d/insitu1.jpe,4,lateral\n"  // two genes
                "CG1,a,a,FBgn1,,d/insitu3.jpe,4,lateral\nCG1,a,a,FBgn1,,d/insitu3.jpe,5,lateral\n"  // two ranges
                "CG1,a,a,FBgn1,,d/insitu02.jpe,4,lateral\nCG2,b,b,FBgn2,,d/insitu4.jpe,4,\n"
                "CG1,a,a,FBgn1,,d/insitu18446744073709551617.jpe,4,lateral\n" +
                    std::string(2'000'000, 'x') + "\n");
  const ProgramResult result = Import({"--annotations",
                                       "annot.csv",
                                       "--images-table",
                                       "images.csv",
                                       "--images",
                                       "images",
                                       "--images",
                                       "images/",
                                       "-o",
                                       "out"});
  EXPECT_EQ(result.exit_code, 3) << result.err;
  auto totals = CheckedTotals(ReadFile(folder_ / "out/import-report.tsv"));
  const auto total = [&](const std::string& table, const std::string& reason) { return totals[{table, reason}]; };
  EXPECT_EQ(total("annot.csv", "rows"), 4U);
  EXPECT_EQ(total("annot.csv", "used"), 2U);
  EXPECT_EQ(total("annot.csv", "cannot be parsed"), 2U);
  EXPECT_EQ(total("images.csv", "rows"), 8U);
  EXPECT_EQ(total("images.csv", "used"), 2U);
  EXPECT_EQ(total("images.csv", "image listed under two genes"), 2U);
  EXPECT_EQ(total("images.csv", "image listed under two stage ranges"), 2U);
  EXPECT_EQ(total("images.csv", "no image number in the path"), 1U);
  EXPECT_EQ(total("images.csv", "cannot be parsed"), 1U);
  EXPECT_EQ(total("image files", "files"), 5U) << "a folder that is named twice is searched once";
  EXPECT_EQ(total("image files", "another file of the same image is larger"), 1U);
  const std::string table = ReadFile(folder_ / "out/manifest.tsv");
  EXPECT_THAT(table, HasSubstr("insitu2\t../images/insitu0002.bmp\t"));
  EXPECT_THAT(table, HasSubstr("\tcaf\xc3\xa9\t"));
  EXPECT_THAT(table, Not(HasSubstr("insitu1\t")));
  EXPECT_THAT(table, Not(HasSubstr("insitu3\t")));
}

TEST_F(DataCommandTest, OneMissingFileOfARowIsAFault) {
  folder_.Write("images/1_s.bmp", "one");
  folder_.Write("images.csv", "gene,stage,direction,image_url\notp,2,lateral,\"('1_s.bmp','2_s.bmp')\"\n");
  const ProgramResult result = Import({"--images-table", "images.csv", "--images", "images", "-o", "out"});
  EXPECT_EQ(result.exit_code, 3) << result.err;
  EXPECT_EQ(RowsIn("out/manifest.tsv"), 1U);
  const std::string report = ReadFile(folder_ / "out/import-report.tsv");
  EXPECT_EQ((CheckedTotals(report)[{"images.csv", "used"}]), 1U);
  EXPECT_THAT(report, HasSubstr("images.csv\t2\tfault\timage file not found (part of a row)\tinsitu2\t1\n"));
}

TEST_F(DataCommandTest, WhatIsNoTableIsAClearError) {
  folder_.Write("tree/otp/4-6/insitu1.bmp", "x");
  fs::create_directories(folder_ / "folder");
  ASSERT_EQ(mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  folder_.Write("empty.csv", "");
  folder_.Write("mark.csv", "\xef\xbb\xbf\r\n");
  folder_.Write("header.csv", "cg,symbol,fbgn,stage,term\n");
  folder_.Write("wide.csv",
                std::string("\xff\xfe"
                            "C\0G\0",
                            6));
  const std::string packed = GzipText(std::string(2000, 'x') + "\nCG1,a,FBgn1,4,brain\n");
  folder_.Write("cut.csv", packed.substr(0, packed.size() - 4));
  folder_.Write("bomb.csv", GzipText(std::string(std::size_t{1100} << 20, '\n')));
  const std::vector<std::pair<std::string, std::string>> tables = {
      {"folder", "a file is expected here, not a folder"},
      {"pipe", "not a regular file"},
      {"empty.csv", "table is empty"},
      {"mark.csv", "table is empty"},
      {"header.csv", "no row of this table can be read"},
      {"wide.csv", "table is UTF-16 text"},
      {"cut.csv", "compressed file is cut off or damaged"},
      {"bomb.csv", "compressed file unpacks to more than 1.1 GB"}};
  for (const auto& [table, message] : tables) {
    const ProgramResult result = Import({"--annotations", table, "--images", "tree", "-o", "out"});
    EXPECT_EQ(result.exit_code, 5) << table;
    EXPECT_THAT(result.err, StartsWith(table + ": error: "));
    EXPECT_THAT(result.err, HasSubstr(message));
    EXPECT_THAT(result.err, HasSubstr("\n  hint: "));
  }
  EXPECT_FALSE(fs::exists(folder_ / "out"));
}

TEST_F(DataCommandTest, ADamagedCopyDoesNotTakeThePlaceOfASoundOne) {
  const std::string bmp = EncodeBmp(RgbImage(8, 4));
  std::string huge = bmp;
  huge.replace(18, 8, std::string("\xff\xff\xff\x0f\xff\xff\xff\x0f", 8));
  folder_.Write("images/insitu1.bmp", huge);
  folder_.Write("images/1_s.bmp", bmp);
  folder_.Write("images.csv", "CG1,a,a,FBgn1,,d/insitu1.jpe,4,lateral\n");
  EXPECT_EQ(Import({"--images-table", "images.csv", "--images", "images", "-o", "out"}).exit_code, 0);
  EXPECT_THAT(ReadFile(folder_ / "out/manifest.tsv"), HasSubstr("../images/1_s.bmp"));
}

TEST_F(DataCommandTest, RealTables) {
  const fs::path data = RealDataFile("bdgp");
  FLYSCRIBE_SKIP_WITHOUT(data / "insitu_annot.csv");
  const ProgramResult result = Import({"--annotations",
                                       (data / "insitu_annot.csv").string(),
                                       "--images-table",
                                       (data / "insitu_images.csv").string(),
                                       "--images",
                                       (data / "images_80x32").string(),
                                       "--images",
                                       (data / "images_320x128").string(),
                                       "--output",
                                       "out"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  auto totals = CheckedTotals(ReadFile(folder_ / "out/import-report.tsv"));
  EXPECT_EQ((totals[{"insitu_annot.csv", "rows"}]), 16086U);
  EXPECT_EQ((totals[{"insitu_images.csv", "rows"}]), 1795U);
  EXPECT_EQ((totals[{"image files", "files"}]), 1734U);
  const ImageTable table = ReadImageTable("out/manifest.tsv");
  EXPECT_EQ(table.images, 1729U);
  EXPECT_EQ(table.large, 110U) << "the large one of each number that lies in both folders";
  const std::map<std::string, std::size_t> bags = {
      {"1-3", 79}, {"4-6", 223}, {"7-8", 163}, {"9-10", 165}, {"11-12", 155}, {"13-16", 521}};
  for (const auto& [range, count] : bags) EXPECT_EQ(table.genes.at(range).size(), count) << range;
  EXPECT_EQ(table.labels, 6272U);
  EXPECT_GE(static_cast<double>(table.labels_with_id), 0.97 * static_cast<double>(table.labels));
}

// CG id and symbol of each image as its row spells them, by the image's id.
std::map<std::string, std::vector<std::string>> RawNames(const fs::path& images_table) {
  std::map<std::string, std::vector<std::string>> names;
  for (const TableRow& row : ParseTable(ToUtf8(ReadFile(images_table)), ',').rows) {
    const std::string& path = row.fields.at(5);
    const std::size_t start = path.find("insitu");
    names[path.substr(start, path.rfind('.') - start)] = {"CG " + row.fields[0], "symbol " + row.fields[1]};
  }
  return names;
}

// The runs' own record of who learns and who is tested, over all ranges, against the names in BDGP's own rows.
TEST_F(DataCommandTest, NoGeneOfARealRunStandsOnBothSidesOfASplit) {
  const fs::path data = RealDataFile("bdgp");
  FLYSCRIBE_SKIP_WITHOUT(data / "insitu_annot.csv");
  folder_.Write(
      "real.yaml",
      "ranges: [1-3, 4-6, 7-8, 9-10, 11-12, 13-16]\noutput: output\ncache: {dir: cache}\ndata:\n  annotations: " +
          (data / "insitu_annot.csv").string() + "\n  images_table: " + (data / "insitu_images.csv").string() +
          "\n  images: [" + (data / "images_80x32").string() + ", " + (data / "images_320x128").string() + "]\n");
  const ProgramResult result = Flyscribe({"run", "real.yaml", "--until", "ingest", "--quiet"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto raw_names = RawNames(data / "insitu_images.csv");
  std::map<std::string, std::string> fold_of_name;  // by CG id and symbol
  std::map<std::string, std::string> picture_bag;   // by the image's digest, gene
  std::size_t bags = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder_ / "cache")) {
    if (entry.path().filename() != "bags.tsv") continue;
    std::map<std::string, std::string> fold_of_bag;
    for (const auto& row : LoadTsv(entry.path(), {"id", "gene", "symbol", "fbgn", "fold", "ids", "symbols"})) {
      ++bags;
      EXPECT_TRUE(fold_of_bag.try_emplace(row[0], row[4]).second) << row[0];
    }
    for (const auto& row :
         LoadTsv(entry.path().parent_path() / "images.tsv", {"id", "folder", "file", "digest", "bag"})) {
      const std::string& fold = fold_of_bag.at(row[4]);
      for (const std::string& name : raw_names.at(row[0])) {
        EXPECT_EQ(fold_of_name.try_emplace(name, fold).first->second, fold) << name;
      }
      EXPECT_EQ(picture_bag.try_emplace(row[3], row[4]).first->second, row[4])
          << "one picture of two genes: " << row[0];
    }
  }
  EXPECT_GT(bags, 1000U);
  EXPECT_GT(fold_of_name.size(), 1000U);
}

}  // namespace
}  // namespace flyscribe
