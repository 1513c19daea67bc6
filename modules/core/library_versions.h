// Versions of the libraries that core stands on, for people.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace flyscribe {

// Name and version, as the libraries that are loaded say it themselves; of those that cannot be asked (Boost, Highway),
// what this program was built with.
std::vector<std::pair<std::string, std::string>> CoreLibraryVersions();

}  // namespace flyscribe
