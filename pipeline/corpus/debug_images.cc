#include "pipeline/corpus/debug_images.h"

#include "core/error.h"
#include "core/file.h"
#include "core/parallel.h"
#include "core/slug.h"
#include "imaging/decode.h"
#include "imaging/encode.h"
#include "imaging/trace_picture.h"

namespace flyscribe {

FileResult StandardiseFile(const fs::path& file, const StandardiseOptions& options, bool with_picture) {
  FileResult result;
  PhotoTrace trace;
  try {
    const std::string bytes = ReadFile(file, DecodeLimits{}.max_bytes);
    result.standardised = Standardise(DecodeGray(bytes, file.string()), options, file.string(), &trace);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kInput) throw;
    result.problem = error.diagnostics().front().message;
  }
  if (with_picture) {
    const Standardised* shown = result.standardised ? &*result.standardised : nullptr;
    result.picture = EncodePng(DrawTrace(trace, shown, result.problem));
  }
  return result;
}

void WriteDebugImages(const std::vector<std::pair<std::string, fs::path>>& named_files,
                      const StandardiseOptions& options,
                      const fs::path& folder,
                      int threads,
                      Progress& progress) {
  CreateFolder(folder);
  SlugMaker slugs;
  std::vector<std::string> names;
  for (const auto& [id, file] : named_files) names.push_back(slugs.Make(id) + ".png");
  progress.Begin(named_files.size(), "pictures");
  ParallelFor(threads, named_files.size(), [&](std::size_t i) {
    progress.ThrowIfStopped();
    WriteFile(folder / names[i], StandardiseFile(named_files[i].second, options, true).picture, Durability::kUnsynced);
    progress.Advance();
  });
}

}  // namespace flyscribe
