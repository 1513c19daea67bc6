// Bad input gets a clear message with the path and a hint, a documented exit code, and loses nothing.
#include <sys/stat.h>
#include <unistd.h>

#include "data/image.h"
#include "tests/integration/workspace.h"

namespace flyscribe {
namespace {

class BadInputTest : public Workspace {
 protected:
  void ExpectFailure(const ProgramResult& result, int exit_code, const std::vector<std::string>& texts) {
    EXPECT_EQ(result.exit_code, exit_code) << result.err;
    for (const std::string& text : texts) EXPECT_THAT(result.err, HasSubstr(text));
  }
};

TEST_F(BadInputTest, CommandLine) {
  ExpectFailure(Flyscribe({}), 4, {"error:", "flyscribe --help"});
  ExpectFailure(Flyscribe({"rum"}), 4, {"error: unknown command 'rum'", "did you mean 'run'?"});
  ExpectFailure(Flyscribe({"run"}), 4, {"config"});
  ExpectFailure(Flyscribe({"run", "x.yaml", "--threads", "-3"}), 4, {"threads"});
  ExpectFailure(Flyscribe({"run", "missing.yaml"}), 5, {"missing.yaml: error: cannot read", "hint:"});
}

TEST_F(BadInputTest, Configs) {
  const auto run = [this](const std::string& content) {
    folder_.Write("c.yaml", content);
    return Flyscribe({"run", "c.yaml"});
  };
  ExpectFailure(run(""), 4, {"c.yaml: error: the config is empty"});
  ExpectFailure(run("\xff\xfe"), 4, {"not UTF-8"});
  ExpectFailure(run("a: [&a x, *a]"), 4, {"c.yaml:1:5: error: anchors"});
  ExpectFailure(run("ranges: [4-6]\nranges: [7-8]\nsimulate: {}\n"), 4, {"c.yaml:2:1: error: 'ranges' is given twice"});
  ExpectFailure(run("ranges: [4-6]\nsimulate: {}\nlearn: {atoms: many, lamda: 3}\n"),
                4,
                {"c.yaml:3:16: error: learn.atoms: expected a whole number, found 'many'",
                 "c.yaml:3:22: error: learn.lamda: unknown key",
                 "did you mean 'lambda'?"});
  ExpectFailure(run("ranges: [4-6]\nsimulate: {}\noutput: ${NOT_SET_ANYWHERE}/x\n"),
                4,
                {"c.yaml:3:9: error: output: the environment variable NOT_SET_ANYWHERE is not set"});
  ExpectFailure(run("ranges: [4-6]\nsimulate: {}\nextract: {window: 18}\n"), 4, {"window", "multiple of 4"});
  ExpectFailure(run("ranges: [4-6]\nsimulate: {}\npool: {regions: [4by2]}\n"), 4, {"pool.regions", "4by2"});
  EXPECT_FALSE(fs::exists(folder_ / "output")) << "nothing is written before the config is right";
}

TEST_F(BadInputTest, FoldersThatCannotBeWritten) {
  WriteTinyConfig();
  folder_.Write("file", "x");
  ExpectFailure(Flyscribe({"run", "tiny.yaml", "--set", "output=file"}), 8, {"file: error: cannot write", "hint:"});
  ExpectFailure(Flyscribe({"run", "tiny.yaml", "--set", "cache.dir=file/x"}), 8, {"file/x: error: cannot write"});
  if (geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  fs::create_directories(folder_ / "locked");
  fs::permissions(folder_ / "locked", fs::owner_read | fs::owner_exe);
  ExpectFailure(Flyscribe({"run", "tiny.yaml", "--set", "output=locked"}), 8, {"locked: error: cannot write"});
}

TEST_F(BadInputTest, OutputInsideTheImages) {
  WriteRealConfig();
  ExpectFailure(
      Flyscribe({"run", "real.yaml", "--set", "output=data/images/out"}), 4, {"lies inside the image folder"});
}

TEST_F(BadInputTest, MissingAndMisplacedInputs) {
  WriteRealConfig();
  ExpectFailure(Flyscribe({"run", "real.yaml", "--set", "data.annotations=nope.csv"}), 5, {"nope.csv: error:"});
  ExpectFailure(Flyscribe({"run", "real.yaml", "--set", "data.annotations=data"}), 5, {"a file is expected here"});
  ExpectFailure(Flyscribe({"run", "real.yaml", "--set", "data.images=[nope]"}), 5, {"nope", "hint:"});
  ExpectFailure(Flyscribe({"run", "real.yaml", "--set", "ranges=[9-10]"}), 5, {"9-10"});
  fs::create_symlink("loop", folder_ / "loop");
  ExpectFailure(Flyscribe({"run", "real.yaml", "--set", "data.annotations=loop"}), 5, {"loop", "circle"});
  folder_.Write("empty.csv", "");
  ExpectFailure(Flyscribe({"run", "real.yaml", "--set", "data.images_table=empty.csv"}), 5, {"empty.csv: error:"});
}

TEST_F(BadInputTest, BadImagesAreSkippedCountedAndListed) {
  WriteRealConfig();
  const std::vector<fs::path> images = Images();
  ASSERT_GT(images.size(), 12U);
  const std::string good = ReadFile(images[0]);
  WriteFile(images[1], "");
  WriteFile(images[2], good.substr(0, good.size() / 2));
  WriteFile(images[3], "just text");
  std::string huge = good;
  huge.replace(18, 8, std::string("\xff\xff\xff\x0f\xff\xff\xff\x0f", 8));  // 268 million pixels a side
  WriteFile(images[4], huge);
  fs::remove(images[5]);
  fs::remove(images[6]);
  fs::create_symlink(images[6].filename(), images[6]);  // points at itself
  fs::remove(images[7]);
  fs::create_directories(images[7]);  // a folder where a file is expected
  fs::create_symlink(folder_ / "data" / "images", folder_ / "data" / "images" / "again");  // a loop of folders
  const ProgramResult result = Flyscribe({"run", "real.yaml"});
  EXPECT_EQ(result.exit_code, 3) << result.err;
  EXPECT_THAT(result.out, HasSubstr("skipped  "));
  const std::string listed = ReadFile(folder_ / "output" / "skipped.tsv");
  const std::string page = ReadFile(folder_ / "output" / "report" / "index.html");
  std::size_t found = 0;
  for (std::size_t i = 1; i <= 7; ++i) {
    const std::string number = images[i].stem().string();
    if (listed.find(number) != std::string::npos) ++found;
    // Images of other views are filtered before they are looked at.
    EXPECT_EQ(listed.find(number) != std::string::npos, page.find(number) != std::string::npos) << number;
  }
  EXPECT_GE(found, 5U) << listed;
  EXPECT_EQ(Flyscribe({"run", "real.yaml"}).exit_code, 3) << "a cached run says so too";
  ExpectFailure(Flyscribe({"run", "real.yaml", "--set", "ingest.on_bad_image=fail"}), 5, {"error:", "hint:"});
}

TEST_F(BadInputTest, MalformedRowsCostOneRowEach) {
  WriteRealConfig();
  const fs::path table = folder_ / "data" / "insitu_annot.csv";
  const std::string rows = ReadFile(table);
  WriteFile(table, "only,three,columns\n\"CG1\",\"a\",\"FBgn1\",99,\"term\"\n" + rows + "\"CG2\",\"never closed\n");
  const ProgramResult result = Flyscribe({"run", "real.yaml"});
  EXPECT_EQ(result.exit_code, 3) << result.err;
  const std::string listed = ReadFile(folder_ / "output" / "skipped.tsv");
  EXPECT_THAT(listed, HasSubstr("insitu_annot.csv:1\t"));
  EXPECT_THAT(listed, HasSubstr("insitu_annot.csv:2\t"));
}

TEST_F(BadInputTest, RareTermsAreSkippedWithTheReason) {
  WriteTinyConfig();
  ASSERT_EQ(Flyscribe({"run", "tiny.yaml", "--set", "train.min_positives=14"}).exit_code, 0);
  EXPECT_THAT(ReadFile(folder_ / "output" / "report" / "index.html"), HasSubstr("train.min_positives = 14"));
  const ProgramResult none = Flyscribe({"run", "tiny.yaml", "--set", "train.min_positives=1000"});
  EXPECT_EQ(none.exit_code, 0) << none.err;
  EXPECT_THAT(none.out, HasSubstr("no term could be evaluated"));
}

TEST_F(BadInputTest, NonAsciiPaths) {
  const fs::path strange = folder_ / "d\xc3\xa9veloppement \xe6\x9e\x9c\xe8\x9d\x87";
  fs::create_directories(strange);
  WriteTinyConfig();
  fs::rename(folder_ / "tiny.yaml", strange / "\xc3\xbc.yaml");
  const ProgramResult result = Flyscribe({"run", (strange / "\xc3\xbc.yaml").string()});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(fs::exists(strange / "output" / "run.json"));
}

TEST_F(BadInputTest, PipesDoNotHang) {
  WriteRealConfig();
  ASSERT_EQ(mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  ExpectFailure(Flyscribe({"run", "real.yaml", "--set", "data.annotations=pipe"}), 5, {"not a regular file"});
}

}  // namespace
}  // namespace flyscribe
