// A model of simulated genes, and other genes annotated with it, through the real binary.
#include <csignal>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "core/progress.h"
#include "core/rng.h"
#include "core/text.h"
#include "data/annotation.h"
#include "data/bag_evidence.h"
#include "data/skipped.h"
#include "data/tables.h"
#include "tests/integration/workspace.h"

namespace flyscribe {
namespace {

// path -> bytes of all files below a folder.
std::map<std::string, std::string> AllBytes(const fs::path& folder) {
  std::map<std::string, std::string> bytes;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (fs::is_regular_file(entry.path())) bytes[fs::relative(entry.path(), folder).string()] = ReadFile(entry.path());
  }
  return bytes;
}

// One model and one batch of new genes for all tests. They leave both as they were.
class AnnotateTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    shared_ = std::make_unique<TempFolder>();
    Simulate("data", "7", "30");
    Simulate("new", "8", "45");
    RenameGenes(*shared_ / "new" / "insitu_images.csv");
    shared_->Write(
        "model.yaml",
        "ranges: [4-6]\noutput: output\ncache: {dir: cache}\n"
        "data:\n  annotations: data/insitu_annot.csv\n  images_table: data/insitu_images.csv\n"
        "  images: [data/images]\n"
        "extract: {stride: 32, window_function: flat}\nlearn: {atoms: 24, epochs: 2}\ntrain: {min_positives: 5}\n");
    const ProgramResult made = Flyscribe({"export", "model.yaml", "--output", "model.tar.zst", "--quiet"});
    ASSERT_EQ(made.exit_code, 0) << made.err;
  }
  static void TearDownTestSuite() { shared_.reset(); }

  static void Simulate(const std::string& folder, const std::string& seed, const std::string& genes) {
    const ProgramResult made = Flyscribe({"simulate",
                                          "--output",
                                          folder,
                                          "--ranges",
                                          "4-6",
                                          "--quiet",
                                          "--set",
                                          "genes=" + genes,
                                          "--set",
                                          "images_max=2",
                                          "--set",
                                          "seed=" + seed});
    ASSERT_EQ(made.exit_code, 0) << made.err;
  }
  // Simulated genes are called the same whatever the seed: FBgn9000001, CG90001, sim0001.
  static void RenameGenes(const fs::path& table) {
    std::string text = ReadFile(table);
    for (const auto& [old, changed] : {std::pair("\"FBgn9", "\"FBgn8"), {"\"CG9", "\"CG8"}, {"\"sim", "\"new"}}) {
      for (std::size_t at = text.find(old); at != std::string::npos; at = text.find(old, at)) {
        text.replace(at, std::string_view(old).size(), changed);
      }
    }
    WriteFile(table, text);
  }
  static ProgramResult Flyscribe(const std::vector<std::string>& arguments) {
    return RunBinary(FLYSCRIBE_BINARY, arguments, shared_->path());
  }
  // annotate IMAGES --output OUTPUT, and more.
  static std::vector<std::string> Annotate(const std::string& images,
                                           const fs::path& output,
                                           const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments = {
        "annotate", "--model", "model.tar.zst", "--images", images, "--output", output.string(), "--json"};
    if (images.ends_with(".csv")) {
      arguments.insert(arguments.end(), {"--image-dir", images.substr(0, images.find('/')) + "/images"});
    }
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
  static nlohmann::json Summary(const ProgramResult& result) { return nlohmann::json::parse(result.out); }

  static inline std::unique_ptr<TempFolder> shared_;
  TempFolder folder_;
};

TEST_F(AnnotateTest, OtherGenesGetEveryTermWithEvidence) {
  const ProgramResult result = Flyscribe(Annotate("new/insitu_images.csv", folder_ / "out"));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const nlohmann::json summary = Summary(result);
  const auto rows = LoadTsv(folder_ / "out" / "predictions.tsv", PredictionHeader());
  std::set<std::string> bags;
  std::set<std::string> terms;
  std::size_t calls = 0;
  for (const std::vector<std::string>& row : rows) {
    bags.insert(row[0]);
    terms.insert(row[5]);
    calls += row[10] == "1" ? 1U : 0U;
    const double probability = RealField(row[8], "predictions.tsv");
    EXPECT_TRUE(probability >= 0.0 && probability <= 1.0);
    EXPECT_EQ(row[12], "new");
    EXPECT_EQ(row[17], summary["model_id"]);
  }
  EXPECT_EQ(rows.size(), bags.size() * terms.size());
  EXPECT_EQ(summary["bags"], bags.size());
  EXPECT_EQ(summary["calls"], calls);
  EXPECT_EQ(Split(ReadFile(folder_ / "out" / "annot.csv"), '\n').size(), calls + 1);
  std::size_t explained = 0;
  for (const fs::path& file : EntriesOf(folder_ / "out" / "evidence")) {
    if (file.extension() != ".json") continue;
    for (const TermEvidence& term : DecodeEvidence(ReadFile(file), file).terms) {
      EXPECT_NEAR(SumOf(term), term.decision_value, 1e-5);
      ++explained;
    }
  }
  EXPECT_GE(explained, 3 * bags.size());
  EXPECT_TRUE(fs::exists(folder_ / "out" / "index.html"));
}

TEST_F(AnnotateTest, MapsNeedEvidence) {
  for (const auto& [evidence, maps] : {std::pair("none", "calls"), {"none", "all"}, {"calls", "all"}}) {
    const ProgramResult result =
        Flyscribe(Annotate("new/insitu_images.csv", folder_ / "out", {"--evidence", evidence, "--maps", maps}));
    EXPECT_EQ(result.exit_code, 4);
    EXPECT_THAT(result.err, HasSubstr("give --evidence " + std::string(maps) + " too"));
  }
  EXPECT_FALSE(fs::exists(folder_ / "out"));
}

// As a power cut leaves them.
TEST_F(AnnotateTest, EmptyFilesOfAResultAreNoticedAndMadeAgain) {
  const std::vector<std::string> command = Annotate("new/insitu_images.csv", folder_ / "out");
  ASSERT_EQ(Flyscribe(command).exit_code, 0);
  const auto whole = AllBytes(folder_ / "out");
  for (const std::string folder : {"evidence/", "gallery/images/", "gallery/bags/", "gallery/pages/"}) {
    const std::string lost = whole.lower_bound(folder)->first;
    WriteFile(folder_ / "out" / lost, "");
    const ProgramResult again = Flyscribe(command);
    EXPECT_EQ(again.exit_code, 0);
    EXPECT_THAT(again.err, HasSubstr("are not whole and are written again: " + lost + " has the wrong size"));
    EXPECT_EQ(Summary(again)["was_finished"], false);
    EXPECT_EQ(AllBytes(folder_ / "out"), whole);
  }
  EXPECT_EQ(Summary(Flyscribe(command))["was_finished"], true);
}

TEST_F(AnnotateTest, ASummaryWithoutCountsIsNamedInPlainWords) {
  const std::vector<std::string> command = Annotate("new/insitu_images.csv", folder_ / "out", {"--evidence", "none"});
  ASSERT_EQ(Flyscribe(command).exit_code, 0);
  const fs::path file = folder_ / "out" / "annotation.json";
  nlohmann::json summary = nlohmann::json::parse(ReadFile(file));
  summary["bags"] = "many";
  WriteFile(file, summary.dump());
  const ProgramResult result = Flyscribe(command);
  EXPECT_EQ(result.exit_code, 6);
  EXPECT_THAT(result.err, HasSubstr("annotation.json"));
  EXPECT_THAT(result.err, HasSubstr("'bags' is missing or no count"));
  EXPECT_EQ(result.err.find("json.exception"), std::string::npos);
}

TEST_F(AnnotateTest, GenesThatWereTrainedOnAreOutOfFold) {
  const ProgramResult result = Flyscribe(Annotate("data/insitu_images.csv", folder_ / "out", {"--evidence", "none"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(Summary(result)["out_of_fold_bags"], Summary(result)["bags"]);
}

TEST_F(AnnotateTest, GenesThatWereTrainedOnAreKnownByTheirCgIdAlone) {
  folder_.Write("cg.csv",
                std::regex_replace(
                    ReadFile(*shared_ / "data" / "insitu_images.csv"), std::regex("\"(FBgn9|sim)[0-9]+\""), "\"\""));
  const ProgramResult result = Flyscribe({"annotate",
                                          "--model",
                                          "model.tar.zst",
                                          "--images",
                                          (folder_ / "cg.csv").string(),
                                          "--image-dir",
                                          "data/images",
                                          "--evidence",
                                          "none",
                                          "--output",
                                          (folder_ / "out").string(),
                                          "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(ReadFile(folder_ / "out" / "predictions.tsv"), HasSubstr("\nCG9"));
  EXPECT_EQ(Summary(result)["out_of_fold_bags"], Summary(result)["bags"]);
}

TEST_F(AnnotateTest, ViewsAreThoseTheModelWasTrainedOn) {
  ASSERT_EQ(Flyscribe({"export",
                       "model.yaml",
                       "--set",
                       "ingest.views=[lateral, dorsal]",
                       "--output",
                       (folder_ / "both.tar.zst").string(),
                       "--quiet"})
                .exit_code,
            0);
  folder_.Write(
      "dorsal.csv",
      std::regex_replace(ReadFile(*shared_ / "new" / "insitu_images.csv"), std::regex("\"lateral\""), "\"dorsal\""));
  const auto annotate = [&](const fs::path& model, const std::string& output) {
    return Flyscribe({"annotate",
                      "--model",
                      model.string(),
                      "--images",
                      (folder_ / "dorsal.csv").string(),
                      "--image-dir",
                      "new/images",
                      "--blank-view",
                      "drop",
                      "--evidence",
                      "none",
                      "--output",
                      (folder_ / output).string()});
  };
  const ProgramResult lateral = annotate("model.tar.zst", "none");
  EXPECT_EQ(lateral.exit_code, 5);
  EXPECT_THAT(lateral.err, HasSubstr("view not wanted"));
  const ProgramResult both = annotate(folder_ / "both.tar.zst", "out");
  EXPECT_EQ(both.exit_code, 0) << both.err;
}

TEST_F(AnnotateTest, SameBytesWithOtherThreadsAndAfterKills) {
  ASSERT_EQ(Flyscribe(Annotate("new/insitu_images.csv", folder_ / "whole", {"--threads", "1"})).exit_code, 0);
  const double start = SecondsNow();
  ASSERT_EQ(Flyscribe(Annotate("new/insitu_images.csv", folder_ / "other", {"--threads", "3"})).exit_code, 0);
  const double whole = SecondsNow() - start;
  const auto expected = AllBytes(folder_ / "whole");
  EXPECT_EQ(AllBytes(folder_ / "other"), expected);
  Rng rng(5);
  for (int kill = 0; kill < 6; ++kill) {
    RunningProgram program(FLYSCRIBE_BINARY, Annotate("new/insitu_images.csv", folder_ / "killed"), shared_->path());
    program.KillAfter(whole * rng.Uniform());
  }
  const ProgramResult last = Flyscribe(Annotate("new/insitu_images.csv", folder_ / "killed"));
  ASSERT_EQ(last.exit_code, 0) << last.err;
  EXPECT_EQ(AllBytes(folder_ / "killed"), expected);
}

TEST_F(AnnotateTest, SingleImagesAndBadFiles) {
  const std::vector<fs::path> images = [] {
    std::vector<fs::path> found;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(*shared_ / "new" / "images")) {
      if (fs::is_regular_file(entry.path())) found.push_back(entry.path());
    }
    std::sort(found.begin(), found.end());
    return found;
  }();
  folder_.Write("flat/a.bmp", ReadFile(images[0]));
  folder_.Write("flat/b.bmp", ReadFile(images[1]));
  folder_.Write("flat/cut.bmp", ReadFile(images[2]).substr(0, 3000));
  folder_.Write("flat/text.png", "no picture");
  const std::string flat = (folder_ / "flat").string();
  EXPECT_EQ(Flyscribe(Annotate(flat, folder_ / "out")).exit_code, 4) << "no range";
  EXPECT_EQ(Flyscribe(Annotate(flat, folder_ / "out", {"--range", "7-8"})).exit_code, 4) << "not the model's";
  const ProgramResult result = Flyscribe(Annotate(flat, folder_ / "out", {"--range", "4-6"}));
  ASSERT_EQ(result.exit_code, 3) << result.err;
  EXPECT_EQ(Summary(result)["bags"], 2);
  EXPECT_EQ(Summary(result)["skipped"]["image unusable"], 2);
  EXPECT_EQ(LoadSkipped(folder_ / "out").size(), 4U) << "two images, and the bags that had no other";
  EXPECT_EQ(Flyscribe(Annotate(flat, folder_ / "strict", {"--range", "4-6", "--on-bad-image", "fail"})).exit_code, 5);
}

TEST_F(AnnotateTest, RowsWithoutFileAreListed) {
  folder_.Write("table.csv",
                ReadFile(*shared_ / "new" / "insitu_images.csv") +
                    "\"CG9999999\",\"x\",\"x\",\"\",,\"insitu99999999.jpe\",2,\"lateral\",,\n"
                    "\"CG9999999\",\"x\",\"x\",\"\",,\"insitu99999998.jpe\",3,\"lateral\",,\n");
  const std::string images = (*shared_ / "new" / "images").string();
  const std::vector<std::string> arguments = {"annotate",
                                              "--model",
                                              "model.tar.zst",
                                              "--images",
                                              (folder_ / "table.csv").string(),
                                              "--evidence",
                                              "none",
                                              "--output",
                                              (folder_ / "out").string(),
                                              "--json"};
  EXPECT_EQ(Flyscribe(arguments).exit_code, 5) << "no file at all";
  std::vector<std::string> with_files = arguments;
  with_files.insert(with_files.end(), {"--image-dir", images});
  const ProgramResult result = Flyscribe(with_files);
  ASSERT_EQ(result.exit_code, 3) << result.err;
  EXPECT_EQ(Summary(result)["skipped"]["image file not found"], 1);
  EXPECT_EQ(Summary(result)["skipped"]["stage range not in the model"], 1);
}

TEST_F(AnnotateTest, RowsOfOtherRangesAreFaultsAndTheHelpSaysSo) {
  folder_.Write("table.csv",
                ReadFile(*shared_ / "new" / "insitu_images.csv") +
                    "\"CG9999999\",\"x\",\"x\",\"\",,\"insitu99999998.jpe\",3,\"lateral\",,\n");
  const ProgramResult result = Flyscribe({"annotate",
                                          "--model",
                                          "model.tar.zst",
                                          "--images",
                                          (folder_ / "table.csv").string(),
                                          "--image-dir",
                                          "new/images",
                                          "--range",
                                          "4-6",
                                          "--evidence",
                                          "none",
                                          "--output",
                                          (folder_ / "out").string(),
                                          "--json"});
  ASSERT_EQ(result.exit_code, 3) << result.err;
  EXPECT_EQ(Summary(result)["skipped"]["other stage range"], 1);
  const std::string help = std::regex_replace(Flyscribe({"annotate", "--help"}).out, std::regex("\\s+"), " ");
  EXPECT_THAT(help, HasSubstr("only these rows, the others being faults (exit code 3)"));
}

TEST_F(AnnotateTest, WhatCannotBeUsedIsRefused) {
  fs::create_directory(folder_ / "empty");
  const auto code = [](const std::vector<std::string>& arguments) { return Flyscribe(arguments).exit_code; };
  EXPECT_EQ(code(Annotate((folder_ / "empty").string(), folder_ / "out")), 5);
  EXPECT_EQ(code(Annotate("missing", folder_ / "out")), 5);
  EXPECT_EQ(code({"annotate", "--model", "missing.tar.zst", "--images", "new", "--output", "o"}), 5);
  EXPECT_EQ(code({"annotate", "--images", "new", "--output", "o"}), 4);
}

TEST_F(AnnotateTest, AnOutputAmongTheImagesIsRefused) {
  for (const std::string images : {"new/images", "new/insitu_images.csv"}) {
    const ProgramResult result = Flyscribe(Annotate(images, "new/images/out"));
    EXPECT_EQ(result.exit_code, 4);
    EXPECT_THAT(result.err, HasSubstr("the output folder lies in the folder of images new/images: "));
  }
  EXPECT_FALSE(fs::exists(*shared_ / "new/images/out"));
}

TEST_F(AnnotateTest, AnotherBatchNeedsAnotherFolder) {
  ASSERT_EQ(Flyscribe(Annotate("new/insitu_images.csv", folder_ / "out", {"--evidence", "none"})).exit_code, 0);
  const ProgramResult again = Flyscribe(Annotate("new/insitu_images.csv", folder_ / "out", {"--evidence", "none"}));
  EXPECT_EQ(again.exit_code, 0);
  EXPECT_EQ(Summary(again)["was_finished"], true);
  const std::vector<std::string> other = Annotate("data/insitu_images.csv", folder_ / "out", {"--evidence", "none"});
  const ProgramResult refused = Flyscribe(other);
  EXPECT_EQ(refused.exit_code, 4);
  EXPECT_THAT(refused.err, HasSubstr("--force"));
  std::vector<std::string> forced = other;
  forced.emplace_back("--force");
  EXPECT_EQ(Flyscribe(forced).exit_code, 0);
}

TEST_F(AnnotateTest, AReviewBecomesLabelsForTheNextTraining) {
  ASSERT_EQ(Flyscribe(Annotate("data/insitu_images.csv", folder_ / "out", {"--evidence", "none"})).exit_code, 0);
  auto rows = LoadTsv(folder_ / "out" / "review.tsv", ReviewHeader());
  ASSERT_GT(rows.size(), 20U);
  for (std::size_t i = 0; i < 20; ++i) {
    rows[i][14] = i % 2 == 0 ? "yes" : "no";
    rows[i][15] = "ann";
    rows[i][16] = "2026-11-17";
  }
  SaveTsv(folder_ / "review.tsv", ReviewHeader(), rows);
  const std::string source = ReadFile(*shared_ / "data" / "insitu_annot.csv");
  const std::vector<std::string> import = {"review",
                                           "import",
                                           (folder_ / "review.tsv").string(),
                                           "--annotations",
                                           "data/insitu_annot.csv",
                                           "--output",
                                           (folder_ / "reviewed").string(),
                                           "--json"};
  const ProgramResult merged = Flyscribe(import);
  ASSERT_EQ(merged.exit_code, 0) << merged.err;
  EXPECT_EQ(Summary(merged)["decisions"], 20);
  EXPECT_EQ(ReadFile(*shared_ / "data" / "insitu_annot.csv"), source) << "the source is not touched";
  EXPECT_EQ(Flyscribe(import).exit_code, 4) << "nor is an earlier import, without --force";
  std::vector<std::string> again = import;
  again.emplace_back("--force");
  const auto first = AllBytes(folder_ / "reviewed");
  EXPECT_EQ(Flyscribe(again).exit_code, 0);
  EXPECT_EQ(AllBytes(folder_ / "reviewed"), first);
  const ProgramResult plan = Flyscribe(
      {"plan", "model.yaml", "--set", "data.annotations=" + (folder_ / "reviewed" / "annotations.csv").string()});
  EXPECT_EQ(plan.exit_code, 0) << plan.err;
}

}  // namespace
}  // namespace flyscribe
