// A folder that lives as long as the test that made it.
#pragma once

#include <string>

#include "core/fs.h"

namespace flyscribe {

class TempFolder {
 public:
  TempFolder();
  ~TempFolder();
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  const fs::path& path() const { return path_; }
  fs::path operator/(const std::string& name) const { return path_ / name; }
  // Writes a file below the folder, creating folders on the way, and returns its path.
  fs::path Write(const std::string& name, const std::string& content) const;

 private:
  fs::path path_;
};

}  // namespace flyscribe
