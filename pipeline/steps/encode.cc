// encode: sparse codes of all patches with the final dictionary, to a stated tolerance.
#include <fmt/core.h>

#include "core/text.h"
#include "data/dictionary.h"
#include "data/patches.h"
#include "pipeline/steps/step.h"
#include "sparse/encoder.h"

namespace flyscribe {
namespace {

void Describe(const Config& config, ArtifactKey& key) { key.AddOptions("encode", KeyText(config.encode)); }

void Run(StepContext& context) {
  const MappedPatchSet patches(context.Input(NormaliseStep()));
  const Dictionary dictionary = Dictionary::Load(context.Input(LearnStep()));
  const EncodeControl control = {
      .lambda = dictionary.summary.lambda, .nonnegative = dictionary.summary.nonnegative, .threads = context.threads};
  const EncodeResult result =
      Encode(patches.descriptors(), dictionary.atoms, control, context.config.encode, context.progress);
  result.codes.Save(context.output);
  if (result.unconverged > 0) {
    context.progress.Warn(std::to_string(result.unconverged) + " of " + std::to_string(patches.table().size()) +
                          " patches did not reach encode.kkt_tolerance; raise encode.max_cycles");
  }
  if (result.unconverged > 0) context.AddFact("unconverged", std::to_string(result.unconverged));
  context.AddFact("objective", FormatFixed(result.objective, 4));
  context.AddFact("nonzeros per code", FormatFixed(result.nonzeros_per_code, 1));
  context.AddFact("worst KKT violation", fmt::format("{:.1e}", result.worst_kkt));
}

}  // namespace

StepCode EncodeCode() { return {Describe, Run}; }

}  // namespace flyscribe
