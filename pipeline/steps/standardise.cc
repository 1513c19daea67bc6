// standardise: every image of the collection as a 320x128 gray embryo; unusable ones listed.
#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <variant>

#include "core/error.h"
#include "core/parallel.h"
#include "data/image.h"
#include "data/quality.h"
#include "imaging/image_file.h"
#include "pipeline/cache/items.h"
#include "pipeline/corpus/standardise_file.h"
#include "pipeline/steps/step.h"

namespace flyscribe {
namespace {

bool SkipsBadImages(const Config& config) { return config.ingest.on_bad_image == IngestOptions::OnBadImage::kSkip; }

void Describe(const Config& config, ArtifactKey& key) {
  key.AddOptions("standardise", KeyText(config.standardise));
  key.AddOptions("ingest", fmt::format("on_bad_image: \"{}\"", SkipsBadImages(config) ? "skip" : "fail"));
  key.AddLibrary("opencv", ImagingLibraryVersion());
}

// How an item begins.
const std::string kUsable = "image ";
const std::string kUnusable = "unusable ";

// One image on its way: either pixels and what is known about them, or the reason why there are none.
struct Outcome {
  std::optional<Standardised> found;
  std::string problem;
};

// Why an image cannot be used is part of the item, because it follows from the file's content alone.
std::string MakeItem(const StepContext& context, const ImageRecord& record) {
  const std::variant<Standardised, Error> said =
      StandardiseFile(context.corpus->PathOf(record), record.digest, context.config.standardise);
  if (const Error* error = std::get_if<Error>(&said)) {
    if (!SkipsBadImages(context.config)) throw *error;
    return kUnusable + error->diagnostics().front().message;
  }
  const auto& [image, quality] = std::get<Standardised>(said);
  return kUsable + QualityRow(quality) + '\n' + std::string(image.pixels.begin(), image.pixels.end());
}

Outcome ReadItem(const std::string& item, const std::string& id) {
  if (item.starts_with(kUnusable)) return {std::nullopt, item.substr(kUnusable.size())};
  const std::size_t end = item.find('\n');
  Standardised found{GrayImage(kEmbryoWidth, kEmbryoHeight), {}};
  FLYSCRIBE_CHECK(end != std::string::npos && item.size() == end + 1 + found.image.pixels.size(),
                  "an item holds a standardised image");
  found.quality = ParseQualityRow(item.substr(kUsable.size(), end - kUsable.size()), "item of standardise");
  found.quality.image = id;
  found.image.pixels.assign(item.begin() + static_cast<std::ptrdiff_t>(end) + 1, item.end());
  return {std::move(found), {}};
}

std::size_t CountDoubtful(const std::vector<ImageQuality>& qualities) {
  return static_cast<std::size_t>(
      std::count_if(qualities.begin(), qualities.end(), [](const ImageQuality& q) { return q.IsDoubtful(); }));
}

void Run(StepContext& context) {
  const Collection collection = context.LoadCollection();
  const ItemCache items(context.cache_root, StandardiseStep().name, RecipeOf(context.key_text), context.scratch);
  ImageStackWriter writer(context.output);
  std::vector<ImageQuality> qualities;
  std::vector<Skipped> skipped;
  context.progress.Begin(collection.images.size(), "images");
  const auto standardise = [&](std::size_t i) {
    context.progress.ThrowIfStopped();
    const ImageRecord& record = collection.images[i];
    Outcome outcome = ReadItem(items.Get(record.digest, [&] { return MakeItem(context, record); }), record.id);
    context.progress.Advance();
    return outcome;
  };
  ParallelInOrder(context.threads, collection.images.size(), standardise, [&](std::size_t i, const Outcome& outcome) {
    if (!outcome.found) {
      skipped.push_back({collection.images[i].id, outcome.problem, true});
      return;
    }
    qualities.push_back(outcome.found->quality);
    const std::string why_dropped = WhyDropped(outcome.found->quality, context.config.standardise);
    if (why_dropped.empty()) {
      writer.Append(outcome.found->image, i);
    } else {
      skipped.push_back({collection.images[i].id, why_dropped, false});
    }
  });
  writer.Finish();
  SaveQuality(context.output, qualities);
  SaveSkipped(context.output, skipped);
  context.computed_share = ShareOf(items.made(), collection.images.size());
  context.AddFact("images", std::to_string(writer.size()));
  context.AddFact("doubtful", std::to_string(CountDoubtful(qualities)));
  context.AddFact("skipped", std::to_string(skipped.size()));
}

}  // namespace

StepCode StandardiseCode() { return {Describe, Run}; }

}  // namespace flyscribe
