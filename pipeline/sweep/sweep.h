// A sweep: one config at every point of a grid of option values. Steps that points share are computed once.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "pipeline/plan/planner.h"
#include "pipeline/run/runner.h"

namespace flyscribe {

struct SweepPoint {
  std::vector<std::pair<std::string, std::string>> settings;  // "learn.atoms" -> "500", in the order of the arguments

  std::string Name() const;    // "learn.atoms=500 learn.lambda=0.1"
  std::string Folder() const;  // the same, fit for a path
};

// The grid of arguments such as "learn.atoms=500,1000,2000"; the last argument varies fastest. Commas within brackets
// or quotes do not separate values. One point without settings if there are no arguments. Throws Error(kUsage) that
// points at the argument.
std::vector<SweepPoint> SweepGrid(const std::vector<std::string>& arguments);

// The configs of all points: the file with `overrides` and each point's settings. A point with settings has an output
// folder of its own, points/<name> in the config's. All problems point at the argument that caused them.
std::vector<NamedConfig> ReadConfigs(const fs::path& path,
                                     const std::vector<std::string>& overrides,
                                     const std::vector<SweepPoint>& points);

// One row per point and range: the settings, state, scores, error.
struct SweepTable {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;

  std::string Tsv() const;   // sweep.tsv
  std::string Text() const;  // for people
};
SweepTable TabulateSweep(const std::vector<SweepPoint>& points, const Plan& plan, const RunOutcome& outcome);

}  // namespace flyscribe
