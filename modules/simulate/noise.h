// Smooth random fields: the grain of tissue, clumps of stain, uneven light.
//
// A field is a random lattice z, one value per `cell` x `cell` pixels, uniform in [-1, 1], at a random offset,
// interpolated with the uniform cubic B-spline b:
//
//   n(x, y) = c sum_ij z_ij b(x / cell - i) b(y / cell - j),   c chosen so that n has zero mean and unit deviation.
//
// Drawn in this order: the offset across, the offset down (shares of a cell), then z row by row, sixteen bits each.
// Spots of n are about two cells wide. The interpolation is done first along rows, then along columns: eight
// multiplications a pixel whatever the cell. Does not tile. Thread-safe; the same generator state gives the same field.
#pragma once

#include <array>
#include <cstddef>

#include "core/matrix.h"
#include "core/rng.h"

namespace flyscribe {

// The values of b at t + 1, t, t - 1 and t - 2: the weights of four neighbours around a place t in [0, 1) behind the
// second. They add up to one.
std::array<float, 4> CubicWeights(float t);

// REQUIRES: cell >= 1.
FloatMatrix SmoothNoise(std::size_t rows, std::size_t cols, float cell, Rng& rng);

}  // namespace flyscribe
