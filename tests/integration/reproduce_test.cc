// flyscribe reproduce: all experiments on very little, with the real binary. No time is asserted.
#include <csignal>
#include <nlohmann/json.hpp>

#include "tests/integration/workspace.h"

namespace flyscribe {
namespace {

using Json = nlohmann::json;

class ReproduceTest : public Workspace {
 protected:
  void SetUp() override {
    folder_.Write("tiny.yaml",
                  "ranges: [4-6, 7-8]\noutput: output\ncache: {dir: cache}\n"
                  "simulate: {genes: 30, images_max: 2, seed: 7}\nextract: {window_function: flat, stride: 32}\n"
                  "learn: {epochs: 2}\ntrain: {min_positives: 5}\n"
                  "reproduce:\n  max_patches: 400\n  sizes: [12, 24]\n  objective_patches: 100\n  online_visits: 5\n"
                  "  repeats: 1\n  side_by_side: 2\n  study_size: 24\n  cd_steps: [1, 3]\n  rate_ranges: [4-6]\n"
                  "  rate_grid: 2\n  large_sizes: [12, 40]\n  large_epochs: 2\n  annotation_epochs: 1\n"
                  "report: {title: \"tiny paper\"}\n");
  }

  Json Result() const { return Json::parse(ReadFile(folder_ / "output" / "reproduction.json")); }

  // Folders of artifacts of a step.
  std::size_t Artifacts(const std::string& range, const std::string& step) const {
    return EntriesOf(folder_ / "cache" / range / step).size();
  }
};

TEST_F(ReproduceTest, AllExperimentsThenNothingAgain) {
  const ProgramResult first = Flyscribe({"reproduce", "tiny.yaml"});
  ASSERT_EQ(first.exit_code, 0) << first.err;
  EXPECT_EQ(Result().at("parts"),
            (Json{"Table 1", "Table 2", "Figure 3", "Figure 4", "Figure 5", "Mini-batch", "Beyond"}));
  const std::string html = ReadFile(folder_ / "output" / "reproduction.html");
  EXPECT_THAT(html, HasSubstr("tiny paper"));
  EXPECT_THAT(html, HasSubstr("<svg"));
  EXPECT_THAT(html, HasSubstr("Data: simulated."));
  const std::string text = ReadFile(folder_ / "output" / "reproduction.md");
  const Json result = Result();
  for (const std::string part : result.at("parts")) EXPECT_THAT(text, HasSubstr("## " + part + ": "));
  EXPECT_THAT(first.out, HasSubstr("checks failed"));
  const Json checks = Result().at("checks");
  EXPECT_FALSE(checks.empty());
  EXPECT_EQ(Result().at("tables").front().at("part"), "Table 1");

  const std::size_t measured = Artifacts("4-6", "measure");
  const ProgramResult second = Flyscribe({"reproduce", "tiny.yaml"});
  ASSERT_EQ(second.exit_code, 0) << second.err;
  EXPECT_EQ(Artifacts("4-6", "measure"), measured);
  EXPECT_THAT(ReadFile(folder_ / "output" / "reproduction.md"), HasSubstr(" 0 of them made by this command"));
  EXPECT_EQ(Result().at("checks"), checks);
}

TEST_F(ReproduceTest, OneExperimentOnly) {
  const ProgramResult result = Flyscribe({"reproduce", "tiny.yaml", "--only-scc", "--quiet"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(Result().at("parts"), (Json{"Table 1"}));
  EXPECT_EQ(Artifacts("4-6", "measure"), 2U) << "two sizes of exact SCC, and nothing else";
  EXPECT_EQ(Artifacts("7-8", "measure"), 2U);
  const ProgramResult more = Flyscribe({"reproduce", "tiny.yaml", "--experiment", "fig3,table1", "--quiet"});
  ASSERT_EQ(more.exit_code, 0) << more.err;
  EXPECT_EQ(Result().at("parts"), (Json{"Table 1", "Figure 3"}));
}

TEST_F(ReproduceTest, StrictExitsWithNineIfACheckFails) {
  // With such a lambda all codes are zero: more steps do not lower the objective.
  const std::vector<std::string> command = {
      "reproduce", "tiny.yaml", "--experiment", "fig3", "--set", "learn.lambda=2"};
  EXPECT_EQ(Flyscribe(command).exit_code, 0) << "without --strict all is well once the experiments ran";
  std::vector<std::string> strict = command;
  strict.push_back("--strict");
  const ProgramResult result = Flyscribe(strict);
  EXPECT_EQ(result.exit_code, 9) << result.err;
  EXPECT_THAT(result.err, HasSubstr("error: check failed: Figure 3: more steps of coordinate descent"));
  EXPECT_EQ(Result().at("exit_code"), 9);
  EXPECT_EQ(Result().at("failed"), 1);
}

TEST_F(ReproduceTest, ForceMeasuresAgain) {
  ASSERT_EQ(Flyscribe({"reproduce", "tiny.yaml", "--only-scc", "--quiet"}).exit_code, 0);
  const ProgramResult again = Flyscribe({"reproduce", "tiny.yaml", "--only-scc", "--force", "--quiet"});
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_THAT(ReadFile(folder_ / "output" / "reproduction.md"),
              HasSubstr("4, 4 of them made by this command, 0 before"));
}

TEST_F(ReproduceTest, KilledItGoesOn) {
  std::size_t before = 0;
  for (int kill = 0; kill < 3; ++kill) {
    RunningProgram program(FLYSCRIBE_BINARY, {"reproduce", "tiny.yaml", "--experiment", "fig4"}, folder_.path());
    // As soon as one more measurement is there.
    while (program.running() && Artifacts("4-6", "measure") <= before) {
    }
    program.Signal(SIGKILL);
    program.Wait();
    before = Artifacts("4-6", "measure");
  }
  const ProgramResult result = Flyscribe({"reproduce", "tiny.yaml", "--experiment", "fig4"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(Artifacts("4-6", "measure"), 1U + 4U + 9U) << "adaptive; natural rates within and behind the bounds";
  EXPECT_THAT(ReadFile(folder_ / "output" / "reproduction.md"), Not(HasSubstr("14, 14 of them made by this command")));
}

TEST_F(ReproduceTest, ImagesOfTheConfigCanBeMeasuredToo) {
  const ProgramResult result = Flyscribe({"reproduce",
                                          "tiny.yaml",
                                          "--only-scc",
                                          "--set",
                                          "reproduce.descriptors=images",
                                          "--set",
                                          "reproduce.max_patches=300"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(Artifacts("4-6", "normalise"), 1U);
  EXPECT_EQ(Artifacts("4-6", "patches"), 0U);
  EXPECT_EQ(Artifacts("4-6", "measure"), 2U);
}

TEST_F(ReproduceTest, UsageErrors) {
  const ProgramResult unknown = Flyscribe({"reproduce", "tiny.yaml", "--experiment", "tabel1"});
  EXPECT_EQ(unknown.exit_code, 4);
  EXPECT_THAT(unknown.err, HasSubstr("unknown experiment 'tabel1'"));
  EXPECT_THAT(unknown.err, HasSubstr("did you mean 'table1'?"));
  const ProgramResult mixed = Flyscribe({"reproduce", "tiny.yaml", "--only-scc", "--experiment", "fig3"});
  EXPECT_EQ(mixed.exit_code, 4);
  EXPECT_THAT(mixed.err, HasSubstr("--only-scc is of table1"));
  const ProgramResult full = Flyscribe({"reproduce", "tiny.yaml", "--only-scc", "--full"});
  EXPECT_EQ(full.exit_code, 4);
  EXPECT_THAT(full.err, HasSubstr("--only-scc excludes --full"));
  const ProgramResult nothing = Flyscribe({"reproduce", "tiny.yaml", "--experiment", "embryos"});
  EXPECT_EQ(nothing.exit_code, 4);
  EXPECT_THAT(nothing.err, HasSubstr("--experiment embryos: error: the config names no full-size embryos"));
  const ProgramResult range = Flyscribe({"reproduce",
                                         "tiny.yaml",
                                         "--experiment",
                                         "fig3",
                                         "--set",
                                         "reproduce.descriptors=images",
                                         "--set",
                                         "reproduce.cd_range=9-10"});
  EXPECT_EQ(range.exit_code, 4);
  EXPECT_THAT(range.err, HasSubstr("an experiment needs stage range 9-10"));
}

TEST_F(ReproduceTest, PatchesLikeThePapersCanBeKept) {
  const ProgramResult result = Flyscribe(
      {"simulate", "--patches-like", "paper", "--output", "patches", "--ranges", "4-6,7-8", "--scale", "0.001"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("4-6: 555 patches of"));
  EXPECT_THAT(result.out, HasSubstr("7-8: 260 patches of"));
  const ProgramResult learned = Flyscribe({"learn",
                                           "--input",
                                           "patches/4-6/descriptors.npy",
                                           "--atoms",
                                           "10",
                                           "--set",
                                           "epochs=1",
                                           "--output",
                                           "learned",
                                           "--quiet"});
  EXPECT_EQ(learned.exit_code, 0) << learned.err;
  const ProgramResult scale = Flyscribe({"simulate", "--output", "third", "--scale", "0.001"});
  EXPECT_EQ(scale.exit_code, 4);
  EXPECT_THAT(scale.err, HasSubstr("--scale requires --patches-like"));
  const ProgramResult none = Flyscribe({"simulate", "--patches-like", "paper", "--output", "third", "--scale", "nan"});
  EXPECT_EQ(none.exit_code, 4) << none.out;
  EXPECT_THAT(none.err, HasSubstr("--scale nan: error: expected a share from 0.000001 to 100"));
  const ProgramResult unknown =
      Flyscribe({"simulate", "--patches-like", "paper", "--output", "other", "--ranges", "1-3"});
  EXPECT_EQ(unknown.exit_code, 4);
  EXPECT_THAT(unknown.err, HasSubstr("the paper has no patches of stage range 1-3"));
}

// Every config that is shipped can be read.
TEST_F(ReproduceTest, ShippedConfigsAreSound) {
  for (const std::string name : {"quick", "full"}) {
    const std::string config = std::string(FLYSCRIBE_SOURCE_DIR) + "/configs/paper/" + name + ".yaml";
    const ProgramResult result = Flyscribe({"plan", config, "--set", "output=out", "--set", "cache.dir=cache"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
  }
}

}  // namespace
}  // namespace flyscribe
