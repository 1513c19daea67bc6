// Packs a text by gzip, for tests of readers.
#pragma once

#include <string>

namespace flyscribe {

std::string GzipText(const std::string& text);

}  // namespace flyscribe
