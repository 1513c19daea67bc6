// Several processes with one cache: every artifact is computed once, and whoever only looks never waits.
#include <nlohmann/json.hpp>

#include "core/file_lock.h"
#include "tests/integration/artifact_bytes.h"
#include "tests/integration/workspace.h"

namespace flyscribe {
namespace {

using nlohmann::json;

class SharedCacheTest : public Workspace {
 protected:
  SharedCacheTest() { WriteTinyConfig(); }

  std::vector<std::string> RunInto(const std::string& output) const {
    return {"run", "tiny.yaml", "--set", "output=" + output};
  }
  // key -> how many runs computed it
  std::map<std::string, int> TimesComputed() const {
    std::map<std::string, int> times;
    for (const fs::directory_entry& run : fs::directory_iterator(folder_ / "cache" / "runs")) {
      const json state = json::parse(ReadFile(run.path() / "state.json"));
      for (const auto& [key, step] : state.at("steps").items()) times[key] += step.at("state") == "run" ? 1 : 0;
    }
    return times;
  }
  void ExpectLookingNeverFails() const {
    for (const std::vector<std::string>& command : {std::vector<std::string>{"status", "--cache", "cache", "--json"},
                                                    {"status", "tiny.yaml", "--json"},
                                                    {"runs", "--cache", "cache", "--json"},
                                                    {"cache", "ls", "--cache", "cache", "--json"}}) {
      const ProgramResult result = Flyscribe(command);
      ASSERT_EQ(result.exit_code, 0) << command[0] << ": " << result.err;
      EXPECT_TRUE(json::accept(result.out)) << result.out;
    }
  }
};

class ProcessesTest : public SharedCacheTest, public testing::WithParamInterface<int> {};

TEST_P(ProcessesTest, EachArtifactIsComputedOnce) {
  fs::create_directories(folder_ / "cache");
  std::vector<std::unique_ptr<RunningProgram>> programs;
  for (int i = 0; i < GetParam(); ++i) {
    programs.push_back(
        std::make_unique<RunningProgram>(FLYSCRIBE_BINARY, RunInto("out" + std::to_string(i)), folder_.path()));
  }
  int looks = 0;
  while (std::any_of(programs.begin(), programs.end(), [](const auto& program) { return program->running(); })) {
    ExpectLookingNeverFails();
    ++looks;
  }
  EXPECT_GT(looks, 0);
  for (const auto& program : programs) {
    const ProgramResult result = program->Wait();
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.err, Not(HasSubstr("warning")));
  }
  const std::map<std::string, int> times = TimesComputed();
  EXPECT_EQ(times.size(), 11U);
  for (const auto& [key, count] : times) EXPECT_EQ(count, 1) << key;
  const std::string report = ReadFile(folder_ / "out0" / "4-6" / "terms.tsv");
  for (int i = 1; i < GetParam(); ++i) {
    EXPECT_EQ(ReadFile(folder_ / ("out" + std::to_string(i)) / "4-6" / "terms.tsv"), report);
  }
  EXPECT_EQ(Flyscribe({"cache", "verify", "--cache", "cache"}).exit_code, 0);
}

TEST_F(SharedCacheTest, OneOutputFolderHoldsTheResultOfOneRun) {
  const auto run = [&](const std::string& output, int seed) {
    std::vector<std::string> arguments = RunInto(output);
    arguments.insert(arguments.end(), {"--set", "learn.seed=" + std::to_string(seed), "--quiet"});
    return arguments;
  };
  for (int seed = 0; seed < 2; ++seed) {
    ASSERT_EQ(Flyscribe(run("out" + std::to_string(seed), seed)).exit_code, 0);
  }
  std::vector<std::unique_ptr<RunningProgram>> programs;
  for (int i = 0; i < 4; ++i) {
    programs.push_back(std::make_unique<RunningProgram>(FLYSCRIBE_BINARY, run("both", i % 2), folder_.path()));
  }
  for (const auto& program : programs) {
    const ProgramResult result = program->Wait();
    EXPECT_EQ(result.exit_code, 0) << result.err;
  }
  const std::string options = ReadFile(folder_ / "both" / "config.yaml");
  const std::string last = options.find("\n  seed: 1\n") != std::string::npos ? "out1" : "out0";
  for (const std::string name : {"4-6/terms.tsv", "4-6/averages.tsv", "4-6/predictions.tsv", "lock/4-6.yaml"}) {
    EXPECT_EQ(ReadFile(folder_ / "both" / name), ReadFile(folder_ / last / name)) << name;
  }
  EXPECT_EQ(Flyscribe(run("both", 0)).exit_code, 0) << "all is known as flyscribe's own";
}

TEST_F(SharedCacheTest, RunsThatKeepTheCacheSmallDoNotDisturbEachOther) {
  std::vector<std::unique_ptr<RunningProgram>> programs;
  for (int i = 0; i < 4; ++i) {
    std::vector<std::string> run = RunInto("out" + std::to_string(i));
    for (const std::string& option : {"learn.seed=" + std::to_string(i), std::string("cache.max_size=10MB")}) {
      run.insert(run.end(), {"--set", option});
    }
    programs.push_back(std::make_unique<RunningProgram>(FLYSCRIBE_BINARY, run, folder_.path()));
  }
  for (const auto& program : programs) {
    const ProgramResult result = program->Wait();
    EXPECT_EQ(result.exit_code, 0) << result.err;
  }
}

INSTANTIATE_TEST_SUITE_P(Together, ProcessesTest, testing::Values(2, 4));

// The key of a step, from the plan.
std::string KeyOf(const ProgramResult& plan, const std::string& step) {
  const json parsed = json::parse(plan.out);
  for (const json& each : parsed.at("steps")) {
    if (each.at("step") == step) return each.at("key");
  }
  return {};
}

TEST_F(SharedCacheTest, TheSecondSaysForWhomItWaits) {
  ASSERT_EQ(Flyscribe({"run", "tiny.yaml", "--until", "normalise"}).exit_code, 0);
  const std::string key = KeyOf(Flyscribe({"plan", "tiny.yaml", "--json"}), "learn");
  const fs::path lock_file = folder_ / "cache" / "locks" / key;
  std::optional<FileLock> lock = FileLock::TryAcquire(lock_file, "process 1 on moon (learn for 4-6)");
  ASSERT_TRUE(lock);
  const ProgramResult impatient = Flyscribe({"run", "tiny.yaml", "--set", "cache.lock_timeout=0.01"});
  EXPECT_EQ(impatient.exit_code, 7);
  EXPECT_THAT(impatient.err, HasSubstr("learn 4-6 fold-0: waiting for process 1 on moon (learn for 4-6)"));
  EXPECT_THAT(impatient.err, HasSubstr("waited longer than cache.lock_timeout for process 1 on moon"));
  EXPECT_THAT(impatient.err, HasSubstr("raise cache.lock_timeout"));

  RunningProgram patient(FLYSCRIBE_BINARY, {"run", "tiny.yaml", "--json"}, folder_.path());
  while (patient.running() && patient.out().find("\"wait\"") == std::string::npos) {
  }
  const json status = json::parse(Flyscribe({"status", "tiny.yaml", "--json"}).out);
  for (const json& step : status.at("steps")) {
    if (step.at("step") == "learn") {
      EXPECT_EQ(step.at("state"), "waiting");
    }
  }
  lock.reset();
  EXPECT_EQ(patient.Wait().exit_code, 0);
}

TEST_F(SharedCacheTest, GcNeverTakesWhatARunThatGoesOnNeeds) {
  ASSERT_EQ(Flyscribe({"run", "tiny.yaml", "--until", "normalise"}).exit_code, 0);
  const std::string key = KeyOf(Flyscribe({"plan", "tiny.yaml", "--json"}), "learn");
  std::optional<FileLock> lock = FileLock::TryAcquire(folder_ / "cache" / "locks" / key, "somebody");
  RunningProgram waiting(FLYSCRIBE_BINARY, {"run", "tiny.yaml", "--json"}, folder_.path());
  while (waiting.running() && waiting.out().find("\"wait\"") == std::string::npos) {
  }
  const ProgramResult gc = Flyscribe({"cache", "gc", "--cache", "cache", "--max-size", "0", "--json"});
  EXPECT_EQ(gc.exit_code, 0) << gc.err;
  EXPECT_EQ(json::parse(gc.out).at("removed").size(), 0U) << gc.out;
  lock.reset();
  EXPECT_EQ(waiting.Wait().exit_code, 0);
  const ProgramResult after = Flyscribe({"cache", "gc", "--cache", "cache", "--max-size", "0"});
  EXPECT_THAT(after.out, HasSubstr("-> 0 B"));
}

}  // namespace
}  // namespace flyscribe
