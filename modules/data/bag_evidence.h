// Where the decision values of a bag come from, patch by patch: one JSON file a bag.
//
//   decision value = bias + sum of the contributions of all patches
//
// {"format": 2, "model_id", "bag_id", "fbgn", "gene_symbol", "stage_range", "score_source", "images": [ids],
//  "patches": {"image": [0, 0, ...], "x": [168, 176, ...], "y": [72, 72, ...]},
//  "terms": [{"term", "fbbt_id", "decision_value", "bias", "type": "<i2", "unit": 3.814697265625e-06,
//             "contributions": "9wDz/wQBMgD..."}, ...]}
//
// `image` counts in `images`; x and y are the centre of the window in pixels of the standardised 320x128 embryo.
// The patches are those that any term may rest on; `contributions` has what each of them adds, in their order, as
// Base64 of numbers of this NumPy type, to be multiplied by `unit`. In Python:
//
//   bag = json.load(open(path))
//   where = np.array([bag["patches"][name] for name in ("image", "x", "y")])
//   adds = {t["term"]: np.frombuffer(base64.b64decode(t["contributions"]), t["type"]) * t["unit"] for t in
//   bag["terms"]}
//
// Nothing is lost: the type is 16-bit whole numbers where all contributions are such multiples of a power of two (as
// RoundContributions makes them), else float32, with the unit 1. (Format 1, of version 0.1.0, listed every patch of
// every term as text, in ten times the room. It is not read.)
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/fs.h"
#include "data/stage_range.h"

namespace flyscribe {

inline constexpr int kEvidenceFormat = 2;

struct PatchPlace {
  std::size_t image = 0;  // of the bag's images
  float x = 0.0F;         // centre of the window, pixels of the standardised embryo from the top left
  float y = 0.0F;
  friend bool operator==(const PatchPlace&, const PatchPlace&) = default;
};

// What one patch of an embryo adds to a decision value: wherever evidence is drawn.
struct PatchEvidence {
  float x = 0.0F;
  float y = 0.0F;
  float contribution = 0.0F;  // above zero it speaks for the term
  friend bool operator==(const PatchEvidence&, const PatchEvidence&) = default;
};

struct TermEvidence {
  std::string term;
  std::string fbbt_id;
  double decision_value = 0.0;
  double bias = 0.0;
  std::vector<float> contributions;  // one for each patch of the bag
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
  std::vector<PatchPlace> patches;
  std::vector<TermEvidence> terms;
  friend bool operator==(const BagEvidence&, const BagEvidence&) = default;
};

// The contributions added to the bias, in double precision.
double SumOf(const TermEvidence& term);
// The patch that adds most, the first of equals; nothing if there is none.
std::optional<std::size_t> StrongestPatch(const TermEvidence& term);
// Rounds contributions to multiples of a power of two that fit in 16 bits, so that their running sum stays within one
// of them, or leaves them alone where that would move the sum by 1e-5: beyond contributions of 1/4.
void RoundContributions(TermEvidence& term);
// What the patches of one image add, in their order. REQUIRES: a contribution for each patch.
std::vector<PatchEvidence> EvidenceIn(const std::vector<PatchPlace>& patches,
                                      const TermEvidence& term,
                                      std::size_t image);

std::string EncodeEvidence(const BagEvidence& evidence);
// Throws Error(kCorrupt) if the text is no such file, Error(kInput) if it is one of another format; `path` is named in
// it.
BagEvidence DecodeEvidence(const std::string& text, const fs::path& path);

}  // namespace flyscribe
