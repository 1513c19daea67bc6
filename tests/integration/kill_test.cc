// Runs that are killed at any moment: the next one goes on and ends with the same bytes.
//
// FLYSCRIBE_KILLS sets the number of kills, FLYSCRIBE_KILLED_CONFIG the config to kill (else a tiny one): `./dev soak`.
#include <csignal>
#include <cstdlib>

#include "core/progress.h"
#include "core/rng.h"
#include "core/text.h"
#include "tests/integration/artifact_bytes.h"
#include "tests/integration/workspace.h"

namespace flyscribe {
namespace {

class KillTest : public Workspace {
 protected:
  // run CONFIG with everything below `name`.
  std::vector<std::string> RunIn(const std::string& name) const {
    std::vector<std::string> run = {"run", config_, "--set", "output=" + name + "/output"};
    run.insert(run.end(), {"--set", "cache.dir=" + name + "/cache", "--set", "cache.checkpoint_seconds=0"});
    return run;
  }

  std::string config_ = [this] {
    const char* given = std::getenv("FLYSCRIBE_KILLED_CONFIG");
    return given != nullptr ? std::string(given) : WriteTinyConfig().string();
  }();
  int kills_ = [] {
    const char* given = std::getenv("FLYSCRIBE_KILLS");
    return given != nullptr ? static_cast<int>(ParseInteger(given).value_or(0)) : 8;
  }();
};

TEST_F(KillTest, KilledAtRandomMomentsItEndsWithTheSameBytes) {
  const double start = SecondsNow();
  ASSERT_EQ(Flyscribe(RunIn("whole")).exit_code, 0);
  const double whole = SecondsNow() - start;
  Rng rng(17);
  int killed = 0;
  int attempts = 0;
  while (killed < kills_) {
    ASSERT_LT(++attempts, 20 * kills_ + 20);
    RunningProgram program(FLYSCRIBE_BINARY, RunIn("killed"), folder_.path());
    // Short lives at first, so that every step is met; a run that gets through begins again from nothing.
    if (program.KillAfter(whole * rng.Uniform() * rng.Uniform())) {
      ++killed;
    } else {
      ASSERT_EQ(program.Wait().exit_code, 0);
      EXPECT_EQ(ArtifactBytes(folder_ / "killed" / "cache"), ArtifactBytes(folder_ / "whole" / "cache"));
      fs::remove_all(folder_ / "killed");
    }
  }
  const ProgramResult last = Flyscribe(RunIn("killed"));
  ASSERT_EQ(last.exit_code, 0) << last.err;
  EXPECT_EQ(last.err.find("damaged"), std::string::npos) << last.err;
  EXPECT_EQ(ArtifactBytes(folder_ / "killed" / "cache"), ArtifactBytes(folder_ / "whole" / "cache"));
  EXPECT_TRUE(fs::is_empty(folder_ / "killed" / "cache" / "tmp"));
  EXPECT_TRUE(fs::is_empty(folder_ / "killed" / "cache" / "checkpoints"));
  EXPECT_TRUE(fs::is_empty(folder_ / "killed" / "cache" / "locks")) << "what a killed run left is cleared away";
  const ProgramResult verified = Flyscribe({"cache", "verify", "--cache", "killed/cache"});
  EXPECT_EQ(verified.exit_code, 0) << verified.err;
  RecordProperty("kills", killed);
}

TEST_F(KillTest, LearningGoesOnAfterItsLastEpoch) {
  // Epochs long enough to be met; enough of them that going on is told from beginning anew.
  constexpr int kEpochs = 30;
  const auto run_in = [this](const std::string& name) {
    std::vector<std::string> run = RunIn(name);
    for (const char* option : {"learn.epochs=30", "learn.atoms=200", "extract.stride=8"}) {
      run.insert(run.end(), {"--set", option});
    }
    run.emplace_back("--json");
    return run;
  };
  // The epoch of the checkpoint; 0 if there is none.
  const auto saved = [this] {
    boost::system::error_code ignored;
    for (const fs::path& key : EntriesOf(folder_ / "killed" / "cache" / "checkpoints")) {
      for (const fs::path& state : EntriesOf(key)) {
        const std::string name = state.filename().string();
        const bool whole = name.starts_with("epoch-") && fs::exists(state / "manifest.json", ignored);
        if (whole) return static_cast<int>(ParseInteger(name.substr(6)).value_or(0));
      }
    }
    return 0;
  };
  {
    RunningProgram program(FLYSCRIBE_BINARY, run_in("killed"), folder_.path());
    while (program.running() && saved() < 3) {
    }
    ASSERT_TRUE(program.running()) << "it was too fast to be met";
    program.Signal(SIGTERM);
    const ProgramResult stopped = program.Wait();
    EXPECT_EQ(stopped.exit_code, 143);
    EXPECT_THAT(stopped.err, HasSubstr("run the same command again to go on"));
    EXPECT_THAT(stopped.err, HasSubstr("while running learn for 4-6, fold-0"));
  }
  const int epoch = saved();
  EXPECT_GE(epoch, 3);
  EXPECT_TRUE(fs::is_empty(folder_ / "killed" / "cache" / "tmp"));
  const ProgramResult resumed = Flyscribe(run_in("killed"));
  ASSERT_EQ(resumed.exit_code, 0);
  EXPECT_THAT(resumed.err + resumed.out, HasSubstr("going on after epoch " + std::to_string(epoch) + " of 30"));
  EXPECT_EQ(saved(), 0);
  EXPECT_LT(epoch, kEpochs);
  ASSERT_EQ(Flyscribe(run_in("whole")).exit_code, 0);
  EXPECT_EQ(ArtifactBytes(folder_ / "killed" / "cache"), ArtifactBytes(folder_ / "whole" / "cache"));
}

}  // namespace
}  // namespace flyscribe
