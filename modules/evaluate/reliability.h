// Reliability: of the predictions that said "probably so much", how many came true?
//
// The predictions are sorted by probability and cut into `bins` groups of about equal count. A cut never lies between
// equal probabilities, so groups may be larger, and fewer, than asked for. A group's point is (mean probability, share
// of positives); with perfect probabilities all points lie on the diagonal, up to chance.
//
// Cost: n log n. Thread safety: reentrant. Determinism: does not depend on the order of the predictions.
#pragma once

#include <span>
#include <vector>

#include "data/evaluation.h"
#include "evaluate/ranked_tests.h"

namespace flyscribe {

// REQUIRES: bins > 0.
std::vector<ReliabilityBin> ReliabilityCurve(std::span<const Tested> tests, std::size_t bins);

}  // namespace flyscribe
