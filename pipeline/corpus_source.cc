#include "pipeline/corpus_source.h"

namespace flyscribe {
namespace {

Sources SourcesOf(const Config& config, const fs::path& simulated) {
  if (config.simulated)
    return {simulated / "insitu_annot.csv", simulated / "insitu_images.csv", {simulated / "images"}};
  Sources sources{config.data.annotations, config.data.images_table, {}};
  for (const std::string& folder : config.data.images) sources.image_folders.emplace_back(folder);
  return sources;
}

}  // namespace

CorpusSource::CorpusSource(const Config& config, const fs::path& simulated)
    : options_(config.ingest),
      threads_(config.run.threads),
      sources_(SourcesOf(config, simulated)),
      tables_(BdgpTables::Load(sources_.annotations, sources_.images_table)) {}

void CorpusSource::Import(StageRange range, Progress& progress) {
  if (!collections_.contains(range)) {
    collections_.emplace(range, flyscribe::Import(tables_, sources_, range, options_, threads_, progress));
  }
}

const Collection& CorpusSource::Of(StageRange range) const { return collections_.at(range); }

fs::path CorpusSource::PathOf(const ImageRecord& image) const {
  return sources_.image_folders.at(image.folder) / image.file;
}

}  // namespace flyscribe
