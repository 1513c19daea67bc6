#include "pipeline/corpus/standardise_file.h"

#include <optional>

#include "core/file.h"
#include "core/hash.h"
#include "core/parallel.h"
#include "core/text.h"
#include "imaging/find_embryo.h"
#include "imaging/image_file.h"
#include "imaging/pictures.h"

namespace flyscribe {
namespace {

// Nothing if there are more than `limit` of them.
std::optional<std::string> ReadUnchanged(const fs::path& path, const std::string& digest, std::uint64_t limit) {
  boost::system::error_code unreadable;  // reading it says why
  const std::uint64_t size = fs::file_size(path, unreadable);
  const bool fits = unreadable || size <= limit;
  std::optional<std::string> bytes;
  if (fits) bytes = ReadFile(path, limit);
  if (digest.empty() || (fits ? Sha256OfText(*bytes) : Sha256OfFile(path)) == digest) return bytes;
  throw Error(ErrorCode::kInput, "the file changed during the run", "run again", {path.string()});
}

}  // namespace

std::variant<Standardised, Error> StandardiseFile(const fs::path& path,
                                                  const std::string& digest,
                                                  const StandardiseOptions& options,
                                                  PhotoTrace* trace,
                                                  std::uint64_t limit) {
  bool is_read = false;
  try {
    const std::optional<std::string> bytes = ReadUnchanged(path, digest, limit);
    is_read = true;
    if (bytes) return Standardise(DecodeGray(*bytes, path.string()), options, path.string(), trace);
    return Error(ErrorCode::kInput,
                 "image file is over the limit of " + HumanBytes(limit),
                 "is this a single photograph? crop or scale it down first",
                 {path.string()});
  } catch (const Error& error) {
    const bool is_answer = error.code() == ErrorCode::kInput && (is_read || digest.empty());
    if (!is_answer) throw;
    return error;
  }
}

std::string WhyDropped(const ImageQuality& quality, const StandardiseOptions& options) {
  const bool dropped = quality.IsDoubtful() && options.doubtful == StandardiseOptions::Doubtful::kDrop;
  return dropped ? "doubtful embryo: " + Join(quality.doubts, "; ") : "";
}

std::string TracePicture(const PhotoTrace& trace, const std::variant<Standardised, Error>& said) {
  const Error* problem = std::get_if<Error>(&said);
  const std::string words = problem != nullptr ? problem->diagnostics().front().message : "";
  return EncodePng(DrawTrace(trace, std::get_if<Standardised>(&said), words));
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
    PhotoTrace trace;
    const auto said = StandardiseFile(named_files[i].second, {}, options, &trace);
    WriteFile(folder / names[i], TracePicture(trace, said), Durability::kUnsynced);
    progress.Advance();
  });
}

}  // namespace flyscribe
