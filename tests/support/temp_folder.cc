#include "tests/support/temp_folder.h"

#include "core/file.h"

namespace flyscribe {

TempFolder::TempFolder() : path_(fs::temp_directory_path() / fs::unique_path("flyscribe-test-%%%%-%%%%-%%%%")) {
  fs::create_directories(path_);
}

TempFolder::~TempFolder() {
  boost::system::error_code ignored;
  fs::remove_all(path_, ignored);
}

fs::path TempFolder::Write(const std::string& name, const std::string& content) const {
  const fs::path path = path_ / name;
  WriteFileAtomically(path, content);
  return path;
}

}  // namespace flyscribe
