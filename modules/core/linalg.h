// Products of dense matrices and vectors: the only user of BLAS.
//
// Determinism: OpenBLAS is held to one thread, so sums have one order whatever the caller's threads do; its choice of
// kernel depends on the processor, and BlasVersion() says which, for the cache keys of steps that use it.
// Thread-safe.
#pragma once

#include <cstddef>
#include <string>

#include "core/matrix.h"

namespace flyscribe {

// K = A A^T in double precision. `rows` is A, n x d; K is n x n, symmetric.
Matrix<double> GramMatrix(FloatView rows);

// out = A B^T in single precision, row-major: `a` is n x d, `b` m x d, `out` n x m.
void MultiplyTransposed(FloatView a, FloatView b, float* out);

// OpenBLAS' version and the processor kernel it chose: "OpenBLAS 0.3.21 ... Zen".
std::string BlasVersion();

}  // namespace flyscribe
