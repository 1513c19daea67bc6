// What the error for a damaged artifact says.
#pragma once

#include <string>

#include "core/fs.h"

namespace flyscribe {

inline std::string CorruptText(const fs::path& path, const std::string& message) {
  return path.string() + ": error: " + message + "\n  hint: the file was changed by hand or is damaged";
}

}  // namespace flyscribe
