// What sparse coding is measured with and held against: patches, the limits of the machine, and naive loops.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "core/matrix.h"

namespace flyscribe {

// Descriptors of simulated embryos, normalised, shuffled, `count` of them: smoothed so that a code has about as many
// non-zeros as one of a real embryo.
FloatMatrix SimulatedPatches(std::size_t count);

// The first `count` rows of an .npy matrix; 0 means all.
FloatMatrix PatchesFromFile(const std::string& path, std::size_t count);

// The shortest of several runs: the one least disturbed. In seconds.
double BestSeconds(int repetitions, const std::function<void()>& body);

// What this machine can do at best, measured in the same run as everything that is compared with it: one pass D^T x
// over all atoms, seconds per patch.
struct Limits {
  double matrix_matrix = 0.0;  // OpenBLAS, 512 patches at a time
  double matrix_vector = 0.0;  // one patch at a time, four atoms together, with the kernels of this program
  double our_products = 0.0;   // this program's own matrix product, 32 patches at a time
};
// OpenBLAS' version and the processor kernel it chose: "OpenBLAS 0.3.21 ... Zen". OPENBLAS_CORETYPE tells it another
// where it does not know the processor.
std::string BlasVersion();

Limits MeasureLimits(const FloatMatrix& patches, std::size_t atoms, int repetitions);

// All inner products of `rows` rows of `cols` values, in double precision, in turns; in seconds. OpenBLAS is given its
// matrix in double precision and leaves out the mirror image.
struct GramTimes {
  double ours = 0.0;
  double blas = 0.0;
};
GramTimes MeasureGram(std::size_t rows, std::size_t cols, int repetitions);

// Stochastic coordinate coding as a textbook would write it: dense codes, one atom after the other, plain loops.
// Runs one epoch over all patches in file order from `atoms`, three cycles a visit (the paper's profile). Returns the
// running objective.
double NaiveSccEpoch(const FloatMatrix& patches, double lambda, FloatMatrix& atoms);

}  // namespace flyscribe
