// learn: the dictionary, from the patches of all bags or of the training genes of a fold.
#include "sparse/learn.h"
#include "core/text.h"
#include "data/patches.h"
#include "pipeline/steps/step.h"

namespace flyscribe {
namespace {

void Describe(const Config& config, ArtifactKey& key) {
  key.AddOptions("learn", KeyText(config.learn));
  key.AddLibrary("simd", SimdName(config.run.simd));
}

std::vector<std::size_t> TrainingRows(const StepContext& context, const PatchTable& patches) {
  const Collection collection = context.LoadCollection();
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < patches.size(); ++row) {
    const ImageRecord& image = collection.images.at(static_cast<std::size_t>(patches.image[row]));
    if (context.part.TrainsOn(collection.bags[image.bag])) rows.push_back(row);
  }
  return rows;
}

void Run(StepContext& context) {
  const MappedPatchSet patches(context.Input("normalise"));
  const std::vector<std::size_t> rows = TrainingRows(context, patches.table());
  LearnControl control;
  control.threads = context.threads();
  control.simd = context.config.run.simd;
  const LearnResult result = Learn(patches.descriptors(), rows, context.config.learn, control, context.progress);
  result.dictionary.Save(context.output);
  result.codes.Save(context.output);
  const std::vector<std::int64_t> saved_rows(rows.begin(), rows.end());
  WriteNpy<std::int64_t>(context.output / "rows.npy", saved_rows, {rows.size()});
  const LearningSummary& summary = result.dictionary.summary;
  context.AddFact("patches", std::to_string(rows.size()));
  context.AddFact("objective", FormatFixed(summary.Objective(), 4));
  context.AddFact("nonzeros per code", FormatFixed(summary.nonzeros_per_code, 1));
  if (summary.unused_atoms > 0) context.AddFact("unused atoms", std::to_string(summary.unused_atoms));
}

}  // namespace

const Step& LearnStep() {
  static const Step step = {"learn", 2, Describe, Run};
  return step;
}

}  // namespace flyscribe
