// flyscribe why: which fact makes a step run.
#include <nlohmann/json.hpp>

#include "tests/integration/tiny_suite.h"
#include "tests/integration/workspace.h"

namespace flyscribe {
namespace {

using Json = nlohmann::ordered_json;
using testing::MatchesRegex;

class WhyCommandTest : public TinySuite {};

TEST_F(WhyCommandTest, NamesExactlyTheOptionThatChanged) {
  const ProgramResult text = Flyscribe({"why", "tiny.yaml", "train", "--set", "learn.lambda=0.12"});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_THAT(text.out,
              MatchesRegex("train 4-6 fold-0: differs from the last run \\([0-9a-f]+, [-0-9:TZ]+\\):\n"
                           "  learn.lambda: 0.1 -> 0.12, through pool < learn\n"));

  const Json json = Json::parse(Flyscribe({"why", "tiny.yaml", "learn", "--set", "learn.lambda=0.12", "--json"}).out);
  ASSERT_EQ(json["steps"].size(), 1U);
  const Json& step = json["steps"][0];
  EXPECT_EQ(step["reason"], "changed");
  EXPECT_EQ(step["earlier"], OnlyEntry(Folder() / "cache/4-6/learn").filename().string());
  EXPECT_EQ(step["changes"],
            Json::parse(R"([{"name": "option learn.lambda", "before": "0.1", "after": "0.12", "through": [],
                            "range": "4-6", "detail": ""}])"));
}

TEST_F(WhyCommandTest, AConfigsNameMayHoldAnyBytes) {
  const std::string name = "caf\xe9.yaml";
  fs::copy_file(Folder() / "tiny.yaml", Folder() / name);
  const ProgramResult json = Flyscribe({"why", name, "report", "--json"});
  EXPECT_EQ(json.exit_code, 0) << json.err;
  EXPECT_EQ(Json::parse(json.out)["steps"][0]["changes"][0]["after"], "caf\xef\xbf\xbd");
  EXPECT_EQ(Flyscribe({"plan", name}).exit_code, 0);
  fs::remove(Folder() / name);
}

TEST_F(WhyCommandTest, CachedNeverComputedAndNotKnownYet) {
  EXPECT_EQ(Flyscribe({"why", "tiny.yaml", "report"}).out, "report: cached, need not run\n");
  EXPECT_EQ(Flyscribe({"why", "tiny.yaml", "pool", "--set", "protocol.test_folds=2"}).out,
            "pool 4-6 fold-0: cached, need not run\npool 4-6 fold-1: never computed\n");
  EXPECT_EQ(Flyscribe({"why", "tiny.yaml", "pool", "--set", "simulate.genes=31"}).out,
            "pool 4-6 fold-0: its inputs are not known before simulate has run\n");
}

TEST_F(WhyCommandTest, WhatWasRemovedIsRemembered) {
  const fs::path learn = Folder() / "cache/4-6/learn";
  fs::rename(learn, Folder() / "aside");
  EXPECT_THAT(Flyscribe({"why", "tiny.yaml", "learn"}).out,
              MatchesRegex("learn 4-6 fold-0: computed before \\([-0-9:TZ]+\\), but no longer in the cache\n"));
  fs::rename(Folder() / "aside", learn);
}

TEST_F(WhyCommandTest, ErrorsSayWhatIsWrong) {
  ProgramResult result = Flyscribe({"why", "tiny.yaml", "trian"});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.err, HasSubstr("error: unknown step 'trian'\n  hint: did you mean 'train'?"));
  result = Flyscribe({"why", "tiny.yaml", "learn", "--range", "7-8"});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_EQ(result.err,
            "error: the config has no step learn for stage range 7-8\n  hint: `flyscribe plan` lists its steps\n");
  result = Flyscribe({"why", "tiny.yaml"});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.err, HasSubstr("step is required"));
}

class WhyOfRealDataTest : public Workspace {};

TEST_F(WhyOfRealDataTest, ChangedDataIsCounted) {
  WriteRealConfig();
  ASSERT_EQ(Flyscribe({"run", "real.yaml", "--quiet"}).exit_code, 0);
  // One image is replaced, one is gone, one label is corrected.
  const std::vector<fs::path> images = Images();
  std::string changed = ReadFile(images[0]);
  changed.back() = static_cast<char>(changed.back() ^ 1);
  WriteFileAtomically(images[0], changed);
  fs::remove(images[2]);
  const std::string table = ReadFile(folder_ / "data/insitu_annot.csv");
  WriteFileAtomically(folder_ / "data/insitu_annot.csv", table.substr(table.find('\n') + 1));
  EXPECT_THAT(Flyscribe({"why", "real.yaml", "extract"}).out,
              HasSubstr("\n  1 image removed, 1 image changed, through standardise\n"));
  // It was the only one of its bag, which goes with it.
  EXPECT_THAT(Flyscribe({"why", "real.yaml", "train"}).out,
              HasSubstr(":\n  1 label changed in 1 bag\n  1 image removed, 1 image changed, through pool\n"));
  EXPECT_THAT(
      Flyscribe({"why", "real.yaml", "ingest"}).out,  // the row of the image, and the two labels of its bag
      HasSubstr(":\n  3 skipped inputs added\n  1 image removed, 1 image changed\n  1 label changed in 1 bag\n"));
}

// A cache that several configs use: each is compared with its own last run.
class WhyInASharedCacheTest : public Workspace {
 protected:
  void RunAgain(const std::string& config) const {
    const ProgramResult run = Flyscribe({"run", config, "--until", "extract", "--quiet"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
  }
  // Another picture: the last byte of a BMP is a pixel.
  static std::string Changed(const fs::path& image) {
    std::string bytes = ReadFile(image);
    bytes.back() = static_cast<char>(bytes.back() ^ 1);
    return bytes;
  }
  void ExpectReason(const std::string& config, const std::string& reason) const {
    for (const std::string step : {"ingest", "standardise", "extract"}) {
      const std::string through = step == "extract" ? ", through standardise" : "";
      EXPECT_THAT(Flyscribe({"why", config, step}).out,
                  MatchesRegex(step + " 4-6: differs from the last run \\([0-9a-f]+, [-0-9:TZ]+\\):\n  " + reason +
                               through + "\n"));
      EXPECT_THAT(Flyscribe({"plan", config, "--until", "extract"}).out,
                  testing::ContainsRegex(step + " 4-6 +run .*  " + reason + through + "\n"));
    }
  }
};

TEST_F(WhyInASharedCacheTest, AnImageAddedToAFolderTreeIsNamed) {
  WriteRealConfig();
  // All of one gene that is annotated.
  const std::string table = ReadFile(folder_ / "data/insitu_annot.csv");
  const std::string gene = table.substr(table.find("CG9"), std::string("CG90001").size());
  for (const fs::path& image : Images()) {
    folder_.Write("tree/" + gene + "/4-6/" + image.filename().string(), ReadFile(image));
  }
  folder_.Write("tree.yaml",
                "ranges: [4-6]\noutput: tree_output\ncache: {dir: cache}\nextract: {stride: 32}\n"
                "data: {annotations: data/insitu_annot.csv, images: [tree]}\ningest: {blank_view: keep}\n");
  RunAgain("real.yaml");
  RunAgain("tree.yaml");
  RunAgain("tree.yaml");
  folder_.Write("tree/" + gene + "/4-6/insitu999999.bmp", Changed(Images().front()));
  ExpectReason("tree.yaml", "1 image added");
}

TEST_F(WhyInASharedCacheTest, TwoConfigsOnTablesAreToldApart) {
  WriteRealConfig();
  folder_.Write("other.yaml", ReadFile(folder_ / "real.yaml") + "ingest: {split_seed: 5, blank_view: keep}\n");
  RunAgain("real.yaml");
  RunAgain("other.yaml");
  const fs::path image = Images().front();
  WriteFileAtomically(image, Changed(image));
  ExpectReason("real.yaml", "1 image changed");
  ExpectReason("other.yaml", "1 image changed");
  // What the one has run already is not new to the other, and is no reason.
  RunAgain("real.yaml");
  EXPECT_THAT(Flyscribe({"why", "other.yaml", "ingest"}).out, HasSubstr("):\n  1 image changed\n"));
  EXPECT_EQ(Flyscribe({"why", "other.yaml", "extract"}).out, "extract 4-6: cached, need not run\n");
}

}  // namespace
}  // namespace flyscribe
