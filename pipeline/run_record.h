// What a run leaves in its output folder: tables and the report copied from the cache, the effective config, and
// run.json, which says for machines what the closing block says for people.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/skipped.h"
#include "pipeline/runner.h"

namespace flyscribe {

// What the process used.
struct Resources {
  double wall_seconds = 0.0;
  double cpu_seconds = 0.0;
  std::uint64_t peak_bytes = 0;
};
// CPU time and peak memory of this process so far; wall time is the caller's.
Resources ResourcesSinceStart(double wall_seconds);

// A fault of one range: an input that was missing or unreadable, a bag without a patch.
struct RunFault {
  std::string range;
  Skipped skipped;
};
std::vector<RunFault> CollectFaults(const RunOutcome& outcome);

struct RunRecord {
  const Config& config;
  const RunOutcome& outcome;
  std::string command;  // as it was typed
  std::vector<RunFault> faults;
  Resources resources;
  int exit_code = 0;
};

// Output folder: report/index.html, run.json, config.yaml, skipped.tsv, <range>/{terms,averages,predictions}.tsv.
void WriteOutputs(const RunRecord& record);

// "Scores on genes not trained on" for standard output: one row a term, averages below.
std::string ScoreTable(const RunOutcome& outcome);

// Version, time, memory, hits and misses, where the report is.
std::string ClosingBlock(const RunRecord& record);

}  // namespace flyscribe
