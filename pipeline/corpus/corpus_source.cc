#include "pipeline/corpus/corpus_source.h"

#include "core/error.h"
#include "core/file.h"
#include "imaging/image_file.h"
#include "imaging/image_header.h"

namespace flyscribe {

SimulateSummary SimulateData(const Config& config, const fs::path& folder, int threads, Progress& progress) {
  const auto encode = [](const RgbImage& image) { return EncodeJpeg(image, kPhotographQuality); };
  return Simulate(config.simulate, config.StageRanges(), {folder, encode}, threads, progress);
}

Sources SourcesOf(const Config& config, const fs::path& simulated) {
  if (config.simulated)
    return {simulated / "insitu_annot.csv", simulated / "insitu_images.csv", {simulated / "images"}};
  Sources sources{config.data.annotations, config.data.images_table, {}};
  for (const std::string& folder : config.data.images) sources.image_folders.emplace_back(folder);
  return sources;
}

std::uint64_t PixelsOf(const fs::path& path) {
  try {
    const MappedFile file(path);
    const ImageHeader header = ReadImageHeader(file.bytes(), path.string());
    const std::uint64_t pixels = header.width * header.height;  // two numbers of 32 bits
    if (pixels > DecodeLimits{}.max_pixels) return 0;
    RequireComplete(file.bytes(), header, path.string());
    return pixels;
  } catch (const Error&) {
    return 0;  // whoever decodes it will say what is wrong with it
  }
}

CorpusSource::CorpusSource(const Config& config, const fs::path& simulated, const Progress& progress)
    : options_(config.ingest), corpus_(SourcesOf(config, simulated), PixelsOf, progress), ontology_(config.ontology) {}

void CorpusSource::Import(StageRange range, const ImportControl& control, Progress& progress) {
  if (collections_.contains(range)) return;
  Collection collection = flyscribe::Import(corpus_, range, options_, control, progress);
  ontology_.Apply(collection);
  if (options_.permute_labels != 0) PermuteLabels(options_.permute_labels, collection);
  collections_.emplace(range, std::move(collection));
}

const Collection& CorpusSource::Of(StageRange range) const { return collections_.at(range); }

fs::path CorpusSource::PathOf(const ImageRecord& image) const { return corpus_.folders.at(image.folder) / image.file; }

}  // namespace flyscribe
