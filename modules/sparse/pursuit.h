// Codes patches by orthogonal matching pursuit: greedily, few atoms a patch.
//
//   start: A empty, r = x.   Repeat:
//     1. j = the atom with the largest |d_j^T r| / |d_j|; of several the lowest. It joins A.
//     2. z_A = argmin |x - sum_A z_j d_j|^2,   r = x - D z
//   until A has `nonzeros` atoms, or |r| <= `error`, or no atom correlates with r any more.
//
//   x  patch, p values (a row of `patches`)      D  dictionary, m atoms d_j (rows of `atoms`) of any length
//
// Step 1 is a matrix product for 32 patches at a time. Step 2 keeps the Cholesky factor of D_A^T D_A in double
// precision, and adds a row to it. An atom that almost depends on A ends the search: what it correlates with is
// rounding.
//
// It finds no minimum of anything: which few atoms explain a patch best is a hard problem, and this is its usual
// answer. References: Pati, Rezaiifar, Krishnaprasad: Orthogonal Matching Pursuit, Asilomar 1993.
//
// Cost: per patch k m p multiplications for k atoms. Memory: 8 bytes per non-zero, 2 m p floats. Thread safety:
// reentrant. Determinism: same bytes for any number of threads, on every instruction set.
#pragma once

#include <cstddef>

#include "core/matrix.h"
#include "core/progress.h"
#include "data/dictionary.h"

namespace flyscribe {

struct PursuitControl {
  std::size_t nonzeros = 10;  // at most so many atoms a patch, at least 1
  double error = 0.0;         // |r| that is small enough
  int threads = 1;            // <= 0 means one per core
};

struct PursuitResult {
  SparseCodes codes;               // one row a patch
  double objective = 0.0;          // mean of 0.5 |r|^2 over the patches; 0 if there are none
  double worst_error = 0.0;        // the largest |r|
  double nonzeros_per_code = 0.0;  // mean over the patches; 0 if there are none
  std::size_t unreached = 0;       // patches with |r| > error
  double seconds = 0.0;            // wall-clock time
};

// Throws Error(kInput) if patches and atoms differ in length or a patch is not finite, Error(kCorrupt) if an atom is
// not.
PursuitResult Pursue(FloatView patches, const FloatMatrix& atoms, const PursuitControl& control, Progress& progress);

}  // namespace flyscribe
