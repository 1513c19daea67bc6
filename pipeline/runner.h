// Executes a plan: finds what is cached, computes what is not, in order.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/cache/store.h"
#include "pipeline/console.h"
#include "pipeline/plan.h"

namespace flyscribe {

// What became of one step instance.
struct StepOutcome {
  std::string range;
  std::string part;
  std::string step;
  bool hit = false;
  double seconds = 0.0;       // spent in this run
  double made_seconds = 0.0;  // spent in the run that made the artifact
  std::string key;
  fs::path folder;
};

struct RunOutcome {
  std::vector<StepOutcome> steps;  // in execution order

  std::size_t Hits() const;
  std::size_t Misses() const { return steps.size() - Hits(); }
  // The folder of a step's artifact. REQUIRES: it is part of the run.
  fs::path FolderOf(const std::string& range, const std::string& step) const;
};

class Runner {
 public:
  Runner(const Config& config, Console& console);

  // Throws the first Error of a step, with what was being done added. What was computed before stays cached.
  RunOutcome Run();

 private:
  // Makes sure the instance's artifact exists: by a hit, or by running the step.
  void Ensure(std::size_t index);
  // Also rehashes it (all files, or those named), because it is about to be read; a damaged one is computed again.
  void EnsureTrusted(std::size_t index, const std::vector<std::string>& files = {});
  // The same for what is copied to the output folder.
  void EnsureTrustedOutputs();
  Artifact Compute(const StepInstance& instance);
  CorpusSource ImportCorpus();

  const Config& config_;
  Console& console_;
  ArtifactStore store_;
  Plan plan_;
  const CorpusSource* corpus_ = nullptr;
  struct Slot {
    std::optional<Artifact> artifact;
    bool trusted = false;
    StepOutcome outcome;
  };
  std::vector<Slot> slots_;
};

}  // namespace flyscribe
