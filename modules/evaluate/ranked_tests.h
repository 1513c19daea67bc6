// Tested bags sorted once by their score, to be measured again and again under other counts of their genes.
//
//   s_i  score of bag i, which orders the bags      p_i  its probability      l_i  1 with the term, 0 without
//   c_i  1 if the term is called                    w_i  how often the bag counts: as often as its gene was drawn
//
// Every measure is that of the list in which bag i stands w_i times (metrics.h has the formulas):
//
//   tp = sum of w_i c_i l_i,  fp = sum of w_i c_i (1 - l_i),  and so on
//   auc: of each group of equal scores, its negatives are beaten by the positives above and half by its own positives
//   average precision: of each group, recall gained x precision there
//   brier = sum of w_i (p_i - l_i)^2 / sum of w_i
//
// Cost: n log n to make, then one pass of n per measuring, without a memory allocation. All counts are integers: only
// average precision and brier are rounded, and their sums are taken in the order of the scores.
// Thread safety: measuring is const. Determinism: a measure does not depend on the order in which bags are given.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/evaluation.h"

namespace flyscribe {

// One tested bag and term.
struct Tested {
  double score = 0.0;
  double probability = 0.0;
  bool call = false;
  bool label = false;
  std::uint32_t gene = 0;  // index into the draws
};

// How often each gene counts.
using Draws = std::vector<std::uint32_t>;

// What a list of tested bags adds up to.
struct TestSums {
  std::uint64_t positives = 0;
  std::uint64_t negatives = 0;
  std::uint64_t called_positives = 0;
  std::uint64_t called_negatives = 0;
  std::uint64_t twice_wins = 0;  // of positives against negatives; a tie is half a win
  double precision_sum = 0.0;    // over the positives: precision among all that score at least as high
  double squared_error = 0.0;

  bool HasBothClasses() const { return positives > 0 && negatives > 0; }
  std::uint64_t Majority() const { return positives > negatives ? positives : negatives; }
};

class RankedTests {
 public:
  // REQUIRES: no score is NaN.
  explicit RankedTests(std::vector<Tested> tests);

  // REQUIRES: a draw for every gene.
  TestSums Sum(std::span<const std::uint32_t> draws) const;

 private:
  struct Item {
    std::uint32_t gene = 0;
    bool label = false;
    bool call = false;
    bool last_of_equals = false;
    double squared_error = 0.0;
  };
  std::vector<Item> items_;  // highest score first
};

// All measures. Each is a finite number for any sums: without a class auc is 0.5, and what would be 0 / 0 is 0.
Metrics MetricsOf(const TestSums& sums);

// The harmonic mean of precision and sensitivity.
double F1Of(double precision, double sensitivity);

}  // namespace flyscribe
