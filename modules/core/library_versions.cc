#include "core/library_versions.h"

#include <archive.h>
#include <fmt/core.h>
#include <hwy/highway.h>
#include <openssl/crypto.h>
#include <unistd.h>
#include <zlib.h>

#include <array>
#include <boost/version.hpp>

namespace flyscribe {

std::vector<std::pair<std::string, std::string>> CoreLibraryVersions() {
  std::array<char, 64> c_library{};
  confstr(_CS_GNU_LIBC_VERSION, c_library.data(), c_library.size());
  const std::string archive = archive_version_details();  // "libarchive 3.6.2 zlib/1.2.13 ..."
  return {{"Boost", fmt::format("{}.{}.{}", BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000, BOOST_VERSION % 100)},
          {"libarchive", archive.substr(archive.find(' ') + 1)},
          {"Highway", fmt::format("{}.{}.{}", HWY_MAJOR, HWY_MINOR, HWY_PATCH)},
          {"zlib", zlibVersion()},
          {"OpenSSL", OpenSSL_version(OPENSSL_VERSION_STRING)},
          {"C library", c_library.data()}};
}

}  // namespace flyscribe
