// Results of single images, kept so that adding fifty images costs fifty images.
//
// <cache>/items/<step>/<first two digits>/<key>: the SHA-256 of the payload in hexadecimal, then the payload. Written
// atomically but not synced, because an item whose digest does not fit is simply computed again.
#pragma once

#include <functional>
#include <string>

#include "core/fs.h"

namespace flyscribe {

class ItemCache {
 public:
  // `recipe` holds all that decides an item besides its input: step, version, options, libraries.
  ItemCache(const fs::path& cache_root, const std::string& step, const std::string& recipe);

  // The payload for the input with this digest: read if it is there, else made and stored. Thread-safe; two processes
  // that make the same item write the same bytes.
  std::string Get(const std::string& input_digest, const std::function<std::string()>& make) const;

  // Where the item lies, or would lie.
  fs::path PathOf(const std::string& input_digest) const;

 private:
  fs::path folder_;
  std::string recipe_digest_;
};

}  // namespace flyscribe
