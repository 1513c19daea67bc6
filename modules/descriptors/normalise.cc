#include "descriptors/normalise.h"

#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "core/error.h"

namespace flyscribe {
namespace {

// SIFT of unit length times this, rounded, is what tools that store bytes write.
constexpr double kSiftUnits = 512.0;

// Deviations smaller than this part of a descriptor's length are rounding, not direction.
constexpr double kSmallestShare = 1e-6;

struct Moments {
  double mean = 0.0;
  double length = 0.0;          // |x|_2
  double centred_length = 0.0;  // |x - mean|_2
};

Moments MomentsOf(std::span<const float> values) {
  Moments moments;
  double squares = 0.0;
  for (const float value : values) {
    moments.mean += static_cast<double>(value);
    squares += static_cast<double>(value) * static_cast<double>(value);
  }
  moments.mean /= static_cast<double>(values.size());
  double centred_squares = 0.0;
  for (const float value : values) {
    const double centred = static_cast<double>(value) - moments.mean;
    centred_squares += centred * centred;
  }
  moments.length = std::sqrt(squares);
  moments.centred_length = std::sqrt(centred_squares);
  return moments;
}

}  // namespace

PatchSet Normalise(FloatView raw, const PatchTable& table, const NormaliseOptions& options, NormaliseSummary* summary) {
  FLYSCRIBE_CHECK(raw.rows() == table.size(), "one descriptor per patch");
  PatchTable kept;
  std::vector<float> values;
  NormaliseSummary counts;
  for (std::size_t row = 0; row < raw.rows(); ++row) {
    const Moments moments = MomentsOf(raw.Row(row));
    const double deviation = options.filter == NormaliseOptions::Filter::kPixels
                                 ? static_cast<double>(table.deviation[row])
                                 : kSiftUnits * (moments.centred_length / std::sqrt(static_cast<double>(raw.cols())));
    // False also for numbers that are not finite.
    const bool has_direction =
        std::isfinite(moments.centred_length) && moments.centred_length > kSmallestShare * moments.length;
    if (deviation < options.min_deviation) {
      ++counts.flat;
    } else if (!has_direction) {
      ++counts.constant;
    } else {
      ++counts.kept;
      kept.Append(table.Row(row));
      for (const float value : raw.Row(row)) {
        values.push_back(static_cast<float>((static_cast<double>(value) - moments.mean) / moments.centred_length));
      }
    }
  }
  if (summary != nullptr) *summary = counts;
  return {std::move(kept), FloatMatrix(counts.kept, raw.cols(), std::move(values))};
}

}  // namespace flyscribe
