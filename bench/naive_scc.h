// Stochastic coordinate coding as a textbook would write it: dense codes, one atom after the other, plain loops.
#pragma once

#include "core/matrix.h"

namespace flyscribe {

// Runs one epoch over all patches in file order from `atoms`, three cycles a visit (the paper's profile). Returns the
// running objective.
double NaiveSccEpoch(const FloatMatrix& patches, double lambda, FloatMatrix& atoms);

}  // namespace flyscribe
