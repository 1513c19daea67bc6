// What a bundle of a model holds, and what is wrong with it: for `flyscribe inspect`.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/fs.h"

namespace flyscribe {

struct ModelTermFacts {
  std::string term;
  std::string fbbt_id;
  std::size_t positives = 0;
  double c = 0.0;
  double cut = 0.0;
  double threshold = 0.0;  // the cut as a probability
};

struct ModelRangeFacts {
  std::string range;
  std::size_t atoms = 0;
  std::size_t features = 0;
  std::size_t genes = 0;
  std::size_t inner_folds = 0;
  std::vector<ModelTermFacts> terms;
  std::vector<std::pair<std::string, std::string>> skipped;  // term, reason
};

struct ModelFacts {
  using Pairs = std::vector<std::pair<std::string, std::string>>;

  std::uint64_t bytes = 0;
  int format = 0;
  std::string id;
  std::string program;  // flyscribe's version
  Pairs preprocessing;  // versions: see PreprocessingVersions
  Pairs options;        // "pool.regions" -> "[1x1]"
  Pairs provenance;
  std::vector<ModelRangeFacts> ranges;
  std::vector<std::string> problems;  // none if all of it was verified
};

// Throws Error(kInput) if the file cannot be read or is no archive; all else that is wrong is among the problems.
ModelFacts InspectModel(const fs::path& bundle);

// Whether a file is one to look at so: by its content, or by a name that says so.
bool IsModelFile(const fs::path& path);

}  // namespace flyscribe
