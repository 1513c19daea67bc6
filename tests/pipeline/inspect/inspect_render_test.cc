#include "pipeline/inspect/inspect_render.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

namespace flyscribe {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

template <class Content>
FileFacts File(const std::string& name, std::uint64_t bytes, const std::string& kind, Content content) {
  FileFacts file;
  file.name = name;
  file.bytes = bytes;
  file.kind = kind;
  file.content = content;
  return file;
}

FileFacts Plain(const std::string& name, std::uint64_t bytes, const std::string& kind) {
  return File(name, bytes, kind, std::monostate());
}

ArrayFacts Array(const std::string& type, const Shape& shape, std::optional<Statistics> statistics) {
  ArrayFacts array;
  array.header.type = type;
  array.header.shape = shape;
  array.statistics = statistics;
  return array;
}

Statistics Numbers(std::uint64_t count, std::uint64_t zeros, Number min, Number max) {
  Statistics statistics;
  statistics.count = count;
  statistics.zeros = zeros;
  statistics.min = min;
  statistics.max = max;
  statistics.mean = 0.125;
  statistics.deviation = 12345.678;
  return statistics;
}

Inspection LearnArtifact() {
  ArtifactFacts artifact;
  artifact.folder = "/cache/4-6/learn/abc";
  artifact.step = "learn";
  artifact.step_version = "2";
  artifact.range = "4-6";
  artifact.part = "fold-0";
  artifact.key = "abc";
  artifact.program = "0.1.0";
  artifact.made = "2020-01-02 03:04:05 UTC";
  artifact.seconds = 75.0;
  artifact.facts = {"patches: 600", "all well"};
  artifact.options = {{"learn.atoms", "24"}, {"learn.lambda", "0.1"}};
  artifact.inputs = {{"train", "aa"}, {"train", "bb"}};
  artifact.libraries = {{"simd", "AVX2"}};
  Inspection inspection;
  inspection.path = "cache/4-6/learn/abc";
  inspection.kind = Inspection::Kind::kArtifact;
  inspection.artifact = artifact;
  inspection.files = {
      File("a.npy", 1500, "array", Array("<f4", {24, 128}, Numbers(3072, 1536, -0.5, 2.0))),
      Plain("key.txt", 100, "text"),
      File("longer.npy", 20, "array", Array("<i8", {7}, Numbers(7, 0, std::int64_t{-3}, std::int64_t{1} << 60))),
      File("manifest.json", 200, "json", JsonFacts{"object", 1, {{"format", "1"}}}),
      File("summary.json", 300, "json", JsonFacts{"object", 2, {{"lambda", "0.1"}, {"epochs", "[1, 2]"}}}),
      File("t.tsv", 40, "table", TableFacts{12, {"term", "auc"}})};
  inspection.groups = {{"images", ".bmp", 794, 97600000}};
  CodesFacts codes;
  codes.name = "codes";
  codes.rows = 4;
  codes.nonzeros = 10;
  codes.fewest = 1;
  codes.most = 5;
  inspection.codes = {codes};
  return inspection;
}

TEST(InspectionText, AnArtifact) {
  EXPECT_EQ(InspectionText(LearnArtifact()),
            "learn 4-6 fold-0\n"
            "  step   learn, version 2\n"
            "  range  4-6\n"
            "  part   fold-0\n"
            "  key    abc\n"
            "  made   2020-01-02 03:04:05 UTC by flyscribe 0.1.0 in 1 min 15 s\n"
            "  size   800 files, 97.6 MB\n"
            "  state  intact: every file is as the manifest lists it\n"
            "\nFacts\n"
            "  patches   600\n"
            "  all well\n"
            "\nOptions\n"
            "  learn.atoms   24\n"
            "  learn.lambda  0.1\n"
            "\nInputs\n"
            "  train  aa\n"
            "  train  bb\n"
            "\nLibraries\n"
            "  simd  AVX2\n"
            "\nArrays\n"
            "  name          size  type     shape      min                  max   mean        std   zeros\n"
            "  a.npy       1.5 kB  float32  24 x 128  -0.5                    2  0.125  1.235e+04  50.0 %\n"
            "  longer.npy    20 B  int64    7           -3  1152921504606846976  0.125  1.235e+04     0 %\n"
            "\nCodes\n"
            "  codes  4 rows with 10 non-zeros: 2.5 a row, 1 to 5\n"
            "\nTables\n"
            "  name   size  rows  columns\n"
            "  t.tsv  40 B    12        2  term, auc\n"
            "\nsummary.json, 300 B\n"
            "  lambda  0.1\n"
            "  epochs  [1, 2]\n"
            "\nOther files\n"
            "  key.txt          100 B  told above\n"
            "  manifest.json    200 B  told above\n"
            "  images/*.bmp   97.6 MB  794 files\n");
}

TEST(InspectionText, Damage) {
  Inspection inspection = LearnArtifact();
  inspection.artifact->damage = {{"a.npy", "changed: 1 bytes instead of 2"}, {"b", "missing"}};
  const std::string text = InspectionText(inspection);
  EXPECT_THAT(text, HasSubstr("  state  damaged: 2 problems, listed below\n"));
  EXPECT_THAT(text, testing::EndsWith("\nDamage\n  a.npy  changed: 1 bytes instead of 2\n  b      missing\n"));
  inspection.artifact->damage.assign(1000, {"x", "missing"});
  EXPECT_THAT(InspectionText(inspection), testing::EndsWith("  x             missing\n  ... 950 more\n"));
}

TEST(InspectionText, ArtifactsOfAllRangesAndBags) {
  Inspection inspection = LearnArtifact();
  inspection.artifact->range = "all";
  inspection.artifact->part = "all";
  EXPECT_THAT(InspectionText(inspection), testing::StartsWith("learn\n"));
  inspection.artifact = ArtifactFacts();
  EXPECT_THAT(InspectionText(inspection), testing::StartsWith("unknown step\n"));
  EXPECT_THAT(InspectionText(inspection), HasSubstr("  made   unknown\n"));
}

TEST(InspectionText, ACheckpoint) {
  Inspection inspection;
  inspection.kind = Inspection::Kind::kArtifact;
  ArtifactFacts checkpoint;
  checkpoint.checkpoint = true;
  checkpoint.step = "learn checkpoint";
  checkpoint.part = "epoch 3";
  checkpoint.key = "abc";
  checkpoint.program = "0.1.0";
  checkpoint.made = "2020-01-02T03:04:05Z";
  inspection.artifact = checkpoint;
  EXPECT_EQ(InspectionText(inspection),
            "learn checkpoint epoch 3\n"
            "  step     learn checkpoint\n"
            "  use      interrupted learning goes on from here\n"
            "  part     epoch 3\n"
            "  for key  abc\n"
            "  made     2020-01-02T03:04:05Z by flyscribe 0.1.0\n"
            "  size     0 files, 0 B\n"
            "  state    intact: every file is as the manifest lists it\n");
  EXPECT_EQ(json::parse(InspectionJson(inspection)).at("artifact").at("checkpoint"), true);
  inspection.kind = Inspection::Kind::kFile;
  inspection.files = {Plain("manifest.json", 7, "json")};
  EXPECT_THAT(InspectionText(inspection), HasSubstr("  for key   abc\n"));
  EXPECT_THAT(InspectionText(inspection), HasSubstr("  state     intact: its own digest fits\n"));
}

TEST(InspectionText, ARecipe) {
  Inspection inspection;
  inspection.path = "items/extract/aa";
  inspection.kind = Inspection::Kind::kFolder;
  inspection.recipe =
      RecipeFacts{"/items/extract/aa", "extract", "3", {{"extract.stride", "32"}}, {{"vlfeat", "0.9"}}, ""};
  inspection.files = {Plain("recipe.txt", 20, "text")};
  EXPECT_EQ(InspectionText(inspection),
            "items/extract/aa: folder\n"
            "  size  1 file, 20 B\n"
            "\nRecipe\n"
            "  step            extract, version 3\n"
            "  extract.stride  32\n"
            "  vlfeat          0.9\n"
            "\nOther files\n"
            "  recipe.txt  20 B  told above\n");
  inspection.recipe->problem = "changed\x1b";
  EXPECT_THAT(InspectionText(inspection), HasSubstr("  problem         changed?\n"));
  const json recipe = json::parse(InspectionJson(inspection)).at("recipe");
  EXPECT_EQ(recipe.at("options")[0].at("value"), "32");
  EXPECT_EQ(recipe.at("step_version"), "3");
  EXPECT_EQ(recipe.at("problem"), "changed\x1b");
}

TEST(InspectionText, StatisticsOfSpecialArrays) {
  Inspection inspection;
  inspection.kind = Inspection::Kind::kFolder;
  Statistics odd = Numbers(100000, 1, 0.0, 1.0);
  odd.nans = 3;
  odd.infinities = 2;
  odd.mean = std::numeric_limits<double>::quiet_NaN();
  Statistics none;
  none.count = none.nans = 5;
  ArrayFacts fortran = Array("<f8", {2, 3}, Numbers(6, 6, 0.0, 0.0));
  fortran.header.fortran_order = true;
  inspection.files = {File("a.npy", 1, "array", Array("<f4", {100000}, odd)),
                      File("b.npy", 1, "array", Array("<f4", {5}, none)),
                      File("c.npy", 1, "array", Array("<U3", {}, std::nullopt)),
                      File("d.npy", 1, "array", Array("<\x1b[1m", {1}, std::nullopt)),
                      File("e.npy", 1, "array", fortran),
                      File("f.npy", 1, "array", Array("<f4", {9999}, Numbers(9999, 9998, 0.0, 1.0)))};
  EXPECT_THAT(
      InspectionText(inspection),
      HasSubstr("  name   size  type           shape                  min  max   mean        std    zeros\n"
                "  a.npy   1 B  float32        100000                   0    1    nan  1.235e+04   <0.1 %  3 NaN, 2 "
                "infinite\n"
                "  b.npy   1 B  float32        5                                                           5 NaN\n"
                "  c.npy   1 B  text           one value\n"
                "  d.npy   1 B  unknown <?[1m  1\n"
                "  e.npy   1 B  float64        2 x 3 (Fortran order)    0    0  0.125  1.235e+04    100 %\n"
                "  f.npy   1 B  float32        9999                     0    1  0.125  1.235e+04  >99.9 %\n"));
}

TEST(InspectionText, AFolderWithARun) {
  Inspection inspection;
  inspection.path = "output/tiny";
  inspection.kind = Inspection::Kind::kFolder;
  RunOverview run;
  run.version = "0.1.0";
  run.config = "tiny";
  run.command = "flyscribe run tiny.yaml";
  run.exit_code = 3;
  run.seconds = 20.0;
  run.peak_bytes = 208000000;
  run.misses = 11;
  run.skipped = 1;
  run.scores = {{"4-6", "all", 17, 0.8991, 0.9}};
  inspection.run = run;
  inspection.files = {File("run.json", 11900, "json", JsonFacts{"object", 1, {{"format", "1"}}})};
  inspection.artifacts = {{"4-6/learn", "", 5, 1000}};
  EXPECT_EQ(InspectionText(inspection),
            "output/tiny: folder\n"
            "  size  5 artifacts, 1 other file, 12.9 kB\n"
            "\nRun\n"
            "  version    0.1.0\n"
            "  config     tiny\n"
            "  command    flyscribe run tiny.yaml\n"
            "  exit code  3\n"
            "  time       20 s\n"
            "  memory     208 MB at most\n"
            "  cache      0 hits, 11 misses\n"
            "  skipped    1 input\n"
            "  scores     4-6, all (17 terms): macro AUC 0.899, accuracy 0.900\n"
            "\nArtifacts\n"
            "  4-6/learn  1.0 kB  5 artifacts\n"
            "\nOther files\n"
            "  run.json  11.9 kB  told above\n");
}

TEST(InspectionText, SingleFiles) {
  Inspection inspection = LearnArtifact();
  inspection.kind = Inspection::Kind::kFile;
  inspection.path = "cache/4-6/learn/abc/summary.json";
  inspection.files = {inspection.files[4]};
  inspection.groups.clear();
  inspection.codes.clear();
  EXPECT_EQ(InspectionText(inspection),
            "cache/4-6/learn/abc/summary.json: json\n"
            "  size      300 B\n"
            "  artifact  learn 4-6 fold-0\n"
            "  key       abc\n"
            "  made      2020-01-02 03:04:05 UTC by flyscribe 0.1.0 in 1 min 15 s\n"
            "  state     intact: as the artifact's manifest lists it\n"
            "\nContent\n"
            "  lambda  0.1\n"
            "  epochs  [1, 2]\n");
  inspection.artifact.reset();
  inspection.path = "page.html";
  inspection.files = {Plain("page.html", 5000, "page")};
  EXPECT_EQ(InspectionText(inspection), "page.html: page\n  size  5.0 kB\n");
  ItemFacts item;
  item.step = "extract";
  item.key = std::string(64, 'a');
  item.payload_bytes = 70000;
  inspection.files = {File(item.key, 70064, "item", item)};
  inspection.files.front().problem = "the digest does not fit the payload";
  EXPECT_THAT(InspectionText(inspection),
              HasSubstr("\nItems\n  extract  aaaaaaaaaaaaaaaa...  payload 70.0 kB  the digest does not fit\n"));
}

TEST(InspectionText, ProblemsAndHostileTexts) {
  Inspection inspection;
  inspection.path = "a\x1b[2J";
  inspection.kind = Inspection::Kind::kFolder;
  inspection.files = {Plain("bad\n.npy", 12, "array"),
                      File("x.json", 3, "json", JsonFacts{"object", 500, {{"k\x1b[1m", "v\x07"}}}),
                      File("y.json", 3, "json", JsonFacts{"list", 2, {{"", "[1, 2]"}}})};
  inspection.files.front().problem = "not a readable .npy array: bad magic";
  CodesFacts codes;
  codes.name = "codes";
  codes.problem = "indptr does not rise from 0";
  inspection.codes = {codes};
  EXPECT_EQ(InspectionText(inspection),
            "a?[2J: folder\n"
            "  size  3 files, 18 B\n"
            "\nCodes\n"
            "  codes  problem: indptr does not rise from 0\n"
            "\nx.json, 3 B\n"
            "  k?[1m         v?\n"
            "  ... 499 more\n"
            "\ny.json, 3 B\n"
            "  [1, 2]\n"
            "\nProblems\n"
            "  bad .npy  12 B  not a readable .npy array: bad magic\n");
}

TEST(InspectionJson, HasEverything) {
  Inspection inspection = LearnArtifact();
  inspection.artifact->damage = {{"a.npy", "missing"}};
  inspection.files.back().problem = "odd";
  const json record = json::parse(InspectionJson(inspection));
  EXPECT_EQ(record.at("format"), 1);
  EXPECT_EQ(record.at("kind"), "artifact");
  EXPECT_EQ(record.at("path"), "cache/4-6/learn/abc");
  EXPECT_EQ(record.at("sound"), false);
  const json& artifact = record.at("artifact");
  EXPECT_EQ(artifact.at("step_version"), "2");
  EXPECT_EQ(artifact.at("inputs").size(), 2U) << "though both have one name";
  EXPECT_EQ(artifact.at("inputs")[1], json({{"name", "train"}, {"value", "bb"}}));
  EXPECT_EQ(artifact.at("intact"), false);
  EXPECT_EQ(artifact.at("damage")[0], json({{"file", "a.npy"}, {"reason", "missing"}}));
  const json& array = record.at("files")[0].at("array");
  EXPECT_EQ(array.at("type"), "<f4");
  EXPECT_EQ(array.at("type_name"), "float32");
  EXPECT_EQ(array.at("shape"), json({24, 128}));
  EXPECT_EQ(array.at("statistics").at("zeros"), 1536);
  EXPECT_EQ(array.at("statistics").at("min"), -0.5);
  EXPECT_EQ(record.at("files")[2].at("array").at("statistics").at("max"), std::int64_t{1} << 60);
  EXPECT_EQ(record.at("files")[4].at("json").at("entries")[1], json({{"key", "epochs"}, {"value", "[1, 2]"}}));
  EXPECT_EQ(record.at("files")[5].at("table").at("columns"), json({"term", "auc"}));
  EXPECT_EQ(record.at("files")[5].at("problem"), "odd");
  EXPECT_FALSE(record.at("files")[0].contains("problem"));
  EXPECT_EQ(record.at("groups")[0].at("count"), 794);
  EXPECT_EQ(record.at("codes")[0].at("most_in_a_row"), 5);
  EXPECT_THAT(record, Not(testing::Contains("run")));
}

TEST(InspectionJson, WhatJsonCannotWrite) {
  Inspection inspection;
  inspection.path = "bad\xff";
  Statistics none;
  none.count = none.nans = 5;
  Statistics wide = Numbers(2, 0, -1e308, 1e308);
  wide.deviation = std::numeric_limits<double>::quiet_NaN();
  inspection.files = {File("a.npy", 1, "array", Array("<f4", {5}, none)),
                      File("b.npy", 1, "array", Array("<f8", {2}, wide))};
  const json record = json::parse(InspectionJson(inspection));
  EXPECT_EQ(record.at("path"), "bad\xef\xbf\xbd");
  EXPECT_FALSE(record.at("files")[0].at("array").at("statistics").contains("min"));
  EXPECT_TRUE(record.at("files")[1].at("array").at("statistics").at("deviation").is_null());
}

}  // namespace
}  // namespace flyscribe
