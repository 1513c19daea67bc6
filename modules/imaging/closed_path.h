// The cheapest closed path through a ring of columns.
//
// One level r_i in each of n columns is chosen, so that
//
//   sum_i [ costs(i, r_i) + bends[i] (r_i - r_i-1)^2 ]     (r_-1 = r_n-1, |r_i - r_i-1| <= max_jump)
//
// is small. First the ring is cut open and solved exactly by dynamic programming; the column opposite to the cut, which
// the cut disturbs least, keeps its level, and the ring is solved again, exactly, through that level. The result is
// closed, and the least of all closed paths through that level. Cost: O(n levels max_jump). Deterministic: of equal
// paths the one with the lower levels.
#pragma once

#include <span>
#include <vector>

#include "core/matrix.h"

namespace flyscribe {

// `costs` is [columns, levels]; one bend a column. REQUIRES: both have at least two columns; 0 < max_jump < 128.
std::vector<int> LeastClosedPath(const FloatMatrix& costs, std::span<const float> bends, int max_jump);

}  // namespace flyscribe
