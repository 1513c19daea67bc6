#include "pipeline/corpus_source.h"

namespace flyscribe {

Sources SourcesOf(const Config& config, const fs::path& simulated) {
  if (config.simulated)
    return {simulated / "insitu_annot.csv", simulated / "insitu_images.csv", {simulated / "images"}};
  Sources sources{config.data.annotations, config.data.images_table, {}};
  for (const std::string& folder : config.data.images) sources.image_folders.emplace_back(folder);
  return sources;
}

CorpusSource::CorpusSource(const Config& config, const fs::path& simulated)
    : options_(config.ingest), corpus_(SourcesOf(config, simulated)) {}

void CorpusSource::Import(StageRange range, const ImportControl& control, Progress& progress) {
  if (!collections_.contains(range)) {
    collections_.emplace(range, flyscribe::Import(corpus_, range, options_, control, progress));
  }
}

const Collection& CorpusSource::Of(StageRange range) const { return collections_.at(range); }

fs::path CorpusSource::PathOf(const ImageRecord& image) const {
  return corpus_.sources.image_folders.at(image.folder) / image.file;
}

}  // namespace flyscribe
