// extract: windows on a grid of every standardised image, and their dense SIFT descriptors.
#include "pipeline/steps/extract.h"

#include <algorithm>
#include <string_view>

#include "core/hash.h"
#include "core/parallel.h"
#include "data/image.h"
#include "data/patches.h"
#include "data/tables.h"
#include "descriptors/dense_sift.h"
#include "pipeline/cache/items.h"
#include "pipeline/steps/step.h"

namespace flyscribe {
namespace {

constexpr const char* kFile = "patches.tsv";
const std::vector<std::string> kHeader = {"image", "patches", "sha256"};

void Describe(const Config& config, ArtifactKey& key) {
  key.AddOptions("extract", KeyText(config.extract));
  key.AddLibrary("vlfeat", SiftLibraryVersion());
}

void Run(StepContext& context) {
  const ImageStack stack(context.Input(StandardiseStep()));
  const ImagePatches patches(context);
  std::vector<std::vector<std::string>> rows;
  std::size_t total = 0;
  context.progress.Begin(stack.size(), "images");
  const auto extract = [&](std::size_t i) {
    context.progress.ThrowIfStopped();
    const ImagePatches::Block block = patches.Of(stack.Get(i), stack.source(i));
    context.progress.Advance();
    return ExtractedImage{stack.source(i), block.patches.table.size(), block.digest};
  };
  ParallelInOrder(context.threads, stack.size(), extract, [&](std::size_t, const ExtractedImage& image) {
    rows.push_back({std::to_string(image.image), std::to_string(image.patches), image.digest});
    total += image.patches;
  });
  SaveTsv(context.output / kFile, kHeader, rows);
  context.computed_share = ShareOf(patches.computed(), stack.size());
  context.AddFact("patches", std::to_string(total));
}

}  // namespace

std::vector<ExtractedImage> LoadExtracted(const fs::path& folder) {
  const fs::path path = folder / kFile;
  std::vector<ExtractedImage> images;
  for (const std::vector<std::string>& fields : LoadTsv(path, kHeader)) {
    images.push_back({CountField(fields[0], path), CountField(fields[1], path), fields[2]});
  }
  return images;
}

ImagePatches::ImagePatches(const StepContext& context)
    : options_(context.config.extract),
      items_(context.cache_root,
             ExtractStep().name,
             RecipeOf(StepKey(ExtractStep(), context.config, context.range, {}).text()),
             context.scratch) {}

ImagePatches::Block ImagePatches::Of(const GrayImage& image, std::size_t row) const {
  const std::string_view pixels(reinterpret_cast<const char*>(image.pixels.data()), image.pixels.size());
  // The row is not part of the item: the same picture may be another row next time.
  const std::string bytes =
      items_.Get(Sha256OfText(pixels), [&] { return EncodePatches(ExtractPatches(image, 0, options_)); });
  Block block{DecodePatches(bytes), Sha256OfText(bytes)};
  std::vector<std::int32_t>& images = block.patches.table.image;
  std::fill(images.begin(), images.end(), static_cast<std::int32_t>(row));
  return block;
}

StepCode ExtractCode() { return {Describe, Run}; }

}  // namespace flyscribe
