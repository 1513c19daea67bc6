// Gives genes to folds: the same gene to the same fold in every stage range, on every machine.
//
//   fold(gene) = HashText(seed, gene) mod folds
//
// So images of one gene never lie on both sides of a split, and adding genes moves no other gene. Folds are of about
// equal size, not exactly. Folds within folds need a seed of their own: with the same one, the genes outside an outer
// fold would all miss the inner fold of that number. Thread-safe: no state.
#pragma once

#include <cstdint>
#include <string_view>

namespace flyscribe {

// REQUIRES: folds > 0. In [0, folds).
int FoldOfGene(std::string_view gene, int folds, std::int64_t seed);

}  // namespace flyscribe
