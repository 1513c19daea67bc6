// The command line as a whole: help, version, shipped configs.
#include "tests/integration/workspace.h"

namespace flyscribe {
namespace {

class ProgramTest : public Workspace {};

TEST_F(ProgramTest, HelpAndVersion) {
  const ProgramResult help = Flyscribe({"--help"});
  EXPECT_EQ(help.exit_code, 0);
  for (const char* text : {"run", "simulate", "defaults", "Exit codes"}) EXPECT_THAT(help.out, HasSubstr(text));
  const ProgramResult version = Flyscribe({"--version"});
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_EQ(version.out.rfind("flyscribe ", 0), 0U);
  EXPECT_THAT(Flyscribe({"run", "--help"}).out, HasSubstr("--set"));
}

TEST_F(ProgramTest, EveryShippedConfigIsValid) {
  std::size_t configs = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(FLYSCRIBE_SOURCE_DIR "/configs")) {
    if (entry.path().extension() != ".yaml") continue;
    ++configs;
    // An output that cannot be made stops the run right after the config was read. Real data need not be there for
    // that.
    const std::string command = "FLYSCRIBE_DATA=. exec '" FLYSCRIBE_BINARY "' run '" + entry.path().string() + "' " +
                                "--set output=/dev/null/x";
    const ProgramResult result = RunBinary("/bin/sh", {"-c", command}, folder_.path());
    EXPECT_EQ(result.exit_code, 8) << entry.path() << "\n" << result.err;
  }
  EXPECT_GE(configs, 7U);
}

TEST_F(ProgramTest, OutputThatCannotBeWrittenIsAnError) {
  const ProgramResult full =
      RunBinary("/bin/sh", {"-c", std::string(FLYSCRIBE_BINARY) + " defaults > /dev/full"}, folder_.path());
  EXPECT_EQ(full.exit_code, 8);
  EXPECT_THAT(full.err, HasSubstr("standard output: error: cannot write"));
  // Progress that nobody can read ends no run.
  WriteTinyConfig();
  const ProgramResult silent =
      RunBinary("/bin/sh", {"-c", std::string(FLYSCRIBE_BINARY) + " run tiny.yaml 2> /dev/full"}, folder_.path());
  EXPECT_EQ(silent.exit_code, 0);
}

}  // namespace
}  // namespace flyscribe
