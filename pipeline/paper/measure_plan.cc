#include "pipeline/paper/measure_plan.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/file.h"
#include "core/npy.h"
#include "core/simd.h"
#include "core/text.h"
#include "descriptors/dense_sift.h"
#include "imaging/image_file.h"
#include "pipeline/paper/machine.h"
#include "pipeline/paper/measurement.h"
#include "pipeline/paper/options.h"
#include "pipeline/paper/patches.h"
#include "pipeline/paper/published.h"

namespace flyscribe {
namespace {

const std::string kPatches = "patches";
const std::string kMeasure = "measure";

// The work of another step is done in this one too: if that changes, so does this.
void DependOnVersion(const Step& step, ArtifactKey& key) {
  key.AddLibrary("step " + step.name, std::to_string(step.version));
}

// What decides descriptors, whatever is drawn or read.
void DescribeDescriptors(const Config& config, ArtifactKey& key) {
  key.AddOptions("extract", KeyText(config.extract));
  key.AddOptions("normalise", KeyText(config.normalise));
  DependOnVersion(ExtractStep(), key);
  DependOnVersion(NormaliseStep(), key);
  key.AddLibrary("opencv", ImagingLibraryVersion());
  key.AddLibrary("vlfeat", SiftLibraryVersion());
}

void NotePatches(StepContext& context, const PatchesSummary& summary) {
  context.AddFact("patches", std::to_string(summary.patches));
  context.AddFact("images", std::to_string(summary.images));
}

Step SimulatedPatchesStep(std::size_t count) {
  const auto describe = [count](const Config& config, ArtifactKey& key) {
    SimulateOptions simulate = config.simulate;
    simulate.genes = SimulateOptions().genes;  // as many as it takes
    key.AddOptions("simulate", KeyText(simulate));
    key.AddOptions("", fmt::format("count: {}", count));
    DependOnVersion(SimulateStep(), key);
    DescribeDescriptors(config, key);
  };
  const auto run = [count](StepContext& context) {
    NotePatches(context,
                WriteSimulatedPatches(context.config,
                                      StageRange::FromName(context.range),
                                      count,
                                      context.output,
                                      context.threads,
                                      context.progress));
  };
  return {.name = kPatches, .version = 1, .code = {describe, run}};
}

Step EmbryoPatchesStep(const EmbryoSource& source, const fs::path& folder) {
  const auto describe = [source](const Config& config, ArtifactKey& key) {
    key.AddOptions("standardise", KeyText(config.standardise));
    DependOnVersion(StandardiseStep(), key);
    DescribeDescriptors(source.Apply(config), key);
  };
  const auto run = [source, folder](StepContext& context) {
    const Config config = source.Apply(context.config);
    NotePatches(context,
                WriteEmbryoPatches(config, EmbryoFiles(folder), context.output, context.threads, context.progress));
  };
  return {.name = kPatches, .version = 1, .code = {describe, run}};
}

void RunMeasurement(const Measurement& measurement, StepContext& context) {
  const MappedNpy<float> patches(context.inputs.front().folder / "descriptors.npy", 2);
  const MeasureControl control{
      .checkpoint = context.checkpoint, .identity = context.key_text, .progress = context.progress};
  const Measured measured = TakeMeasurement(measurement, patches.matrix(), control);
  measured.Save(context.output);
  if (measured.diverged) {
    context.AddFact("objective", "diverged");
    return;
  }
  if (!measured.objective.empty()) context.AddFact("objective", FormatFixed(measured.Objective(), 4));
  context.AddFact("us a visit", fmt::format("{:.4g}", measured.VisitMicroseconds()));
}

Step MeasureStep(const Measurement& measurement) {
  const auto describe = [measurement](const Config&, ArtifactKey& key) {
    key.AddOptions("learn", KeyText(measurement.learn));
    key.AddOptions("measure", measurement.KeyLines());
    DependOnVersion(LearnStep(), key);
    DependOnVersion(EncodeStep(), key);
    // A time of another processor, or with other instructions of it, is another result.
    key.AddLibrary("processor", ProcessorName());
    key.AddLibrary("simd", SimdInUse());
  };
  const auto run = [measurement](StepContext& context) { RunMeasurement(measurement, context); };
  return {.name = kMeasure, .version = 2, .code = {describe, run}, .is_result = true};
}

}  // namespace

MeasurePlan::MeasurePlan(std::shared_ptr<const PaperConfig> config) : config_(std::move(config)) {
  plan_.points.push_back({{}, config_, nullptr, {}, nullptr});
}

MeasurePlan::MeasurePlan(const Plan& images, std::shared_ptr<const PaperConfig> config)
    : config_(std::move(config)), images_(true) {
  const PlanPoint& point = images.points.front();
  plan_.points.push_back({{}, point.config, point.corpus, {}, point.error});
  std::vector<std::size_t> place(images.instances.size(), kNoInstance);
  for (std::size_t i = 0; i < images.instances.size(); ++i) {
    StepInstance instance = images.instances[i];
    if (instance.step > &NormaliseStep()) continue;  // both lie in the table, in the order of the data
    for (StepLink& link : instance.links) {
      if (link.instance != kNoInstance) link.instance = place[link.instance];
    }
    for (std::size_t& before : instance.after) before = place[before];
    place[i] = plan_.instances.size();
    if (instance.step == &NormaliseStep()) descriptors_["\n" + instance.range] = place[i];
    plan_.points.front().instances.push_back(place[i]);
    plan_.instances.push_back(std::move(instance));
  }
}

std::size_t MeasurePlan::AddInstance(const std::string& range, const Step& step, std::vector<StepLink> links) {
  StepInstance instance;
  instance.range = range;
  instance.step = &step;
  ArtifactKey key = StepKey(step, *plan_.points.front().config, range, instance.part);
  for (const StepLink& link : links) key.AddInput(link.name, link.digest);
  instance.links = std::move(links);
  instance.key_text = key.text();
  instance.key = key.Digest();
  plan_.points.front().instances.push_back(plan_.instances.size());
  plan_.instances.push_back(std::move(instance));
  return plan_.instances.size() - 1;
}

std::size_t MeasurePlan::AddEmbryos(const std::string& name) {
  for (const EmbryoSource& source : EmbryoSources(*config_)) {
    if (source.name != name) continue;
    steps_.push_back(EmbryoPatchesStep(source, config_->reproduce.embryos));
    const std::string digest = EmbryosDigest(EmbryoFiles(config_->reproduce.embryos));
    return AddInstance(kAllRanges, steps_.back(), {{"images", digest, kNoInstance}});
  }
  throw Error(ErrorCode::kInternal, "no embryos are called " + name);
}

std::size_t MeasurePlan::DescriptorsOf(const Measurement& measurement) {
  const std::string identity = measurement.source + "\n" + measurement.range;
  const auto known = descriptors_.find(identity);
  if (known != descriptors_.end()) return known->second;
  if (images_ && measurement.source.empty()) {
    throw Error(ErrorCode::kUsage,
                "an experiment needs stage range " + measurement.range + ", which is not among the config's",
                "add it to ranges, or set reproduce.cd_range, rate_ranges and race_range to ranges that are",
                {"ranges"});
  }
  if (!measurement.source.empty()) return descriptors_[identity] = AddEmbryos(measurement.source);
  steps_.push_back(SimulatedPatchesStep(SimulatedPatches(*config_, measurement.range)));
  return descriptors_[identity] = AddInstance(measurement.range, steps_.back(), {});
}

void MeasurePlan::Add(const Measurement& measurement) {
  if (!known_.emplace(measurement.Identity(), measurements_.size()).second) return;
  const std::size_t descriptors = DescriptorsOf(measurement);
  steps_.push_back(MeasureStep(measurement));
  const StepInstance& input = plan_.instances[descriptors];
  const std::size_t place = AddInstance(measurement.range, steps_.back(), {{input.step->name, input.key, descriptors}});
  plan_.instances[place].tag = measurement.Label();
  measurements_.emplace_back(measurement, place);
}

void MeasurePlan::AddDescriptors(const Measurement& measurement) {
  StepInstance& instance = plan_.instances[DescriptorsOf(measurement)];
  if (instance.step->is_result) return;
  Step asked_for = *instance.step;
  asked_for.is_result = true;
  steps_.push_back(std::move(asked_for));
  instance.step = &steps_.back();
}

std::vector<Measurement> MeasurePlan::MissingIn(const ArtifactStore& store) const {
  std::vector<Measurement> missing;
  for (const auto& [measurement, place] : measurements_) {
    const StepInstance& instance = plan_.instances[place];
    if (!store.Look(instance.range, instance.step->name, instance.key).artifact) missing.push_back(measurement);
  }
  return missing;
}

std::size_t SimulatedPatches(const PaperConfig& config, const std::string& range) {
  const std::size_t published = PublishedPatches(range);
  if (published == 0) {
    throw Error(ErrorCode::kUsage,
                "the paper has no patches of stage range " + range,
                "its ranges are " + Join(PublishedRanges(), ", ") +
                    "; see ranges, reproduce.cd_range, rate_ranges and race_range",
                {"ranges"});
  }
  const int limit = config.reproduce.max_patches;
  return limit > 0 ? std::min(published, static_cast<std::size_t>(limit)) : published;
}

void ForgetMeasurements(const MeasurePlan& plan, const ArtifactStore& store) {
  for (const auto& [measurement, place] : plan.measurements()) {
    const StepInstance& instance = plan.plan().instances[place];
    const auto lock = FileLock::TryAcquire(store.LockOf(instance.key), "measuring again");
    if (!lock) continue;
    RemoveTree(store.FolderOf(instance.range, instance.step->name, instance.key));
    RemoveTree(store.CheckpointOf(instance.key));
  }
}

}  // namespace flyscribe
