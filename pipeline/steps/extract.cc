// extract: windows on a grid of every standardised image, and their dense SIFT descriptors.
#include <string_view>

#include "core/hash.h"
#include "core/parallel.h"
#include "data/image.h"
#include "data/patch_codec.h"
#include "data/patches.h"
#include "descriptors/dense_sift.h"
#include "pipeline/cache/items.h"
#include "pipeline/steps/step.h"

namespace flyscribe {
namespace {

void Describe(const Config& config, ArtifactKey& key) {
  key.AddOptions("extract", KeyText(config.extract));
  key.AddLibrary("vlfeat", SiftLibraryVersion());
}

PatchSet ExtractOne(const StepContext& context, const ItemCache& items, const GrayImage& image, std::int32_t row) {
  const std::string_view pixels(reinterpret_cast<const char*>(image.pixels.data()), image.pixels.size());
  // The row is not part of the item: the same picture may be another row next time.
  PatchSet patches = DecodePatches(
      items.Get(Sha256OfText(pixels), [&] { return EncodePatches(ExtractPatches(image, 0, context.config.extract)); }));
  std::fill(patches.table.image.begin(), patches.table.image.end(), row);
  return patches;
}

void Run(StepContext& context) {
  const ImageStack stack(context.Input("standardise"));
  const ItemCache items(context.cache_root, "extract", context.recipe, context.scratch);
  PatchWriter writer(context.output);
  context.progress.Begin(stack.size(), "images");
  const auto extract = [&](std::size_t i) {
    context.progress.ThrowIfStopped();
    PatchSet patches = ExtractOne(context, items, stack.Get(i), static_cast<std::int32_t>(stack.source(i)));
    context.progress.Advance();
    return patches;
  };
  ParallelInOrder(
      context.threads, stack.size(), extract, [&](std::size_t, const PatchSet& patches) { writer.Append(patches); });
  writer.Finish();
  context.AddFact("patches", std::to_string(writer.size()));
}

}  // namespace

const Step& ExtractStep() {
  static const Step step = {"extract", 2, Describe, Run};
  return step;
}

}  // namespace flyscribe
