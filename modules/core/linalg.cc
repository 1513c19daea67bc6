#include "core/linalg.h"

#include <cblas.h>

#include <array>
#include <vector>

namespace flyscribe {
namespace {

void HoldBlasToOneThread() {
  static const bool done = [] {
    openblas_set_num_threads(1);
    return true;
  }();
  static_cast<void>(done);
}

}  // namespace

Matrix<double> GramMatrix(FloatView rows) {
  HoldBlasToOneThread();
  const std::size_t n = rows.rows();
  const std::vector<double> a(rows.values().begin(), rows.values().end());
  Matrix<double> gram(n, n);
  if (n == 0 || rows.cols() == 0) return gram;
  const auto order = static_cast<blasint>(n);
  const auto depth = static_cast<blasint>(rows.cols());
  cblas_dsyrk(CblasRowMajor, CblasLower, CblasNoTrans, order, depth, 1.0, a.data(), depth, 0.0, gram.data(), order);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) gram(i, j) = gram(j, i);
  }
  return gram;
}

float Dot(const float* a, const float* b, std::size_t length) {
  // Independent partial sums let the compiler use vector registers without reordering what the source says.
  constexpr std::size_t kLanes = 16;
  std::array<float, kLanes> sums{};
  std::size_t i = 0;
  for (; i + kLanes <= length; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) sums[lane] += a[i + lane] * b[i + lane];
  }
  for (std::size_t lane = 0; i < length; ++i, ++lane) sums[lane] += a[i] * b[i];
  for (std::size_t width = kLanes / 2; width > 0; width /= 2) {
    for (std::size_t lane = 0; lane < width; ++lane) sums[lane] += sums[lane + width];
  }
  return sums[0];
}

void AddScaled(float scale, const float* x, float* y, std::size_t length) {
  for (std::size_t i = 0; i < length; ++i) y[i] += scale * x[i];
}

std::string BlasVersion() { return std::string(openblas_get_config()) + " " + openblas_get_corename(); }

}  // namespace flyscribe
