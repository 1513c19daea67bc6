// Heat maps from what a finished annotation keeps: the work behind `flyscribe evidence`.
//
// The evidence file has the numbers, gallery/images the embryo: a map has the bytes of the one that `annotate --maps`
// writes of the same term. Nothing is trusted that is not as annotation.files.tsv lists it.
#pragma once

#include <cstddef>
#include <string>

#include "core/fs.h"

namespace flyscribe {

struct HeatMapRequest {
  std::string bag;    // as in the column bag_id of predictions.tsv
  std::string term;   // as in its column term
  std::string range;  // blank: the one that the bag has
  std::string image;  // its id; blank: the one with the window that adds most
};

struct KeptHeatMap {
  std::string png;  // the bytes of the file
  std::string range;
  std::string image;
  double decision_value = 0.0;
  std::size_t windows = 0;  // of the whole bag
};

// Throws Error(kUsage) that lists what there is if the folder has no such bag, range, term or image, or kept no
// evidence of it, Error(kInput) or Error(kCorrupt) if it holds no finished annotation or a file of it is damaged.
KeptHeatMap DrawKeptEvidence(const fs::path& folder, const HeatMapRequest& request);

}  // namespace flyscribe
