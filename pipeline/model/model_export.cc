#include "pipeline/model/model.h"

#include <map>

#include "classify/svm.h"
#include "pipeline/config/describe.h"
#include "pipeline/plan/plan.h"
#include "pipeline/run/runner.h"

namespace flyscribe {
namespace {

std::vector<std::string> FbbtIds(const Collection& collection, const std::vector<TermModel>& terms) {
  std::map<std::string, std::string> ids;
  for (const TermRecord& record : collection.terms) ids[record.term] = record.fbbt_id;
  std::vector<std::string> result;
  for (const TermModel& term : terms) result.push_back(ids[term.term]);
  return result;
}

// A gene has one bag in a range, but nothing here depends on that.
std::vector<TrainedGene> GenesOf(const Collection& collection, bool inner_models, const TrainOptions& options) {
  std::map<std::string, TrainedGene> genes;
  for (const Bag& bag : collection.bags) {
    const int fold = inner_models ? options.InnerFoldOf(bag.gene) : -1;
    genes.try_emplace(bag.gene, TrainedGene{bag.gene, bag.names, fold});
  }
  std::vector<TrainedGene> result;
  for (auto& [identity, gene] : genes) result.push_back(std::move(gene));
  return result;
}

RangeModel RangeOfRun(StageRange range, const PlanPoint& point, const RunOutcome& outcome) {
  const Collection& collection = point.corpus->Of(range);
  RangeModel model;
  model.range = range;
  model.dictionary = Dictionary::Load(outcome.FolderOf(range.name(), LearnStep().name));
  model.models = TermModels::Load(outcome.FolderOf(range.name(), TrainStep().name));
  model.models.scores = Matrix<double>(0, model.models.terms.size());
  model.fbbt_ids = FbbtIds(collection, model.models.terms);
  model.genes = GenesOf(collection, model.models.inner_folds() > 0, point.config->train);
  return model;
}

std::string KeyOf(const RunOutcome& outcome, const std::string& range, const std::string& step) {
  for (const StepOutcome& one : outcome.steps) {
    if (one.range == range && one.step == step) return one.key;
  }
  return {};
}

using Provenance = std::vector<std::pair<std::string, std::string>>;

void AddRange(StageRange range, const PlanPoint& point, const RunOutcome& outcome, Provenance& provenance) {
  const Collection& collection = point.corpus->Of(range);
  const std::string name = range.name() + " ";
  provenance.emplace_back(name + "images", std::to_string(collection.images.size()));
  provenance.emplace_back(name + "bags", std::to_string(collection.bags.size()));
  provenance.emplace_back(name + "digest of images", collection.ImagesDigest());
  provenance.emplace_back(name + "digest of labels", collection.LabelsDigest());
  provenance.emplace_back(name + "key of learn", KeyOf(outcome, range.name(), LearnStep().name));
  provenance.emplace_back(name + "key of train", KeyOf(outcome, range.name(), TrainStep().name));
}

// No times, paths or hosts: the same training gives the same bytes.
Provenance ProvenanceOf(const PlanPoint& point, const RunOutcome& outcome) {
  const Config& config = *point.config;
  Provenance provenance = {
      {"config", config.name}, {"data", config.simulated ? "simulated" : "real"}, {"libsvm", SvmLibraryVersion()}};
  for (const StageRange range : config.StageRanges()) AddRange(range, point, outcome, provenance);
  provenance.emplace_back("options", EffectiveYaml(config, true));
  return provenance;
}

}  // namespace

std::vector<std::string> StepsOfModel() { return {LearnStep().name, TrainStep().name}; }

Model ModelOfRun(const PlanPoint& point, const RunOutcome& outcome) {
  Model model;
  model.options = ModelOptions(*point.config);
  for (const StageRange range : point.config->StageRanges()) {
    model.ranges.push_back(RangeOfRun(range, point, outcome));
  }
  model.provenance = ProvenanceOf(point, outcome);
  RequireFitting(model);
  model.id = ModelId(model);
  return model;
}

}  // namespace flyscribe
