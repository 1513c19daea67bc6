// The one way to paths and directories: Boost.Filesystem under a short name.
#pragma once

#include <boost/filesystem.hpp>

namespace flyscribe {

namespace fs = boost::filesystem;

}  // namespace flyscribe
