// Codes patches with a dictionary that stays as it is: the lasso, solved until its optimality conditions hold.
//
//   z_i = argmin over z of  0.5 |x_i - D z|^2 + lambda |z|_1,   each patch for itself
//
//   x_i  patch i, p values (a row of `patches`)      D  dictionary, m atoms d_j (rows of `atoms`), |d_j| <= 1
//
// Coordinate descent with an active set: one cycle over all atoms; cycles over the non-zero ones until they rest; a
// check of the optimality conditions of all atoms, with the residual r computed anew; atoms that break them join; and
// so on. A patch is done when, with tolerance t = kkt_tolerance,
//   |d_j^T r| <= lambda + t                   where z_j = 0,
//   |d_j^T r - lambda sign(z_j)| <= t         elsewhere,
// or when max_cycles cycles have been spent (then it counts as unconverged, and its code is used as it is).
// Atoms shorter than 1 are handled exactly; an atom of norm 0 always has weight zero.
//
// It does not learn and takes no warm start: a patch's code depends on the patch and the dictionary alone.
//
// Cost: per patch about 3 m p + (cycles) s p multiplications, s = size of the active set. Memory: 8 bytes per non-zero.
// Reference: Friedman, Hastie, Tibshirani: Regularization Paths for Generalized Linear Models via Coordinate Descent,
// Journal of Statistical Software 33(1), 2010.
// Thread safety: reentrant. Determinism: same bytes for any number of threads.
#pragma once

#include <cstddef>

#include "core/matrix.h"
#include "core/options.h"
#include "core/progress.h"
#include "data/dictionary.h"

namespace flyscribe {

struct EncodeOptions {
  double kkt_tolerance = 1e-4;
  int max_cycles = 1000;

  void Fields(OptionsVisitor& visit);
};

struct EncodeResult {
  SparseCodes codes;               // one row a patch
  double worst_kkt = 0.0;          // the largest violation of an optimality condition left in any patch
  double objective = 0.0;          // mean over the patches; 0 if there are none
  double nonzeros_per_code = 0.0;  // mean over the patches; 0 if there are none
  std::size_t unconverged = 0;     // patches that ran out of cycles
};

// threads <= 0 means one per core.
// Throws Error(kInput) if patches and atoms differ in length or a patch is not finite, Error(kCorrupt) if an atom is
// not.
EncodeResult Encode(FloatView patches,
                    const FloatMatrix& atoms,
                    double lambda,
                    const EncodeOptions& options,
                    int threads,
                    Progress& progress);

}  // namespace flyscribe
