// train: one calibrated linear classifier per term on the bags of the part, and scores of all bags by models that did
// not see them. For the part of all bags the models of the inner folds are kept: then no other model can score them.
// train-pixels: the same on raw pixels.
#include "classify/one_vs_rest.h"
#include "data/collection.h"
#include "data/dictionary.h"
#include "data/models.h"
#include "pipeline/steps/step.h"

namespace flyscribe {
namespace {

void Describe(const Config& config, ArtifactKey& key) {
  key.AddOptions("train", KeyText(config.train));
  key.AddLibrary("libsvm", SvmLibraryVersion());
}

// `features_step` is the step whose features are trained on.
void Run(StepContext& context, const Step& features_step) {
  const Collection collection = context.LoadCollection();
  const BagFeatures features = BagFeatures::Load(context.Input(features_step));
  TrainingSet set;
  set.labels = LabelTable::FromBags(collection.bags);
  for (const Bag& bag : collection.bags) {
    set.genes.push_back(bag.gene);
    set.training.push_back(context.part.TrainsOn(bag));
  }
  set.keep_inner_models = context.part.IsAll();
  const TermModels models = TrainTerms(features.values, set, context.config.train, context.threads, context.progress);
  models.Save(context.output);
  context.AddFact("terms", std::to_string(models.terms.size()));
  context.AddFact("terms skipped", std::to_string(models.skipped.size()));
}

}  // namespace

StepCode TrainCode() {
  return {Describe, [](StepContext& context) { Run(context, PoolStep()); }};
}

StepCode TrainPixelsCode() {
  return {Describe, [](StepContext& context) { Run(context, PixelsStep()); }};
}

}  // namespace flyscribe
