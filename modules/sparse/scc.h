// Stochastic Coordinate Coding: learns a dictionary and the sparse codes of its patches, one patch at a time.
//
//   min over D, z_1 .. z_n of  (1/n) sum_i f_i,   f_i = 0.5 |x_i - D z_i|^2 + lambda |z_i|_1,   |d_j| <= 1
//
//   x_i  patch i, p values (a row of `patches`)      n  patches that take part (`rows`)
//   D    dictionary, m atoms d_j of p values (rows of Dictionary::atoms)      z_i  code of patch i, m weights
//   H    running sum of z z^T, of which only the diagonal h_jj is kept
//
// Start: D = m distinct random patches, H = 0, all codes zero. One visit of patch i (Algorithm 1 of the paper):
//   1. z_i starts where the last epoch left it. One cycle of coordinate descent over all atoms finds its support; then
//      cd_steps - 1 cycles over this support:   z_j <- h_lambda(d_j^T r + z_j),   r = x_i - D z_i.
//   2. h_jj += z_j^2.
//   3. For every atom of the support, all with the one residual r of step 1:   d_j += (1 / h_jj) z_j r,   then
//   projected
//      onto the unit ball.
// An epoch visits every patch once, in a fresh seeded order or in the order of `rows`.
//
// It does not normalise patches, does not code patches that took no part (see encoder.h) and has no mini-batches.
//
// Cost: per visit about m p (step 1) + K s p multiplications, s = non-zeros of the code, K = cd_steps. Memory: the
// patches (not copied), m p floats, and about 16 bytes per non-zero weight; nothing of size n x m.
// Reference: Lin, Li, Sun, Lai, Davidson, Fan, Ye: Stochastic Coordinate Coding and Its Application for Drosophila Gene
// Expression Pattern Annotation, arXiv 1407.8147, 2014.
// Thread safety: reentrant; runs on the calling thread. Determinism: same patches, rows and options, same bytes.
#pragma once

#include <cstdint>
#include <span>

#include "core/matrix.h"
#include "core/options.h"
#include "core/progress.h"
#include "data/dictionary.h"

namespace flyscribe {

enum class PatchOrder { kShuffled, kFile };

struct LearnOptions {
  int atoms = 500;
  double lambda = 0.10;
  int epochs = 10;
  int cd_steps = 3;
  PatchOrder patch_order = PatchOrder::kShuffled;
  std::int64_t seed = 1;

  void Fields(OptionsVisitor& visit);
};

struct LearnResult {
  Dictionary dictionary;
  SparseCodes codes;  // row i is the code of patch rows[i], as its last visit left it
};

// `rows` names the patches that take part, such as those of the training genes.
// Throws Error(kInput) if there are none, if there are fewer than atoms, if one of them holds a value that is not
// finite, or if learning diverges (values so large that the objective overflows); Error(kInterrupted) on request.
LearnResult LearnScc(FloatView patches,
                     std::span<const std::size_t> rows,
                     const LearnOptions& options,
                     Progress& progress);

// The dictionary learning starts from: `atoms` patches drawn from `rows` without repetition, projected onto the unit
// ball. Every learner starts from this one. Throws Error(kInput) if there are fewer patches than atoms.
FloatMatrix InitialDictionary(FloatView patches,
                              std::span<const std::size_t> rows,
                              std::size_t atoms,
                              std::int64_t seed);

}  // namespace flyscribe
