// Codes patches under a constraint instead of a penalty, exactly, along the path of all lassos (lars.h).
//
//   kError    min |z|_1      with |x - D z| <= limit        kBudget   min |x - D z|  with |z|_1 <= limit
//
//   x  patch, p values (a row of `patches`)      D  dictionary, m atoms d_j (rows of `atoms`), |d_j| <= 1
//
// Either solution is that of a lasso, with a lambda of its own for each patch: the path comes down from the lambda at
// which the code is empty, and ends inside the step in which the limit is met. It is followed down to 1e-5 |x|; a patch
// whose error has not come down by then is counted as unreached, and its code is the last one. A budget that is larger
// than that of the last code is not used up. Sums of squares are known to about 1e-7 |x|^2, so an error counts as met
// up to 1e-4 |x|.
//
// Cost: per patch m p multiplications, and k^2 m / 2 for a code of k weights; m^2 p once. Memory: 8 bytes per non-zero,
// m^2 floats. Thread safety: reentrant. Determinism: same bytes for any number of threads, on every instruction set.
#pragma once

#include <cstddef>

#include "core/matrix.h"
#include "core/progress.h"
#include "data/dictionary.h"

namespace flyscribe {

struct ConstrainedControl {
  enum class Kind { kError, kBudget };
  Kind kind = Kind::kError;
  double limit = 0.1;  // >= 0
  bool nonnegative = false;
  int threads = 1;  // <= 0 means one per core
};

struct ConstrainedResult {
  SparseCodes codes;               // one row a patch
  double objective = 0.0;          // mean of 0.5 |x - D z|^2 over the patches; 0 if there are none
  double weight = 0.0;             // mean of |z|_1
  double worst_error = 0.0;        // the largest |x - D z|
  double worst_kkt = 0.0;          // the largest violation of an optimality condition of a patch's lasso
  double nonzeros_per_code = 0.0;  // mean over the patches
  std::size_t unreached = 0;       // patches whose error is still above the limit
  double seconds = 0.0;            // wall-clock time
};

// Throws Error(kInput) if patches and atoms differ in length or a patch is not finite, Error(kCorrupt) if an atom is
// not, Error(kUsage) if m x m numbers would not fit in reasonable memory.
ConstrainedResult EncodeConstrained(FloatView patches,
                                    const FloatMatrix& atoms,
                                    const ConstrainedControl& control,
                                    Progress& progress);

}  // namespace flyscribe
