// normalise: zero mean, unit norm; flat windows dropped. The one artifact with descriptors.
#include "descriptors/normalise.h"

#include <fmt/core.h>

#include "core/error.h"
#include "core/parallel.h"
#include "data/patches.h"
#include "pipeline/steps/extract.h"
#include "pipeline/steps/step.h"

namespace flyscribe {
namespace {

void Describe(const Config& config, ArtifactKey& key) { key.AddOptions("normalise", KeyText(config.normalise)); }

struct Normalised {
  PatchSet patches;
  NormaliseSummary summary;
};

void Run(StepContext& context) {
  const ImageStack stack(context.Input(StandardiseStep()));
  const std::vector<ExtractedImage> extracted = LoadExtracted(context.Input(ExtractStep()));
  FLYSCRIBE_CHECK(extracted.size() == stack.size(), "extract has a row for each standardised image");
  const ImagePatches patches(context);
  PatchWriter writer(context.output);
  NormaliseSummary total;
  context.progress.Begin(stack.size(), "images");
  const auto normalise = [&](std::size_t i) {
    context.progress.ThrowIfStopped();
    const auto [raw, digest] = patches.Of(stack.Get(i), stack.source(i));
    // An item that is gone is made again; then it must be what extract saw.
    if (extracted[i] != ExtractedImage{stack.source(i), raw.table.size(), digest}) {
      throw Error(
          ErrorCode::kCorrupt,
          fmt::format("the descriptors of image {} came out different from those that extract made", stack.source(i)),
          "run once with --force extract");
    }
    Normalised normalised;
    normalised.patches = Normalise(raw.descriptors, raw.table, context.config.normalise, &normalised.summary);
    context.progress.Advance();
    return normalised;
  };
  ParallelInOrder(context.threads, stack.size(), normalise, [&](std::size_t, const Normalised& normalised) {
    writer.Append(normalised.patches);
    total.kept += normalised.summary.kept;
    total.flat += normalised.summary.flat;
  });
  writer.Finish();
  context.AddFact("patches", std::to_string(total.kept));
  context.AddFact("flat", std::to_string(total.flat));
}

}  // namespace

StepCode NormaliseCode() { return {Describe, Run}; }

}  // namespace flyscribe
