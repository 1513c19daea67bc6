// flyscribe run: from pictures to report, and what the cache saves.
#include <ctime>

#include "tests/integration/workspace.h"

namespace flyscribe {
namespace {

class RunCommandTest : public Workspace {};

TEST_F(RunCommandTest, FirstRunSecondRunChangedOption) {
  WriteTinyConfig();
  const ProgramResult first = Flyscribe({"run", "tiny.yaml"});
  ASSERT_EQ(first.exit_code, 0) << first.err;
  EXPECT_THAT(first.out, HasSubstr("macro average, top 10"));
  EXPECT_THAT(first.out, HasSubstr("cache    0 hits, 11 misses"));
  EXPECT_THAT(first.out, HasSubstr((folder_ / "output/report/index.html").string()));
  EXPECT_THAT(first.err, HasSubstr("learn 4-6 fold-0"));
  for (const char* file : {"report/index.html", "run.json", "config.yaml", "skipped.tsv", "4-6/predictions.tsv"}) {
    EXPECT_TRUE(fs::is_regular_file(folder_ / "output" / file)) << file;
  }
  for (const auto& [step, state] : States()) EXPECT_EQ(state, "run") << step;

  const ProgramResult second = Flyscribe({"run", "tiny.yaml"});
  EXPECT_EQ(second.exit_code, 0);
  EXPECT_THAT(second.out, HasSubstr("11 hits, 0 misses: nothing to do"));
  for (const auto& [step, state] : States()) EXPECT_EQ(state, "hit") << step;

  ASSERT_EQ(Flyscribe({"run", "tiny.yaml", "--set", "learn.lambda=0.12"}).exit_code, 0);
  const auto states = States();
  for (const char* step : {"simulate", "ingest", "standardise", "extract", "normalise"}) {
    EXPECT_EQ(states.at(step), "hit") << step;
  }
  for (const char* step : {"learn", "encode", "pool", "train", "evaluate", "report"}) {
    EXPECT_EQ(states.at(step), "run") << step;
  }
}

TEST_F(RunCommandTest, TheBaselineIsShownBesideTheScores) {
  WriteTinyConfig();
  ASSERT_EQ(Flyscribe({"run", "tiny.yaml"}).exit_code, 0);
  const std::string scores = ReadFile(folder_ / "output/4-6/terms.tsv");
  const ProgramResult result = Flyscribe({"run", "tiny.yaml", "--set", "protocol.pixel_baseline=true"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("  macro average, top 10 "));
  EXPECT_THAT(result.out, HasSubstr("  raw pixels 40x16, macro, top 10 "));
  EXPECT_THAT(result.out, HasSubstr("cache    10 hits, 4 misses")) << "only the baseline and the report were missing";
  EXPECT_EQ(ReadFile(folder_ / "output/4-6/terms.tsv"), scores);
  EXPECT_NE(ReadFile(folder_ / "output/4-6/pixels/terms.tsv"), scores);
  EXPECT_THAT(ReadFile(folder_ / "output/report/index.html"), HasSubstr("AUC, raw pixels</th>"));
  const auto states = States();
  for (const char* step : {"pixels", "train-pixels", "evaluate-pixels"}) EXPECT_EQ(states.at(step), "run") << step;

  const ProgramResult again = Flyscribe({"run", "tiny.yaml", "--set", "protocol.pixel_baseline=true"});
  EXPECT_THAT(again.out, HasSubstr("14 hits, 0 misses: nothing to do"));
}

TEST_F(RunCommandTest, ADamagedResultOfTheBaselineIsFoundAndMadeAgain) {
  WriteTinyConfig();
  const std::vector<std::string> run = {"run", "tiny.yaml", "--set", "protocol.pixel_baseline=true"};
  ASSERT_EQ(Flyscribe(run).exit_code, 0);
  const std::string right = ReadFile(folder_ / "output/4-6/pixels/terms.tsv");
  const fs::path artifact = fs::directory_iterator(folder_ / "cache/4-6/evaluate-pixels")->path();
  std::string wrong = right;
  wrong.back() = ' ';
  WriteFile(artifact / "terms.tsv", wrong);
  ASSERT_EQ(Flyscribe(run).exit_code, 0);
  EXPECT_EQ(States().at("evaluate-pixels"), "run");
  EXPECT_EQ(ReadFile(folder_ / "output/4-6/pixels/terms.tsv"), right);
}

TEST_F(RunCommandTest, QuietPrintsNothing) {
  WriteTinyConfig();
  const ProgramResult result = Flyscribe({"run", "tiny.yaml", "--quiet"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err, "");
}

TEST_F(RunCommandTest, NoEscapeSequencesOffATerminal) {
  WriteTinyConfig();
  const ProgramResult result = Flyscribe({"run", "tiny.yaml"});
  EXPECT_THAT(result.err + result.out, Not(HasSubstr("\x1b")));
  EXPECT_THAT(result.err, Not(HasSubstr("\r")));
}

TEST_F(RunCommandTest, NewImagesCostOnlyThemselves) {
  const fs::path config = WriteRealConfig();
  const std::vector<fs::path> images = Images();
  fs::create_directories(folder_ / "aside");
  fs::rename(images[0], folder_ / "aside" / images[0].filename());
  ASSERT_EQ(Flyscribe({"run", "real.yaml"}).exit_code, 3);  // one listed image is missing
  // path -> time of writing
  const auto items = [this] {
    std::map<std::string, std::time_t> written;
    for (const auto& entry : fs::recursive_directory_iterator(folder_ / "cache" / "items" / "extract")) {
      if (!fs::is_regular_file(entry.path()) || entry.path().filename() == "recipe.txt") continue;
      written[entry.path().string()] = fs::last_write_time(entry.path());
    }
    return written;
  };
  for (const auto& [path, time] : items()) fs::last_write_time(path, 1000);  // long ago
  const auto before = items();
  fs::rename(folder_ / "aside" / images[0].filename(), images[0]);
  ASSERT_EQ(Flyscribe({"run", "real.yaml"}).exit_code, 0);
  const auto after = items();
  EXPECT_EQ(after.size(), before.size() + 1);
  for (const auto& [path, time] : before) EXPECT_EQ(after.at(path), 1000) << "computed again";
}

TEST_F(RunCommandTest, MovedDataIsTheSameData) {
  WriteRealConfig();
  ASSERT_EQ(Flyscribe({"run", "real.yaml"}).exit_code, 0);
  fs::rename(folder_ / "data", folder_ / "moved");
  const ProgramResult again = Flyscribe({"run",
                                         "real.yaml",
                                         "--set",
                                         "data.annotations=moved/insitu_annot.csv",
                                         "--set",
                                         "data.images_table=moved/insitu_images.csv",
                                         "--set",
                                         "data.images=[moved/images]"});
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_THAT(again.out, HasSubstr("0 misses: nothing to do"));
}

TEST_F(RunCommandTest, PermutedLabelsScoreAtChance) {
  // AUC per fold and then averaged, over ten seeds; the features are computed once.
  folder_.Write("control.yaml",
                "ranges: [4-6]\noutput: output\ncache: {dir: cache}\nsimulate: {genes: 90, images_max: 2}\n"
                "extract: {stride: 32, window_function: flat}\nlearn: {atoms: 48, epochs: 1}\n"
                "protocol: {test_folds: 5, dictionary: all}\nreport: {examples: 0}\n");
  double sum = 0.0;
  for (int seed = 1; seed <= 10; ++seed) {
    const ProgramResult result =
        Flyscribe({"run", "control.yaml", "--quiet", "--set", "ingest.permute_labels=" + std::to_string(seed)});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    sum += MacroAuc("4-6");
    EXPECT_EQ(States().at("learn"), seed == 1 ? "run" : "hit");
  }
  EXPECT_GT(sum / 10, 0.45);
  EXPECT_LT(sum / 10, 0.55);
  ASSERT_EQ(Flyscribe({"run", "control.yaml", "--quiet"}).exit_code, 0);
  EXPECT_GT(MacroAuc("4-6"), 0.65);
}

TEST_F(RunCommandTest, AnInterruptedRunGoesOnWithTheSameBytes) {
  WriteTinyConfig();
  const std::string options = " --set learn.epochs=60 --set learn.atoms=64 --quiet";
  const std::string run = std::string(FLYSCRIBE_BINARY) + " run tiny.yaml" + options;
  // Interrupted as soon as the learner has begun: its folder in tmp/ is the last thing before it.
  RunBinary("/bin/sh",
            {"-c",
             run + " & pid=$!; while ! ls cache/4-6/normalise/*/manifest.json >/dev/null 2>&1; do :; done; "
                   "kill -INT $pid; wait $pid; echo $? > code"},
            folder_.path());
  EXPECT_EQ(ReadFile(folder_ / "code"), "130\n");
  EXPECT_FALSE(fs::exists(folder_ / "output" / "run.json"));
  EXPECT_FALSE(fs::exists(folder_ / "cache" / "4-6" / "learn"));
  EXPECT_TRUE(fs::is_empty(folder_ / "cache" / "tmp"));

  ASSERT_EQ(RunBinary("/bin/sh", {"-c", run}, folder_.path()).exit_code, 0);
  EXPECT_EQ(States().at("normalise"), "hit");
  EXPECT_EQ(States().at("learn"), "run");
  const std::string resumed = ReadFile(folder_ / "output" / "4-6" / "predictions.tsv");
  ASSERT_EQ(RunBinary("/bin/sh", {"-c", run + " --set cache.dir=fresh"}, folder_.path()).exit_code, 0);
  EXPECT_EQ(States().at("normalise"), "run");
  EXPECT_EQ(ReadFile(folder_ / "output" / "4-6" / "predictions.tsv"), resumed);
}

}  // namespace
}  // namespace flyscribe
