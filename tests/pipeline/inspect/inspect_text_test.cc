// InspectionText of facts made up here; inspect_test.cc has those of real files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "pipeline/inspect/inspect.h"

namespace flyscribe {
namespace {

using nlohmann::json;
using testing::HasSubstr;

std::string Text(const json& facts) { return InspectionText(facts.dump()); }

json Facts(const std::string& path, const std::string& kind) {
  return {{"format", 1},
          {"path", path},
          {"kind", kind},
          {"sound", true},
          {"files", json::array()},
          {"groups", json::array()},
          {"artifacts", json::array()},
          {"codes", json::array()}};
}

json File(const std::string& name, std::uint64_t bytes, const std::string& kind, const json& content = nullptr) {
  json file = {{"name", name}, {"bytes", bytes}, {"kind", kind}};
  if (!content.is_null()) file[kind] = content;
  return file;
}

json Array(const std::string& type, const std::string& type_name, const json& shape, const json& statistics = nullptr) {
  json array = {{"type", type}, {"type_name", type_name}, {"shape", shape}, {"fortran_order", false}};
  if (!statistics.is_null()) array["statistics"] = statistics;
  return array;
}

json Numbers(std::uint64_t count, std::uint64_t zeros, const json& min, const json& max) {
  return {{"count", count},
          {"zeros", zeros},
          {"nan", 0},
          {"infinite", 0},
          {"min", min},
          {"max", max},
          {"mean", 0.125},
          {"deviation", 12345.678}};
}

json Content(const std::string& form,
             std::uint64_t count,
             const std::vector<std::pair<std::string, std::string>>& shown) {
  json entries = json::array();
  for (const auto& [key, value] : shown) entries.push_back({{"key", key}, {"value", value}});
  return {{"form", form}, {"count", count}, {"entries", entries}};
}

json Named(const std::string& name, const std::string& value) { return {{"name", name}, {"value", value}}; }

// All that is known of none.
json UnknownArtifact() {
  return {{"folder", ""},
          {"step", ""},
          {"step_version", ""},
          {"range", ""},
          {"part", ""},
          {"key", ""},
          {"program", ""},
          {"made", ""},
          {"seconds", 0.0},
          {"facts", json::array()},
          {"options", json::array()},
          {"inputs", json::array()},
          {"libraries", json::array()},
          {"checkpoint", false},
          {"intact", true},
          {"damage", json::array()}};
}

json LearnArtifact() {
  json artifact = UnknownArtifact();
  artifact.update({{"folder", "/cache/4-6/learn/abc"},
                   {"step", "learn"},
                   {"step_version", "2"},
                   {"range", "4-6"},
                   {"part", "fold-0"},
                   {"key", "abc"},
                   {"program", "0.1.0"},
                   {"made", "2020-01-02 03:04:05 UTC"},
                   {"seconds", 75.0},
                   {"facts", {"patches: 600", "all well"}},
                   {"options", {Named("learn.atoms", "24"), Named("learn.lambda", "0.1")}},
                   {"inputs", {Named("train", "aa"), Named("train", "bb")}},
                   {"libraries", {Named("libsvm", "324")}}});
  json facts = Facts("cache/4-6/learn/abc", "artifact");
  facts["artifact"] = artifact;
  facts["files"] = {
      File("a.npy", 1500, "array", Array("<f4", "float32", {24, 128}, Numbers(3072, 1536, -0.5, 2.0))),
      File("key.txt", 100, "text"),
      File("longer.npy", 20, "array", Array("<i8", "int64", {7}, Numbers(7, 0, -3, std::int64_t{1} << 60))),
      File("manifest.json", 200, "json", Content("object", 1, {{"format", "1"}})),
      File("summary.json", 300, "json", Content("object", 2, {{"lambda", "0.1"}, {"epochs", "[1, 2]"}})),
      File("t.tsv", 40, "table", {{"rows", 12}, {"columns", {"term", "auc"}}})};
  facts["groups"] = json::array({{{"folder", "images"}, {"extension", ".bmp"}, {"count", 794}, {"bytes", 97600000}}});
  facts["codes"] =
      json::array({{{"name", "codes"}, {"rows", 4}, {"nonzeros", 10}, {"fewest_in_a_row", 1}, {"most_in_a_row", 5}}});
  return facts;
}

TEST(InspectionText, AnArtifact) {
  EXPECT_EQ(Text(LearnArtifact()),
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
            "  libsvm  324\n"
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
  json facts = LearnArtifact();
  json& damage = facts["artifact"]["damage"];
  damage = json::array(
      {{{"file", "a.npy"}, {"reason", "changed: 1 bytes instead of 2"}}, {{"file", "b"}, {"reason", "missing"}}});
  EXPECT_THAT(Text(facts), HasSubstr("  state  damaged: 2 problems, listed below\n"));
  EXPECT_THAT(Text(facts), testing::EndsWith("\nDamage\n  a.npy  changed: 1 bytes instead of 2\n  b      missing\n"));
  damage = std::vector<json>(1000, {{"file", "x"}, {"reason", "missing"}});
  EXPECT_THAT(Text(facts), testing::EndsWith("  x             missing\n  ... 950 more\n"));
}

TEST(InspectionText, ArtifactsOfAllRangesAndBags) {
  json facts = LearnArtifact();
  facts["artifact"]["range"] = "all";
  facts["artifact"]["part"] = "all";
  EXPECT_THAT(Text(facts), testing::StartsWith("learn\n"));
  facts["artifact"] = UnknownArtifact();
  EXPECT_THAT(Text(facts), testing::StartsWith("unknown step\n"));
  EXPECT_THAT(Text(facts), HasSubstr("  made   unknown\n"));
}

TEST(InspectionText, ACheckpoint) {
  json facts = Facts("", "artifact");
  facts["artifact"] = UnknownArtifact();
  facts["artifact"].update({{"checkpoint", true},
                            {"step", "learn checkpoint"},
                            {"part", "epoch 3"},
                            {"key", "abc"},
                            {"program", "0.1.0"},
                            {"made", "2020-01-02T03:04:05Z"}});
  EXPECT_EQ(Text(facts),
            "learn checkpoint epoch 3\n"
            "  step     learn checkpoint\n"
            "  use      interrupted learning goes on from here\n"
            "  part     epoch 3\n"
            "  for key  abc\n"
            "  made     2020-01-02T03:04:05Z by flyscribe 0.1.0\n"
            "  size     0 files, 0 B\n"
            "  state    intact: every file is as the manifest lists it\n");
  facts["kind"] = "file";
  facts["files"] = {File("manifest.json", 7, "json")};
  EXPECT_THAT(Text(facts), HasSubstr("  for key   abc\n"));
  EXPECT_THAT(Text(facts), HasSubstr("  state     intact: its own digest fits\n"));
}

TEST(InspectionText, ARecipe) {
  json facts = Facts("items/extract/aa", "folder");
  facts["recipe"] = {{"folder", "/items/extract/aa"},
                     {"step", "extract"},
                     {"step_version", "3"},
                     {"options", {Named("extract.stride", "32")}},
                     {"libraries", {Named("vlfeat", "0.9")}}};
  facts["files"] = {File("recipe.txt", 20, "text")};
  EXPECT_EQ(Text(facts),
            "items/extract/aa: folder\n"
            "  size  1 file, 20 B\n"
            "\nRecipe\n"
            "  step            extract, version 3\n"
            "  extract.stride  32\n"
            "  vlfeat          0.9\n"
            "\nOther files\n"
            "  recipe.txt  20 B  told above\n");
  facts["recipe"]["problem"] = "changed\x1b";
  EXPECT_THAT(Text(facts), HasSubstr("  problem         changed?\n"));
}

TEST(InspectionText, StatisticsOfSpecialArrays) {
  json facts = Facts("x", "folder");
  json odd = Numbers(100000, 1, 0.0, 1.0);
  odd.update({{"nan", 3}, {"infinite", 2}, {"mean", nullptr}});
  const json none = {{"count", 5}, {"zeros", 0}, {"nan", 5}, {"infinite", 0}};
  json fortran = Array("<f8", "float64", {2, 3}, Numbers(6, 6, 0.0, 0.0));
  fortran["fortran_order"] = true;
  facts["files"] = {File("a.npy", 1, "array", Array("<f4", "float32", {100000}, odd)),
                    File("b.npy", 1, "array", Array("<f4", "float32", {5}, none)),
                    File("c.npy", 1, "array", Array("<U3", "text", json::array())),
                    File("d.npy", 1, "array", Array("<\x1b[1m", "an unknown type", {1})),
                    File("e.npy", 1, "array", fortran),
                    File("f.npy", 1, "array", Array("<f4", "float32", {9999}, Numbers(9999, 9998, 0.0, 1.0)))};
  EXPECT_THAT(
      Text(facts),
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
  json facts = Facts("output/tiny", "folder");
  facts["run"] = {
      {"version", "0.1.0"},
      {"config", "tiny"},
      {"command", "flyscribe run tiny.yaml"},
      {"exit_code", 3},
      {"wall_seconds", 20.0},
      {"peak_memory_bytes", 208000000},
      {"hits", 0},
      {"misses", 11},
      {"skipped", 1},
      {"scores",
       json::array(
           {{{"range", "4-6"}, {"terms", "all"}, {"count", 17}, {"macro_auc", 0.8991}, {"macro_accuracy", 0.9}}})}};
  facts["files"] = {File("run.json", 11900, "json", Content("object", 1, {{"format", "1"}}))};
  facts["artifacts"] = json::array({{{"folder", "4-6/learn"}, {"extension", ""}, {"count", 5}, {"bytes", 1000}}});
  EXPECT_EQ(Text(facts),
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
  facts["run"]["scores"][0]["macro_accuracy"] = nullptr;
  EXPECT_THAT(Text(facts), HasSubstr("macro AUC 0.899, accuracy unknown\n"));
}

TEST(InspectionText, SingleFiles) {
  json facts = LearnArtifact();
  facts["kind"] = "file";
  facts["path"] = "cache/4-6/learn/abc/summary.json";
  const json summary = facts["files"][4];
  facts["files"] = {summary};
  facts["groups"] = facts["codes"] = json::array();
  EXPECT_EQ(Text(facts),
            "cache/4-6/learn/abc/summary.json: json\n"
            "  size      300 B\n"
            "  artifact  learn 4-6 fold-0\n"
            "  key       abc\n"
            "  made      2020-01-02 03:04:05 UTC by flyscribe 0.1.0 in 1 min 15 s\n"
            "  state     intact: as the artifact's manifest lists it\n"
            "\nContent\n"
            "  lambda  0.1\n"
            "  epochs  [1, 2]\n");
  facts.erase("artifact");
  facts["path"] = "page.html";
  facts["files"] = {File("page.html", 5000, "page")};
  EXPECT_EQ(Text(facts), "page.html: page\n  size  5.0 kB\n");
  const std::string key(64, 'a');
  facts["files"] = {
      File(key, 70064, "item", {{"step", "extract"}, {"key", key}, {"payload_bytes", 70000}, {"intact", false}})};
  facts["files"][0]["problem"] = "the digest does not fit the payload";
  EXPECT_THAT(Text(facts),
              HasSubstr("\nItems\n  extract  aaaaaaaaaaaaaaaa...  payload 70.0 kB  the digest does not fit\n"));
}

TEST(InspectionText, ProblemsAndHostileTexts) {
  json facts = Facts("a\x1b[2J", "folder");
  facts["files"] = {File("bad\n.npy", 12, "array"),
                    File("x.json", 3, "json", Content("object", 500, {{"k\x1b[1m", "v\x07"}})),
                    File("y.json", 3, "json", Content("list", 2, {{"", "[1, 2]"}}))};
  facts["files"][0]["problem"] = "not a readable .npy array: bad magic";
  facts["codes"] = json::array({{{"name", "codes"}, {"problem", "indptr does not rise from 0"}}});
  EXPECT_EQ(Text(facts),
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

}  // namespace
}  // namespace flyscribe
