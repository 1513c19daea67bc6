#include "pipeline/run/runner.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "core/hash.h"
#include "tests/pipeline/tiny_run.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

// Relative path -> digest of every file of every artifact, except the times in the manifests.
std::map<std::string, std::string> ArtifactBytes(const fs::path& cache) {
  std::map<std::string, std::string> bytes;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(cache)) {
    const std::string name = fs::relative(entry.path(), cache).string();
    const bool of_a_run = name.starts_with("runs/") || name.starts_with("digests/");
    if (!fs::is_regular_file(entry.path()) || entry.path().filename() == "manifest.json" || of_a_run) continue;
    bytes[name] = Sha256OfFile(entry.path());
  }
  return bytes;
}

void CopyFolder(const fs::path& from, const fs::path& to) {
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(from)) {
    const fs::path target = to / fs::relative(entry.path(), from);
    if (fs::is_directory(entry.path())) {
      fs::create_directories(target);
    } else {
      fs::create_directories(target.parent_path());
      fs::copy_file(entry.path(), target);
    }
  }
}

// A private copy of the shared run's cache, to be damaged at will.
class RunnerTest : public testing::Test {
 protected:
  RunnerTest() { CopyFolder(SharedTinyRun().folder / "cache", folder_ / "cache"); }
  RunOutcome Again(const std::vector<std::string>& overrides = {}) {
    return Execute(TinyConfig(folder_.path(), overrides));
  }
  TempFolder folder_;
};

TEST_F(RunnerTest, FirstRunComputesEverything) {
  EXPECT_EQ(SharedTinyRun().outcome.Hits(), 0U);
  EXPECT_EQ(SharedTinyRun().outcome.Misses(), 11U);
}

TEST_F(RunnerTest, SecondRunDoesNothing) {
  const RunOutcome second = Again();
  EXPECT_EQ(Computed(second), std::vector<std::string>{});
  EXPECT_EQ(second.Hits(), 11U);
}

TEST_F(RunnerTest, AnOptionRerunsExactlyItsDependents) {
  EXPECT_EQ(Computed(Again({"learn.lambda=0.12"})),
            (std::vector<std::string>{"learn", "encode", "pool", "train", "evaluate", "report"}));
  EXPECT_EQ(Computed(Again({"train.c=3"})), (std::vector<std::string>{"train", "evaluate", "report"}));
  EXPECT_EQ(Computed(Again({"threads=1"})), std::vector<std::string>{});
  EXPECT_EQ(Computed(Again()), std::vector<std::string>{}) << "earlier artifacts stay";
}

TEST_F(RunnerTest, OneAndThreeThreadsGiveTheSameBytes) {
  const TempFolder other;
  Execute(TinyConfig(other.path(), {"threads=1"}));
  const auto one = ArtifactBytes(other / "cache");
  const TempFolder third;
  Execute(TinyConfig(third.path(), {"threads=3"}));
  const auto three = ArtifactBytes(third / "cache");
  EXPECT_GT(one.size(), 50U);
  EXPECT_EQ(one, three);
}

TEST_F(RunnerTest, ADamagedInputIsComputedAgain) {
  const RunOutcome before = Again();
  const fs::path file = before.FolderOf("4-6", "normalise") / "descriptors.npy";
  const std::string digest = Sha256OfFile(file);
  {
    std::fstream stream(file.string(), std::ios::in | std::ios::out | std::ios::binary);
    stream.seekp(500);
    stream.put('x');
  }
  // normalise itself is a hit by its sizes; learn must not believe it.
  const RunOutcome after = Again({"learn.seed=5"});
  EXPECT_EQ(Computed(after),
            (std::vector<std::string>{"normalise", "learn", "encode", "pool", "train", "evaluate", "report"}));
  EXPECT_EQ(Sha256OfFile(file), digest);
}

TEST_F(RunnerTest, DamageIsNotCopiedToTheOutput) {
  const fs::path file = Again().FolderOf("4-6", "evaluate") / "terms.tsv";
  const std::string digest = Sha256OfFile(file);
  {
    std::fstream stream(file.string(), std::ios::in | std::ios::out | std::ios::binary);
    stream.seekp(3);
    stream.put('X');
  }
  EXPECT_EQ(Computed(Again()), (std::vector<std::string>{"evaluate"}));
  EXPECT_EQ(Sha256OfFile(file), digest);
}

TEST_F(RunnerTest, ErrorsSayWhatWasBeingDoneAndKeepWhatIsDone) {
  const CaughtError error = ExpectError([&] { Again({"learn.method=online", "learn.atoms=60000"}); });
  EXPECT_EQ(error.code, ErrorCode::kUsage);
  EXPECT_NE(error.text.find("while running learn for 4-6, fold-0"), std::string::npos) << error.text;
  EXPECT_TRUE(fs::is_empty(folder_ / "cache" / "tmp"));
  EXPECT_EQ(Computed(Again()), std::vector<std::string>{});
}

TEST_F(RunnerTest, SeveralRangesAreCachedOnTheirOwn) {
  const RunOutcome both = Again({"ranges=[4-6, 7-8]"});
  std::map<std::string, std::size_t> steps_of;
  for (const StepOutcome& step : both.steps) ++steps_of[step.range];
  EXPECT_EQ(steps_of, (std::map<std::string, std::size_t>{{"all", 2}, {"4-6", 9}, {"7-8", 9}}));
  // The same genes' pictures of 4-6 are simulated either way, so only the new range costs something. (ingest lists what
  // it left out by line, and lines move when a table grows.)
  for (const StepOutcome& step : both.steps) {
    EXPECT_TRUE(step.hit() || step.range != "4-6" || step.step == "ingest") << step.step;
  }
}

}  // namespace
}  // namespace flyscribe
