// What has been computed before: the artifacts that lie in the cache, and those that were there once, as the log of
// runs remembers them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/fs.h"
#include "pipeline/plan/plan.h"

namespace flyscribe {

struct KnownArtifact {
  std::string step;
  std::string range;
  std::string part;
  std::string key;
  std::string key_text;
  std::string made;      // "2026-11-16T15:50:45Z"
  bool present = false;  // in the cache now, with the right sizes
  double seconds = 0.0;
  double work = 0.0;        // what was done in that time, in units of the step; 0 if it is not known
  double size = 0.0;        // what the bytes hold, likewise
  std::uint64_t bytes = 0;  // 0 if it is not there any more
  fs::path folder = {};     // empty if it is not there any more
  std::string config = {};  // the name of the config whose run used it last; empty if no log says so
};

class History {
 public:
  explicit History(const fs::path& cache_root);

  const fs::path& root() const { return root_; }
  // Null if it was never computed.
  const KnownArtifact* Find(const std::string& key) const;
  // All of one step, or of one of its ranges, in no particular order.
  std::vector<const KnownArtifact*> Of(const std::string& step, const std::string& range = {}) const;
  // Those that runs of one config used, by run, the latest first. Several in one run are the points of a sweep, or
  // parts.
  using OfOneRun = std::vector<const KnownArtifact*>;
  std::vector<OfOneRun> OfConfig(const std::string& config_path,
                                 const std::string& step,
                                 const std::string& range) const;

 private:
  struct PastRun {
    std::string config_path;        // without links
    std::vector<std::string> keys;  // of what it used
  };

  fs::path root_;
  std::map<std::string, KnownArtifact> by_key_;
  std::vector<PastRun> runs_;  // newest first
};

// What a step that must run will take.
struct StepCost {
  double seconds = 0.0;
  std::optional<std::uint64_t> bytes;  // nothing if the earlier artifact is gone: the log of runs keeps no sizes
};
// The time and size of an earlier artifact of the same step and version, of whatever range and config, in proportion to
// what there is to do (StepAmount; of images only those without items). Of several the one whose amount of work was
// nearest, then that whose key differs least, then the latest. Nothing if there is none, or if an amount is not known.
std::optional<StepCost> PredictCost(const Plan& plan, const StepInstance& instance, const History& history);

}  // namespace flyscribe
