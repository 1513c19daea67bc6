// The tested bags of all terms and folds, ready to be measured under any draw of their genes.
//
// A term's figures: the measures per fold (only fold k's model speaks about fold k's bags), then their plain mean over
// the folds in which, under the draw, both a positive and a negative bag count. If there is no such fold the term has
// no figures under this draw.
//
// Averages over the first `count` terms added:
//
//   macro     plain mean of the terms' figures
//   weighted  mean weighted by the weight each term was added with
//   micro     per fold all (bag, term) pairs in one list, ordered by probability (decision values of different terms do
//             not compare); then the mean over folds. Pairs of a term are in a fold's list if it has both classes there
//             with every gene counted once. Its baseline answers each term with that term's majority
//
// f1_of_means is, in every mean, computed from the averaged precision and sensitivity.
//
// Thread safety: measuring is const. Determinism: sums are taken in the order terms and folds were added.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/evaluation.h"
#include "evaluate/metrics.h"

namespace flyscribe {

// A term's tested bags, one list a fold; a fold without a model for it has an empty list.
struct TermTests {
  double weight = 1.0;
  std::vector<std::vector<Tested>> folds;
};

// Nothing where there is nothing to measure.
struct Figures {
  std::vector<std::optional<Metrics>> terms;
  std::vector<std::optional<Metrics>> averages;
};

class ScoreSheet {
 public:
  // REQUIRES: all terms have as many folds.
  explicit ScoreSheet(const std::vector<TermTests>& terms);

  // REQUIRES: count is at most the number of terms.
  void AddAverage(AverageKind kind, std::size_t count);

  // In the order terms and averages were added. REQUIRES: a draw for every gene.
  Figures Measure(const Draws& draws) const;

 private:
  struct Term {
    double weight = 1.0;
    std::vector<RankedTests> folds;
    std::vector<bool> has_both_classes;  // by fold, with every gene counted once
  };
  struct Average {
    AverageKind kind = AverageKind::kMacro;
    std::size_t count = 0;
    std::vector<RankedTests> pairs;  // of micro: one list a fold
  };
  using SumsByFold = std::vector<std::vector<TestSums>>;  // [term][fold]

  std::optional<Metrics> MeanOverTerms(const Average& average, const Figures& figures) const;
  std::optional<Metrics> MicroMean(const Average& average, const SumsByFold& sums, const Draws& draws) const;

  std::vector<TermTests> tests_;
  std::vector<Term> terms_;
  std::vector<Average> averages_;
};

}  // namespace flyscribe
