// Inner folds: what models say of bags whose genes they did not see, and which C that speaks for.
//
// The rows (bags trained on) are cut by gene into `folds` parts. For every term, fold k and candidate C a model is
// trained on the rows outside k; it is judged on those in k:
//
//   auc(term, C) = mean over the folds with both classes, inside and outside, of the AUC on the fold
//   chosen C     = argmax of auc(term, C) for each term, or of its mean over the terms; of equals the smaller
//
// A term without such a fold does not vote; without any vote `fallback` is taken. A fold outside of which all rows have
// or all lack the term has no model to train: the exact solution of its problem, w = 0 and b = +1 or -1, stands in,
// and it is not `trained`. Nor is a fold without rows.
//
// Cost: terms x folds x candidates solutions (svm.h), in parallel; the support vectors of all are held until the
// choice. Thread safety: reentrant. Determinism: same bytes for any number of threads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "classify/svm.h"
#include "classify/train_options.h"
#include "core/progress.h"

namespace flyscribe {

// One term's classes among the rows of the kernel.
struct TermClasses {
  std::size_t column = 0;            // of the label table
  std::vector<std::uint8_t> labels;  // 1 with the term, 0 without
  std::size_t positives = 0;
  std::size_t negatives = 0;
};

// The term's problem over some of the rows. Its weights are those of the classes among these rows.
SvmProblem MakeProblem(const TermClasses& term, std::vector<std::size_t> rows, double c, const TrainOptions& options);

struct InnerModel {
  SupportVectors vectors;
  bool trained = false;
};

// What the inner folds say of one term.
struct InnerResult {
  double c = 1.0;
  std::vector<InnerModel> folds;  // with this c
};

struct InnerTask {
  const SharedKernel& kernel;
  std::span<const TermClasses> terms;
  std::span<const int> fold_of;  // of each row, in [0, options.inner_folds)
};

// One result per term, in their order. Advances `progress` by one a solution.
std::vector<InnerResult> RunInnerFolds(const InnerTask& task,
                                       const TrainOptions& options,
                                       int threads,
                                       Progress& progress);

}  // namespace flyscribe
