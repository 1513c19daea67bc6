// ingest: tables and images into bags, labels and folds.
#include "pipeline/steps/step.h"

namespace flyscribe {
namespace {

void Describe(const Config& config, ArtifactKey& key) { key.AddOptions("ingest", KeyText(config.ingest)); }

void Run(StepContext& context) {
  const Collection& collection = context.corpus->Of(StageRange::FromName(context.range));
  collection.Save(context.output);
  context.AddFact("bags", std::to_string(collection.bags.size()));
  context.AddFact("images", std::to_string(collection.images.size()));
}

}  // namespace

const Step& IngestStep() {
  static const Step step = {"ingest", 1, Describe, Run};
  return step;
}

}  // namespace flyscribe
