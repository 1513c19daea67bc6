// Results of single images, kept so that adding fifty images costs fifty images.
//
//   <cache>/items/<step>/<recipe>/recipe.txt          what decides an item besides its input
//   <cache>/items/<step>/<recipe>/<2 digits>/<key>    the SHA-256 of the payload in hexadecimal, then the payload
// <recipe> is the SHA-256 of recipe.txt, <key> that of the recipe's digest, a space and the input's digest. Items are
// written atomically but not synced, because one whose digest does not fit is simply computed again.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <string>

#include "core/fs.h"

namespace flyscribe {

inline constexpr const char* kRecipeName = "recipe.txt";

// <cache>/items/<step>/<recipe>.
fs::path ItemFolder(const fs::path& cache_root, const std::string& step, const std::string& recipe);

// Where the item for the input with this digest lies, or would lie, in a folder of ItemFolder.
fs::path ItemPath(const fs::path& folder, const std::string& input_digest);

// Whether the file holds an item that can be trusted. Throws Error(kInput) if it cannot be read.
bool ItemIsIntact(const fs::path& path);

class ItemCache {
 public:
  // `recipe` holds all that decides an item besides its input: step, version, options, libraries. Unfinished items are
  // written to `scratch`, which is on the same file system and is the caller's to remove.
  ItemCache(const fs::path& cache_root, const std::string& step, const std::string& recipe, fs::path scratch);

  // The payload for the input with this digest: read if it is there, else made and stored. Thread-safe; two processes
  // that make the same item write the same bytes.
  std::string Get(const std::string& input_digest, const std::function<std::string()>& make) const;

  fs::path PathOf(const std::string& input_digest) const { return ItemPath(folder_, input_digest); }
  // How many were made, not read.
  std::size_t made() const { return made_; }

 private:
  fs::path folder_;
  fs::path scratch_;
  mutable std::atomic<std::size_t> made_ = 0;
};

}  // namespace flyscribe
