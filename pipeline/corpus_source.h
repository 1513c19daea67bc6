// Where a run's images and tables come from, imported once per stage range and then frozen: edits to the inputs during
// a run do not leak into it.
#pragma once

#include <map>
#include <memory>

#include "core/progress.h"
#include "corpus/bdgp.h"
#include "data/collection.h"
#include "pipeline/config/config.h"

namespace flyscribe {

class CorpusSource {
 public:
  // `simulated` is the folder of the simulate step's artifact; not used with real data.
  CorpusSource(const Config& config, const fs::path& simulated);

  // Reads the tables and hashes the images of a range.
  void Import(StageRange range, Progress& progress);
  // REQUIRES: imported.
  const Collection& Of(StageRange range) const;
  fs::path PathOf(const ImageRecord& image) const;

 private:
  IngestOptions options_;
  int threads_;
  Sources sources_;
  BdgpTables tables_;
  std::map<StageRange, Collection> collections_;
};

}  // namespace flyscribe
