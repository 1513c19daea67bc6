// Learns a dictionary and the sparse codes of its patches.
//
//   min over D, z_1 .. z_n of  (1/n) sum_i f_i,   f_i = 0.5 |x_i - D z_i|^2 + lambda |z_i|_1,   |d_j| <= 1
//
//   x_i  patch i, p values (a row of `patches`)      n  patches that take part (`rows`)
//   D    dictionary, m atoms d_j of p values (rows of Dictionary::atoms)      z_i  code of patch i, m weights
//
// With nonnegative_atoms also d_j >= 0. The nearest such atom to a vector v is max(0, v), then brought into the ball:
// where v_i < 0, d_i = 0 is nearer to v than d_i > 0 and makes d no longer; what is left is the ball alone. The same
// holds on the sphere. Where max(0, v) = 0, the atom does not move.
//
// Three methods, all from the same first dictionary (random patches, unless one is given):
//   scc            scc.cc: stochastic coordinate coding, patch by patch, exactly as published
//   scc-minibatch  minibatch.cc: the same idea in batches, on all cores
//   online         online.cc: Mairal's online dictionary learning, the baseline
// The codes that come back are those each patch's last visit left; encoder.h codes patches with the final dictionary.
//
// Learning ends after `epochs` epochs, or before that once its objective has settled. With F_e the running objective of
// epoch e (the mean of f_i, each taken right after the patch was visited), that is after the first epoch
//   e >= 3  with  |F_(e-1) - F_e| <= tolerance F_(e-1),    if tolerance > 0.
// F_1 is compared with nothing: its codes start from zero, and from a dictionary that nobody has fitted. A rise beyond
// the tolerance (new atoms for unused ones, a rate too high) is no rest either. The rule looks at nothing but the F_e,
// so learning that was interrupted ends where it would have ended.
//
// Memory: the patches where they lie, m p floats, and 16 bytes per non-zero weight; nothing of size n x m.
// Thread safety: reentrant. Determinism: same patches, rows and options give the same bytes, on every instruction set,
// for any number of threads, and whether or not learning was interrupted and went on from a LearnState.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/fs.h"
#include "core/matrix.h"
#include "core/progress.h"
#include "data/dictionary.h"
#include "sparse/learn_options.h"

namespace flyscribe {

// Where learning stands between two epochs: enough to go on later, in another process, to the same bytes.
//
//   atoms.npy       float32 [m, p]      the dictionary
//   curvature.npy   float64 [2, m]      the diagonal of H, and its part from the last epoch
//   moments.npy     float32 [m, m + p]  online only: its statistics A and B, side by side
//   codes.*.npy     the codes the last epoch left, one row a patch
//   state.json      epochs done, steps taken, and what the summary needs
// A state is of use only to the problem it came from: the caller sees to that.
struct LearnState {
  int epochs_done = 0;
  std::uint64_t steps = 0;  // dictionary updates so far
  FloatMatrix atoms;
  std::vector<double> curvature;        // h_jj
  std::vector<double> epoch_curvature;  // its part from the epoch just done
  FloatMatrix moments;                  // empty unless online
  SparseCodes codes;
  std::vector<double> objective_per_epoch;
  std::size_t replaced_atoms = 0;

  void Save(const fs::path& folder) const;
  // Throws Error(kCorrupt) if the files do not belong together.
  static LearnState Load(const fs::path& folder);

  friend bool operator==(const LearnState&, const LearnState&) = default;
};

// Learning between two epochs, for those who look on. What they ask for is copied: State() as much as all codes are.
class LearnPause {
 public:
  virtual ~LearnPause() = default;
  virtual int epochs_done() const = 0;
  virtual FloatMatrix Atoms() const = 0;
  virtual LearnState State() const = 0;
};

// Wall-clock time, learning alone: not the reading of the patches, nor what after_epoch does. After a resume, of the
// epochs run since.
struct LearnTimes {
  double codes = 0.0;
  double dictionary = 0.0;
  std::vector<double> per_epoch;

  double Total() const;
};

struct LearnControl {
  int threads = 1;  // <= 0 means one per core
  // The first dictionary, m x p; atoms are projected as learning projects them. Null: drawn from the patches.
  const FloatMatrix* initial = nullptr;
  // Where to go on from; null begins anew.
  const LearnState* resume = nullptr;
  // Called after every epoch but the last, if set.
  std::function<void(const LearnPause&)> after_epoch = {};
  // Set to the times so far before after_epoch is called, if given: for those who write them down.
  LearnTimes* times = nullptr;
};

struct LearnResult {
  Dictionary dictionary;
  SparseCodes codes;  // row i is the code of patch rows[i]
  LearnTimes times;
};

// `rows` names the patches that take part, such as those of the training genes.
// Throws Error(kInput) if there are none, if one of them holds a value that is not finite, or if learning diverges: the
// objective is not finite, or worse than with all codes zero. Error(kUsage) if `initial` or `resume` do not fit.
// Error(kInterrupted) on request.
LearnResult Learn(FloatView patches,
                  std::span<const std::size_t> rows,
                  const LearnOptions& options,
                  const LearnControl& control,
                  Progress& progress);

// The dictionary learning starts from: m different non-zero patches drawn from `rows`, projected onto the unit ball.
// Where there are too few, random directions take their place.
FloatMatrix InitialDictionary(FloatView patches,
                              std::span<const std::size_t> rows,
                              std::size_t atoms,
                              std::int64_t seed);

}  // namespace flyscribe
