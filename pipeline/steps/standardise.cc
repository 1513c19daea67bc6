// standardise: every image of the collection as a 320x128 gray embryo; unusable ones listed.
#include "imaging/standardise.h"

#include <optional>

#include "core/error.h"
#include "core/file.h"
#include "core/hash.h"
#include "core/parallel.h"
#include "data/image.h"
#include "imaging/decode.h"
#include "imaging/opencv_setup.h"
#include "pipeline/cache/items.h"
#include "pipeline/steps/step.h"

namespace flyscribe {
namespace {

bool SkipsBadImages(const Config& config) { return config.ingest.on_bad_image == IngestOptions::OnBadImage::kSkip; }

void Describe(const Config& config, ArtifactKey& key) {
  key.AddOptions("standardise", KeyText(config.standardise));
  key.AddOptions("ingest", std::string("on_bad_image: ") + (SkipsBadImages(config) ? "skip" : "fail"));
  key.AddLibrary("opencv", ImagingLibraryVersion());
}

// One image on its way: either pixels, or the reason why there are none.
struct Outcome {
  std::optional<GrayImage> image;
  std::string problem;
};

std::string ReadUnchanged(const fs::path& path, const ImageRecord& record) {
  std::string bytes = ReadFile(path);
  if (Sha256OfText(bytes) != record.digest) {
    throw Error(ErrorCode::kInput, "the file changed during the run", "run again", {path.string()});
  }
  return bytes;
}

GrayImage StandardiseOne(const StepContext& context, const ItemCache& items, const ImageRecord& record) {
  const fs::path path = context.corpus->PathOf(record);
  const std::string pixels = items.Get(record.digest, [&] {
    const GrayImage decoded = DecodeGray(ReadUnchanged(path, record), path.string());
    const GrayImage image = Standardise(decoded, context.config.standardise, path.string());
    return std::string(image.pixels.begin(), image.pixels.end());
  });
  GrayImage image(kEmbryoWidth, kEmbryoHeight);
  FLYSCRIBE_CHECK(pixels.size() == image.pixels.size(), "an item has the size of a standardised image");
  image.pixels.assign(pixels.begin(), pixels.end());
  return image;
}

std::vector<Outcome> StandardiseAll(const StepContext& context, const Collection& collection) {
  const ItemCache items(context.cache_root, "standardise", context.recipe);
  const bool skip = SkipsBadImages(context.config);
  std::vector<Outcome> outcomes(collection.images.size());
  context.progress.Begin(outcomes.size(), "images");
  ParallelFor(context.threads(), outcomes.size(), [&](std::size_t i) {
    context.progress.ThrowIfStopped();
    try {
      outcomes[i].image = StandardiseOne(context, items, collection.images[i]);
    } catch (const Error& error) {
      if (!skip || error.code() != ErrorCode::kInput) throw;
      outcomes[i].problem = error.diagnostics().front().message;
    }
    context.progress.Advance();
  });
  return outcomes;
}

void Run(StepContext& context) {
  const Collection collection = context.LoadCollection();
  std::vector<Outcome> outcomes = StandardiseAll(context, collection);
  std::vector<GrayImage> images;
  std::vector<std::int32_t> source;
  std::vector<Skipped> skipped;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    if (outcomes[i].image) {
      images.push_back(std::move(*outcomes[i].image));
      source.push_back(static_cast<std::int32_t>(i));
    } else {
      skipped.push_back({collection.images[i].file, outcomes[i].problem, true});
    }
  }
  ImageStack::Save(context.output, images, source);
  SaveSkipped(context.output, skipped);
  context.AddFact("images", std::to_string(images.size()));
  context.AddFact("skipped", std::to_string(skipped.size()));
}

}  // namespace

const Step& StandardiseStep() {
  static const Step step = {"standardise", 1, Describe, Run};
  return step;
}

}  // namespace flyscribe
