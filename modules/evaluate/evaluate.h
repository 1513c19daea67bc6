// Evaluates term models on the bags they were not trained on.
//
// For each evaluated fold k the tested bags are those with bag.fold == k, and only fold k's models speak about them.
// Per term and fold the measures of metrics.h are computed; a term's figures are their plain averages over the folds in
// which it has a model and both a positive and a negative tested bag. Its curves and counts are over the tested bags of
// all folds in which it has a model.
//
// Averages over terms: "top N" are the N = top_terms most frequent of the evaluated terms (`count` says how many
// there were), "all" is all of them; "macro" weighs terms alike, "weighted" by the bags of the whole table that
// carry the term, as in the paper. Without an evaluated term there are no averages.
//
// A term that cannot be evaluated is listed in `skipped` with the reason. Predictions are listed for every term that
// has a model: by term, then fold as given, then bag.
//
// It does not train, and it trusts that the models of fold k were trained without fold k's bags.
//
// Cost: terms x bags x log(bags). Thread safety: reentrant. Determinism: same bytes.
#pragma once

#include <span>
#include <vector>

#include "core/options.h"
#include "data/collection.h"
#include "data/evaluation.h"
#include "data/labels.h"
#include "data/models.h"

namespace flyscribe {

struct EvaluateOptions {
  int top_terms = 10;

  void Fields(OptionsVisitor& visit);
};

struct FoldScores {
  int fold = 0;
  const TermModels* models = nullptr;  // with the scores of all bags
};

// Throws Error(kInput) if a decision value is not finite.
// REQUIRES: labels and all scores have one row per bag; the folds are distinct.
Evaluation Evaluate(const std::vector<Bag>& bags,
                    const LabelTable& labels,
                    std::span<const FoldScores> folds,
                    const EvaluateOptions& options);

}  // namespace flyscribe
