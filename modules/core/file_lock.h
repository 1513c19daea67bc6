// A lock that the kernel keeps: it ends with its process, however that ends, so none is ever stale.
//
// The lock is an open-file-description lock on a file made for it. The holder writes a line about itself into the file
// for those who wait, and removes the file on release; a file that is left after a kill is free for the next. Locks
// exclude threads of one process as well as processes. Looking at a lock neither takes nor disturbs it.
//
// Nothing that lies in the place of a lock file is written to unless it is one: links are not followed, and what is no
// plain file, has a second name or holds other text than a holder's line is refused.
//
// Where the file system has no locks, everybody gets one: callers must stay correct, if wasteful, without.
#pragma once

#include <optional>
#include <string>

#include "core/fs.h"

namespace flyscribe {

class FileLock {
 public:
  // Takes the lock if it is free. Creates the folder of `file`. Throws Error(kDisk) if the file cannot be made, or if
  // something else is in its place.
  static std::optional<FileLock> TryAcquire(const fs::path& file, const std::string& about_holder);

  ~FileLock();
  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&& other) noexcept;

  // False where the file system has no locks.
  bool enforced() const { return enforced_; }

 private:
  FileLock(fs::path file, int descriptor, bool enforced);

  fs::path file_;
  int descriptor_;
  bool enforced_;
};

// What the holder wrote about itself, if somebody holds the lock now. A lock that is there but cannot be looked at (no
// rights) counts as held, by somebody unknown: who took it for free would remove what another user needs.
std::optional<std::string> LockHolder(const fs::path& file);

}  // namespace flyscribe
