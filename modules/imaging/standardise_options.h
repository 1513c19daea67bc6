// What can be chosen about standardising images (standardise.h). Apart, so that the configuration does not include the
// imaging.
#pragma once

#include "core/options.h"

namespace flyscribe {

struct StandardiseOptions {
  enum class SmallImages { kEnlarge, kRefuse };
  enum class Doubtful { kKeep, kDrop };
  SmallImages small_images = SmallImages::kEnlarge;
  Doubtful doubtful = Doubtful::kKeep;
  double min_confidence = 0.65;

  void Fields(OptionsVisitor& visit) {
    visit.Choice({.name = "small_images",
                  .doc = "What to do with embryos of 80x32 pixels: enlarge them four times, or refuse them, for "
                         "experiments on full-size embryos only.",
                  .allowed = {"enlarge", "refuse"}},
                 small_images);
    visit.Choice({.name = "doubtful",
                  .doc = "What to do with embryos cut out of photographs that are doubtful: keep them, or drop them. "
                         "Either way they are listed with their doubts in quality.tsv.",
                  .allowed = {"keep", "drop"}},
                 doubtful);
    visit.Real({.name = "min_confidence",
                .doc = "An embryo cut out of a photograph with less confidence than this is doubtful.",
                .min = 0.0,
                .max = 1.0},
               min_confidence);
  }
};

}  // namespace flyscribe
