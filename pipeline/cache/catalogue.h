// What lies in a cache, with names that people understand. Reads only; takes no lock.
#pragma once

#include <cstdint>
#include <ctime>
#include <string>
#include <vector>

#include "core/fs.h"
#include "pipeline/cache/manifest.h"

namespace flyscribe {

struct CatalogueEntry {
  fs::path folder;
  ArtifactManifest manifest;  // step, range and key are filled in from the path if it cannot be read
  std::string key_text;
  std::uint64_t bytes = 0;  // on disk, with key and manifest
  std::time_t last_use = 0;
  std::string problem;      // why it cannot be used, if so
  bool unreadable = false;  // because it cannot be read now, which is no damage
};

// All artifacts, by range, step and key. One that is removed meanwhile is left out.
std::vector<CatalogueEntry> ListArtifacts(const fs::path& cache_root);

// The items of one recipe (see items.h).
struct ItemGroup {
  fs::path folder;
  std::string step;
  std::string recipe;  // its text
  std::size_t count = 0;
  std::uint64_t bytes = 0;
  std::time_t last_use = 0;
};
std::vector<ItemGroup> ListItemGroups(const fs::path& cache_root);

// All files of a group.
std::vector<fs::path> ItemFiles(const fs::path& group);

// Bytes of all files below a folder; 0 if it is not there.
std::uint64_t FolderBytes(const fs::path& folder);

}  // namespace flyscribe
