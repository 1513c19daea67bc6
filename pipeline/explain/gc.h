// Removes from a cache what is no longer wanted: what was not used for the longest time first, never what a live run or
// the given plan needs.
//
// While something is removed no run can begin (see run_log.h), and a run names all it needs before it looks for it: so
// nothing is ever taken away from a run. What is removed is first renamed, so that a reader sees all of an artifact or
// nothing.
#pragma once

#include <cstdint>
#include <ctime>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/fs.h"
#include "pipeline/cache/store.h"
#include "pipeline/plan/forecast.h"
#include "pipeline/plan/plan.h"

namespace flyscribe {

struct GcRequest {
  std::optional<std::uint64_t> max_bytes;  // remove until the cache is at most this large
  std::optional<double> older_than;        // remove what was not used for so many seconds
  std::optional<int> keep_last;            // remove what none of the last n runs of any config used
  const Plan* plan = nullptr;              // what it needs is never removed
  bool clear_damaged = false;              // also what was set aside as damaged, however recent
  bool dry_run = false;
};

// Something that lies in the cache.
struct CachePiece {
  enum class Kind { kArtifact, kItems, kCheckpoint, kLeftover, kDamaged };
  Kind kind = Kind::kArtifact;
  fs::path folder;
  std::string name;     // "learn 4-6 fold-0", "items of extract"
  std::string options;  // "learn.atoms 256, learn.lambda 0.1": those that are not the default
  std::string key;      // of an artifact
  std::uint64_t bytes = 0;
  std::time_t last_use = 0;
  std::vector<std::string> needed_by;  // names of configs whose latest run used it; "a run that goes on"
  bool in_plan = false;
  std::string problem;  // of a damaged artifact
};

// Everything in the cache that takes room, artifacts first. `plan` may be null.
std::vector<CachePiece> ListPieces(const fs::path& cache_root, const Plan* plan);

struct GcResult {
  std::vector<CachePiece> removed;
  std::uint64_t bytes_before = 0;
  std::uint64_t bytes_after = 0;
};
// Throws Error(kInput) unless the plan says all that its configs need: simulated data that is not there, or images that
// cannot be read, leave keys unknown, and gc would take what lies under them for waste.
void RequireKnownNeeds(const Plan& plan);
GcResult CollectGarbage(const fs::path& cache_root, const GcRequest& request);

// Keeps a run below cache.max_size: throws Error(kDisk) if what the plan needs, as far as it is known, is more; else
// removes what others left until there is room for what the run is expected to add. Warns if some of that is not known.
void MakeRoom(const Plan& plan,
              const std::vector<StepForecast>& forecast,
              const fs::path& cache_root,
              const std::function<void(const std::string&)>& warn);
// After the run, when all sizes are known: the same without forecast. Warns if what is needed is itself too large.
void KeepBelowLimit(const Plan& plan, const fs::path& cache_root, const std::function<void(const std::string&)>& warn);

}  // namespace flyscribe
