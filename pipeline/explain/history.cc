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
    PastRun& past = runs_.emplace_back();
    past.config_path = fs::path(run.title.config_path).lexically_normal().string();
    for (const LoggedStep& step : run.steps) {
      const bool was_there = step.state == "run" || step.state == "hit";
      if (step.key.empty() || !was_there) continue;
      past.keys.push_back(step.key);
      KnownArtifact& known = by_key_[step.key];
      const double seconds = step.state == "run" ? step.seconds : known.seconds;
      known = {.step = step.step,
               .range = step.range,
               .part = step.part,
               .key = step.key,
               .key_text = step.key_text,
               .made = run.started,
               .seconds = seconds,
               .config = run.title.config};
    }
  }
  for (const CatalogueEntry& entry : ListArtifacts(cache_root)) {
    const ArtifactManifest& manifest = entry.manifest;
    if (!entry.problem.empty()) continue;
    KnownArtifact& known = by_key_[manifest.key];
    known = {.step = manifest.step,
             .range = manifest.range,
             .part = manifest.part,
             .key = manifest.key,
             .key_text = entry.key_text,
             .made = manifest.made,
             .present = true,
             .seconds = manifest.seconds,
             .bytes = entry.bytes,
             .folder = entry.folder,
             .config = std::move(known.config)};
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

std::vector<History::OfOneRun> History::OfConfig(const std::string& config_path,
                                                 const std::string& step,
                                                 const std::string& range) const {
  std::vector<OfOneRun> found;
  for (auto run = runs_.rbegin(); run != runs_.rend(); ++run) {
    if (config_path.empty() || run->config_path != config_path) continue;
    OfOneRun used;
    for (const std::string& key : run->keys) {
      const KnownArtifact& known = by_key_.at(key);
      if (known.step == step && known.range == range) used.push_back(&known);
    }
    if (!used.empty()) found.push_back(std::move(used));
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
