// Numbers about numbers: what the values of an array are like, and how well scores put ones before zeros.
//
// Statistics of an array (extremes, mean, spread, zeros, and what is no number) take one pass over the file in blocks,
// in constant memory. Mean and standard deviation (that of the values themselves: divided by n, as numpy.std does) are
// taken around the mean of each block and joined, so that a mean that is large against the spread costs no digits. The
// order is the file's: the same values in Fortran order may differ in the last digit.
//
// Ranking:
//
//   s_i  score of item i      l_i  its label: not 0 is positive
//
//   auc = the share of (positive, negative) pairs in which the positive has the higher score; ties count one half
//
// Where a class is missing there is no pair, and auc is 0.5. Cost: n log n. Nothing depends on the order of the items.
// REQUIRES, throughout: as many scores as labels, and no score is NaN.
//
// Thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <variant>
#include <vector>

namespace flyscribe {

class AnyNpy;
class Progress;

// Integers stay exact.
using Number = std::variant<std::int64_t, std::uint64_t, double>;

struct Statistics {
  std::uint64_t count = 0;  // of all elements
  std::uint64_t zeros = 0;
  std::uint64_t nans = 0;
  std::uint64_t infinities = 0;
  // Of the finite values; without any they mean nothing.
  Number min;
  Number max;
  double mean = 0.0;       // NaN if beyond double's range, as is the next
  double deviation = 0.0;  // standard deviation

  std::uint64_t Finite() const { return count - nans - infinities; }
};

// Of an array of booleans, integers, float32 or float64, little-endian; none for other types. Throws
// Error(kInterrupted) if `progress` asks to stop.
std::optional<Statistics> StatisticsOf(const AnyNpy& array, const Progress& progress);

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
