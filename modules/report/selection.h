// What of a run is shown where there is too much to show all: which bags, which atoms.
//
// Chosen by rule, so that a report neither flatters nor blames. Thread-safe and deterministic: pure functions.
#pragma once

#include <cstddef>
#include <set>
#include <vector>

#include "core/matrix.h"
#include "data/collection.h"
#include "data/dictionary.h"

namespace flyscribe {

// At most `count` bags of the tested folds, in the order of a fixed hash of their ids: neither the best nor the worst.
std::vector<std::size_t> ChooseExamples(const std::vector<Bag>& bags,
                                        const std::set<int>& tested_folds,
                                        std::size_t count);

// At most `count` atoms, those that most codes use first; ties by row.
FloatMatrix MostUsedAtoms(const FloatMatrix& atoms, const SparseCodes& codes, std::size_t count);

std::size_t CountGenes(const std::vector<Bag>& bags);

}  // namespace flyscribe
