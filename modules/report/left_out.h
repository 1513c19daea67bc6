// Inputs that were left out: how many for which reason, and which.
// Thread-safe and deterministic: pure functions.
#pragma once

#include <cstddef>
#include <vector>

#include "data/skipped.h"
#include "report/html.h"

namespace flyscribe {

// So many inputs are named; the rest is counted.
inline constexpr std::size_t kListedInputs = 200;

// The counts, and a folded list, faults first.
Html LeftOutInputs(const std::vector<Skipped>& skipped);

}  // namespace flyscribe
