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
  key.AddOptions("ingest", std::string("on_bad_image: ") + (SkipsBadImages(config) ? "\"skip\"" : "\"fail\""));
  key.AddLibrary("opencv", ImagingLibraryVersion());
}

// How an item begins.
const std::string kUsable = "image ";
const std::string kUnusable = "unusable ";

// One image on its way: either pixels, or the reason why there are none.
struct Outcome {
  std::optional<GrayImage> image;
  std::string problem;
};

std::string ReadUnchanged(const fs::path& path, const ImageRecord& record) {
  std::string bytes = ReadFile(path, DecodeLimits{}.max_bytes);
  if (Sha256OfText(bytes) != record.digest) {
    throw Error(ErrorCode::kInput, "the file changed during the run", "run again", {path.string()});
  }
  return bytes;
}

// The reason is part of the item: it follows from the file's content alone. A file that cannot be read, or that changed
// since the run began, is another matter: it stops the run, because the cache must not remember it.
std::string MakeItem(const StepContext& context, const ImageRecord& record) {
  const fs::path path = context.corpus->PathOf(record);
  const std::string bytes = ReadUnchanged(path, record);
  try {
    const GrayImage image = Standardise(DecodeGray(bytes, path.string()), context.config.standardise, path.string());
    return kUsable + std::string(image.pixels.begin(), image.pixels.end());
  } catch (const Error& error) {
    if (!SkipsBadImages(context.config) || error.code() != ErrorCode::kInput) throw;
    return kUnusable + error.diagnostics().front().message;
  }
}

Outcome ReadItem(const std::string& item) {
  if (item.starts_with(kUnusable)) return {std::nullopt, item.substr(kUnusable.size())};
  GrayImage image(kEmbryoWidth, kEmbryoHeight);
  FLYSCRIBE_CHECK(item.size() == kUsable.size() + image.pixels.size(), "an item holds a standardised image");
  image.pixels.assign(item.begin() + static_cast<std::ptrdiff_t>(kUsable.size()), item.end());
  return {std::move(image), {}};
}

std::vector<Outcome> StandardiseAll(const StepContext& context, const Collection& collection) {
  const ItemCache items(context.cache_root, "standardise", context.recipe, context.scratch);
  std::vector<Outcome> outcomes(collection.images.size());
  context.progress.Begin(outcomes.size(), "images");
  ParallelFor(context.threads, outcomes.size(), [&](std::size_t i) {
    context.progress.ThrowIfStopped();
    const ImageRecord& record = collection.images[i];
    outcomes[i] = ReadItem(items.Get(record.digest, [&] { return MakeItem(context, record); }));
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
      skipped.push_back({collection.images[i].id, outcomes[i].problem, true});
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
