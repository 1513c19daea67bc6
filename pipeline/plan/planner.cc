#include "pipeline/plan/planner.h"

#include "core/error.h"
#include "core/hash.h"
#include "core/text.h"

namespace flyscribe {
namespace {

// All that decides what is imported, but for the content of the files.
std::string SourceText(const Config& config) {
  std::string text = config.simulated ? PlanSimulate(config).key_text : "";
  text += config.data.annotations + "\n" + config.data.images_table + "\n" + Join(config.data.images, "\n") + "\n";
  text += config.ontology.map + "\n" + config.ontology.obo + "\n";
  return text;
}

std::string CorpusText(const Config& config) {
  std::string text = SourceText(config) + KeyText(config.ingest) + KeyText(config.ontology);
  for (const std::string& range : config.RangeNames()) text += range + "\n";
  return text;
}

}  // namespace

Planner::Planner(const ArtifactStore& store, Options options, Progress& progress)
    : store_(store), options_(options), progress_(progress) {}

Plan Planner::Make(const std::vector<NamedConfig>& configs, const Simulated& simulated) {
  std::vector<Plan> plans;
  for (const NamedConfig& named : configs) {
    try {
      auto config = std::make_shared<const Config>(named.config);
      Plan plan = BuildPlan(config, CorpusOf(*config, simulated), options_.goal);
      plan.points[0].name = named.name;
      plans.push_back(std::move(plan));
    } catch (const Error& error) {
      if (!options_.keep_going || error.code() == ErrorCode::kInterrupted) throw;
      Plan none;
      none.points.push_back(
          {named.name, std::make_shared<const Config>(named.config), nullptr, {}, std::current_exception()});
      plans.push_back(std::move(none));
    }
  }
  return JoinPlans(plans);
}

Plan Planner::Make(const std::vector<NamedConfig>& configs) {
  return Make(configs, [this](const Config&, const StepInstance& simulate, DigestCache&) -> std::optional<fs::path> {
    const Found found = store_.Look(simulate.range, simulate.step->name, simulate.key);
    if (!found.artifact) return std::nullopt;
    return found.artifact->folder;
  });
}

std::shared_ptr<const CorpusSource> Planner::CorpusOf(const Config& config, const Simulated& simulated) {
  const std::string identity = CorpusText(config);
  if (const auto known = corpora_.find(identity); known != corpora_.end()) return known->second;
  const std::string file = Sha256OfText(SourceText(config)).substr(0, 32) + ".tsv";
  DigestCache digests(store_.root() / "digests" / file, options_.rehash);
  std::optional<fs::path> data = fs::path();
  if (config.simulated) data = simulated(config, PlanSimulate(config), digests);
  if (!data) return nullptr;
  std::shared_ptr<const CorpusSource> corpus = Import(config, *data, digests);
  if (options_.remember) digests.Save();
  corpora_[identity] = corpus;
  return corpus;
}

std::shared_ptr<const CorpusSource> Planner::Import(const Config& config, const fs::path& data, DigestCache& digests) {
  auto corpus = std::make_shared<CorpusSource>(config, data, progress_);
  for (const std::string& warning : corpus->ontology().warnings()) progress_.Say("warning: " + warning);
  ImportControl control;
  control.threads = config.run.threads;
  control.digest = [&digests](const fs::path& path) { return digests.Of(path); };
  for (const StageRange range : config.StageRanges()) corpus->Import(range, control, progress_);
  return corpus;
}

}  // namespace flyscribe
