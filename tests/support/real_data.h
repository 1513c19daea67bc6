// Where BDGP's and FlyBase's own files are, which may not be shipped: FLYSCRIBE_DATA, or ../shared/data beside the
// sources. A test that needs them is skipped, and says so, where they are not.
#pragma once

#include <cstdlib>
#include <string>

#include "core/fs.h"

namespace flyscribe {

inline fs::path RealDataFile(const std::string& name) {
  const char* configured = std::getenv("FLYSCRIBE_DATA");
  const fs::path data = configured != nullptr ? fs::path(configured) : fs::path(FLYSCRIBE_SOURCE_DIR "/../shared/data");
  return data / name;
}

}  // namespace flyscribe

// REQUIRES: <gtest/gtest.h>.
#define FLYSCRIBE_SKIP_WITHOUT(path) \
  if (!::flyscribe::fs::exists(path)) GTEST_SKIP() << "no real data at " << (path).string()
