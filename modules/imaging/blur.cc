#include "imaging/blur.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
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

// Values computed at a time: their sums stay in registers. What is read reaches up to this far beyond a row's end.
constexpr std::size_t kTogether = 32;

// sums[i] = sum over k of weights[k] values[i + k], k from 0 to 2 radius.
FLYSCRIBE_FUSED void AlongRow(const float* weights, int radius, const float* values, std::span<float> sums) {
  for (std::size_t begin = 0; begin < sums.size(); begin += kTogether) {
    std::array<float, kTogether> chains = {};
    for (int k = 0; k <= 2 * radius; ++k) {
      const float* from = values + k;
      for (std::size_t i = 0; i < kTogether; ++i) chains[i] = std::fma(weights[k], from[begin + i], chains[i]);
    }
    std::copy_n(chains.begin(), std::min(kTogether, sums.size() - begin), &sums[begin]);
  }
}

// sums[i] = weights[0] rows[radius][i] + sum over k > 0 of weights[k] (rows[radius + k][i] + rows[radius - k][i]).
FLYSCRIBE_FUSED void AcrossRows(const float* weights, int radius, const float* const* rows, std::span<float> sums) {
  const float* const* middle = rows + radius;
  for (std::size_t begin = 0; begin < sums.size(); begin += kTogether) {
    std::array<float, kTogether> chains;
    for (std::size_t i = 0; i < kTogether; ++i) chains[i] = weights[0] * middle[0][begin + i];
    for (int k = 1; k <= radius; ++k) {
      const float* below = middle[k] + begin;
      const float* above = middle[-k] + begin;
      for (std::size_t i = 0; i < kTogether; ++i) chains[i] = std::fma(weights[k], below[i] + above[i], chains[i]);
    }
    std::copy_n(chains.begin(), std::min(kTogether, sums.size() - begin), &sums[begin]);
  }
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
  FloatMatrix across(picture.rows(), picture.cols() + kTogether);
  std::vector<float> wide(picture.cols() + weights.size() + kTogether);
  for (std::size_t row = 0; row < picture.rows(); ++row) {
    const float* values = picture.Row(row).data();
    float* first = wide.data() + radius;
    std::copy_n(values, cols, first);
    for (int i = 1; i <= radius; ++i) {
      first[-i] = values[Inside(-i, cols, border)];
      first[cols - 1 + i] = values[Inside(cols - 1 + i, cols, border)];
    }
    AlongRow(weights.data(), radius, wide.data(), across.Row(row).first(picture.cols()));
  }
  FloatMatrix blurred(picture.rows(), picture.cols());
  std::vector<const float*> around;
  for (int row = 0; row < rows; ++row) {
    around.clear();
    for (int y = row - radius; y <= row + radius; ++y) {
      around.push_back(across.Row(static_cast<std::size_t>(Inside(y, rows, border))).data());
    }
    AcrossRows(weights.data() + radius, radius, around.data(), blurred.Row(static_cast<std::size_t>(row)));
  }
  return blurred;
}

}  // namespace flyscribe
