// A small but complete run on simulated embryos, made once per test program and looked at by many tests.
#pragma once

#include <string>
#include <vector>

#include "pipeline/plan/planner.h"
#include "pipeline/run/runner.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {

// Everything below `folder`. Options come after the defaults of the tiny run, so they win.
inline ConfigNode TinyTree(const fs::path& folder, const std::vector<std::string>& overrides) {
  ConfigNode root = ParseConfigText(
      "ranges: [4-6]\noutput: output\ncache: {dir: cache}\nthreads: 2\n"
      "simulate: {genes: 30, images_max: 2, seed: 7}\nextract: {stride: 32}\n"
      "learn: {atoms: 24, epochs: 2}\ntrain: {min_positives: 5}\nreport: {examples: 2}\n",
      "tiny.yaml",
      folder);
  for (const std::string& argument : overrides) ApplyOverride(root, argument);
  return root;
}

inline Config TinyConfig(const fs::path& folder, const std::vector<std::string>& overrides = {}) {
  return ReadConfigTree(TinyTree(folder, overrides), "tiny");
}

// Plans and runs; throws the first step's error.
inline RunOutcome Execute(const Config& config, const RunRequest& request = {}) {
  RunObserver nobody;
  const ArtifactStore store(config.cache.dir, [](const std::string&) {});
  Runner runner(store, request, nobody);
  const Plan plan =
      Planner(store, {.remember = true}, NoProgress())
          .Make({{"", config}}, [&](const Config& each, const StepInstance& simulate, DigestCache& digests) {
            return runner.Simulate(each, simulate, digests);
          });
  RunOutcome outcome = runner.Run(plan);
  if (outcome.error) std::rethrow_exception(outcome.error);
  return outcome;
}

// As the cache stands; nothing is computed.
inline Plan PlanOf(const Config& config) {
  const ArtifactStore store(config.cache.dir, [](const std::string&) {});
  return Planner(store, {}, NoProgress()).Make({{"", config}});
}

struct TinyRun {
  TempFolder folder;
  Config config;
  RunOutcome outcome;

  explicit TinyRun(const std::vector<std::string>& overrides)
      : config(TinyConfig(folder.path(), overrides)), outcome(Execute(config)) {}

  fs::path FolderOf(const std::string& step) const {
    const bool joint = step == "simulate" || step == "report";
    return outcome.FolderOf(joint ? "all" : "4-6", step);
  }
};

inline const TinyRun& SharedTinyRun() {
  static const TinyRun run({});
  return run;
}

// With the raw-pixel baseline, two folds tested; in a cache of its own, because others count what is in the one above.
inline const TinyRun& SharedBaselineRun() {
  static const TinyRun run({"protocol.pixel_baseline=true", "protocol.test_folds=2"});
  return run;
}

// "step" or "step part" of the instances that were computed, in order.
inline std::vector<std::string> Computed(const RunOutcome& outcome) {
  std::vector<std::string> steps;
  for (const StepOutcome& step : outcome.steps) {
    if (step.state == StepState::kRun) steps.push_back(step.step);
  }
  return steps;
}

}  // namespace flyscribe
