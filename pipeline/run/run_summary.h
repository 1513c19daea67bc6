// What a run says about itself for machines: the text of run.json in its output folder, kept too in end.json of the
// cache's log of runs. There is one writer and one reader. Fields may be added to it; none are renamed or removed
// without another "format".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/evaluation.h"
#include "pipeline/run/observer.h"

namespace flyscribe {

// What the process used.
struct Resources {
  double wall_seconds = 0.0;
  double cpu_seconds = 0.0;
  std::uint64_t peak_bytes = 0;
};

struct RangeScores {
  std::string range;
  // Read back, an interval knows the AUC alone, and a measure that an earlier version did not write is NaN.
  std::vector<AverageEvaluation> averages;
};

struct RunSummary {
  std::string version;  // flyscribe's
  std::string id;       // in the cache's log of runs; may be empty
  std::string config;   // its name
  std::string command;  // as it was typed
  int exit_code = 0;
  Resources resources;
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;
  std::uint64_t skipped = 0;  // inputs that could not be used
  std::string report;         // path of the page
  std::vector<RangeScores> scores;
  std::vector<RangeScores> pixel_scores;  // of the raw-pixel baseline; empty if it was not run
};

// What became of each step is written for others to read: nothing here does.
std::string WriteRunSummary(const RunSummary& summary, const std::vector<StepOutcome>& steps);

// Ranges in the order of development. Nothing if the text is no such summary: others may call a file run.json.
std::optional<RunSummary> ReadRunSummary(std::string_view text);

}  // namespace flyscribe
