// Made-up measurements for the experiments to tell of: what they say must follow from the numbers.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "pipeline/paper/experiment.h"

namespace flyscribe {

using Method = LearnOptions::Method;

inline PaperConfig ReadPaperConfigTree(const ConfigNode& root, const std::string& name) {
  ReproduceOptions options;
  Config config = ReadConfigTree(root, name, {ReproduceSection(options)});
  return {std::move(config), std::move(options)};
}

// Two ranges, two of the paper's sizes, two epochs.
inline PaperConfig StudyConfig(const std::string& reproduce = {}) {
  return ReadPaperConfigTree(
      ParseConfigText("ranges: [4-6, 7-8]\nsimulate: {}\nlearn: {epochs: 2}\n"
                      "reproduce: {sizes: [500, 1000], rate_ranges: [4-6], rate_grid: 2, cd_steps: [1, 3], repeats: 2, "
                      "online_visits: 10, large_sizes: [1000, 4000], large_epochs: 2" +
                          reproduce + "}\n",
                      "study.yaml",
                      "."),
      "study");
}

// A run of two epochs over 100 patches that ends with this objective, a visit taking so many microseconds, 3/4 of them
// for the codes.
inline Measured MadeUp(double objective, double visit) {
  Measured measured;
  measured.patches = 100;
  measured.seconds = {visit * 1e-4, visit * 1e-4};
  measured.codes = {0.75 * visit * 1e-4, 0.75 * visit * 1e-4};
  measured.dictionary = {0.25 * visit * 1e-4, 0.25 * visit * 1e-4};
  measured.objective = {objective * 1.1, objective};
  measured.first_objective = objective * 1.5;
  measured.objective_patches = 50;
  measured.nonzeros = 10.0;
  measured.memory_before = 1000000;
  measured.memory_peak = 9000000;
  return measured;
}

// All that an experiment wants, as `make` has it.
inline Results MadeUpResults(const Experiment& experiment,
                             const Study& study,
                             const std::function<Measured(const Measurement&)>& make) {
  Results results;
  for (const Measurement& each : experiment.wants(study)) {
    Measured measured = make(each);
    measured.visits_only = each.timed_visits > 0;
    if (measured.visits_only) measured.objective.clear();
    results.Add(each, measured);
  }
  return results;
}

inline std::size_t FailedOf(const ReproductionPart& part) {
  std::size_t failed = 0;
  for (const ReproductionCheck& check : part.checks) failed += check.state == ReproductionCheck::State::kFailed ? 1 : 0;
  return failed;
}

// The check whose claim has this in it. REQUIRES: there is one.
inline const ReproductionCheck& CheckOf(const ReproductionPart& part, const std::string& words) {
  for (const ReproductionCheck& check : part.checks) {
    if (check.claim.find(words) != std::string::npos) return check;
  }
  throw Error(ErrorCode::kInternal, "no check says " + words);
}

inline bool Held(const ReproductionCheck& check) { return check.state == ReproductionCheck::State::kHeld; }

// All rows as long as their header.
inline bool Rectangular(const ReproductionPart& part) {
  for (const ReproductionTable& table : part.tables) {
    for (const auto& row : table.rows) {
      if (row.size() != table.header.size()) return false;
    }
  }
  return true;
}

}  // namespace flyscribe
