// normalise: zero mean, unit norm; flat windows dropped.
#include "descriptors/normalise.h"

#include <algorithm>

#include "data/patches.h"
#include "pipeline/steps/step.h"

namespace flyscribe {
namespace {

void Describe(const Config& config, ArtifactKey& key) { key.AddOptions("normalise", KeyText(config.normalise)); }

// So many patches are in memory at a time.
constexpr std::size_t kPatchesAtATime = 65536;

void Run(StepContext& context) {
  const MappedPatchSet raw(context.Input("extract"));
  PatchWriter writer(context.output);
  NormaliseSummary total;
  for (std::size_t begin = 0; begin == 0 || begin < raw.table().size(); begin += kPatchesAtATime) {
    context.progress.ThrowIfStopped();
    const std::size_t count = std::min(kPatchesAtATime, raw.table().size() - begin);
    NormaliseSummary summary;
    writer.Append(Normalise(
        raw.descriptors().Rows(begin, count), raw.table().Slice(begin, count), context.config.normalise, &summary));
    total.kept += summary.kept;
    total.flat += summary.flat;
  }
  writer.Finish();
  context.AddFact("patches", std::to_string(total.kept));
  context.AddFact("flat", std::to_string(total.flat));
}

}  // namespace

const Step& NormaliseStep() {
  static const Step step = {"normalise", 2, Describe, Run};
  return step;
}

}  // namespace flyscribe
