// What the simulated data set is like: how many genes, how the labels fall, how hard the pictures are to read.
#pragma once

#include <cstdint>

#include "core/options.h"

namespace flyscribe {

struct SimulateOptions {
  int genes = 240;
  double range_share = 0.85;
  int images_min = 1;
  int images_max = 5;
  double visibility = 0.75;
  double cooccurrence = 0.9;
  double long_tail = 0.8;
  double no_staining = 0.03;
  double label_noise = 0.0;
  double contrast = 1.0;
  double stain_noise = 1.0;
  double other_views = 0.06;
  bool photographs = false;
  double max_turn = 75.0;
  int neighbours = 3;
  double touching = 0.3;
  double photograph_noise = 1.0;
  std::int64_t seed = 1;

  void Fields(OptionsVisitor& visit);
  // Throws Error(kUsage) if two options contradict each other. Single values are checked by whoever reads them.
  void Check() const;
};

}  // namespace flyscribe
