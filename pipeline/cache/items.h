// Results of single images, kept so that adding fifty images costs fifty images.
//
//   <cache>/items/<step>/<recipe>/recipe.txt          what decides an item besides its input
//   <cache>/items/<step>/<recipe>/<2 digits>/<key>    the SHA-256 of the payload in hexadecimal, then the payload
// <recipe> is the SHA-256 of recipe.txt, <key> that of the recipe's digest, a space and the input's digest. Items are
// written atomically but not synced, because one whose digest does not fit is simply computed again.
#pragma once

#include <functional>
#include <string>

#include "core/fs.h"

namespace flyscribe {

inline constexpr const char* kRecipeName = "recipe.txt";

// <cache>/items/<step>/<recipe>.
fs::path ItemFolder(const fs::path& cache_root, const std::string& step, const std::string& recipe);

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

  // Where the item lies, or would lie.
  fs::path PathOf(const std::string& input_digest) const;

 private:
  fs::path folder_;
  fs::path scratch_;
  std::string recipe_digest_;
};

}  // namespace flyscribe
