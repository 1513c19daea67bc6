#include "pipeline/cache/catalogue.h"

#include <optional>

#include "core/error.h"
#include "core/file.h"
#include "data/stage_range.h"
#include "pipeline/cache/items.h"
#include "pipeline/cache/key.h"
#include "pipeline/cache/store.h"

namespace flyscribe {
namespace {

// Folders in a folder, sorted; none if it is not there.
std::vector<fs::path> FoldersIn(const fs::path& folder) {
  std::vector<fs::path> folders = EntriesOf(folder);
  boost::system::error_code ignored;
  std::erase_if(folders, [&](const fs::path& entry) { return !fs::is_directory(entry, ignored); });
  return folders;
}

std::optional<CatalogueEntry> ReadEntry(const fs::path& folder) {
  CatalogueEntry entry;
  entry.folder = folder;
  boost::system::error_code gone;
  try {
    entry.manifest = ReadManifest(folder);
    entry.key_text = ReadFile(folder / kKeyName);
    entry.problem = FirstWrongSize(folder, entry.manifest.files);
    entry.bytes = entry.manifest.TotalBytes() + fs::file_size(folder / kManifestName, gone);
    entry.last_use = fs::last_write_time(folder / kManifestName, gone);
  } catch (const Error& error) {
    entry.problem = error.diagnostics().front().message;
    entry.unreadable = error.code() != ErrorCode::kCorrupt;
    entry.bytes = FolderBytes(folder);
    entry.last_use = fs::last_write_time(folder, gone);
  }
  if (!fs::exists(folder, gone)) return std::nullopt;
  entry.manifest.key = folder.filename().string();
  entry.manifest.step = folder.parent_path().filename().string();
  entry.manifest.range = folder.parent_path().parent_path().filename().string();
  return entry;
}

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

std::vector<CatalogueEntry> ListArtifacts(const fs::path& cache_root) {
  std::vector<CatalogueEntry> entries;
  std::vector<std::string> ranges = StageRange::Names();
  ranges.emplace_back("all");
  for (const std::string& range : ranges) {
    for (const fs::path& step : FoldersIn(cache_root / range)) {
      for (const fs::path& folder : FoldersIn(step)) {
        if (!IsKey(folder.filename().string())) continue;  // not ours
        if (auto entry = ReadEntry(folder)) entries.push_back(std::move(*entry));
      }
    }
  }
  return entries;
}

std::vector<ItemGroup> ListItemGroups(const fs::path& cache_root) {
  std::vector<ItemGroup> groups;
  for (const fs::path& step : FoldersIn(cache_root / "items")) {
    for (const fs::path& folder : FoldersIn(step)) {
      if (!IsKey(folder.filename().string())) continue;
      ItemGroup group;
      group.folder = folder;
      group.step = step.filename().string();
      boost::system::error_code ignored;
      group.last_use = fs::last_write_time(folder / kRecipeName, ignored);
      try {
        group.recipe = ReadFile(folder / kRecipeName);
      } catch (const Error&) {
        group.recipe.clear();
      }
      group.count = ItemFiles(folder).size();
      group.bytes = FolderBytes(folder);
      groups.push_back(std::move(group));
    }
  }
  return groups;
}

std::vector<fs::path> ItemFiles(const fs::path& group) {
  std::vector<fs::path> files;
  for (const fs::path& folder : FoldersIn(group)) {
    for (fs::path& file : EntriesOf(folder)) files.push_back(std::move(file));
  }
  return files;
}

std::uint64_t FolderBytes(const fs::path& folder) {
  std::uint64_t bytes = 0;
  boost::system::error_code ignored;
  for (fs::recursive_directory_iterator entry(folder, ignored); entry != fs::recursive_directory_iterator();
       entry.increment(ignored)) {
    if (!fs::is_regular_file(entry->path(), ignored)) continue;
    const auto size = fs::file_size(entry->path(), ignored);
    if (!ignored) bytes += size;
  }
  return bytes;
}

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
