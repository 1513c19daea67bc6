// Which point of a sweep would have been chosen without a look at the tested genes, and what the choice scores on them.
//
// The best score of a sweep flatters itself: the point was picked by the bags it is reported on. Here, for every outer
// fold, points compete on the fold's training bags alone, by the values of the inner folds that train leaves
// (evaluate/evaluate.h; the mean over the ranges), and only the winner's models speak about the fold's tested bags.
// Which point wins may differ from fold to fold: what is scored is the way of choosing, not one point.
#pragma once

#include <optional>
#include <vector>

#include "pipeline/sweep/sweep.h"

namespace flyscribe {

struct SweepChoice {
  // fold, the settings chosen, inner_macro_auc_top. One row a fold.
  SweepTable folds;
  // range, macro_auc_top, low, high, macro_auc_all. One row a range, and the mean if there are several.
  SweepTable scores;
};

// Of the points that are done. Nothing if these are fewer than two, or do not have the same bags, folds and ranges.
std::optional<SweepChoice> ChooseByInnerFolds(const std::vector<SweepPoint>& points,
                                              const Plan& plan,
                                              const RunOutcome& outcome);

}  // namespace flyscribe
