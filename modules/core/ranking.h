// How well numbers put ones before zeros: what measuring and training both need.
//
//   s_i  score of item i      l_i  its label: not 0 is positive
//
//   auc = the share of (positive, negative) pairs in which the positive has the higher score; ties count one half
//
// Where a class is missing there is no pair, and auc is 0.5.
//
// Cost: n log n. Thread-safe. Determinism: nothing depends on the order of the items.
// REQUIRES, throughout: as many scores as labels, and no score is NaN.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace flyscribe {

// How many positives and negatives score at least `score`.
struct Above {
  double score = 0.0;
  std::size_t positives = 0;
  std::size_t negatives = 0;
};

// The counts at each distinct score, highest first; the last entry counts everything.
std::vector<Above> CountsByThreshold(std::span<const double> scores, std::span<const std::uint8_t> labels);

// The last entry; zeros if there is none.
Above Total(const std::vector<Above>& counts);

double Auc(const std::vector<Above>& counts);
double Auc(std::span<const double> scores, std::span<const std::uint8_t> labels);

}  // namespace flyscribe
