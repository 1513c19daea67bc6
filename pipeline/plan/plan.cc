#include "pipeline/plan/plan.h"

#include <map>
#include <set>

#include "core/csv.h"
#include "core/error.h"
#include "core/hash.h"

namespace flyscribe {
namespace {

// What is in an ingest artifact besides images, labels and folds: names, files and what was left out.
std::string BookkeepingDigest(const Collection& collection) {
  Sha256 hash;
  for (const Bag& bag : collection.bags) {
    hash.Update(
        TsvRow({bag.id, bag.gene, bag.symbol, bag.fbgn, JoinNames(bag.names.ids), JoinNames(bag.names.symbols)}));
  }
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
  std::string terms;
  std::string bookkeeping;

  IngestDigests() = default;
  explicit IngestDigests(const Collection& collection)
      : images(collection.ImagesDigest()),
        labels(collection.LabelsDigest()),
        folds(collection.FoldsDigest()),
        terms(collection.TermsDigest()),
        bookkeeping(BookkeepingDigest(collection)) {}
};

class PlanBuilder {
 public:
  PlanBuilder(std::shared_ptr<const Config> config, std::shared_ptr<const CorpusSource> corpus)
      : config_(*config), corpus_(corpus.get()) {
    plan_.points.push_back({{}, std::move(config), std::move(corpus), {}, nullptr});
  }

  Plan Build(PlanGoal goal) {
    if (config_.simulated) plan_.instances.push_back(PlanSimulate(config_));
    for (const StageRange range : config_.StageRanges()) {
      const RangeStart start = AddStart(range);
      if (goal == PlanGoal::kModel) {
        // Of all bags: no outer fold is left out, so no key depends on the folds.
        Add(start.range, {}, TrainStep(), {LinkTo(AddFeatures(start, {}).pool), start.labels});
      } else {
        AddEvaluation(start);
      }
    }
    if (goal == PlanGoal::kEvaluation) Add(kAllRanges, {}, ReportStep(), report_);
    for (std::size_t i = 0; i < plan_.instances.size(); ++i) plan_.points[0].instances.push_back(i);
    return std::move(plan_);
  }

 private:
  // What all parts of a range share.
  struct RangeStart {
    std::string range;
    std::size_t ingest = 0;
    StepLink images;
    StepLink labels;
    StepLink folds;
    std::size_t standardise = 0;
    std::size_t normalise = 0;
  };

  // The steps whose products a range's later steps read.
  struct Features {
    std::size_t learn = 0;
    std::size_t pool = 0;
  };

  std::size_t Add(const std::string& range, Part part, const Step& step, std::vector<StepLink> links) {
    StepInstance instance;
    instance.range = range;
    instance.part = part;
    instance.step = &step;
    instance.links = std::move(links);
    ArtifactKey key = StepKey(step, config_, range, part);
    FLYSCRIBE_CHECK((range == kAllRanges) == (step.scope == StepScope::kOnce), "a step has the range of its scope");
    if (range == kAllRanges) {
      instance.amount = step.amount(config_, {});
    } else if (corpus_ != nullptr) {
      instance.amount = step.amount(config_, {config_, corpus_->Of(StageRange::FromName(range)), part});
    }
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

  RangeStart AddStart(StageRange stage_range) {
    RangeStart start;
    start.range = stage_range.name();
    const IngestDigests digests = corpus_ == nullptr ? IngestDigests() : IngestDigests(corpus_->Of(stage_range));
    start.ingest = Add(start.range,
                       {},
                       IngestStep(),
                       {{"images", digests.images, kNoInstance},
                        {"labels", digests.labels, kNoInstance},
                        {"folds", digests.folds, kNoInstance},
                        {"terms", digests.terms, kNoInstance},
                        {"bookkeeping", digests.bookkeeping, kNoInstance}});
    // Its files are content like any other: they are in the key by their digests, not by the key of simulate.
    if (config_.simulated) plan_.instances[start.ingest].after.push_back(0);
    start.images = {"images", digests.images, start.ingest};
    start.labels = {"labels", digests.labels, start.ingest};
    start.folds = {"folds", digests.folds, start.ingest};
    start.standardise = Add(start.range, {}, StandardiseStep(), {start.images});
    const std::size_t extract = Add(start.range, {}, ExtractStep(), {LinkTo(start.standardise)});
    start.normalise = Add(start.range, {}, NormaliseStep(), {LinkTo(start.standardise), LinkTo(extract)});
    return start;
  }

  void AddEvaluation(const RangeStart& start) {
    const bool own_dictionary = config_.protocol.dictionary == ProtocolOptions::DictionaryFrom::kTraining;
    std::vector<StepLink> scores = {start.labels, start.folds};
    Features features;
    for (int fold = 0; fold < config_.protocol.test_folds; ++fold) {
      const bool new_features = own_dictionary || fold == 0;
      if (new_features) features = AddFeatures(start, own_dictionary ? Part{fold} : Part{});
      const std::size_t train =
          Add(start.range, {fold}, TrainStep(), {LinkTo(features.pool), start.labels, start.folds});
      scores.push_back(LinkToPart(train));
      if (new_features) ShowInReport(start.range, {features.learn, features.pool});
      ShowInReport(start.range, {train});
    }
    const std::size_t evaluate = Add(start.range, {}, EvaluateStep(), scores);
    ShowInReport(start.range, {start.ingest, start.standardise, start.normalise, evaluate});
    if (config_.protocol.pixel_baseline) {
      AddPixels(start.range, {start.images, LinkTo(start.standardise)}, {start.labels, start.folds});
    }
  }

  // Pixels are not learned from anybody, so one artifact serves all folds.
  void AddPixels(const std::string& range,
                 const std::vector<StepLink>& pixel_links,
                 const std::vector<StepLink>& truth) {
    const std::size_t pixels = Add(range, {}, PixelsStep(), pixel_links);
    std::vector<StepLink> scores = truth;
    for (int fold = 0; fold < config_.protocol.test_folds; ++fold) {
      std::vector<StepLink> links = {LinkTo(pixels)};
      links.insert(links.end(), truth.begin(), truth.end());
      scores.push_back(LinkToPart(Add(range, {fold}, TrainPixelsStep(), links)));
    }
    ShowInReport(range, {Add(range, {}, EvaluatePixelsStep(), scores)});
  }

  void ShowInReport(const std::string& range, const std::vector<std::size_t>& instances) {
    for (const std::size_t instance : instances) report_.push_back(LinkToPart(instance, range + " "));
  }

  // The codes that learning leaves are pooled as they are; otherwise all patches are encoded first.
  Features AddFeatures(const RangeStart& start, Part part) {
    Features features;
    std::vector<StepLink> learn_links = {start.images};
    if (!part.IsAll()) learn_links.push_back(start.folds);
    learn_links.push_back(LinkTo(start.normalise));
    features.learn = Add(start.range, part, LearnStep(), learn_links);
    std::vector<StepLink> pool_links = {start.images, LinkTo(start.normalise), LinkTo(features.learn)};
    if (config_.pool.codes == PoolOptions::Codes::kEncoded) {
      const std::size_t encode =
          Add(start.range, part, EncodeStep(), {LinkTo(start.normalise), LinkTo(features.learn)});
      pool_links.push_back(LinkTo(encode));
    }
    features.pool = Add(start.range, part, PoolStep(), pool_links);
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
    // Tells apart what belongs to one of several configs.
    std::vector<int> owners(joint_.instances.size());
    for (const PlanPoint& point : joint_.points) {
      for (const std::size_t instance : point.instances) ++owners[instance];
    }
    for (std::size_t i = 0; joint_.points.size() > 1 && i < owners.size(); ++i) {
      StepInstance& instance = joint_.instances[i];
      if (owners[i] == 1) instance.tag = joint_.points[instance.point].name;
    }
    return std::move(joint_);
  }

 private:
  // In the order given, so that inputs still come before what reads them.
  std::vector<std::size_t> Placed(const std::vector<std::size_t>& instances) const {
    std::vector<std::size_t> placed;
    for (const std::size_t instance : instances) placed.push_back(place_[instance]);
    return placed;
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
  instance.amount = instance.step->amount(config, {});
  const ArtifactKey key = StepKey(*instance.step, config, kAllRanges, {});
  instance.key_text = key.text();
  instance.key = key.Digest();
  return instance;
}

Plan BuildPlan(std::shared_ptr<const Config> config, std::shared_ptr<const CorpusSource> corpus, PlanGoal goal) {
  if (goal == PlanGoal::kModel && config->pool.codes != PoolOptions::Codes::kEncoded) {
    auto encoded = std::make_shared<Config>(*config);
    encoded->pool.codes = PoolOptions::Codes::kEncoded;
    config = std::move(encoded);
  }
  return PlanBuilder(std::move(config), std::move(corpus)).Build(goal);
}

Plan JoinPlans(const std::vector<Plan>& plans) {
  PlanJoiner joiner;
  for (const Plan& plan : plans) joiner.Add(plan);
  return joiner.Take();
}

}  // namespace flyscribe
