// The artifacts on disk: <cache>/<range>/<step>/<key>/ with the step's files, key.txt and manifest.json.
//
// An artifact is written into a temporary folder, synced, and renamed into place: a reader sees all of it or nothing.
// The manifest lists every file with size and SHA-256. A folder that does not agree with its manifest is a miss with a
// warning, is moved aside, and is never trusted.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/fs.h"

namespace flyscribe {

// What an artifact says about itself besides its files.
struct ArtifactManifest {
  std::string step;
  std::string range;
  std::string part;
  std::string key;
  double seconds = 0.0;            // the step's wall time
  std::string program;             // flyscribe's version
  std::vector<std::string> facts;  // "patches: 53200": what the step found worth telling
};

struct Artifact {
  fs::path folder;
  ArtifactManifest manifest;
  std::uint64_t bytes = 0;
  bool just_written = false;  // by this process: its content needs no check
};

class ArtifactStore {
 public:
  using Warn = std::function<void(const std::string& message)>;

  // Creates the folder. Throws Error(kDisk) if it cannot be written to.
  ArtifactStore(fs::path root, Warn warn);

  const fs::path& root() const { return root_; }
  // Where an artifact lies, or would lie.
  fs::path FolderOf(const std::string& range, const std::string& step, const std::string& key) const;

  // The artifact if it is there and its files have the sizes the manifest lists.
  std::optional<Artifact> Find(const std::string& range, const std::string& step, const std::string& key) const;
  // Rehashes its files, or only those named. If one differs, warns, moves the artifact aside and returns false.
  bool Verify(const Artifact& artifact, const std::vector<std::string>& only = {}) const;

  // A new empty folder to write an artifact's files into; removed when the writer goes out of scope uncommitted.
  class Writer;

 private:
  void SetAside(const fs::path& folder, const std::string& reason) const;
  // Removes what processes of this host left in tmp/ when they were killed, a day ago or more.
  void RemoveLeftovers() const;

  fs::path root_;
  Warn warn_;
};

class ArtifactStore::Writer {
 public:
  explicit Writer(const ArtifactStore& store);
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  const fs::path& folder() const { return folder_; }
  // Writes key.txt and manifest.json, syncs, and renames into place. If another process was first, its artifact stays.
  Artifact Commit(const ArtifactManifest& manifest, const std::string& key_text);

 private:
  const ArtifactStore& store_;
  fs::path folder_;
};

}  // namespace flyscribe
