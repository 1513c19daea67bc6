// The small commands: simulate, defaults, help and version.
#include "tests/integration/workspace.h"

namespace flyscribe {
namespace {

class CommandsTest : public Workspace {};

TEST_F(CommandsTest, HelpAndVersion) {
  const ProgramResult help = Flyscribe({"--help"});
  EXPECT_EQ(help.exit_code, 0);
  for (const char* text : {"run", "simulate", "defaults", "Exit codes"}) EXPECT_THAT(help.out, HasSubstr(text));
  const ProgramResult version = Flyscribe({"--version"});
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_EQ(version.out.rfind("flyscribe ", 0), 0U);
  EXPECT_THAT(Flyscribe({"run", "--help"}).out, HasSubstr("--set"));
}

TEST_F(CommandsTest, DefaultsOfASection) {
  const ProgramResult all = Flyscribe({"defaults"});
  EXPECT_EQ(all.exit_code, 0);
  EXPECT_THAT(all.out, HasSubstr("learn:"));
  EXPECT_THAT(Flyscribe({"defaults", "learn"}).out, HasSubstr("lambda: 0.1"));
  EXPECT_THAT(Flyscribe({"defaults", "learn"}).out, Not(HasSubstr("pool:")));
  const ProgramResult unknown = Flyscribe({"defaults", "lern"});
  EXPECT_EQ(unknown.exit_code, 4);
  EXPECT_THAT(unknown.err, HasSubstr("did you mean 'learn'?"));
}

TEST_F(CommandsTest, SimulateWritesTheSameBytesTwice) {
  for (const char* output : {"a", "b"}) {
    const ProgramResult result = Flyscribe(
        {"simulate", "-o", output, "--ranges", "4-6,13-17", "--set", "genes=6", "--set", "seed=3", "--threads", "2"});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("images of"));
  }
  for (const char* table : {"insitu_annot.csv", "insitu_images.csv"}) {
    EXPECT_EQ(ReadFile(folder_ / "a" / table), ReadFile(folder_ / "b" / table));
  }
}

TEST_F(CommandsTest, SimulateNeverReplacesFiles) {
  folder_.Write("full/x", "x");
  const ProgramResult full = Flyscribe({"simulate", "-o", "full"});
  EXPECT_EQ(full.exit_code, 4);
  EXPECT_THAT(full.err, HasSubstr("full: error: the output folder is not empty"));
  const ProgramResult bad = Flyscribe({"simulate", "-o", "new", "--set", "gens=3"});
  EXPECT_EQ(bad.exit_code, 4);
  EXPECT_THAT(bad.err, HasSubstr("did you mean 'genes'?"));
  EXPECT_FALSE(fs::exists(folder_ / "new"));
}

TEST_F(CommandsTest, EveryShippedConfigIsValid) {
  std::size_t configs = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(FLYSCRIBE_SOURCE_DIR "/configs")) {
    if (entry.path().extension() != ".yaml") continue;
    ++configs;
    // An output that cannot be made stops the run right after the config was read.
    const ProgramResult result = Flyscribe({"run", entry.path().string(), "--set", "output=/dev/null/x"});
    EXPECT_EQ(result.exit_code, 8) << entry.path() << "\n" << result.err;
  }
  EXPECT_GE(configs, 7U);
}

}  // namespace
}  // namespace flyscribe
