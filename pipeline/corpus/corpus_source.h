// Where a run's images and tables come from, real or simulated: imported once per stage range and then frozen, so that
// edits to the inputs during a run do not leak into it.
#pragma once

#include <map>

#include "core/progress.h"
#include "corpus/corpus.h"
#include "corpus/import.h"
#include "corpus/intake.h"
#include "data/collection.h"
#include "pipeline/config/config.h"
#include "pipeline/corpus/label_ontology.h"
#include "simulate/simulate.h"

namespace flyscribe {

// Quality of simulated photographs' JPEG files, in the middle of what BDGP's have.
inline constexpr int kPhotographQuality = 88;

// Writes config.simulate for the config's ranges into `folder`: here the simulator meets the JPEG encoder, which it may
// not know. Throws as Simulate does.
SimulateSummary SimulateData(const Config& config, const fs::path& folder, int threads, Progress& progress);

// The tables and folders a config reads. `simulated` is the folder of the simulate step's artifact; not used with real
// data.
Sources SourcesOf(const Config& config, const fs::path& simulated);

// Pixels of an image file, by its header; 0 if it cannot be told, is over the limit or the file is cut off. To choose
// between copies of different size: a damaged one should not win.
std::uint64_t PixelsOf(const fs::path& path);

class CorpusSource {
 public:
  // Reads the tables and looks for image files; asks `progress` at each row and folder whether to stop.
  CorpusSource(const Config& config, const fs::path& simulated, const Progress& progress);

  // Joins the tables and hashes the images of a range. `digest` as in ImportControl.
  void Import(StageRange range, const ImportControl& control, Progress& progress);
  // REQUIRES: imported.
  const Collection& Of(StageRange range) const;
  fs::path PathOf(const ImageRecord& image) const;
  const LabelOntology& ontology() const { return ontology_; }

 private:
  IngestOptions options_;
  Corpus corpus_;
  LabelOntology ontology_;
  std::map<StageRange, Collection> collections_;
};

}  // namespace flyscribe
