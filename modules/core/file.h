// Whole files, read with a limit or mapped, and written so that a crash leaves the old content or the new, never half.
//
// Every failure is an Error that names the path and says what to do: kInput for reading, kDisk for writing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/fs.h"

namespace flyscribe {

// Reads a whole file. A directory, a missing or unreadable file, or one over `limit` bytes is an Error(kInput).
std::string ReadFile(const fs::path& path, std::uint64_t limit = std::uint64_t{1} << 32);

// Calls `consume` with consecutive blocks of the file, in bounded memory.
void ForEachBlock(const fs::path& path, const std::function<void(std::string_view block)>& consume);

// A file mapped read-only. It must not be cut short while mapped: artifacts never are. Where it is, reading a page that
// is gone raises SIGBUS, which is the application's to handle, and what is left of the last page reads as zeros.
class MappedFile {
 public:
  // Throws Error(kInput) as ReadFile does.
  explicit MappedFile(const fs::path& path);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;

  std::string_view bytes() const { return {data_, size_}; }
  // Throws CutShort if the file has become shorter since. One that took its place by a rename is none of ours.
  void RequireWhole() const;

 private:
  fs::path path_;
  std::uint64_t inode_ = 0;
  const char* data_ = nullptr;
  std::size_t size_ = 0;
};

// The file of this process that is mapped where `address` lies; empty if there is none. It may be called by a handler
// of a SIGBUS that reading a mapped file has raised: no thread reads one while it holds what is locked here.
fs::path MappedFileAt(const void* address);

// The Error(kInput) of a mapped file that was cut short while it was read.
Error CutShort(const fs::path& path);

// Whether a file must survive a power cut. Thousands of small files that can be made again need not wait for the disk.
enum class Durability { kSynced, kUnsynced };

// Writes to a temporary neighbour and renames it over `path`. Creates missing parent folders. Whatever fails, no
// temporary file is left.
void WriteFileAtomically(const fs::path& path, std::string_view content, Durability durability = Durability::kSynced);

// Writes without renaming: for files inside a directory that is itself renamed into place.
void WriteFile(const fs::path& path, std::string_view content, Durability durability = Durability::kSynced);
// The same for a content that lies in several places: it is never copied together.
void WriteFile(const fs::path& path,
               std::span<const std::string_view> parts,
               Durability durability = Durability::kSynced);

// Adds to the end of a file, which is created if need be, and syncs. A link is not followed.
void AppendToFile(const fs::path& path, std::string_view content);

// A file written bit by bit, for content that is never whole in memory. Until Finish it is not complete.
class FileWriter {
 public:
  // Creates the file, or empties it.
  explicit FileWriter(fs::path path);
  ~FileWriter();
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  void Append(std::string_view content);
  // Replaces the first bytes. REQUIRES: at least so many were written.
  void ReplaceStart(std::string_view content);
  // Syncs, unless told not to, and closes. REQUIRES: called at most once, and last.
  void Finish(Durability durability = Durability::kSynced);

 private:
  fs::path path_;
  int descriptor_;
};

// Creates the folder and its parents; Error(kDisk) if something else is in the way.
void CreateFolder(const fs::path& path);

// Moves a file or folder within a file system; removes one with all below it (a missing one is no error).
void RenamePath(const fs::path& from, const fs::path& to);
void RemoveTree(const fs::path& path);

// Whether something is there; a link to nowhere is not. Error(kInput) if it cannot be looked at (no rights): whoever
// took it for missing would remove, or compute again, what depends on it.
bool IsThere(const fs::path& path);
// Whether something has this name, also a link to nowhere or what cannot be looked at: writing would replace it.
bool IsTaken(const fs::path& path);

// What lies in a folder, sorted; nothing if there is no such folder. One that cannot be listed (no rights, a file or a
// link to nowhere in its place) is an Error(kInput): whoever took it for empty would lose what lies in it.
std::vector<fs::path> EntriesOf(const fs::path& folder);
// Names of all files below a folder, relative to it and with '/', sorted by bytes. Links to folders are not followed.
// Throws as EntriesOf does.
std::vector<std::string> FilesBelow(const fs::path& folder);

// Flushes a directory's own entries to disk, so that a rename inside it survives a power cut.
void SyncFolder(const fs::path& path);
// Flushes all that was written to the file system of `path`. For thousands of small files this is one pass over the
// disk, where an fsync each would wait for its journal every time.
void SyncFileSystem(const fs::path& path);

// Throws Error(kDisk) unless a file can be created in `path` (which is created if missing). Leaves nothing behind.
void RequireWritableFolder(const fs::path& path);

// Throws the Error(kDisk) for a failed write of `path`, with the system's reason.
[[noreturn]] void ThrowWriteError(const fs::path& path, int error_number);

}  // namespace flyscribe
