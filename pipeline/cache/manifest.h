// manifest.json: what an artifact says about itself, and the size and SHA-256 of each of its files.
//
// The manifest also holds its own digest (of its text with that digest written as zeros), so that no byte of an
// artifact can change unnoticed.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/fs.h"
#include "core/hash.h"

namespace flyscribe {

inline constexpr const char* kManifestName = "manifest.json";
inline constexpr const char* kKeyName = "key.txt";

struct ListedFile {
  std::string name;  // relative to the folder
  std::uint64_t bytes = 0;
  std::string sha256;

  friend bool operator==(const ListedFile&, const ListedFile&) = default;
};

struct ArtifactManifest {
  std::string step;
  std::string range;
  std::string part;
  std::string key;
  double seconds = 0.0;                // the step's wall time
  double work = 0.0;                   // what was done in that time, in units of the step; 0 if it is not known
  double size = 0.0;                   // what there was to keep, likewise
  std::string made;                    // when: "2026-11-16T15:50:45Z"
  std::string program;                 // flyscribe's version
  std::vector<std::string> facts;      // "patches: 53200": what the step found worth telling
  std::vector<ListedFile> files = {};  // all but the manifest, sorted by name

  std::uint64_t TotalBytes() const;
};

// All regular files below a folder, sorted, except its manifest. Reads and hashes them.
std::vector<ListedFile> ListFiles(const fs::path& folder);

void WriteManifest(const fs::path& folder, const ArtifactManifest& manifest);

// Throws Error(kCorrupt) if the manifest is missing, damaged, nested or of an unknown format, other Errors if it cannot
// be read or is over `limit` bytes.
ArtifactManifest ReadManifest(const fs::path& folder, std::uint64_t limit = std::uint64_t{1} << 26);

// Each says what is wrong first, or nothing: "codes.data.npy has the wrong size". Throws Error(kInput) if a file cannot
// be looked at, which is no damage.
std::string FirstWrongSize(const fs::path& folder, const std::vector<ListedFile>& files);
using FileDigest = std::function<std::string(const fs::path& path)>;
std::string FirstChanged(const fs::path& folder,
                         const std::vector<ListedFile>& files,
                         const FileDigest& digest = Sha256OfFile);
// The names of files that are not the same in both lists.
std::vector<std::string> DifferingFiles(const std::vector<ListedFile>& a, const std::vector<ListedFile>& b);

}  // namespace flyscribe
