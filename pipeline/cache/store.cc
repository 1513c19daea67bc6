#include "pipeline/cache/store.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "core/error.h"
#include "core/file.h"
#include "pipeline/cache/key.h"

namespace flyscribe {
namespace {

constexpr std::size_t kKeySize = 64;

// By this file a folder is known to be a cache: to us, and to programs for backups, which leave such folders out
// (Cache Directory Tagging Specification, bford.info/cachedir).
const std::string kTagName = "CACHEDIR.TAG";
const std::string kTagText =
    "Signature: 8a477f597d28d172789f06886806bc55\n"
    "# flyscribe cache 1: everything in this folder can be computed again\n";

}  // namespace

void RequireCache(const fs::path& root) {
  if (!IsThere(root)) return;  // whoever makes the folder says if it cannot be made
  const std::vector<fs::path> entries = EntriesOf(root);
  // The tag may be about to be written by another process. It comes before all else, so it is looked for last.
  const bool empty = std::all_of(entries.begin(), entries.end(), [](const fs::path& entry) {
    return entry.filename().string().starts_with(kTagName);
  });
  if (empty || IsThere(root / kTagName)) return;
  throw Error(ErrorCode::kUsage,
              "this folder is no cache of flyscribe, and is not empty",
              "choose a new or empty folder, so that no file of yours is ever removed with the cache's own",
              {root.string()});
}

void PrepareCache(const fs::path& root) {
  RequireCache(root);
  if (IsThere(root / kTagName)) return;
  CreateFolder(root);
  WriteFileAtomically(root / kTagName, kTagText);
}

ArtifactStore::ArtifactStore(fs::path root, Warn warn) : root_(std::move(root)), warn_(std::move(warn)) {}

fs::path ArtifactStore::FolderOf(const std::string& range, const std::string& step, const std::string& key) const {
  return root_ / range / step / key;
}

Found ArtifactStore::Look(const std::string& range, const std::string& step, const std::string& key) const {
  const fs::path folder = FolderOf(range, step, key);
  if (!IsThere(folder)) return {};
  try {
    ArtifactManifest manifest = ReadManifest(folder);
    if (manifest.key != key || manifest.step != step) return {std::nullopt, "the manifest names another artifact"};
    std::string problem = FirstWrongSize(folder, manifest.files);
    if (!problem.empty()) return {std::nullopt, std::move(problem)};
    return {Artifact{folder, std::move(manifest), false}, {}};
  } catch (const Error& error) {
    if (!IsThere(folder)) return {};                 // removed while we looked
    if (error.code() != ErrorCode::kCorrupt) throw;  // no rights, or too many open files, is no damage
    return {std::nullopt, error.diagnostics().front().message};
  }
}

std::optional<Artifact> ArtifactStore::Find(const std::string& range,
                                            const std::string& step,
                                            const std::string& key) const {
  Found found = Look(range, step, key);
  if (!found.problem.empty()) SetAsideIfDamaged(range, step, key);
  return std::move(found.artifact);
}

bool ArtifactStore::Verify(const Artifact& artifact, const FileDigest& digest) const {
  if (FirstChanged(artifact.folder, artifact.manifest.files, digest).empty()) return true;
  SetAsideIfDamaged(artifact.manifest.range, artifact.manifest.step, artifact.manifest.key);
  return false;
}

void ArtifactStore::Touch(const Artifact& artifact) const {
  const std::array<timespec, 2> now = {timespec{0, UTIME_NOW}, timespec{0, UTIME_NOW}};
  utimensat(AT_FDCWD, (artifact.folder / kManifestName).c_str(), now.data(), 0);
}

void ArtifactStore::RemoveLeftovers() const {
  try {
    for (const fs::path& work : EntriesOf(root_ / "tmp")) {
      const std::string name = work.filename().string();
      if (IsKey(name.substr(0, kKeySize)) || name.starts_with("removed-")) RemoveIfFree(work);
    }
    for (const fs::path& checkpoint : EntriesOf(root_ / "checkpoints")) {
      if (HasArtifact(checkpoint.filename().string())) RemoveIfFree(checkpoint);
    }
    // A lock that is taken and given back leaves no file.
    for (const fs::path& lock : EntriesOf(root_ / "locks")) {
      if (IsKey(lock.filename().string())) FileLock::TryAcquire(lock, "cleaning up");
    }
  } catch (const Error&) {
    return;  // a cache that cannot be written to
  }
}

void ArtifactStore::RemoveIfFree(const fs::path& folder_of_key) const {
  const auto lock = FileLock::TryAcquire(LockOf(folder_of_key.filename().string()), "cleaning up");
  boost::system::error_code ignored;
  if (lock && lock->enforced()) fs::remove_all(folder_of_key, ignored);
}

bool ArtifactStore::HasArtifact(const std::string& key) const {
  if (!IsKey(key)) return false;
  for (const fs::path& range : EntriesOf(root_)) {
    if (!fs::is_directory(range)) continue;
    for (const fs::path& step : EntriesOf(range)) {
      if (IsThere(step / key / kManifestName)) return true;
    }
  }
  return false;
}

fs::path ArtifactStore::MoveAside(const fs::path& folder) const {
  fs::path aside = root_ / "damaged" / fs::unique_path(folder.filename().string() + "-%%%%%%");
  CreateFolder(aside.parent_path());
  boost::system::error_code error;
  fs::rename(folder, aside, error);
  const bool gone = error.value() == ENOENT;
  if (error && !gone) ThrowWriteError(folder, error.value());
  return aside;
}

std::string ArtifactStore::ProblemOf(const std::string& range, const std::string& step, const std::string& key) const {
  const Found found = Look(range, step, key);
  return found.artifact ? FirstChanged(found.artifact->folder, found.artifact->manifest.files) : found.problem;
}

bool ArtifactStore::SetAsideIfDamaged(const std::string& range, const std::string& step, const std::string& key) const {
  // Whoever holds the lock is writing the artifact anew, and deals with what is in its place.
  const auto lock = FileLock::TryAcquire(LockOf(key), "setting aside");
  if (!lock) return false;
  // Another process may have been faster.
  const std::string problem = ProblemOf(range, step, key);
  const fs::path folder = FolderOf(range, step, key);
  if (problem.empty() || !IsThere(folder)) return false;
  MoveAsideWithWarning(folder, problem);
  return true;
}

std::optional<Artifact> ArtifactStore::WholeOrMoved(const std::string& range,
                                                    const std::string& step,
                                                    const std::string& key) const {
  const std::string problem = ProblemOf(range, step, key);
  if (problem.empty()) return Look(range, step, key).artifact;
  MoveAsideWithWarning(FolderOf(range, step, key), problem);
  return std::nullopt;
}

void ArtifactStore::MoveAsideWithWarning(const fs::path& folder, const std::string& problem) const {
  const fs::path aside = MoveAside(folder);
  warn_("cache: " + folder.lexically_relative(root_).string() + " is damaged (" + problem + "); moved to " +
        aside.lexically_relative(root_).string() + ", to be computed again when it is needed");
}

ArtifactStore::Writer::Writer(const ArtifactStore& store, const std::string& key, FileLock lock)
    : store_(store), lock_(std::move(lock)), work_(store.root_ / "tmp" / key) {
  // Without locks another process may be at the same work.
  if (!lock_.enforced()) work_ += fs::unique_path("-%%%%%%%%");
  RemoveTree(work_);
  CreateFolder(folder());
  CreateFolder(scratch());
}

ArtifactStore::Writer::~Writer() {
  boost::system::error_code ignored;
  fs::remove_all(work_, ignored);
}

ArtifactStore::Writer::Committed ArtifactStore::Writer::Commit(ArtifactManifest manifest, const std::string& key_text) {
  WriteFile(folder() / kKeyName, key_text);
  manifest.files = ListFiles(folder());
  WriteManifest(folder(), manifest);
  SyncFolder(folder());
  const fs::path target = store_.FolderOf(manifest.range, manifest.step, manifest.key);
  CreateFolder(target.parent_path());
  Committed committed;
  const std::optional<Artifact> present = store_.WholeOrMoved(manifest.range, manifest.step, manifest.key);
  if (present) {
    committed.differing = DifferingFiles(present->manifest.files, manifest.files);
    if (committed.differing.empty()) return {*present, {}};
    store_.MoveAside(target);
  }
  boost::system::error_code error;
  fs::rename(folder(), target, error);
  // Without locks another process may have been first; it has the same bytes.
  const bool other_was_first = error && !lock_.enforced() && IsThere(target / kManifestName);
  if (error && !other_was_first) ThrowWriteError(target, error.value());
  SyncFolder(target.parent_path());
  committed.artifact = {target, std::move(manifest), !other_was_first};
  return committed;
}

}  // namespace flyscribe
