// Where the decision values of a bag come from, patch by patch: one JSON file a bag.
//
//   decision value = bias + sum of the contributions of all listed patches
//
// {"format": 1, "model_id", "bag_id", "fbgn", "gene_symbol", "stage_range", "score_source", "images": [ids],
//  "patch_columns": ["image", "x", "y", "contribution"],
//  "terms": [{"term", "fbbt_id", "decision_value", "bias", "patches": [[0, 168, 72, 0.0123], ...]}]}
//
// `image` counts in `images`; x and y are the centre of the window in pixels of the standardised 320x128 embryo.
// Patches are listed by falling |contribution|. Contributions are kept in single precision, which changes their sum by
// less than 1e-7 of the sum of their magnitudes.
#pragma once

#include <string>
#include <vector>

#include "core/fs.h"
#include "data/stage_range.h"

namespace flyscribe {

// What one patch adds to a decision value: wherever evidence is stored, drawn or mapped.
struct PatchEvidence {
  std::size_t image = 0;  // of the bag's images
  float x = 0.0F;         // centre of the window, pixels of the standardised embryo from the top left
  float y = 0.0F;
  float contribution = 0.0F;  // above zero it speaks for the term
  friend bool operator==(const PatchEvidence&, const PatchEvidence&) = default;
};

struct TermEvidence {
  std::string term;
  std::string fbbt_id;
  double decision_value = 0.0;
  double bias = 0.0;
  std::vector<PatchEvidence> patches;
  friend bool operator==(const TermEvidence&, const TermEvidence&) = default;
};

struct BagEvidence {
  std::string model_id;
  std::string bag_id;
  std::string fbgn;
  std::string symbol;
  StageRange range;
  std::string score_source;
  std::vector<std::string> images;
  std::vector<TermEvidence> terms;
  friend bool operator==(const BagEvidence&, const BagEvidence&) = default;
};

// The contributions added to the bias, in double precision.
double SumOf(const TermEvidence& term);
// The patches of one image, in their order.
std::vector<PatchEvidence> PatchesIn(const TermEvidence& term, std::size_t image);

std::string EncodeEvidence(const BagEvidence& evidence);
// Throws Error(kCorrupt) if the text is no such file; `path` is named in it.
BagEvidence DecodeEvidence(const std::string& text, const fs::path& path);

}  // namespace flyscribe
