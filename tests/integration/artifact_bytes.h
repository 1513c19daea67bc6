// The content of a cache, for comparing two of them.
#pragma once

#include <map>
#include <string>

#include "core/fs.h"
#include "core/hash.h"

namespace flyscribe {

// Relative path -> digest of every file of every artifact and item, except manifests, which hold times, and what
// differs from run to run.
inline std::map<std::string, std::string> ArtifactBytes(const fs::path& cache) {
  std::map<std::string, std::string> bytes;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(cache)) {
    const std::string name = fs::relative(entry.path(), cache).string();
    const std::string top = name.substr(0, name.find('/'));
    const bool of_a_run = top == "runs" || top == "digests" || top == "damaged" || top == "locks";
    if (!fs::is_regular_file(entry.path()) || entry.path().filename() == "manifest.json" || of_a_run) continue;
    bytes[name] = Sha256OfFile(entry.path());
  }
  return bytes;
}

}  // namespace flyscribe
