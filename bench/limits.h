// What this machine can do at best, measured in the same run as everything that is compared with it.
#pragma once

#include <cstddef>
#include <functional>

#include "core/matrix.h"

namespace flyscribe {

// The shortest of several runs: the one least disturbed. In seconds.
double BestSeconds(int repetitions, const std::function<void()>& body);

// One pass D^T x over all atoms, seconds per patch.
struct Limits {
  double matrix_matrix = 0.0;  // OpenBLAS, 512 patches at a time
  double matrix_vector = 0.0;  // one patch at a time, four atoms together, with the kernels of this program
  double our_products = 0.0;   // this program's own matrix product, 32 patches at a time
};
Limits MeasureLimits(const FloatMatrix& patches, std::size_t atoms, int repetitions);

}  // namespace flyscribe
