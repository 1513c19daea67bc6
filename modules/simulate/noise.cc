#include "simulate/noise.h"

#include <cmath>
#include <vector>

#include "core/error.h"

namespace flyscribe {
namespace {

// One over the deviation of the interpolated lattice: uniform values in [-1, 1] have variance 1/3, and the mean over a
// cell of the sum of the squared weights is 151/315 in each direction.
constexpr float kUnitDeviation = 3.6132F;

// Where one pixel reads the lattice: four neighbours from `first` on, and their weights.
struct Tap {
  std::size_t first = 0;
  std::array<float, 4> weights{};
};

std::vector<Tap> Taps(std::size_t count, float cell, float offset) {
  std::vector<Tap> taps(count);
  for (std::size_t i = 0; i < count; ++i) {
    const float position = static_cast<float>(i) / cell + offset;
    const float floor = std::floor(position);
    taps[i] = {static_cast<std::size_t>(floor), CubicWeights(position - floor)};
  }
  return taps;
}

FloatMatrix RandomLattice(std::size_t rows, std::size_t cols, Rng& rng) {
  constexpr float kScale = 2.0F / 65535.0F;
  FloatMatrix lattice(rows, cols);
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < rows * cols; ++i) {
    bits = i % 4 == 0 ? rng.Next() : bits >> 16;  // four values a draw
    lattice.data()[i] = static_cast<float>(bits & 0xffff) * kScale - 1.0F;
  }
  return lattice;
}

}  // namespace

std::array<float, 4> CubicWeights(float t) {
  const float s = 1.0F - t;
  return {s * s * s / 6.0F,
          (3.0F * t * t * t - 6.0F * t * t + 4.0F) / 6.0F,
          (3.0F * s * s * s - 6.0F * s * s + 4.0F) / 6.0F,
          t * t * t / 6.0F};
}

FloatMatrix SmoothNoise(std::size_t rows, std::size_t cols, float cell, Rng& rng) {
  FLYSCRIBE_CHECK(cell >= 1.0F, "noise finer than a pixel");
  const auto across = Taps(cols, cell, static_cast<float>(rng.Uniform()));
  const auto down = Taps(rows, cell, static_cast<float>(rng.Uniform()));
  const FloatMatrix lattice = RandomLattice(down.back().first + 4, across.back().first + 4, rng);
  FloatMatrix stretched(lattice.rows(), cols);
  for (std::size_t row = 0; row < lattice.rows(); ++row) {
    for (std::size_t x = 0; x < cols; ++x) {
      const float* z = &lattice(row, across[x].first);
      const auto& w = across[x].weights;
      stretched(row, x) = kUnitDeviation * (w[0] * z[0] + w[1] * z[1] + w[2] * z[2] + w[3] * z[3]);
    }
  }
  FloatMatrix noise(rows, cols);
  for (std::size_t y = 0; y < rows; ++y) {
    const auto& w = down[y].weights;
    const float* z = &stretched(down[y].first, 0);
    float* out = &noise(y, 0);
    for (std::size_t x = 0; x < cols; ++x) {
      out[x] = w[0] * z[x] + w[1] * z[x + cols] + w[2] * z[x + 2 * cols] + w[3] * z[x + 3 * cols];
    }
  }
  return noise;
}

}  // namespace flyscribe
