#include "classify/train_options.h"

#include <algorithm>

#include "core/error.h"
#include "core/rng.h"
#include "core/text.h"
#include "data/collection.h"

namespace flyscribe {
namespace {

constexpr double kSmallestC = 1e-6;
constexpr double kLargestC = 1e6;

// Any odd number: it takes the inner folds' seeds away from the outer folds' small ones.
constexpr std::uint64_t kInnerSeeds = 0x9e3779b97f4a7c15;

std::vector<double> ParseGrid(const std::vector<std::string>& words) {
  const std::string hint = "write for instance [0.01, 0.1, 1, 10]; from 1e-06 to 1e+06 each";
  if (words.empty()) throw Error(ErrorCode::kUsage, "train.c_grid: the list is empty", hint);
  std::vector<double> grid;
  for (const std::string& word : words) {
    const std::optional<double> value = ParseReal(word);
    if (!value) throw Error(ErrorCode::kUsage, "train.c_grid: '" + word + "' is not a number", hint);
    if (!(*value >= kSmallestC && *value <= kLargestC)) {
      throw Error(ErrorCode::kUsage, "train.c_grid: " + word + " is out of range", hint);
    }
    if (std::ranges::find(grid, *value) != grid.end()) {
      throw Error(ErrorCode::kUsage, "train.c_grid: " + word + " is listed twice", hint);
    }
    grid.push_back(*value);
  }
  std::ranges::sort(grid);
  return grid;
}

}  // namespace

void TrainOptions::Fields(OptionsVisitor& visit) {
  visit.Real(
      {.name = "c",
       .doc = "Weight of training errors against a wide margin: larger fits the training bags more closely. Used "
              "where choose_c is none, and where the inner folds cannot tell.",
       .min = kSmallestC,
       .max = kLargestC},
      c);
  visit.Choice({.name = "choose_c",
                .doc = "Choose C from c_grid by the mean AUC on the inner folds: one for all terms of a range (range), "
                       "one for each term (term), or take c (none).",
                .allowed = {"none", "range", "term"}},
               choose_c);
  visit.Words({.name = "c_grid", .doc = "The values of C to choose from."}, c_grid);
  visit.Integer({.name = "inner_folds",
                 .doc = "The genes trained on are cut into so many folds again. Each is scored by models that did not "
                        "see it: for the choice of C, the probabilities and the thresholds.",
                 .min = 2,
                 .max = 100},
                inner_folds);
  visit.Integer({.name = "inner_seed", .doc = "Seed of the inner folds.", .min = 0}, inner_seed);
  visit.Choice({.name = "class_weight",
                .doc = "balanced: errors on the rarer class cost more, in proportion; none: all errors cost the same.",
                .allowed = {"balanced", "none"}},
               class_weight);
  visit.Integer(
      {.name = "min_positives", .doc = "Terms that fewer bags carry are not trained.", .min = 1, .max = 1000000},
      min_positives);
  visit.Words({.name = "exclude_terms", .doc = "Terms that are not trained, such as [ubiquitous, faint ubiquitous]."},
              exclude_terms);
  visit.Choice({.name = "calibration",
                .doc = "How decision values become probabilities: by a sigmoid (platt) or by steps that never fall "
                       "(isotonic; wants some hundred positive bags).",
                .allowed = {"platt", "isotonic"}},
               calibration);
  visit.Choice({.name = "threshold",
                .doc = "When a term is called: at the largest F1 on the inner folds (f1), above the probability "
                       "threshold_value (probability), at the lowest threshold whose precision on the inner folds is "
                       "threshold_value (precision), or on the positive side of the margin (margin).",
                .allowed = {"f1", "probability", "precision", "margin"}},
               threshold);
  visit.Real({.name = "threshold_value",
              .doc = "For threshold: probability or precision; the others do not look at it.",
              .min = 0.0,
              .max = 1.0},
             threshold_value);
  visit.Real({.name = "tolerance",
              .doc = "When LIBSVM stops: the largest violation of its optimality conditions.",
              .min = 1e-12,
              .max = 1.0},
             tolerance);
}

void TrainOptions::Check() const { ParseGrid(c_grid); }

std::vector<double> TrainOptions::Candidates() const {
  return choose_c == ChooseC::kNone ? std::vector<double>{c} : ParseGrid(c_grid);
}

int TrainOptions::InnerFoldOf(std::string_view gene) const {
  const std::uint64_t seed = MixBits(static_cast<std::uint64_t>(inner_seed) ^ kInnerSeeds);
  return FoldOfGene(gene, inner_folds, static_cast<std::int64_t>(seed));
}

}  // namespace flyscribe
