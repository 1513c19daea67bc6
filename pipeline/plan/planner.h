// From configs to a plan: makes sure that simulated data is there, reads the tables, hashes the images.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/progress.h"
#include "pipeline/cache/digest_cache.h"
#include "pipeline/cache/store.h"
#include "pipeline/plan/plan.h"

namespace flyscribe {

// One config of a run; the name tells it from others ("" if it is alone).
struct NamedConfig {
  std::string name;
  Config config;
};

class Planner {
 public:
  // The folder of simulated data, or nothing if it is not there. `digests` knows the digests of its files.
  using Simulated =
      std::function<std::optional<fs::path>(const Config& config, const StepInstance& simulate, DigestCache& digests)>;

  struct Options {
    bool rehash = false;      // trust no digest of an earlier run
    bool remember = false;    // write down digests for later runs
    bool keep_going = false;  // a config whose inputs cannot be used becomes a point without steps
    PlanGoal goal = PlanGoal::kEvaluation;
  };

  Planner(const ArtifactStore& store, Options options, Progress& progress);

  // One plan for all configs. Where simulated data is not there, the keys of what follows stay empty.
  Plan Make(const std::vector<NamedConfig>& configs, const Simulated& simulated);
  // The same, with the simulated data that the cache has. Nothing is computed.
  Plan Make(const std::vector<NamedConfig>& configs);

 private:
  std::shared_ptr<const CorpusSource> CorpusOf(const Config& config, const Simulated& simulated);
  std::shared_ptr<const CorpusSource> Import(const Config& config, const fs::path& data, DigestCache& digests);

  const ArtifactStore& store_;
  Options options_;
  Progress& progress_;
  std::map<std::string, std::shared_ptr<const CorpusSource>> corpora_;  // by all that decides them
};

}  // namespace flyscribe
