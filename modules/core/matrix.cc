#include "core/matrix.h"

#include <cblas.h>

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

void MultiplyTransposed(FloatView a, FloatView b, float* out) {
  HoldBlasToOneThread();
  FLYSCRIBE_CHECK(a.cols() == b.cols(), "matrices to multiply differ in depth");
  if (a.rows() == 0 || b.rows() == 0) return;
  const auto rows = static_cast<blasint>(a.rows());
  const auto cols = static_cast<blasint>(b.rows());
  const auto depth = static_cast<blasint>(a.cols());
  cblas_sgemm(CblasRowMajor,
              CblasNoTrans,
              CblasTrans,
              rows,
              cols,
              depth,
              1.0F,
              a.data(),
              depth,
              b.data(),
              depth,
              0.0F,
              out,
              cols);
}

std::string BlasVersion() { return std::string(openblas_get_config()) + " " + openblas_get_corename(); }

}  // namespace flyscribe
