#include "imaging/blur.h"

#include <algorithm>
#include <cmath>
#include <vector>

// Every x86-64 processor that flyscribe works on has it (RequireFusedMultiplyAdd in core/simd.h), but the compiler has
// to be told. Each value is a chain of its own: that several are computed at a time changes nothing.
#if defined(__x86_64__)
#define FLYSCRIBE_FUSED __attribute__((target("avx2,fma")))
#else
#define FLYSCRIBE_FUSED
#endif

namespace flyscribe {
namespace {

FLYSCRIBE_FUSED void AddScaled(float weight, const float* __restrict values, float* __restrict sums, int count) {
  for (int i = 0; i < count; ++i) sums[i] = std::fma(weight, values[i], sums[i]);
}

FLYSCRIBE_FUSED void AddScaledPairs(float weight, const float* a, const float* b, float* __restrict sums, int count) {
  for (int i = 0; i < count; ++i) sums[i] = std::fma(weight, a[i] + b[i], sums[i]);
}

// [-radius, radius], the middle one at index radius.
std::vector<float> Weights(int radius, double sigma) {
  std::vector<double> weights;
  double sum = 0.0;
  for (int i = -radius; i <= radius; ++i) sum += weights.emplace_back(std::exp(-0.5 / (sigma * sigma) * i * i));
  std::vector<float> scaled;
  for (const double weight : weights) scaled.push_back(static_cast<float>(weight / sum));
  return scaled;
}

// The pixel of [0, count) that stands at i.
int Inside(int i, int count, BlurBorder border) {
  if (border == BlurBorder::kRepeated || count == 1) return std::clamp(i, 0, count - 1);
  const int period = 2 * (count - 1);
  const int place = std::abs(i) % period;
  return place < count ? place : period - place;
}

}  // namespace

// The order of additions is that of OpenCV 4.6 on processors with AVX2, whose bytes these are: in rows from the left,
// in columns from the centre by pairs.
FloatMatrix GaussianBlur(FloatView picture, double sigma, BlurBorder border) {
  const int radius = static_cast<int>(std::lround(8.0 * sigma + 1.0)) / 2;
  const std::vector<float> weights = Weights(radius, sigma);
  const auto rows = static_cast<int>(picture.rows());
  const auto cols = static_cast<int>(picture.cols());
  FloatMatrix across(picture.rows(), picture.cols());
  std::vector<float> wide(picture.cols() + 2 * static_cast<std::size_t>(radius));
  for (std::size_t row = 0; row < picture.rows(); ++row) {
    for (int col = -radius; col < cols + radius; ++col) {
      wide[static_cast<std::size_t>(col + radius)] = picture(row, static_cast<std::size_t>(Inside(col, cols, border)));
    }
    for (std::size_t k = 0; k < weights.size(); ++k) AddScaled(weights[k], &wide[k], across.Row(row).data(), cols);
  }
  FloatMatrix blurred(picture.rows(), picture.cols());
  for (int row = 0; row < rows; ++row) {
    const auto at = [&](int y) { return across.Row(static_cast<std::size_t>(Inside(y, rows, border))).data(); };
    float* sums = blurred.Row(static_cast<std::size_t>(row)).data();
    AddScaled(weights[static_cast<std::size_t>(radius)], at(row), sums, cols);
    for (int k = 1; k <= radius; ++k) {
      AddScaledPairs(weights[static_cast<std::size_t>(radius + k)], at(row + k), at(row - k), sums, cols);
    }
  }
  return blurred;
}

}  // namespace flyscribe
