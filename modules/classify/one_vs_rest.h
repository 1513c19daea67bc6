// One linear support vector machine per term, each telling the bags with the term from all others.
//
// For every term, over the n training bags with features f_i (d values) and y_i = +1 with the term, -1 without:
//
//   min over w, b of  0.5 |w|^2 + sum_i C_i max(0, 1 - y_i (w . f_i + b))
//
// C_i = c; with class_weight = balanced it is c n / (2 n_pos) for bags with the term and c n / (2 n_neg) for the
// others, so that a rare term is not drowned by the bags without it. LIBSVM (C_SVC) solves the dual on one matrix K = F
// F^T of inner products that all terms share; the support vectors are then folded into w. A decision value is w . f +
// b; above zero means: the term is called.
//
// It does not choose c, does not make folds, does not turn decision values into probabilities.
//
// Cost: n^2 d once; per term a few n^2 (LIBSVM) and n d; scores of all bags: bags x terms x d. Memory: 24 n^2 bytes.
// Reference: Chang, Lin: LIBSVM, a library for support vector machines, ACM TIST 2(3), 2011.
// Thread safety: reentrant; the first call silences LIBSVM's printing for the whole program. Determinism: same bytes
// for any number of threads; on another processor BLAS may round K differently.
#pragma once

#include <string>
#include <vector>

#include "core/matrix.h"
#include "core/options.h"
#include "core/progress.h"
#include "data/labels.h"
#include "data/models.h"

namespace flyscribe {

enum class ClassWeight { kBalanced, kNone };

struct TrainOptions {
  double c = 1.0;
  ClassWeight class_weight = ClassWeight::kBalanced;
  int min_positives = 10;
  std::vector<std::string> exclude_terms;
  double tolerance = 1e-3;

  void Fields(OptionsVisitor& visit);
};

// Trains on the bags with training[bag] and scores all of them. A term is skipped, with the reason, if it is excluded,
// if fewer than min_positives bags of the whole table carry it, or if the training bags all have or all lack it. If no
// term is left the models are empty. Terms keep the order of `labels`. threads <= 0 means one per core.
// Throws Error(kInput) if a feature is not finite, Error(kUsage) if LIBSVM refuses the options.
// REQUIRES: features, labels and training have one row per bag.
TermModels TrainTerms(const FloatMatrix& features,
                      const LabelTable& labels,
                      const std::vector<bool>& training,
                      const TrainOptions& options,
                      int threads,
                      Progress& progress);

// Decision values [bags, terms] = features . weights + bias, summed in double precision. What TrainTerms leaves in
// `scores`, and how new bags are scored. REQUIRES: as many features as weights per term.
Matrix<double> ScoreBags(const FloatMatrix& features, const TermModels& models, int threads);

// LIBSVM's version, such as "324".
std::string SvmLibraryVersion();

}  // namespace flyscribe
