// Two-class linear support vector machines that share one matrix of inner products. The only user of LIBSVM.
//
// Over some of the kernel's rows, with y_i = +1 or -1:
//
//   min over w, b of  0.5 |w|^2 + sum_i C_i max(0, 1 - y_i (w . f_i + b)),   C_i = c times the weight of i's class
//
// LIBSVM (C_SVC, PRECOMPUTED) solves the dual. K = F F^T is held once, in LIBSVM's own form; a problem over a subset of
// the bags points to its rows, and nothing is copied.
//
// Cost: the kernel n^2 d, once, 24 n^2 bytes while it is built and 16 n^2 after; a solution a few n^2 and up to 4 n^2
// bytes, at most 100 MB, of LIBSVM's cache. Reference: Chang, Lin: LIBSVM, a library for support vector machines, ACM
// TIST 2(3), 2011. Thread safety: SolveSvm may be called on one kernel from several threads; the first call silences
// LIBSVM's printing for the whole program. Determinism: same bytes.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/matrix.h"

namespace flyscribe {

// The inner products of n rows of features.
class SharedKernel {
 public:
  explicit SharedKernel(FloatView features);
  ~SharedKernel();
  SharedKernel(const SharedKernel&) = delete;
  SharedKernel& operator=(const SharedKernel&) = delete;

  std::size_t size() const;
  double operator()(std::size_t i, std::size_t j) const;

  struct Nodes;  // LIBSVM's form
  const Nodes& nodes() const { return *nodes_; }

 private:
  std::unique_ptr<Nodes> nodes_;
};

struct SvmProblem {
  std::vector<std::size_t> rows;  // of the kernel
  std::vector<double> y;          // +1 or -1, one a row; both occur
  double c = 1.0;
  double positive_weight = 1.0;
  double negative_weight = 1.0;
  double tolerance = 1e-3;
};

// A solution: the decision value of features f is  bias + sum_k coefficients[k] (f_rows[k] . f).
struct SupportVectors {
  std::vector<std::size_t> rows;  // of the kernel
  std::vector<double> coefficients;
  double bias = 0.0;

  // Of one of the kernel's own rows.
  double Decision(const SharedKernel& kernel, std::size_t row) const;
  // Folds the support vectors into one weight vector. `features` are those the kernel was made of.
  std::vector<double> Weights(FloatView features) const;
};

// Throws Error(kUsage) if LIBSVM refuses c or the tolerance.
SupportVectors SolveSvm(const SharedKernel& kernel, const SvmProblem& problem);

// LIBSVM's version, such as "324".
std::string SvmLibraryVersion();

}  // namespace flyscribe
