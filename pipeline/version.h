// flyscribe's own version.
#pragma once

#include <string>

namespace flyscribe {

// Such as "0.1.0", from CMake.
std::string Version();

}  // namespace flyscribe
