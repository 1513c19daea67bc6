// What this machine is: its instruction sets, what they can do at best, and which of its kernels OpenBLAS should take.
#pragma once

#include <string>
#include <vector>

namespace flyscribe {

// The most fused multiply-adds one core does, measured by a loop that does nothing else.
struct Peak {
  std::string set;      // "AVX-512", "AVX2"
  double gflops = 0.0;  // 1e9 operations a second, a multiply-add being two
};
// Best first. Empty on processors this file has no loop for.
std::vector<Peak> MeasurePeaks();

// OpenBLAS's name for a processor like this one. Older releases do not know newer processors and take them for a
// thirty-year-old one, which makes whoever relies on them look slow.
std::string BlasCoreType();

// Starts this program again with OPENBLAS_CORETYPE set to that, unless it is: libraries look at it when they are
// loaded, and rivals inherit it, as they do the one thread they may use.
void RestartWithBlasCore(char** argv);

}  // namespace flyscribe
