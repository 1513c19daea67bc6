// flyscribe simulate: files to keep.
#include "tests/integration/workspace.h"

namespace flyscribe {
namespace {

class SimulateCommandTest : public Workspace {};

TEST_F(SimulateCommandTest, SimulateWritesTheSameBytesTwice) {
  for (const auto& [output, threads] : {std::pair{"a", "1"}, {"b", "3"}}) {
    const ProgramResult result = Flyscribe({"simulate",
                                            "-o",
                                            output,
                                            "--ranges",
                                            "4-6,13-17",
                                            "--set",
                                            "genes=6",
                                            "--set",
                                            "seed=3",
                                            "--threads",
                                            threads});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("images of"));
  }
  std::size_t files = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder_ / "a")) {
    if (!fs::is_regular_file(entry.path())) continue;
    ++files;
    EXPECT_EQ(ReadFile(entry.path()), ReadFile(folder_ / "b" / fs::relative(entry.path(), folder_ / "a").string()));
  }
  EXPECT_GT(files, 10U);
}

TEST_F(SimulateCommandTest, AnInterruptedSimulationLeavesAnEmptyFolder) {
  const std::string run = std::string(FLYSCRIBE_BINARY) + " simulate -o out --set genes=2000";
  RunBinary("/bin/sh",
            {"-c",
             run + " & pid=$!; while ! ls out/images/*/* >/dev/null 2>&1; do :; done; kill -TERM $pid; wait $pid; "
                   "echo $? > code"},
            folder_.path());
  EXPECT_EQ(ReadFile(folder_ / "code"), "143\n");
  EXPECT_TRUE(fs::is_empty(folder_ / "out"));
}

TEST_F(SimulateCommandTest, SimulateNeverReplacesFiles) {
  folder_.Write("full/x", "x");
  const ProgramResult full = Flyscribe({"simulate", "-o", "full"});
  EXPECT_EQ(full.exit_code, 4);
  EXPECT_THAT(full.err, HasSubstr("full: error: the output folder is not empty"));
  const ProgramResult bad = Flyscribe({"simulate", "-o", "new", "--set", "gens=3"});
  EXPECT_EQ(bad.exit_code, 4);
  EXPECT_THAT(bad.err, HasSubstr("did you mean 'genes'?"));
  EXPECT_FALSE(fs::exists(folder_ / "new"));
}

}  // namespace
}  // namespace flyscribe
