// Online dictionary learning, patch by patch or in mini-batches: the baseline the paper compares with. See
// docs/algorithms/online.md.
//
// Patches are dealt to batches once; each epoch visits the batches in a new order. A visit of batch t, of eta patches:
//   1. Codes of its patches with the same D, from zero to the optimum: LARS on the Gram matrix of D (lars.h), as
//      published; or this program's own encoder (solver: descent), to a tolerance of 1e-4.
//   2. A <- beta A + sum_i z_i z_i^T,   B <- beta B + sum_i z_i x_i^T,   with beta = (theta + 1 - eta) / (theta + 1)
//   and
//      theta = t eta while t < eta, eta^2 + t - eta afterwards.
//   3. One pass of block coordinate descent on the dictionary, for j = 1 .. m with the atoms as they stand:
//        d_j <- projection onto the unit ball of  d_j + (b_j - sum_i a_ji d_i) / a_jj.
//
// Cost per patch: m p + LARS; per batch m^2 p for the Gram matrix and m^2 p for step 3. Memory: 3 m^2 floats.
// Step 1 and the matrix products run on all threads, in blocks of a fixed size.
// Reference: Mairal, Bach, Ponce, Sapiro: Online Dictionary Learning for Sparse Coding, ICML 2009 (longer: JMLR 11,
// 2010), Algorithm 1 with the mini-batch extension of its section 3.4.
#pragma once

#include <memory>

#include "sparse/learner.h"

namespace flyscribe {

// Throws Error(kUsage) if the m x m statistics would not fit in reasonable memory.
std::unique_ptr<Learner> MakeOnlineLearner(const LearnProblem& problem);

}  // namespace flyscribe
