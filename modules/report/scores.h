// The numbers of an evaluation: headline, one row a term, averages; and what was left out: terms that have no row,
// inputs that were not used.
// Thread-safe and deterministic: pure functions.
#pragma once

#include <cstddef>
#include <vector>

#include "data/evaluation.h"
#include "data/models.h"
#include "data/skipped.h"
#include "report/html.h"

namespace flyscribe {

// Below so many positive bags a term's scores are marked as resting on few.
inline constexpr std::size_t kFewPositives = 10;

// Tiles with the averages over the most frequent terms (`evaluate.top_terms`); AUC with its interval, accuracy never
// without its baseline. With `pixels`, the evaluation of the raw-pixel baseline on the same bags, AUC never without
// that of raw pixels.
Html HeadlineTiles(const Evaluation& evaluation, const Evaluation* pixels = nullptr);

// All terms, then the averages, with all measures; with `pixels` a column of their AUC. A click on a header sorts the
// terms if the page may run its script.
Html ScoreTable(const Evaluation& evaluation, const Evaluation* pixels = nullptr);

// Terms without scores: those no classifier could be trained for and those that could not be tested. Folded.
Html SkippedTerms(const std::vector<SkippedEvaluation>& skipped);

// Of inputs left out so many are named; the rest is counted.
inline constexpr std::size_t kListedInputs = 200;

// How many for which reason, and a folded list, faults first.
Html LeftOutInputs(const std::vector<Skipped>& skipped);

}  // namespace flyscribe
