// A small but complete run on simulated embryos, made once per test program and looked at by many tests.
#pragma once

#include <string>
#include <vector>

#include "pipeline/runner.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {

// Everything below `folder`. Options come after the defaults of the tiny run, so they win.
inline Config TinyConfig(const fs::path& folder, const std::vector<std::string>& overrides = {}) {
  ConfigNode root = ParseConfigText(
      "ranges: [4-6]\noutput: output\ncache: {dir: cache}\nthreads: 2\n"
      "simulate: {genes: 30, images_max: 2, seed: 7}\nextract: {stride: 32}\n"
      "learn: {atoms: 24, epochs: 2}\ntrain: {min_positives: 5}\nreport: {examples: 2}\n",
      "tiny.yaml",
      folder);
  for (const std::string& argument : overrides) ApplyOverride(root, argument);
  return ReadConfigTree(root, "tiny");
}

inline RunOutcome Execute(const Config& config) {
  Console console({.terminal = false, .colour = false, .quiet = true});
  return Runner(config, console).Run();
}

struct TinyRun {
  TempFolder folder;
  Config config = TinyConfig(folder.path());
  RunOutcome outcome = Execute(config);

  fs::path FolderOf(const std::string& step) const {
    const bool joint = step == "simulate" || step == "report";
    return outcome.FolderOf(joint ? "all" : "4-6", step);
  }
};

inline const TinyRun& SharedTinyRun() {
  static const TinyRun run;
  return run;
}

// "step" or "step part" of the instances that were computed, in order.
inline std::vector<std::string> Computed(const RunOutcome& outcome) {
  std::vector<std::string> steps;
  for (const StepOutcome& step : outcome.steps) {
    if (!step.hit) steps.push_back(step.step);
  }
  return steps;
}

}  // namespace flyscribe
