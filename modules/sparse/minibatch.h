// Mini-batch stochastic coordinate coding: the paper's announced future work. See docs/algorithms/scc-minibatch.md.
//
// Patches are dealt to batches once; each epoch visits the batches in a new order. A visit of a batch:
//   1. Codes, for all patches of the batch with the same D, from where their last visit left them: one matrix product
//      gives c = d_j^T r for all atoms; atoms with |c_j| > lambda join the support; cd_steps cycles of coordinate
//      descent over it, or fewer where a cycle changes no c_j by a thousandth of lambda. (The first visit starts from
//      zero, where hundreds of atoms correlate: there the strongest join, are fitted, and a second product finds the
//      rest.)
//   2. h_jj <- f h_jj + sum over the batch of z_ij^2, with f = max(1 - forgetting, 1 - 1 / (memory * batches so far)).
//      H thus remembers a growing window: early, poor codes stop braking the atoms, late steps are calm.
//   3. Atom by atom:  d_j <- projection of d_j + (1 / h_jj) sum_i z_ij r_i,  and  r_i <- r_i - z_ij (change of d_j) for
//      the patches that use it, so that the next atom sees what is left (Gauss-Seidel).
//
// Cost per visit of a patch: m p + s^2 p / 2 + cd_steps s^2 + 4 s p multiplications, s = size of the support.
// The codes are found on all threads, in blocks of a fixed size; the dictionary moves on one.
#pragma once

#include <memory>

#include "sparse/learner.h"

namespace flyscribe {

std::unique_ptr<Learner> MakeMinibatchLearner(const LearnProblem& problem);

}  // namespace flyscribe
