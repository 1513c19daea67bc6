#include "pipeline/steps/step.h"

#include <fmt/core.h>

#include <set>

#include "core/error.h"
#include "core/text.h"
#include "data/image.h"
#include "pooling/pool.h"

namespace flyscribe {
namespace {

// VLFeat's Gaussian window takes about so many times as long as its flat one.
constexpr double kGaussianWindow = 15.0;

// Windows of `side` pixels every `stride` pixels.
int WindowsAlong(int length, int side, int stride) { return side > length ? 0 : (length - side) / stride + 1; }

double PatchesPerImage(const ExtractOptions& options) {
  int patches = 0;
  for (const int side : options.WindowSides()) {
    patches += WindowsAlong(kEmbryoWidth, side, options.stride) * WindowsAlong(kEmbryoHeight, side, options.stride);
  }
  return patches;
}

double Features(const Config& config) {
  const auto atoms = static_cast<std::size_t>(config.learn.atoms);
  return static_cast<double>(FeatureCount(atoms, config.extract.WindowSides().size(), config.pool));
}

// Every candidate for C is tried on every inner fold, and one model is made of all.
StepAmount AmountOfTraining(const Config& config, const Workload& load, double features) {
  const double fits = static_cast<double>(config.train.Candidates().size()) * config.train.inner_folds + 1.0;
  return {load.bags * features * load.terms * fits, load.terms * features};
}

StepAmount AmountOfEvaluation(const Config& config, const Workload& load) {
  return {load.bags * load.terms * (1.0 + config.evaluate.bootstrap), load.bags * load.terms};
}

std::vector<Step> MakeSteps() {
  constexpr double kPixels = double{kPixelColumns} * kPixelRows;
  using Load = Workload;
  const auto images = [](const Config&, const Load& load) { return StepAmount{load.images, load.images}; };
  const auto ranges = [](const Config& config) { return static_cast<double>(config.StageRanges().size()); };
  return {
      {.name = "simulate",
       .version = 1,
       .code = SimulateCode(),
       .scope = StepScope::kOnce,
       .amount =
           [ranges](const Config& config, const Load&) {
             const double most = ranges(config) * config.simulate.genes * config.simulate.images_max;
             return StepAmount{most, most};
           }},
      {.name = "ingest", .version = 6, .code = IngestCode(), .amount = images},
      {.name = "standardise", .version = 4, .code = StandardiseCode(), .keeps_items = true, .amount = images},
      {.name = "extract",
       .version = 2,
       .code = ExtractCode(),
       .form = 2,
       .keeps_items = true,
       .amount =
           [](const Config& config, const Load& load) {
             const bool flat = config.extract.window_function == ExtractOptions::WindowFunction::kFlat;
             return StepAmount{load.patches * (flat ? 1.0 : kGaussianWindow), load.images};
           }},
      {.name = "normalise",
       .version = 2,
       .code = NormaliseCode(),
       .amount =
           [](const Config&, const Load& load) {
             return StepAmount{load.patches, load.patches};
           }},
      {.name = "learn",
       .version = 3,
       .code = LearnCode(),
       .scope = StepScope::kDictionary,
       .amount =
           [](const Config& config, const Load& load) {
             return StepAmount{load.training_patches * config.learn.atoms * config.learn.epochs, load.training_patches};
           }},
      {.name = "encode",
       .version = 3,
       .code = EncodeCode(),
       .scope = StepScope::kDictionary,
       .amount =
           [](const Config& config, const Load& load) {
             return StepAmount{load.patches * config.learn.atoms, load.patches};
           }},
      {.name = "pool",
       .version = 2,
       .code = PoolCode(),
       .scope = StepScope::kDictionary,
       .amount =
           [](const Config& config, const Load& load) {
             return StepAmount{load.patches, load.bags * Features(config)};
           }},
      {.name = "train",
       .version = 3,
       .code = TrainCode(),
       .scope = StepScope::kFold,
       .amount = [](const Config& config,
                    const Load& load) { return AmountOfTraining(config, load, Features(config)); }},
      {.name = "evaluate", .version = 2, .code = EvaluateCode(), .is_result = true, .amount = AmountOfEvaluation},
      {.name = "pixels",
       .version = 1,
       .code = PixelsCode(),
       .amount =
           [](const Config&, const Load& load) {
             return StepAmount{load.images, load.bags};
           }},
      {.name = "train-pixels",
       .version = 3,
       .code = TrainPixelsCode(),
       .scope = StepScope::kFold,
       .amount = [](const Config& config, const Load& load) { return AmountOfTraining(config, load, kPixels); }},
      {.name = "evaluate-pixels",
       .version = 2,
       .code = EvaluatePixelsCode(),
       .is_result = true,
       .amount = AmountOfEvaluation},
      {.name = "report",
       .version = 5,
       .code = ReportCode(),
       .scope = StepScope::kOnce,
       .is_result = true,
       .amount =
           [ranges](const Config& config, const Load&) {
             return StepAmount{ranges(config), ranges(config)};
           }},
  };
}

}  // namespace

fs::path StepContext::Input(const Step& step) const {
  for (const StepInput& input : inputs) {
    if (input.step == step.name) return input.folder;
  }
  throw Error(ErrorCode::kInternal, "the step has no input named " + step.name);
}

Collection StepContext::LoadCollection() const {
  return Collection::Load(Input(IngestStep()), StageRange::FromName(range));
}

Workload::Workload(const Config& config, const Collection& collection, const Part& part) {
  const double per_image = PatchesPerImage(config.extract);
  std::set<std::string> labels;
  for (const Bag& bag : collection.bags) labels.insert(bag.terms.begin(), bag.terms.end());
  for (const ImageRecord& image : collection.images) {
    if (part.TrainsOn(collection.bags[image.bag])) training_patches += per_image;
  }
  images = static_cast<double>(collection.images.size());
  patches = images * per_image;
  bags = static_cast<double>(collection.bags.size());
  terms = static_cast<double>(labels.size());
}

const std::vector<Step>& Steps() {
  static const std::vector<Step> steps = MakeSteps();
  return steps;
}

std::vector<std::string> StepNames() {
  std::vector<std::string> names;
  for (const Step& step : Steps()) names.push_back(step.name);
  return names;
}

const Step& StepNamed(const std::string& name) {
  for (const Step& step : Steps()) {
    if (step.name == name) return step;
  }
  const auto nearest = Nearest(name, StepNames());
  throw Error(ErrorCode::kUsage,
              fmt::format("unknown step '{}'", name),
              (nearest ? fmt::format("did you mean '{}'? ", *nearest) : "") + "steps: " + Join(StepNames(), ", "));
}

ArtifactKey StepKey(const Step& step, const Config& config, const std::string& range, const Part& part) {
  ArtifactKey key(step.name, step.version, range, part.name());
  if (step.form > 1) key.AddForm(step.form);
  step.code.describe(config, key);
  return key;
}

const Step& SimulateStep() { return StepNamed("simulate"); }
const Step& IngestStep() { return StepNamed("ingest"); }
const Step& StandardiseStep() { return StepNamed("standardise"); }
const Step& ExtractStep() { return StepNamed("extract"); }
const Step& NormaliseStep() { return StepNamed("normalise"); }
const Step& LearnStep() { return StepNamed("learn"); }
const Step& EncodeStep() { return StepNamed("encode"); }
const Step& PoolStep() { return StepNamed("pool"); }
const Step& TrainStep() { return StepNamed("train"); }
const Step& EvaluateStep() { return StepNamed("evaluate"); }
const Step& PixelsStep() { return StepNamed("pixels"); }
const Step& TrainPixelsStep() { return StepNamed("train-pixels"); }
const Step& EvaluatePixelsStep() { return StepNamed("evaluate-pixels"); }
const Step& ReportStep() { return StepNamed("report"); }

}  // namespace flyscribe
