#include "pipeline/explain/history.h"

#include <algorithm>

#include "core/differences.h"
#include "core/text.h"
#include "data/stage_range.h"
#include "pipeline/cache/catalogue.h"
#include "pipeline/cache/key.h"
#include "pipeline/run/run_log.h"

namespace flyscribe {

History::History(const fs::path& cache_root) {
  for (const LoggedRun& run : ListRuns(cache_root)) {
    for (const LoggedStep& step : run.steps) {
      const bool was_there = step.state == "run" || step.state == "hit";
      if (step.key.empty() || !was_there) continue;
      KnownArtifact& known = by_key_[step.key];
      const double seconds = step.state == "run" ? step.seconds : known.seconds;
      known = {step.step, step.range, step.part, step.key, step.key_text, run.started, false, seconds, 0, {}};
    }
  }
  for (const CatalogueEntry& entry : ListArtifacts(cache_root)) {
    const ArtifactManifest& manifest = entry.manifest;
    if (!entry.problem.empty()) continue;
    by_key_[manifest.key] = {manifest.step,
                             manifest.range,
                             manifest.part,
                             manifest.key,
                             entry.key_text,
                             manifest.made,
                             true,
                             manifest.seconds,
                             entry.bytes,
                             entry.folder};
  }
}

const KnownArtifact* History::Find(const std::string& key) const {
  const auto found = by_key_.find(key);
  return found == by_key_.end() ? nullptr : &found->second;
}

std::vector<const KnownArtifact*> History::Of(const std::string& step, const std::string& range) const {
  std::vector<const KnownArtifact*> found;
  for (const auto& [key, known] : by_key_) {
    if (known.step == step && known.range == range) found.push_back(&known);
  }
  return found;
}

std::optional<StepCost> PredictCost(const StepInstance& instance, const History& history) {
  const std::string& step = instance.step->name;
  std::vector<const KnownArtifact*> candidates = history.Of(step, instance.range);
  for (const std::string& range : StageRange::Names()) {
    if (!candidates.empty() || instance.range == kAllRanges) break;
    candidates = history.Of(step, range);
  }
  if (candidates.empty()) return std::nullopt;
  const std::map<std::string, std::string> facts = KeyFacts(instance.key_text);
  // Present ones know their size; then the fewest differences; among equals the latest.
  const auto nearer = [&](const KnownArtifact* a, const KnownArtifact* b) {
    if (a->present != b->present) return a->present;
    const std::size_t from_a = Differences(KeyFacts(a->key_text), facts).size();
    const std::size_t from_b = Differences(KeyFacts(b->key_text), facts).size();
    return from_a != from_b ? from_a < from_b : a->made > b->made;
  };
  const KnownArtifact* nearest = *std::min_element(candidates.begin(), candidates.end(), nearer);
  return StepCost{nearest->seconds, nearest->bytes};
}

}  // namespace flyscribe
