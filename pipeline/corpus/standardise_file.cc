#include "pipeline/corpus/standardise_file.h"

#include <optional>

#include "core/file.h"
#include "core/hash.h"
#include "core/text.h"

namespace flyscribe {
namespace {

// Nothing if there are more than `limit` of them.
std::optional<std::string> ReadUnchanged(const fs::path& path, const std::string& digest, std::uint64_t limit) {
  boost::system::error_code unreadable;  // reading it says why
  const std::uint64_t size = fs::file_size(path, unreadable);
  const bool fits = unreadable || size <= limit;
  std::optional<std::string> bytes;
  if (fits) bytes = ReadFile(path, limit);
  if ((fits ? Sha256OfText(*bytes) : Sha256OfFile(path)) == digest) return bytes;
  throw Error(ErrorCode::kInput, "the file changed during the run", "run again", {path.string()});
}

}  // namespace

std::variant<Standardised, Error> StandardiseFile(const fs::path& path,
                                                  const std::string& digest,
                                                  const StandardiseOptions& options,
                                                  std::uint64_t limit) {
  const std::optional<std::string> bytes = ReadUnchanged(path, digest, limit);
  if (!bytes) {
    return Error(ErrorCode::kInput,
                 "image file is over the limit of " + HumanBytes(limit),
                 "is this a single photograph? crop or scale it down first",
                 {path.string()});
  }
  try {
    return Standardise(DecodeGray(*bytes, path.string()), options, path.string());
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kInput) throw;
    return error;
  }
}

}  // namespace flyscribe
