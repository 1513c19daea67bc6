// Codes patches with a dictionary that stays as it is: the lasso, solved until its optimality conditions hold.
//
//   z_i = argmin over z of  0.5 |x_i - D z|^2 + lambda |z|_1,   each patch for itself
//
//   x_i  patch i, p values (a row of `patches`)      D  dictionary, m atoms d_j (rows of `atoms`), |d_j| <= 1
//
// or, with a ridge mu, the elastic net: + (mu / 2) |z|^2. It is the lasso of x and D made longer, [x; 0] and
// [D; sqrt(mu) I], so d_j^T r - mu z_j takes the place of d_j^T r in all that follows; where z_j = 0 they are the same.
//
// With weights w, lambda sum_j w_j |z_j| takes the place of lambda |z|_1. It is the lasso over the atoms d_j / s_j with
// s_j = w_j / min w and lambda min w, whose code is s_j z_j; s_j >= 1 keeps the atoms in the unit ball. Violations are
// measured there: those of d_j^T r are s_j times as large.
//
// Active sets: the atoms that correlate most with the patch are let in and fitted; then those that break the conditions
// with what is left; and so on. The first three searches are matrix products over all atoms. From then on the residual
// r moves little, and |d_j^T r| <= |d_j^T r_before| + |r - r_before| clears most atoms without a look. See
// docs/algorithms/encoding.md. A patch is done when, with tolerance t = kkt_tolerance and r computed anew,
//   |d_j^T r| <= lambda + t                   where z_j = 0   (d_j^T r alone, if nonnegative),
//   |d_j^T r - lambda sign(z_j)| <= t         elsewhere,
// or when about max_cycles cycles have been spent (the round under way is finished; then it counts as unconverged, and
// its code is used as it is). Atoms shorter than 1 are handled exactly; an atom of norm 0 always has weight zero.
//
// It does not learn and takes no warm start: a patch's code depends on the patch and the dictionary alone.
//
// Cost: per patch about 3 m p + 2 s^2 p + (cycles) s^2 multiplications, s = size of the active set. Memory: 8 bytes per
// non-zero. Thread safety: reentrant. Determinism: same bytes for any number of threads, on every instruction set.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "core/matrix.h"
#include "core/progress.h"
#include "data/dictionary.h"
#include "sparse/encode_options.h"

namespace flyscribe {

// The problem, and with what to solve it.
struct EncodeControl {
  double lambda = 0.1;
  bool nonnegative = false;
  int threads = 1;                       // <= 0 means one per core
  double ridge = 0.0;                    // mu >= 0
  std::span<const double> weights = {};  // w_j > 0 of every atom; empty: all are 1
};

struct EncodeResult {
  SparseCodes codes;               // one row a patch
  double worst_kkt = 0.0;          // the largest violation of an optimality condition left in any patch
  double worst_gap = 0.0;          // the largest duality gap: no code could lower a patch's objective by more
  double objective = 0.0;          // mean over the patches, right at any scale of theirs; 0 if there are none
  double nonzeros_per_code = 0.0;  // mean over the patches; 0 if there are none
  std::size_t unconverged = 0;     // patches that ran out of cycles
  double seconds = 0.0;            // wall-clock time
};

// Throws Error(kInput) if patches and atoms differ in length or a patch is not finite, Error(kCorrupt) if an atom is
// not.
EncodeResult Encode(FloatView patches,
                    const FloatMatrix& atoms,
                    const EncodeControl& control,
                    const EncodeOptions& options,
                    Progress& progress);

}  // namespace flyscribe
