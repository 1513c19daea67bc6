// Inputs that were left out: how many for which reason, and which.
// Thread-safe and deterministic: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "data/skipped.h"
#include "report/html.h"

namespace flyscribe {

// So many inputs are named; the rest is counted.
inline constexpr std::size_t kListedInputs = 200;

struct ReasonCount {
  std::string reason;  // what stands before the first colon
  bool fault = false;
  std::size_t count = 0;
  friend bool operator==(const ReasonCount&, const ReasonCount&) = default;
};

// Faults first, then filters; within each the most frequent first, ties by reason.
std::vector<ReasonCount> CountReasons(const std::vector<Skipped>& skipped);

// The counts, and a folded list, faults first.
Html LeftOutInputs(const std::vector<Skipped>& skipped);

}  // namespace flyscribe
