#include "pipeline/plan.h"

#include "core/csv.h"
#include "core/hash.h"
#include "pipeline/config/describe.h"
#include "pipeline/version.h"

namespace flyscribe {
namespace {

const std::string kAllRanges = "all";

// What is in an ingest artifact besides images, labels and folds: names, files and what was left out.
std::string BookkeepingDigest(const Collection& collection) {
  Sha256 hash;
  for (const Bag& bag : collection.bags) hash.Update(TsvRow({bag.id, bag.gene, bag.symbol, bag.fbgn}));
  for (const ImageRecord& image : collection.images) {
    hash.Update(TsvRow({image.id, std::to_string(image.folder), image.file}));
  }
  for (const Skipped& item : collection.skipped) hash.Update(TsvRow({item.input, item.reason, item.fault ? "1" : "0"}));
  return hash.HexDigest();
}

class PlanBuilder {
 public:
  PlanBuilder(const Config& config, const CorpusSource& corpus) : config_(config), corpus_(corpus) {}

  Plan Build() {
    if (config_.simulated) plan_.instances.push_back(PlanSimulate(config_));
    for (const StageRange range : config_.StageRanges()) AddRange(range);
    AddReport();
    return std::move(plan_);
  }

 private:
  // The steps whose products a range's later steps read.
  struct Features {
    std::size_t learn = 0;
    std::size_t encode = 0;
    std::size_t pool = 0;
  };

  std::size_t Add(const std::string& range, Part part, const Step& step, std::vector<StepLink> links) {
    StepInstance instance{range, part, &step, std::move(links), {}, {}, {}};
    ArtifactKey key(step.name, step.version, range, part.name());
    step.describe(config_, key);
    ArtifactKey recipe(step.name, step.version, kAllRanges, Part{}.name());
    step.describe(config_, recipe);
    instance.recipe = recipe.text();
    for (const StepLink& link : instance.links) key.AddInput(link.name, link.digest);
    instance.key_text = key.text();
    instance.key = key.Digest();
    plan_.instances.push_back(std::move(instance));
    return plan_.instances.size() - 1;
  }

  StepLink LinkTo(std::size_t instance) const {
    const StepInstance& other = plan_.instances[instance];
    return {other.step->name, other.key, instance};
  }

  void AddRange(StageRange stage_range) {
    const Collection& collection = corpus_.Of(stage_range);
    const std::string range = stage_range.name();
    const std::size_t ingest = AddIngest(collection);
    // Steps that read the ingest artifact depend only on the part of it they use: a corrected label leaves the
    // dictionary alone.
    const StepLink images{"images", collection.ImagesDigest(), ingest};
    const StepLink labels{"labels", collection.LabelsDigest(), ingest};
    const StepLink folds{"folds", collection.FoldsDigest(), ingest};

    const std::size_t standardise = Add(range, {}, StandardiseStep(), {images});
    const std::size_t extract = Add(range, {}, ExtractStep(), {LinkTo(standardise)});
    const std::size_t normalise = Add(range, {}, NormaliseStep(), {LinkTo(extract)});
    std::vector<StepLink> scores = {labels, folds};
    Features features;
    for (int fold = 0; fold < config_.protocol.test_folds; ++fold) {
      const bool own_dictionary = config_.protocol.dictionary == ProtocolOptions::DictionaryFrom::kTraining;
      if (own_dictionary) features = AddFeatures(range, {fold}, normalise, {images, folds});
      if (!own_dictionary && fold == 0) features = AddFeatures(range, {}, normalise, {images});
      const std::size_t train = Add(range, {fold}, TrainStep(), {LinkTo(features.pool), labels, folds});
      scores.push_back(LinkTo(train));
      for (const std::size_t shown : {features.learn, features.pool, train}) report_.push_back(LinkTo(shown));
    }
    const std::size_t evaluate = Add(range, {}, EvaluateStep(), scores);
    for (const std::size_t shown : {ingest, standardise, normalise, evaluate}) report_.push_back(LinkTo(shown));
  }

  std::size_t AddIngest(const Collection& collection) {
    std::vector<StepLink> links;
    const auto outside = [&links](const char* name, const std::string& digest) {
      links.push_back({name, digest, kNoInstance});
    };
    outside("images", collection.ImagesDigest());
    outside("labels", collection.LabelsDigest());
    outside("folds", collection.FoldsDigest());
    outside("bookkeeping", BookkeepingDigest(collection));
    return Add(collection.range.name(), {}, IngestStep(), links);
  }

  Features AddFeatures(const std::string& range, Part part, std::size_t normalise, std::vector<StepLink> learn_links) {
    Features features;
    learn_links.push_back(LinkTo(normalise));
    features.learn = Add(range, part, LearnStep(), learn_links);
    features.encode = Add(range, part, EncodeStep(), {LinkTo(normalise), LinkTo(features.learn)});
    const StepLink& images = learn_links.front();
    features.pool =
        Add(range, part, PoolStep(), {images, LinkTo(normalise), LinkTo(features.learn), LinkTo(features.encode)});
    return features;
  }

  void AddReport() {
    report_.push_back({"options", Sha256OfText(EffectiveYaml(config_, true)), kNoInstance});
    Add(kAllRanges, {}, ReportStep(), report_);
  }

  const Config& config_;
  const CorpusSource& corpus_;
  Plan plan_;
  std::vector<StepLink> report_;
};

}  // namespace

std::string StepInstance::Describe() const {
  std::string text = step->name;
  if (range != kAllRanges) text += " for " + range;
  if (!part.IsAll()) text += ", " + part.name();
  return text;
}

std::string StepInstance::Label() const {
  return step->name + (range == kAllRanges ? "" : " " + range) + (part.IsAll() ? "" : " " + part.name());
}

StepInstance PlanSimulate(const Config& config) {
  const Step& step = SimulateStep();
  ArtifactKey key(step.name, step.version, kAllRanges, Part{}.name());
  step.describe(config, key);
  return {kAllRanges, {}, &step, {}, key.text(), key.text(), key.Digest()};
}

Plan BuildPlan(const Config& config, const CorpusSource& corpus) { return PlanBuilder(config, corpus).Build(); }

}  // namespace flyscribe
