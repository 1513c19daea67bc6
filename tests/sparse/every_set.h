// For tests that must hold on every instruction set this processor runs: a suite derived from EverySetTest, and
//   INSTANTIATE_TEST_SUITE_P(EverySet, <suite>, ::testing::ValuesIn(SimdTargets()), SetName);
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <string>

#include "core/simd.h"
#include "sparse/kernels.h"
#include "tests/support/simd_choice.h"

namespace flyscribe {

class EverySetTest : public ::testing::TestWithParam<std::string> {
 protected:
  const SimdChoice choice_{GetParam()};
  const Kernels& kernels_ = ActiveKernels();
};

// GoogleTest allows letters and digits only.
inline std::string SetName(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::erase(name, '-');
  return name;
}

// Padded lengths with an even and an odd number of vectors, and counts around the sizes of the kernels' tiles.
inline constexpr std::size_t kLengths[] = {16, 32, 48, 128, 144};
inline constexpr std::size_t kCounts[] = {1, 2, 3, 4, 5, 7, 31, 32, 33};
inline constexpr std::size_t kRowCounts[] = {1, 2, 3, 4, 5};

}  // namespace flyscribe
