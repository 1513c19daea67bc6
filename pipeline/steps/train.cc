// train: one linear classifier per term on the bags of the part, and its scores of all bags.
#include "classify/one_vs_rest.h"
#include "core/linalg.h"
#include "data/features.h"
#include "data/labels.h"
#include "data/models.h"
#include "pipeline/steps/step.h"

namespace flyscribe {
namespace {

void Describe(const Config& config, ArtifactKey& key) {
  key.AddOptions("train", KeyText(config.train));
  key.AddLibrary("libsvm", SvmLibraryVersion());
  key.AddLibrary("openblas", BlasVersion());
}

void Run(StepContext& context) {
  const Collection collection = context.LoadCollection();
  const BagFeatures features = BagFeatures::Load(context.Input("pool"));
  std::vector<bool> training;
  for (const Bag& bag : collection.bags) training.push_back(context.part.TrainsOn(bag));
  const TermModels models = TrainTerms(features.values,
                                       LabelTable::FromBags(collection.bags),
                                       training,
                                       context.config.train,
                                       context.threads,
                                       context.progress);
  models.Save(context.output);
  context.AddFact("terms", std::to_string(models.terms.size()));
  context.AddFact("terms skipped", std::to_string(models.skipped.size()));
}

}  // namespace

const Step& TrainStep() {
  static const Step step = {"train", 1, Describe, Run};
  return step;
}

}  // namespace flyscribe
