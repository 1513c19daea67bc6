// Packed files: a folder as one sealed archive, and tables that are handed out in gzip.
//
// An archive is a tar, compressed by Zstandard, with a seal at the end. Any `tar --zstd -xf` opens it.
//
//   archive = zstd(tar of the files, by name) + seal
//   seal    = a skippable frame of Zstandard (50 2a 4d 18, length 64) that holds the SHA-256 of all bytes before it
//
// Unpackers pass the seal over; here it tells that no byte was changed, lost or added. It is no signature: whoever
// makes a hostile archive can seal it. So what is in an archive is never trusted. Names must be plain relative paths
// ("a/b.npy") of regular files without holes, each once; how much comes out is counted while it comes out, whatever
// headers say; and nothing is written but below the folder that was given.
//
// The same files give the same bytes (with one version of libzstd): times, owners and permissions are not kept.
// It does not keep empty folders or links. Cost: files stream through, memory is some megabytes. Thread safety:
// reentrant.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/fs.h"

namespace flyscribe {

// What may come out of an archive at most.
struct ArchiveLimits {
  std::size_t files = 10000;
  std::size_t name_bytes = 255;
  std::uint64_t file_bytes = std::uint64_t{4} << 30;
  std::uint64_t total_bytes = std::uint64_t{16} << 30;  // of the files and of what lies between them
};

// Packs all files below `folder`, whose names must be as above. Not atomic: write it aside. Throws Error(kDisk).
void WriteArchive(const fs::path& folder, const fs::path& archive);

// Whether the file begins as an archive does; false if it cannot be read.
bool LooksLikeArchive(const fs::path& path);

// Throws Error(kCorrupt) unless the seal is there and fits all that comes before it; Error(kInput) if the file cannot
// be read or is something else.
void RequireSealed(const fs::path& archive);

// Unpacks into `folder`, which must be empty, and returns the names in the order they came. Needs no seal. Throws
// Error(kInput) if it cannot be read or is something else, Error(kCorrupt) for all that is said above. Files that came
// out whole before the trouble stay.
std::vector<std::string> ExtractArchive(const fs::path& archive, const fs::path& folder, const ArchiveLimits& limits);

// gzip, told by content (1f 8b), never by the file's name.
bool IsGzip(std::string_view bytes);

// Unpacks gzip. Several members one after the other, as `cat a.gz b.gz` makes them, are one text; zeros may follow the
// last one, nothing else. Throws Error(kInput) if the data is cut off or damaged (lengths and checksums are compared),
// or unpacks to more than `limit` bytes; it stops there, so that a few packed bytes cannot fill the memory. `place`
// names the file in errors.
std::string Gunzip(std::string_view bytes, std::uint64_t limit, const std::string& place);

}  // namespace flyscribe
