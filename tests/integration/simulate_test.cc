// flyscribe simulate: files to keep.
#include "tests/integration/workspace.h"

namespace flyscribe {
namespace {

class SimulateCommandTest : public Workspace {};

TEST_F(SimulateCommandTest, SimulateWritesTheSameBytesTwice) {
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
