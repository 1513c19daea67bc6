// What lies in a cache, with names that people understand, and whether it is whole. Lists are read without a lock.
#pragma once

#include <cstdint>
#include <ctime>
#include <string>
#include <vector>

#include "core/fs.h"
#include "core/progress.h"
#include "pipeline/cache/manifest.h"

namespace flyscribe {

class ArtifactStore;

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

// Hashes everything in a cache again.
struct VerifiedPiece {
  fs::path path;
  std::string problem;
};

struct VerifyResult {
  std::size_t artifacts = 0;
  std::size_t items = 0;
  std::vector<VerifiedPiece> damaged;     // artifacts were set aside, items removed
  std::vector<VerifiedPiece> unreadable;  // left as they are
};

// Damaged artifacts are set aside with the store's warning; damaged items are removed, with `progress` warning. Throws
// Error(kInterrupted) on request.
VerifyResult VerifyCache(const ArtifactStore& store, Progress& progress);

}  // namespace flyscribe
