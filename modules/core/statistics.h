// What the numbers of an array are like: extremes, mean, spread, zeros, and what is no number.
//
// One pass over the file in blocks, in constant memory. Mean and standard deviation (that of the values themselves:
// divided by n, as numpy.std does) are taken around the mean of each block and joined, so that a mean that is large
// against the spread costs no digits. The order is the file's: the same values in Fortran order may differ in the last
// digit.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include "core/npy.h"
#include "core/progress.h"

namespace flyscribe {

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

}  // namespace flyscribe
