// SHA-256 of input files that are known to be unchanged since they were last hashed.
//
// Content decides, always; a file's device, inode, size and times of change (mtime and ctime, in nanoseconds) only say
// whether it must be read again. A file that was changed within the last seconds before it was hashed is not
// remembered, because a further change might leave the same times.
//
// One table: a row per file with device, inode, size, mtime, ctime and SHA-256; the last name in the header is the
// SHA-256 of all rows. A table that is damaged or unreadable counts as empty.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "core/fs.h"

namespace flyscribe {

class DigestCache {
 public:
  // Reads what is known, unless everything shall be hashed again.
  DigestCache(fs::path file, bool rehash);

  // The digest of a file's content. Thread-safe. Throws Error(kInput) if it cannot be read.
  std::string Of(const fs::path& path);

  // Writes down what is known now, if anything in it is new. Does nothing where the folder cannot be written to.
  void Save();

  std::size_t hashed() const { return hashed_; }

 private:
  // device, inode, size, mtime, ctime
  using FileStamp = std::array<std::int64_t, 5>;

  void Load();
  static FileStamp StampOf(const fs::path& path);

  fs::path file_;
  std::map<FileStamp, std::string> known_;
  std::mutex mutex_;  // guards what follows
  std::map<FileStamp, std::string> used_;
  std::size_t hashed_ = 0;
};

}  // namespace flyscribe
