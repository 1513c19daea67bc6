// What can be chosen about normalising descriptors (normalise.h).
// Apart, so that the configuration does not include the verb.
#pragma once

#include "core/options.h"

namespace flyscribe {

struct NormaliseOptions {
  enum class Filter { kPixels, kDescriptor };

  double min_deviation = 1.0;
  Filter filter = Filter::kPixels;

  void Fields(OptionsVisitor& visit) {
    visit.Real(
        {.name = "min_deviation",
         .doc = "Windows whose standard deviation is under this are flat and dropped; 0 keeps all. In gray levels "
                "(0 to 127.5), or in SIFT's units of 1/512 if filter is descriptor.",
         .min = 0,
         .max = 127.5},
        min_deviation);
    visit.Choice({.name = "filter",
                  .doc = "What the standard deviation is of: the window's gray values, before any smoothing, or the "
                         "numbers of its raw descriptor.",
                  .allowed = {"pixels", "descriptor"}},
                 filter);
  }
};

}  // namespace flyscribe
