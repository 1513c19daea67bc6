// The artifacts on disk: <cache>/<range>/<step>/<key>/ with the step's files, key.txt and manifest.json.
//
// An artifact is written below <cache>/tmp/<key>, synced, and renamed into place: a reader sees all of it or nothing,
// and takes no lock. A writer holds the kernel lock <cache>/locks/<key>, so that two processes compute an artifact
// once, and so that what a killed one left in tmp belongs to whoever takes the lock next. A folder that does not agree
// with its manifest is moved to <cache>/damaged with a warning, and is never trusted.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/file_lock.h"
#include "core/fs.h"
#include "core/hash.h"
#include "pipeline/cache/manifest.h"

namespace flyscribe {

struct Artifact {
  fs::path folder;
  ArtifactManifest manifest;
  bool just_written = false;  // by this process: its content needs no check
};

// What is at an artifact's place.
struct Found {
  std::optional<Artifact> artifact;
  std::string problem;  // why what is there cannot be used; empty if nothing is there
};

// Throws Error(kUsage) if the folder is there and is neither empty nor a cache: whoever cleans up in it would take
// other people's files away.
void RequireCache(const fs::path& root);
// The same, then marks the folder as a cache, creating it if need be. Throws Error(kDisk) if it cannot be written to.
void PrepareCache(const fs::path& root);

class ArtifactStore {
 public:
  using Warn = std::function<void(const std::string& message)>;

  // Touches nothing: a cache that cannot be written to serves what it has.
  ArtifactStore(fs::path root, Warn warn);

  const fs::path& root() const { return root_; }
  // Where an artifact lies, or would lie.
  fs::path FolderOf(const std::string& range, const std::string& step, const std::string& key) const;
  fs::path LockOf(const std::string& key) const { return root_ / "locks" / key; }
  fs::path CheckpointOf(const std::string& key) const { return root_ / "checkpoints" / key; }

  // Looks whether the artifact is there and its files have the sizes the manifest lists. Changes nothing.
  Found Look(const std::string& range, const std::string& step, const std::string& key) const;
  // The same; what cannot be used is moved aside.
  std::optional<Artifact> Find(const std::string& range, const std::string& step, const std::string& key) const;
  // Hashes the files, by `digest` if it is given. If one differs, moves the artifact aside and returns false; also if
  // it was removed meanwhile.
  bool Verify(const Artifact& artifact, const FileDigest& digest = Sha256OfFile) const;
  // Remembers that the artifact was used, for those who remove the least recently used ones. It is no error if it
  // cannot be remembered.
  void Touch(const Artifact& artifact) const;

  // Removes what killed processes left: in tmp, checkpoints of artifacts that are whole, files of locks nobody holds.
  // It is no error if it cannot be removed.
  void RemoveLeftovers() const;
  // What is wrong with the artifact, every byte looked at; empty if nothing is, or if it is not there.
  std::string ProblemOf(const std::string& range, const std::string& step, const std::string& key) const;
  // Looks again under the key's lock, because another process may be at it, and moves a damaged artifact to
  // <cache>/damaged, with a warning. Returns whether it did.
  bool SetAsideIfDamaged(const std::string& range, const std::string& step, const std::string& key) const;

  // A new empty folder to write an artifact's files into; removed when the writer goes out of scope uncommitted.
  class Writer;

 private:
  // REQUIRES: the key's lock is held. Returns where it lies then.
  fs::path MoveAside(const fs::path& folder) const;
  void MoveAsideWithWarning(const fs::path& folder, const std::string& problem) const;
  // The artifact if every byte of it is as it was written; else what is in its place is moved aside.
  std::optional<Artifact> WholeOrMoved(const std::string& range, const std::string& step, const std::string& key) const;
  // A folder of tmp or checkpoints, named by a key: unless somebody holds the key's lock.
  void RemoveIfFree(const fs::path& folder_of_key) const;
  bool HasArtifact(const std::string& key) const;

  fs::path root_;
  Warn warn_;
};

class ArtifactStore::Writer {
 public:
  // `lock` is the key's: while the writer lives, nobody else computes this artifact.
  Writer(const ArtifactStore& store, const std::string& key, FileLock lock);
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  // For the artifact's files.
  fs::path folder() const { return work_ / "artifact"; }
  // For temporary files of the step, on the same file system.
  fs::path scratch() const { return work_ / "scratch"; }

  struct Committed {
    Artifact artifact;
    // Where an artifact was there already: the files in which it differed. It was moved aside if there are any, and
    // stays if there are none.
    std::vector<std::string> differing;
  };
  // Writes key.txt and manifest.json, syncs, and renames into place. `manifest.files` is filled in here.
  Committed Commit(ArtifactManifest manifest, const std::string& key_text);

 private:
  const ArtifactStore& store_;
  FileLock lock_;
  fs::path work_;
};

}  // namespace flyscribe
