// How well settings did on the bags a fold's models were trained on: what settings may be chosen by.
//
// The scores of training bags are those of inner folds that held their genes out (data/models.h), so this figure knows
// nothing of the bags the outer fold is tested on, but for which terms are the most frequent of the whole table. It is
// the macro AUC of evaluate.h with the inner folds in place of the outer ones: per inner fold, then averaged over
// folds, then over the most frequent terms.
//
// Thread safety: reentrant.
#pragma once

#include <optional>
#include <vector>

#include "evaluate/evaluate.h"

namespace flyscribe {

// `inner_folds` has for each bag the inner fold of its gene, in [0, folds), or -1 if it was not trained on. Nothing if
// no term could be scored. Throws as Evaluate does. REQUIRES: labels, scores and inner_folds have one row per bag.
std::optional<double> InnerMacroAuc(const std::vector<Bag>& bags,
                                    const LabelTable& labels,
                                    const TermModels& models,
                                    const std::vector<int>& inner_folds,
                                    EvaluateOptions options);

}  // namespace flyscribe
