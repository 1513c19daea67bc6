// Evaluates term models on the bags they were not trained on.
//
// For each evaluated fold k the tested bags are those with bag.fold == k, and only fold k's models speak about them: a
// term is called where the decision value is above its cut, and the probability is that of its calibration.
//
// Per term and fold the measures of metrics.h are computed; a term's figures are their plain averages over the folds in
// which it has a model and both a positive and a negative tested bag. Its curves and counts are over the tested bags of
// all folds in which it has a model.
//
// Averages over terms: "top N" are the N = top_terms most frequent of the evaluated terms (`count` says how many
// there were), "all" is all of them; "macro" weighs terms alike, "weighted" by the bags of the whole table that
// carry the term, as in the paper, "micro" takes all pairs of bag and term as one list (score_sheet.h). Without an
// evaluated term there are no averages.
//
// 95 % intervals: bootstrap over genes. All genes with a tested bag are drawn with replacement, as many as there are,
// and bring all their bags; folds and models stay. In each of `bootstrap` resamples everything is computed as above:
// AUC per fold among the bags drawn, the mean over the folds that still have both classes, the mean over the terms that
// still have a fold. A resample in which a term has no such fold left says nothing about that term. Weights of
// the weighted average stay those of the table. resample.h says how resamples are drawn and intervals read.
//
// Reliability: ten bins of equal count over all predictions of the evaluated terms, five a term (ReliabilityCurve).
//
// A term that cannot be evaluated is listed in `skipped` with the reason. Predictions are listed for every term that
// has a model: by term, then fold as given, then bag.
//
// It does not train, and it trusts that the models of fold k were trained without fold k's bags; a gene with bags in
// two folds, which would be on both sides, is an error.
//
// Cost: terms x bags x (log(bags) + 2 bootstrap). Thread safety: reentrant. Determinism: same bytes for any number of
// threads.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "data/collection.h"
#include "data/evaluation.h"
#include "data/models.h"
#include "evaluate/evaluate_options.h"

namespace flyscribe {

struct FoldScores {
  int fold = 0;
  const TermModels* models = nullptr;  // with the scores of all bags
};

// threads <= 0 means one per core. Throws Error(kInput) if a decision value is not finite, or if a gene has bags in two
// folds. REQUIRES: labels and all scores have one row per bag; the folds are distinct.
Evaluation Evaluate(const std::vector<Bag>& bags,
                    const LabelTable& labels,
                    std::span<const FoldScores> folds,
                    const EvaluateOptions& options,
                    int threads = 1);

// How well settings did on the bags a fold's models were trained on: what settings may be chosen by.
//
// The scores of training bags are those of inner folds that held their genes out (data/models.h), so this figure knows
// nothing of the bags the outer fold is tested on, but for which terms are the most frequent of the whole table. It is
// the macro AUC of Evaluate with the inner folds in place of the outer ones: per inner fold, then averaged over
// folds, then over the most frequent terms.
//
// `inner_folds` has for each bag the inner fold of its gene, in [0, folds), or -1 if it was not trained on. Nothing if
// no term could be scored. Throws as Evaluate does. REQUIRES: labels, scores and inner_folds have one row per bag.
std::optional<double> InnerMacroAuc(const std::vector<Bag>& bags,
                                    const LabelTable& labels,
                                    const TermModels& models,
                                    const std::vector<int>& inner_folds,
                                    EvaluateOptions options);

}  // namespace flyscribe
