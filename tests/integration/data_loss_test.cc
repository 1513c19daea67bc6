// Files that were lost once: each of these commands removed or overwrote what was not its own, and ended with 0.
#include <sys/stat.h>

#include "tests/integration/artifact_bytes.h"
#include "tests/integration/workspace.h"

namespace flyscribe {
namespace {

class DataLossTest : public Workspace {
 protected:
  // Stops before the long steps: enough to fill a cache and to write an output folder.
  ProgramResult Run(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments = {"run", "tiny.yaml", "--until", "standardise", "--quiet"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Flyscribe(arguments);
  }
};

TEST_F(DataLossTest, GcRemovesNothingIfTheLogOfRunsCannotBeRead) {
  WriteTinyConfig();
  ASSERT_EQ(Run().exit_code, 0);
  const auto before = ArtifactBytes(folder_ / "cache");
  ASSERT_FALSE(before.empty());
  RenamePath(folder_ / "cache" / "runs", folder_ / "runs");
  folder_.Write("cache/runs", "");
  const ProgramResult gc = Flyscribe({"cache", "gc", "--cache", "cache", "--keep-last", "1"});
  EXPECT_EQ(gc.exit_code, 5) << gc.out;
  EXPECT_THAT(gc.err, HasSubstr("cache/runs: error: cannot list the folder: Not a directory\n  hint: a folder is "));
  EXPECT_EQ(ArtifactBytes(folder_ / "cache"), before);
  fs::remove(folder_ / "cache" / "runs");
  RenamePath(folder_ / "runs", folder_ / "cache" / "runs");
  EXPECT_EQ(Flyscribe({"cache", "gc", "--cache", "cache", "--keep-last", "1"}).exit_code, 0);
  EXPECT_EQ(ArtifactBytes(folder_ / "cache"), before);
}

TEST_F(DataLossTest, ALockFileThatIsALinkIsNotFollowed) {
  WriteTinyConfig();
  const fs::path precious = folder_.Write("precious", "years of work");
  const fs::path lock = folder_ / "cache" / "locks" / "planning";
  ASSERT_EQ(Run().exit_code, 0);
  fs::create_directories(lock.parent_path());
  fs::create_symlink(precious, lock);
  const ProgramResult linked = Run();
  EXPECT_EQ(linked.exit_code, 8) << linked.out;
  EXPECT_THAT(linked.err, HasSubstr("cache/locks/planning: error: a symbolic link is in the place of a lock file\n"));
  fs::remove(lock);
  fs::create_hard_link(precious, lock);
  EXPECT_EQ(Run().exit_code, 8);
  EXPECT_EQ(ReadFile(precious), "years of work");
  EXPECT_TRUE(fs::exists(lock));
  fs::remove(lock);
  EXPECT_EQ(Run().exit_code, 0);
}

TEST_F(DataLossTest, AConfigIsNotReplacedByTheExpandedOne) {
  const std::string text = ReadFile(WriteTinyConfig());
  const std::string mine =
      "# my remarks\noutput: .\n" + text.substr(0, text.find("output:")) + text.substr(text.find("cache:"));
  const fs::path config = folder_.Write("config.yaml", mine);
  const ProgramResult run = Flyscribe({"run", "config.yaml", "--quiet"});
  EXPECT_EQ(run.exit_code, 4);
  EXPECT_THAT(run.err,
              HasSubstr("config.yaml: error: the result would replace this file, which flyscribe did not write\n"
                        "  hint: move it away, or choose another folder for the output"));
  EXPECT_EQ(ReadFile(config), mine);
  EXPECT_FALSE(fs::exists(folder_ / "cache" / "4-6")) << "nothing was computed";
}

TEST_F(DataLossTest, ARunReplacesWhatRunsWroteAndNothingElse) {
  WriteTinyConfig();
  for (const std::string name : {"run.json",
                                 "report/index.html",
                                 "skipped.tsv",
                                 "4-6/predictions.tsv",
                                 "4-6/pixels/terms.tsv",
                                 "lock/4-6.yaml"}) {
    const fs::path theirs = folder_.Write("output/" + name, "mine");
    const ProgramResult run = Run();
    EXPECT_EQ(run.exit_code, 4) << name;
    EXPECT_THAT(run.err, HasSubstr("output/" + name + ": error: the "));
    EXPECT_EQ(ReadFile(theirs), "mine");
    fs::remove(theirs);
  }
  for (int i = 0; i < 2; ++i) EXPECT_EQ(Run().exit_code, 0) << "what it wrote itself";
  fs::remove(folder_ / "output" / ".flyscribe-files");  // as version 0.1.0 left it
  EXPECT_EQ(Run().exit_code, 0);
  WriteFile(folder_ / "output" / "skipped.tsv", "edited");
  EXPECT_EQ(Run().exit_code, 4);
  EXPECT_EQ(ReadFile(folder_ / "output" / "skipped.tsv"), "edited");
  // An edited file is known as such without the list, too, and with one that was cut off after its title.
  const fs::path list = folder_ / "output" / ".flyscribe-files";
  const std::string title = ReadFile(list).substr(0, ReadFile(list).find('\n') + 1);
  fs::remove(list);
  EXPECT_EQ(Run().exit_code, 4);
  WriteFile(list, title);
  EXPECT_EQ(Run().exit_code, 4);
  EXPECT_EQ(ReadFile(folder_ / "output" / "skipped.tsv"), "edited");
}

TEST_F(DataLossTest, AnOutputThatNamesNoFolderIsNotTheCurrentOne) {
  WriteTinyConfig();
  const ProgramResult run = Run({"--set", "output=\"\""});
  EXPECT_EQ(run.exit_code, 4);
  EXPECT_THAT(run.err, HasSubstr("output: names no folder"));
  EXPECT_EQ(EntriesOf(folder_.path()).size(), 1U) << "nothing is written";
}

TEST_F(DataLossTest, FilesBesideAFolderCalledUnfinishedAreLeftAlone) {
  const fs::path mine = folder_.Write("out/dictionary.npy", "mine");
  fs::create_directories(folder_ / "out" / ".unfinished");
  folder_.Write("not.npy", "x");
  const ProgramResult learn = Flyscribe({"learn", "-i", "not.npy", "-o", "out"});
  EXPECT_EQ(learn.exit_code, 4);
  EXPECT_THAT(learn.err, HasSubstr("the folder already holds a result (dictionary.npy)\n"));
  EXPECT_EQ(ReadFile(mine), "mine");
}

TEST_F(DataLossTest, AModelReplacesModelsOnly) {
  const std::string mine = ReadFile(WriteTinyConfig());
  const ProgramResult made = Flyscribe({"export", "tiny.yaml", "--output", "tiny.yaml", "--force", "--quiet"});
  EXPECT_EQ(made.exit_code, 4);
  EXPECT_THAT(made.err, HasSubstr("tiny.yaml: error: the file of this name is no model\n"));
  EXPECT_EQ(ReadFile(folder_ / "tiny.yaml"), mine);
}

}  // namespace
}  // namespace flyscribe
