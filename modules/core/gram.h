// All inner products of a matrix's rows with each other.
#pragma once

#include "core/matrix.h"

namespace flyscribe {

// K = A A^T in double precision. `rows` is A, n x d; K is n x n, symmetric:
//
//   K_ij = (((0 + a_i0 a_j0) + a_i1 a_j1) + ...) + a_i,d-1 a_j,d-1
//
// Each value is one chain of additions in the order of the columns, on every instruction set. A product of two floats
// is exact in double precision, so it makes no difference whether its addition is fused with it.
// Cost: n^2 d / 2. Memory beside K: some hundred numbers a row. Thread-safe. Determinism: same bytes everywhere.
Matrix<double> GramMatrix(FloatView rows);

}  // namespace flyscribe
