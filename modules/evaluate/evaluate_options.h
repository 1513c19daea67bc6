// What can be chosen about evaluating (evaluate.h). Apart, so that the configuration does not include the evaluation.
#pragma once

#include <cstdint>

#include "core/options.h"

namespace flyscribe {

struct EvaluateOptions {
  int top_terms = 10;
  int bootstrap = 1000;
  std::int64_t seed = 0;

  void Fields(OptionsVisitor& visit);
};

}  // namespace flyscribe
