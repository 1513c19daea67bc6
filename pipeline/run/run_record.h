// What a run leaves in its output folder: tables and the report copied from the cache, the effective config, and
// run.json, which says for machines what the closing block says for people.
#pragma once

#include <string>
#include <vector>

#include "data/skipped.h"
#include "pipeline/run/output_folder.h"
#include "pipeline/run/run_summary.h"
#include "pipeline/run/runner.h"

namespace flyscribe {

// CPU time and peak memory of this process so far; wall time is the caller's.
Resources ResourcesSinceStart(double wall_seconds);

// What could not be used, over all ranges, as far as the run got.
std::vector<RangeFault> CollectFaults(const RunOutcome& outcome);

struct RunRecord {
  const Config& config;
  const RunOutcome& outcome;
  std::string command;  // as it was typed
  std::vector<RangeFault> faults;
  Resources resources;
  int exit_code = 0;
  std::string id;  // in the cache's log of runs; may be empty
};

// Output folder: report/index.html, run.json, config.yaml, skipped.tsv, <range>/{terms,averages,predictions}.tsv and,
// of the raw-pixel baseline, <range>/pixels/ with the same three; of the first and the last only what the run got to.
void WriteOutputs(const RunRecord& record, OutputFolder& output);
// The folder to do so; throws as OutputFolder does. `config_file`: where the config was read from.
OutputFolder OpenOutput(const Config& config, const fs::path& config_file);

// The text of run.json.
std::string RunJson(const RunRecord& record);

// "Scores on genes not trained on" for standard output: one row a term, averages below, and below them those of the
// raw-pixel baseline; every AUC with its 95 % interval.
std::string ScoreTable(const RunOutcome& outcome);

// Version, time, memory, hits and misses, where the report is.
std::string ClosingBlock(const RunRecord& record);

}  // namespace flyscribe
