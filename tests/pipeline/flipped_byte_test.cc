// One flipped byte in any file of any artifact is found and named.
#include <gtest/gtest.h>

#include "core/file.h"
#include "core/text.h"
#include "pipeline/cache/catalogue.h"
#include "tests/pipeline/cache_copy.h"

namespace flyscribe {
namespace {

std::vector<fs::path> FilesBelow(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (fs::is_regular_file(entry.path())) files.push_back(entry.path());
  }
  return files;
}

TEST(FlippedByte, InAnyFileOfAnyArtifactIsFound) {
  const CacheCopy cache;
  const ArtifactStore store = cache.Store();
  std::size_t flipped = 0;
  for (const CatalogueEntry& entry : ListArtifacts(cache.root())) {
    const ArtifactManifest& is = entry.manifest;
    for (const fs::path& file : FilesBelow(entry.folder)) {
      const std::string good = ReadFile(file);
      if (good.empty()) continue;
      std::string bad = good;
      const std::size_t place = flipped % bad.size();  // somewhere else in every file
      bad[place] = static_cast<char>(bad[place] ^ 4);
      WriteFile(file, bad, Durability::kUnsynced);
      EXPECT_NE(store.ProblemOf(is.range, is.step, is.key).find(file.filename().string()), std::string::npos)
          << file << ": " << store.ProblemOf(is.range, is.step, is.key);
      WriteFile(file, good, Durability::kUnsynced);
      ++flipped;
    }
    EXPECT_EQ(store.ProblemOf(is.range, is.step, is.key), "");
  }
  EXPECT_GT(flipped, 80U);
}

}  // namespace
}  // namespace flyscribe
