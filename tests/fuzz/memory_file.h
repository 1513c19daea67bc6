// A file in memory, for readers that want a path: no disk is worn out by a million of them.
#pragma once

#include <string_view>

#include "core/fs.h"

namespace flyscribe {

class MemoryFile {
 public:
  explicit MemoryFile(std::string_view content);
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  // Valid while this lives; may be opened any number of times, and written to.
  const fs::path& path() const { return path_; }

 private:
  int descriptor_;
  fs::path path_;
};

}  // namespace flyscribe
