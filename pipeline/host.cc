#include "pipeline/host.h"

#include <unistd.h>

#include <array>

#include "core/text.h"

namespace flyscribe {

std::string HostName() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return "unknown";
  return name.data();
}

std::string AboutUs(const std::string& doing) {
  return "process " + std::to_string(getpid()) + " on " + HostName() + " since " + UtcNow() + " (" + doing + ")";
}

}  // namespace flyscribe
