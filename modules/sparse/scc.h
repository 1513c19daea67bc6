// Stochastic Coordinate Coding, one patch at a time, as published. See docs/algorithms/scc.md.
//
// Start: H = 0, all codes zero. One visit of patch i (Algorithm 1 of the paper):
//   1. z_i starts where the last epoch left it. One cycle of coordinate descent over all atoms finds its support; then
//      cd_steps - 1 cycles over this support:   z_j <- h_lambda(d_j^T r + z_j),   r = x_i - D z_i.
//   2. h_jj += z_j^2.
//   3. For every atom of the support, all with the one residual r of step 1:   d_j += (1 / h_jj) z_j r   (or, with the
//      natural rate after t visits, a / (t + b) z_j r), then projected.
// An epoch visits every patch once, in a fresh seeded order or in the order of `rows`.
//
// The cycle over all atoms is the cost, m p multiplications. Most atoms stay at zero in it, and it is known beforehand
// of which this is certain: with c_j = d_j^T r at the start of the cycle and u = |r - r at the start|,
//   |d_j^T r| <= |c_j| + u <= lambda   means that z_j = 0 stays 0.
// c_j is computed from 16-bit copies of atoms and residual, with a bound on its error, at half the price; only doubtful
// atoms are looked at in full (screen.h). The result is the same to the last bit as looking at all of them.
//
// Sequential by nature: one thread.
#pragma once

#include <memory>

#include "sparse/learner.h"

namespace flyscribe {

std::unique_ptr<Learner> MakeSccLearner(const LearnProblem& problem);

}  // namespace flyscribe
