// How far a running step is.
#pragma once

#include <cstdint>
#include <string>

namespace flyscribe {

struct StepCount {
  std::uint64_t done = 0;
  std::uint64_t total = 0;  // 0: not known
  std::string unit;
  std::string remark;
};

}  // namespace flyscribe
