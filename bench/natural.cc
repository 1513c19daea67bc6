#include "bench/natural.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "core/rng.h"

namespace flyscribe {
namespace {

constexpr int kImageSide = 256;
constexpr int kDiscs = 4000;
constexpr double kSmallest = 1.0;  // radii, in pixels
constexpr double kLargest = 128.0;
constexpr std::size_t kPatchesPerImage = 500;
constexpr double kGrain = 0.03;  // the noise of a photograph: a deviation of gray values, which go from 0 to 1

// Radii with a density that falls with the third power, by the inverse of their distribution.
double DrawRadius(Rng& rng) {
  const double low = 1.0 / (kSmallest * kSmallest);
  const double high = 1.0 / (kLargest * kLargest);
  return 1.0 / std::sqrt(low - rng.Uniform() * (low - high));
}

FloatMatrix DeadLeaves(std::uint64_t number) {
  Rng rng(1, number);
  FloatMatrix image(kImageSide, kImageSide, 0.5F);
  for (int disc = 0; disc < kDiscs; ++disc) {
    const double radius = DrawRadius(rng);
    const double x = rng.Uniform() * (kImageSide + 2 * kLargest) - kLargest;
    const double y = rng.Uniform() * (kImageSide + 2 * kLargest) - kLargest;
    const auto gray = static_cast<float>(rng.Uniform());
    const int top = std::max(0, static_cast<int>(std::ceil(y - radius)));
    const int bottom = std::min(kImageSide - 1, static_cast<int>(std::floor(y + radius)));
    for (int row = top; row <= bottom; ++row) {
      const double half = std::sqrt(std::max(0.0, radius * radius - (row - y) * (row - y)));
      const int left = std::max(0, static_cast<int>(std::ceil(x - half)));
      const int right = std::min(kImageSide - 1, static_cast<int>(std::floor(x + half)));
      for (int col = left; col <= right; ++col)
        image(static_cast<std::size_t>(row), static_cast<std::size_t>(col)) = gray;
    }
  }
  for (std::size_t row = 0; row < image.rows(); ++row) {
    for (float& value : image.Row(row)) value += static_cast<float>(kGrain * rng.Normal());
  }
  return image;
}

double Norm(std::span<const float> values) {
  double sum = 0.0;
  for (const float value : values) sum += static_cast<double>(value) * static_cast<double>(value);
  return std::sqrt(sum);
}

// Zero mean, norm 1. False for a patch of noise alone.
bool Normalise(std::span<float> patch) {
  double sum = 0.0;
  for (const float value : patch) sum += value;
  const auto mean = static_cast<float>(sum / static_cast<double>(patch.size()));
  for (float& value : patch) value -= mean;
  const double norm = Norm(patch);
  if (norm < 2.0 * kGrain * std::sqrt(static_cast<double>(patch.size()))) return false;
  for (float& value : patch) value = static_cast<float>(value / norm);
  return true;
}

}  // namespace

FloatMatrix NaturalPatches(std::size_t count, std::size_t side) {
  FloatMatrix patches(count, side * side);
  std::size_t done = 0;
  for (std::uint64_t number = 0; done < count; ++number) {
    const FloatMatrix image = DeadLeaves(number);
    Rng rng(2, number);
    for (std::size_t k = 0; k < kPatchesPerImage && done < count; ++k) {
      const std::size_t top = rng.Below(kImageSide - side + 1);
      const std::size_t left = rng.Below(kImageSide - side + 1);
      for (std::size_t row = 0; row < side; ++row) {
        for (std::size_t col = 0; col < side; ++col) patches(done, row * side + col) = image(top + row, left + col);
      }
      if (Normalise(patches.Row(done))) ++done;
    }
  }
  return patches;
}

FloatMatrix Whitened(const FloatMatrix& patches) {
  const std::size_t p = patches.cols();
  Matrix<double> factor(p, p, 0.0);  // first the covariance, then L in its lower half
  double trace = 0.0;
  for (std::size_t row = 0; row < patches.rows(); ++row) {
    const std::span<const float> x = patches.Row(row);
    for (std::size_t i = 0; i < p; ++i) {
      for (std::size_t j = 0; j <= i; ++j) factor(i, j) += static_cast<double>(x[i]) * static_cast<double>(x[j]);
    }
  }
  for (std::size_t i = 0; i < p; ++i) trace += factor(i, i);
  for (std::size_t i = 0; i < p; ++i) factor(i, i) += 0.01 * trace / static_cast<double>(p);
  for (std::size_t i = 0; i < p; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double value = factor(i, j);
      for (std::size_t k = 0; k < j; ++k) value -= factor(i, k) * factor(j, k);
      factor(i, j) = i == j ? std::sqrt(value) : value / factor(j, j);
    }
  }
  FloatMatrix whitened(patches.rows(), p);
  std::vector<double> y(p);
  for (std::size_t row = 0; row < patches.rows(); ++row) {
    for (std::size_t i = 0; i < p; ++i) {
      double value = patches(row, i);
      for (std::size_t k = 0; k < i; ++k) value -= factor(i, k) * y[k];
      y[i] = value / factor(i, i);
    }
    for (std::size_t i = 0; i < p; ++i) whitened(row, i) = static_cast<float>(y[i]);
    const auto norm = static_cast<float>(Norm(whitened.Row(row)));
    for (float& value : whitened.Row(row)) value /= norm;
  }
  return whitened;
}

}  // namespace flyscribe
