// What can be chosen about coding patches (encoder.h). Apart, so that the configuration does not include the encoder.
#pragma once

#include "core/options.h"

namespace flyscribe {

struct EncodeOptions {
  double kkt_tolerance = 1e-4;
  int max_cycles = 1000;

  void Fields(OptionsVisitor& visit);
};

}  // namespace flyscribe
