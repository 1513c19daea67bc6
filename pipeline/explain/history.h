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
  std::uint64_t bytes = 0;  // 0 if it is not there any more
  fs::path folder = {};     // empty if it is not there any more
};

class History {
 public:
  explicit History(const fs::path& cache_root);

  // Null if it was never computed.
  const KnownArtifact* Find(const std::string& key) const;
  // All of one step and range, in no particular order.
  std::vector<const KnownArtifact*> Of(const std::string& step, const std::string& range) const;

 private:
  std::map<std::string, KnownArtifact> by_key_;
};

// What a step that must run will take, going by the earlier artifact of the step whose key differs least; of another
// range if there is none of its own.
struct StepCost {
  double seconds = 0.0;
  std::uint64_t bytes = 0;
};
std::optional<StepCost> PredictCost(const StepInstance& instance, const History& history);

}  // namespace flyscribe
