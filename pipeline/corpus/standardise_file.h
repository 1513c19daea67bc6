// An image file -> a standardised embryo, or why it cannot be used: what runs, `annotate` and `standardise` do with
// each file.
//
// Whether an image can be used follows from its content alone, and is an answer. That a file which was hashed before
// cannot be read, or is another than was hashed, is none: then the run must stop, because nothing may be remembered of
// it. Of a file that was not hashed nothing is remembered, and that it cannot be read is an answer too.
// Thread-safe. Deterministic.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/error.h"
#include "core/fs.h"
#include "core/progress.h"
#include "imaging/image_file.h"
#include "imaging/standardise.h"

namespace flyscribe {

// The embryo, or the Error(kInput) that says why the image cannot be used; it may be larger than `limit` bytes.
// `digest`: the SHA-256 it was hashed to; empty if it was not. Throws Error(kInput) if a file that was hashed cannot be
// read or has changed.
std::variant<Standardised, Error> StandardiseFile(const fs::path& path,
                                                  const std::string& digest,
                                                  const StandardiseOptions& options,
                                                  PhotoTrace* trace = nullptr,
                                                  std::uint64_t limit = DecodeLimits{}.max_bytes);

// Why the options leave an embryo out that could be used: "doubtful embryo: ..."; empty if they keep it.
std::string WhyDropped(const ImageQuality& quality, const StandardiseOptions& options);

// Every decision about a file as a picture, PNG.
std::string TracePicture(const PhotoTrace& trace, const std::variant<Standardised, Error>& said);

// Writes a picture <name>.png into `folder` for every file. A name may be any text, such as a path: it is made a file
// name of its own by SlugMaker.
void WriteDebugImages(const std::vector<std::pair<std::string, fs::path>>& named_files,
                      const StandardiseOptions& options,
                      const fs::path& folder,
                      int threads,
                      Progress& progress);

}  // namespace flyscribe
