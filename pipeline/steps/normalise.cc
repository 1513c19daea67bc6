// normalise: zero mean, unit norm; flat windows dropped.
#include "descriptors/normalise.h"

#include "data/patches.h"
#include "pipeline/steps/step.h"

namespace flyscribe {
namespace {

void Describe(const Config& config, ArtifactKey& key) { key.AddOptions("normalise", KeyText(config.normalise)); }

void Run(StepContext& context) {
  const MappedPatchSet raw(context.Input("extract"));
  NormaliseSummary summary;
  const PatchSet patches = Normalise(raw.descriptors(), raw.table(), context.config.normalise, &summary);
  patches.Save(context.output);
  context.AddFact("patches", std::to_string(summary.kept));
  context.AddFact("flat", std::to_string(summary.flat));
}

}  // namespace

const Step& NormaliseStep() {
  static const Step step = {"normalise", 1, Describe, Run};
  return step;
}

}  // namespace flyscribe
