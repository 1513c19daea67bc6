#include "pipeline/explain/history.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <tuple>

#include "data/stage_range.h"
#include "pipeline/cache/catalogue.h"
#include "pipeline/cache/items.h"
#include "pipeline/cache/key.h"
#include "pipeline/run/run_log.h"

namespace flyscribe {

namespace {

// By whatever links a config is reached, it is the same.
std::string RealPath(const std::string& path) {
  boost::system::error_code error;
  const fs::path real = fs::weakly_canonical(path, error);
  return error ? path : real.string();
}

}  // namespace

History::History(const fs::path& cache_root) : root_(cache_root) {
  for (const LoggedRun& run : ListRuns(cache_root)) {
    PastRun& past = runs_.emplace_back();
    past.config_path = RealPath(run.title.config_path);
    for (const LoggedStep& step : run.steps) {
      const bool was_asked =
          step.state == StepState::kRun || step.state == StepState::kHit || step.state == StepState::kUnneeded;
      if (step.key.empty() || !was_asked) continue;
      past.keys.push_back(step.key);
      KnownArtifact& known = by_key_[step.key];
      const bool ran = step.state == StepState::kRun;
      const double seconds = ran ? step.seconds : known.seconds;
      const double work = ran ? step.work : known.work;
      known = {.step = step.step,
               .range = step.range,
               .part = step.part,
               .key = step.key,
               .key_text = step.key_text,
               .made = run.started,
               .seconds = seconds,
               .work = work,
               .config = run.title.config};
    }
  }
  std::reverse(runs_.begin(), runs_.end());  // the newest first
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
             .work = manifest.work,
             .size = manifest.size,
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
    if (known.step == step && (range.empty() || known.range == range)) found.push_back(&known);
  }
  return found;
}

std::vector<History::OfOneRun> History::OfConfig(const std::string& config_path,
                                                 const std::string& step,
                                                 const std::string& range) const {
  std::vector<OfOneRun> found;
  const std::string real_path = RealPath(config_path);
  for (const PastRun& run : runs_) {
    if (config_path.empty() || run.config_path != real_path) continue;
    OfOneRun used;
    for (const std::string& key : run.keys) {
      const KnownArtifact& known = by_key_.at(key);
      if (known.step == step && known.range == range) used.push_back(&known);
    }
    if (!used.empty()) found.push_back(std::move(used));
  }
  return found;
}

namespace {

// The share of the images that have no item yet. Where an item of extract lies follows from pixels that standardise has
// still to make; so an image counts as new to it if it is new to standardise.
double ShareToDo(const Plan& plan, const StepInstance& instance, const fs::path& root) {
  const auto folder_of = [&root](const StepInstance& one) {
    return ItemFolder(root, one.step->name, RecipeOf(one.key_text));
  };
  const std::shared_ptr<const CorpusSource> corpus = plan.points[instance.point].corpus;
  boost::system::error_code ignored;
  if (!instance.step->keeps_items || corpus == nullptr || !fs::exists(folder_of(instance), ignored)) return 1.0;
  const StepInstance* standardise = &instance;
  for (const std::size_t input : instance.Inputs()) {
    if (plan.instances[input].step == &StandardiseStep()) standardise = &plan.instances[input];
  }
  const std::vector<ImageRecord>& images = corpus->Of(StageRange::FromName(instance.range)).images;
  const auto is_new = [folder = folder_of(*standardise)](const ImageRecord& image) {
    boost::system::error_code error;
    return !fs::exists(ItemPath(folder, image.digest), error);
  };
  const auto count = std::count_if(images.begin(), images.end(), is_new);
  return ShareOf(static_cast<std::size_t>(count), images.size());
}

}  // namespace

std::optional<StepCost> PredictCost(const Plan& plan, const StepInstance& instance, const History& history) {
  const std::map<std::string, std::string> facts = KeyFacts(instance.key_text);
  std::vector<const KnownArtifact*> candidates = history.Of(instance.step->name);
  std::erase_if(candidates, [&](const KnownArtifact* known) {
    return !(known->work > 0.0) || KeyFacts(known->key_text)["step"] != facts.at("step");
  });
  if (candidates.empty() || !(instance.amount.work > 0.0)) return std::nullopt;
  const double work = instance.amount.work * ShareToDo(plan, instance, history.root());
  const auto farness = [&](const KnownArtifact* known) {
    const double ratio = std::abs(std::log(known->work / instance.amount.work));
    return std::tuple(!known->present, ratio, Differences(KeyFacts(known->key_text), facts).size());
  };
  const KnownArtifact* nearest = candidates.front();
  for (const KnownArtifact* known : candidates) {
    const auto better = farness(known) <=> farness(nearest);
    if (better < 0 || (better == 0 && known->made > nearest->made)) nearest = known;
  }
  StepCost cost = {nearest->seconds * work / nearest->work, std::nullopt};
  if (nearest->present && nearest->size > 0.0) {
    const double bytes = static_cast<double>(nearest->bytes) * instance.amount.size / nearest->size;
    cost.bytes = static_cast<std::uint64_t>(bytes);
  }
  return cost;
}

}  // namespace flyscribe
