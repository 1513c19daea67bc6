// One instruction set for the length of a scope; then the best again.
#pragma once

#include <string>

#include "core/simd.h"

namespace flyscribe {

class SimdChoice {
 public:
  explicit SimdChoice(const std::string& name) { UseSimd(name); }
  ~SimdChoice() { UseSimd("auto"); }
  SimdChoice(const SimdChoice&) = delete;
  SimdChoice& operator=(const SimdChoice&) = delete;
};

}  // namespace flyscribe
