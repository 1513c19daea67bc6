// Hashes everything in a cache again.
#pragma once

#include <string>
#include <vector>

#include "core/progress.h"
#include "pipeline/cache/store.h"

namespace flyscribe {

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
