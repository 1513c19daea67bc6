#include "pipeline/plan.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/csv.h"
#include "core/hash.h"

namespace flyscribe {
namespace {

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

// What later steps depend on of an ingest artifact. A corrected label leaves the dictionary alone.
struct IngestDigests {
  std::string images;
  std::string labels;
  std::string folds;
  std::string bookkeeping;

  IngestDigests() = default;
  explicit IngestDigests(const Collection& collection)
      : images(collection.ImagesDigest()),
        labels(collection.LabelsDigest()),
        folds(collection.FoldsDigest()),
        bookkeeping(BookkeepingDigest(collection)) {}
};

class PlanBuilder {
 public:
  PlanBuilder(std::shared_ptr<const Config> config, std::shared_ptr<const CorpusSource> corpus)
      : config_(*config), corpus_(corpus.get()) {
    plan_.points.push_back({{}, std::move(config), std::move(corpus), {}, nullptr});
  }

  Plan Build() {
    if (config_.simulated) plan_.instances.push_back(PlanSimulate(config_));
    for (const StageRange range : config_.StageRanges()) AddRange(range);
    Add(kAllRanges, {}, ReportStep(), report_);
    for (std::size_t i = 0; i < plan_.instances.size(); ++i) plan_.points[0].instances.push_back(i);
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
    StepInstance instance;
    instance.range = range;
    instance.part = part;
    instance.step = &step;
    instance.links = std::move(links);
    ArtifactKey key(step.name, step.version, range, part.name());
    step.describe(config_, key);
    instance.recipe = RecipeOf(key.text());
    bool known = true;
    for (const StepLink& link : instance.links) {
      key.AddInput(link.name, link.digest);
      known &= !link.digest.empty();
    }
    instance.key_text = key.text();
    if (known) instance.key = key.Digest();
    plan_.instances.push_back(std::move(instance));
    return plan_.instances.size() - 1;
  }

  // Tells apart several instances of one step, and with `prefix` also several ranges.
  StepLink LinkToPart(std::size_t instance, const std::string& prefix = {}) const {
    const StepInstance& other = plan_.instances[instance];
    return {prefix + other.step->name + (other.part.IsAll() ? "" : " " + other.part.name()), other.key, instance};
  }
  // Where a step reads one instance of another, the name of that step is enough.
  StepLink LinkTo(std::size_t instance) const {
    const StepInstance& other = plan_.instances[instance];
    return {other.step->name, other.key, instance};
  }

  void AddRange(StageRange stage_range) {
    const std::string range = stage_range.name();
    const IngestDigests digests = corpus_ == nullptr ? IngestDigests() : IngestDigests(corpus_->Of(stage_range));
    const std::size_t ingest = AddIngest(range, digests);
    const StepLink images{"images", digests.images, ingest};
    const StepLink labels{"labels", digests.labels, ingest};
    const StepLink folds{"folds", digests.folds, ingest};

    const std::size_t standardise = Add(range, {}, StandardiseStep(), {images});
    const std::size_t extract = Add(range, {}, ExtractStep(), {LinkTo(standardise)});
    const std::size_t normalise = Add(range, {}, NormaliseStep(), {LinkTo(extract)});
    std::vector<StepLink> scores = {labels, folds};
    Features features;
    for (int fold = 0; fold < config_.protocol.test_folds; ++fold) {
      const bool own_dictionary = config_.protocol.dictionary == ProtocolOptions::DictionaryFrom::kTraining;
      const bool new_features = own_dictionary || fold == 0;
      if (new_features && own_dictionary) features = AddFeatures(range, {fold}, normalise, {images, folds});
      if (new_features && !own_dictionary) features = AddFeatures(range, {}, normalise, {images});
      const std::size_t train = Add(range, {fold}, TrainStep(), {LinkTo(features.pool), labels, folds});
      scores.push_back(LinkToPart(train));
      if (new_features) ShowInReport(range, {features.learn, features.pool});
      ShowInReport(range, {train});
    }
    const std::size_t evaluate = Add(range, {}, EvaluateStep(), scores);
    ShowInReport(range, {ingest, standardise, normalise, evaluate});
  }

  void ShowInReport(const std::string& range, const std::vector<std::size_t>& instances) {
    for (const std::size_t instance : instances) report_.push_back(LinkToPart(instance, range + " "));
  }

  std::size_t AddIngest(const std::string& range, const IngestDigests& digests) {
    const std::size_t ingest = Add(range,
                                   {},
                                   IngestStep(),
                                   {{"images", digests.images, kNoInstance},
                                    {"labels", digests.labels, kNoInstance},
                                    {"folds", digests.folds, kNoInstance},
                                    {"bookkeeping", digests.bookkeeping, kNoInstance}});
    // Its files are content like any other: they are in the key by their digests, not by the key of simulate.
    if (config_.simulated) plan_.instances[ingest].after.push_back(0);
    return ingest;
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

  const Config& config_;
  const CorpusSource* corpus_;
  Plan plan_;
  std::vector<StepLink> report_;
};

// Puts the instances of one plan into another.
class PlanJoiner {
 public:
  void Add(const Plan& plan) {
    place_.clear();
    const std::size_t first_point = joint_.points.size();
    for (const StepInstance& instance : plan.instances) place_.push_back(PlaceOf(instance, first_point));
    for (const PlanPoint& point : plan.points) {
      joint_.points.push_back({point.name, point.config, point.corpus, Placed(point.instances), point.error});
    }
  }

  Plan Take() {
    TagUnshared();
    return std::move(joint_);
  }

 private:
  void TagUnshared() {
    std::vector<int> owners(joint_.instances.size());
    for (const PlanPoint& point : joint_.points) {
      for (const std::size_t instance : point.instances) ++owners[instance];
    }
    if (joint_.points.size() < 2) return;
    for (std::size_t i = 0; i < owners.size(); ++i) {
      StepInstance& instance = joint_.instances[i];
      if (owners[i] == 1) instance.tag = joint_.points[instance.point].name;
    }
  }

  std::vector<std::size_t> Placed(const std::vector<std::size_t>& instances) const {
    std::set<std::size_t> placed;
    for (const std::size_t instance : instances) placed.insert(place_[instance]);
    return {placed.begin(), placed.end()};
  }

  std::size_t PlaceOf(StepInstance instance, std::size_t first_point) {
    const auto known = by_key_.find(instance.key);
    if (!instance.key.empty() && known != by_key_.end()) return known->second;
    for (StepLink& link : instance.links) {
      if (link.instance != kNoInstance) link.instance = place_[link.instance];
    }
    instance.after = Placed(instance.after);
    instance.point += first_point;
    by_key_[instance.key] = joint_.instances.size();
    joint_.instances.push_back(std::move(instance));
    return joint_.instances.size() - 1;
  }

  Plan joint_;
  std::map<std::string, std::size_t> by_key_;
  std::vector<std::size_t> place_;  // of the instances of the plan being added
};

}  // namespace

std::string StepInstance::Describe() const {
  std::string text = step->name;
  if (range != kAllRanges) text += " for " + range;
  if (!part.IsAll()) text += ", " + part.name();
  return text;
}

std::string StepLabel(const std::string& step, const std::string& range, const std::string& part) {
  return step + (range == kAllRanges ? "" : " " + range) + (part == Part{}.name() || part.empty() ? "" : " " + part);
}

std::string StepInstance::Label() const {
  return StepLabel(step->name, range, part.name()) + (tag.empty() ? "" : " [" + tag + "]");
}

std::vector<std::size_t> StepInstance::Inputs() const {
  std::set<std::size_t> inputs(after.begin(), after.end());
  for (const StepLink& link : links) {
    if (link.instance != kNoInstance) inputs.insert(link.instance);
  }
  return {inputs.begin(), inputs.end()};
}

std::vector<std::vector<std::size_t>> Plan::Inputs() const {
  std::vector<std::vector<std::size_t>> inputs;
  for (const StepInstance& instance : instances) inputs.push_back(instance.Inputs());
  return inputs;
}

StepInstance PlanSimulate(const Config& config) {
  StepInstance instance;
  instance.range = kAllRanges;
  instance.step = &SimulateStep();
  ArtifactKey key(instance.step->name, instance.step->version, kAllRanges, instance.part.name());
  instance.step->describe(config, key);
  instance.recipe = instance.key_text = key.text();
  instance.key = key.Digest();
  return instance;
}

Plan BuildPlan(std::shared_ptr<const Config> config, std::shared_ptr<const CorpusSource> corpus) {
  return PlanBuilder(std::move(config), std::move(corpus)).Build();
}

Plan JoinPlans(const std::vector<Plan>& plans) {
  PlanJoiner joiner;
  for (const Plan& plan : plans) joiner.Add(plan);
  return joiner.Take();
}

}  // namespace flyscribe
