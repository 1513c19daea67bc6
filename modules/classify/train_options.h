// Options of training. What they mean together stands in one_vs_rest.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/options.h"

namespace flyscribe {

enum class ClassWeight { kBalanced, kNone };
enum class ChooseC { kNone, kRange, kTerm };
enum class CalibrationMethod { kPlatt, kIsotonic };
enum class ThresholdRule { kF1, kProbability, kPrecision, kMargin };

struct TrainOptions {
  double c = 1.0;
  ChooseC choose_c = ChooseC::kRange;
  std::vector<std::string> c_grid = {"0.01", "0.1", "1", "10"};
  int inner_folds = 5;
  std::int64_t inner_seed = 1;
  ClassWeight class_weight = ClassWeight::kBalanced;
  int min_positives = 10;
  std::vector<std::string> exclude_terms;
  CalibrationMethod calibration = CalibrationMethod::kPlatt;
  ThresholdRule threshold = ThresholdRule::kF1;
  double threshold_value = 0.5;
  double tolerance = 1e-3;

  void Fields(OptionsVisitor& visit);
  // Throws Error(kUsage) if c_grid is no list of distinct numbers.
  void Check() const;
  // The values of C to try, rising: c_grid, or c alone if nothing is chosen. REQUIRES: Check() passes.
  std::vector<double> Candidates() const;
  // In [0, inner_folds). Independent of the outer folds even where the seeds are equal (data/collection.h says why it
  // must).
  int InnerFoldOf(std::string_view gene) const;
};

}  // namespace flyscribe
