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
              MatchesRegex("train 4-6 fold-0: differs from the nearest earlier artifact \\([0-9a-f]+, [-0-9:TZ]+\\):\n"
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
              HasSubstr("\n  images of 4-6: 1 removed, 1 changed, through standardise\n"));
  // It was the only one of its bag.
  EXPECT_THAT(Flyscribe({"why", "real.yaml", "train"}).out,
              HasSubstr(":\n  folds of 4-6: 1 bag removed\n  labels of 4-6: 1 changed in 1 bag, 1 bag removed\n"
                        "  images of 4-6: 1 removed, 1 changed, through pool\n"));
  EXPECT_THAT(Flyscribe({"why", "real.yaml", "ingest"}).out,
              HasSubstr("  bookkeeping of 4-6: 1 bag removed, 1 file removed, "));
}

}  // namespace
}  // namespace flyscribe
