#include "pipeline/cache/items.h"

#include <optional>

#include "core/error.h"
#include "core/file.h"
#include "core/hash.h"

namespace flyscribe {
namespace {

constexpr std::size_t kDigestSize = 64;

// The payload of an item's bytes, unless they are damaged.
std::optional<std::string> PayloadOf(const std::string& stored) {
  if (stored.size() < kDigestSize) return std::nullopt;
  std::string payload = stored.substr(kDigestSize);
  if (Sha256OfText(payload) != stored.substr(0, kDigestSize)) return std::nullopt;
  return payload;
}

// The payload of a stored item, unless it is missing, unreadable or damaged.
std::optional<std::string> ReadItem(const fs::path& path) {
  boost::system::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) return std::nullopt;
  try {
    return PayloadOf(ReadFile(path));
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace

fs::path ItemFolder(const fs::path& cache_root, const std::string& step, const std::string& recipe) {
  return cache_root / "items" / step / Sha256OfText(recipe);
}

fs::path ItemPath(const fs::path& folder, const std::string& input_digest) {
  const std::string key = Sha256OfText(folder.filename().string() + " " + input_digest);
  return folder / key.substr(0, 2) / key;
}

bool ItemIsIntact(const fs::path& path) { return PayloadOf(ReadFile(path)).has_value(); }

ItemCache::ItemCache(const fs::path& cache_root, const std::string& step, const std::string& recipe, fs::path scratch)
    : folder_(ItemFolder(cache_root, step, recipe)), scratch_(std::move(scratch)) {
  WriteFileAtomically(folder_ / kRecipeName, recipe, Durability::kUnsynced);  // its time says when it was last used
}

std::string ItemCache::Get(const std::string& input_digest, const std::function<std::string()>& make) const {
  const fs::path path = PathOf(input_digest);
  if (auto payload = ReadItem(path)) return std::move(*payload);
  std::string payload = make();
  ++made_;
  const fs::path unfinished = scratch_ / fs::unique_path("%%%%-%%%%-%%%%-%%%%");
  WriteFile(unfinished, Sha256OfText(payload) + payload, Durability::kUnsynced);
  CreateFolder(path.parent_path());
  RenamePath(unfinished, path);
  return payload;
}

}  // namespace flyscribe
