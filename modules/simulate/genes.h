// Who carries which labels: the plan of one bag, and from it the plan of each of its images.
//
// A gene has two favourite tissues (simulate/atlas.h), the same in all ranges, and shows tissue T with share
//
//   s(T) = 1 for the first favourite, 0.6 for the second, 0.15 for broad stains, else 1 - cooccurrence.
//
// In a range the bag draws 2 to 6 terms (as many on average as BDGP's bags have there) without replacement, the r-th
// term of the range's list with weight s(T) w_r / W^(1/2), times 0.3 if it is rare; w_r = r^-long_tail, W = sum of w
// over T. (The root lies between tissues of equal weight and terms of equal weight, so that genes of a small tissue
// still show it.)
//
// Each image shows each term with chance `visibility`; one lateral image, chosen at random, shows it for certain.
// Determinism: each (gene, range, image) has its own random streams, so a bag does not depend on which other ranges or
// genes are asked for. Thread-safe.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/stage_range.h"
#include "simulate/atlas.h"
#include "simulate/embryo.h"
#include "simulate/options.h"

namespace flyscribe {

// Fewest and most terms of a bag that shows anything.
inline constexpr int kFewestTerms = 2;
inline constexpr int kMostTerms = 6;

// Plausible, evidently synthetic, unique: "CG90001", "sim0001", "FBgn9000001" for gene 0.
struct GeneName {
  std::string cg;
  std::string symbol;
  std::string fbgn;
};

GeneName NameOf(int gene);

struct PlannedImage {
  int number = 0;                  // N of insituN; unique over all genes and ranges
  View view = View::kLateral;      // what is drawn
  std::string view_name;           // what the table says: "lateral", "dorsal" or nothing
  std::vector<std::size_t> shown;  // rows of PlannedBag::terms, ascending
};

struct PlannedBag {
  int gene = 0;
  StageRange range;
  std::vector<const Term*> terms;   // what the pictures show, by name; empty if nothing
  std::vector<std::string> labels;  // what the table says, sorted; never empty
  std::vector<PlannedImage> images;
};

// Nothing if the gene has no bag in the range.
std::optional<PlannedBag> PlanBag(const SimulateOptions& options, int gene, StageRange range);

// What RenderEmbryo needs for one of the bag's images.
EmbryoSpec SpecOf(const SimulateOptions& options, const PlannedBag& bag, std::size_t image);

}  // namespace flyscribe
