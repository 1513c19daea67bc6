// One linear support vector machine per term, each telling the bags with the term from all others; with a probability
// and a cut for every term, learned from bags its models did not see.
//
// For every term, over the n training bags with features f_i (d values) and y_i = +1 with the term, -1 without:
//
//   min over w, b of  0.5 |w|^2 + sum_i C_i max(0, 1 - y_i (w . f_i + b))
//
// C_i = C; with class_weight = balanced it is C n / (2 n_pos) for bags with the term and C n / (2 n_neg) for the
// others, so that a rare term is not drowned by the bags without it. All problems share one matrix of inner products
// (svm.h). A decision value is w . f + b.
//
// The genes of the training bags are cut into inner folds. Models trained without a fold give its bags out-of-fold
// decision values s_i. By these C is chosen (inner_folds.h), and then the calibration P(s) and the cut (calibrate.h).
// The final model is trained on all n bags with the chosen C. A term is called where its decision value is above the
// cut. A term whose out-of-fold values lack a class (very few positives) keeps C = c unless others chose it, the
// constant prior as its probability, and cut 0.
//
// `scores` holds for each training bag its out-of-fold value, for every other bag the final model's.
//
// It does not make the outer folds. It refuses bags of one gene on both sides of the split.
//
// Cost: n^2 d once; terms x (folds x values of C + 1) solutions of a few n^2; scores: bags x terms x d. Memory: 24 n^2
// bytes, and folds x terms x d x 4 for the models of the inner folds. docs/algorithms/training.md has more.
// Thread safety: reentrant (see svm.h). Determinism: same bytes for any number of threads; on another processor BLAS
// may round K differently.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "classify/svm.h"
#include "classify/train_options.h"
#include "core/matrix.h"
#include "core/progress.h"
#include "data/collection.h"
#include "data/models.h"

namespace flyscribe {

// What is known of the bags, one row each.
struct TrainingSet {
  LabelTable labels;
  std::vector<std::string> genes;  // identities (Bag::gene): folds are by these
  std::vector<bool> training;      // whether the bag may be trained on
  bool keep_inner_models = false;  // leave inner_weights and inner_bias in the result
};

// Trains on the bags with training[bag] and scores all of them. A term is skipped, with the reason, if it is excluded,
// if fewer than min_positives bags of the whole table carry it, or if the training bags all have or all lack it. If no
// term is left the models are empty. Terms keep the order of the labels. threads <= 0 means one per core. Terms that no
// cut fits (threshold = precision) are named in a warning; they are never called.
// Throws Error(kInput) if a feature is not finite or a gene lies on both sides of the split, Error(kUsage) if LIBSVM
// refuses the options. REQUIRES: features, labels, genes and training have one row per bag.
TermModels TrainTerms(
    const FloatMatrix& features, const TrainingSet& set, const TrainOptions& options, int threads, Progress& progress);

// weights . features + bias, summed in double precision in one order: how every bag is scored, by whatever model.
// REQUIRES: as many features as weights.
double DecisionValue(std::span<const float> weights, std::span<const float> features, double bias);

}  // namespace flyscribe
