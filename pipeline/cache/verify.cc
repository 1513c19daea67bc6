#include "pipeline/cache/verify.h"

#include "core/error.h"
#include "core/file.h"
#include "pipeline/cache/catalogue.h"
#include "pipeline/cache/items.h"

namespace flyscribe {
namespace {

void VerifyArtifact(const CatalogueEntry& entry, const ArtifactStore& store, VerifyResult& result) {
  const ArtifactManifest& is = entry.manifest;
  ++result.artifacts;
  try {
    const std::string problem = store.ProblemOf(is.range, is.step, is.key);
    if (problem.empty()) return;
    if (store.SetAsideIfDamaged(is.range, is.step, is.key)) result.damaged.push_back({entry.folder, problem});
  } catch (const Error& error) {
    result.unreadable.push_back({entry.folder, error.diagnostics().front().message});
  }
}

void VerifyItem(const fs::path& item, const fs::path& root, Progress& progress, VerifyResult& result) {
  ++result.items;
  try {
    if (ItemIsIntact(item)) return;
    result.damaged.push_back({item, "the digest does not fit"});
    progress.Warn("cache: " + item.lexically_relative(root).string() + " is damaged; removed, to be computed again");
    RemoveTree(item);
  } catch (const Error& error) {
    boost::system::error_code ignored;
    if (fs::exists(item, ignored)) result.unreadable.push_back({item, error.diagnostics().front().message});
  }
}

}  // namespace

VerifyResult VerifyCache(const ArtifactStore& store, Progress& progress) {
  VerifyResult result;
  for (const CatalogueEntry& entry : ListArtifacts(store.root())) {
    progress.ThrowIfStopped();
    VerifyArtifact(entry, store, result);
  }
  for (const ItemGroup& group : ListItemGroups(store.root())) {
    for (const fs::path& item : ItemFiles(group.folder)) {
      progress.ThrowIfStopped();
      VerifyItem(item, store.root(), progress, result);
    }
  }
  return result;
}

}  // namespace flyscribe
