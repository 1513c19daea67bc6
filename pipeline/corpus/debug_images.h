// Image files through decode and standardise, one by one, with a picture of every decision where asked.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/fs.h"
#include "core/progress.h"
#include "imaging/standardise.h"

namespace flyscribe {

struct FileResult {
  std::optional<Standardised> standardised;  // nothing: the file is unusable, `problem` says why
  std::string problem;
  std::string picture;  // PNG, if asked for
};

// Throws only what is no fault of the file: one that cannot be read is unusable like one that cannot be decoded.
FileResult StandardiseFile(const fs::path& file, const StandardiseOptions& options, bool with_picture);

// Writes a picture <name>.png into `folder` for every file. A name may be any text, such as a path: it is made a file
// name of its own by SlugMaker.
void WriteDebugImages(const std::vector<std::pair<std::string, fs::path>>& named_files,
                      const StandardiseOptions& options,
                      const fs::path& folder,
                      int threads,
                      Progress& progress);

}  // namespace flyscribe
