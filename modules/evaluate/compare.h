// Compares two runs, A and B, on what both have tested: how much better is B, and could it be chance?
//
// Per range only the pairs (bag, term) that both have predictions for are looked at. AUC is computed as evaluate does:
// per term and fold (each run's own folds) among the shared bags, mean over the folds with both classes, then the plain
// mean over terms: all of them, and the N = top_terms with the most positive bags among the shared (ties by name).
// A term counts if both runs have an AUC for it.
//
//   difference = AUC of B - AUC of A
//
// Paired bootstrap over genes (resample.h): the genes of all compared ranges are drawn together, and a gene that is
// drawn counts in both runs and in all ranges. Of each resample A, B and their difference are noted; intervals are the
// percentiles of each. Because both runs see the same genes, the interval of the difference is much narrower than those
// of A and B: where it does not contain 0, the difference is more than luck with the genes tested. The mean over ranges
// is the plain mean over ranges that have an AUC under the draw.
//
// Refused, with an Error(kInput): nothing shared; pairs whose labels differ (scores against other truths do not
// compare; how many, and the first); a pair given twice; a bag that belongs to different genes; a gene in two folds of
// one run's range, which is a leak.
//
// Cost: predictions x (log(bags) + 2 bootstrap). Thread safety: reentrant. Determinism: same bytes for any number of
// threads.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "data/evaluation.h"
#include "evaluate/evaluate.h"

namespace flyscribe {

// What two runs say about one range.
struct RangePredictions {
  std::string range;
  std::vector<Prediction> first;   // of A
  std::vector<Prediction> second;  // of B
};

// An AUC of both runs; intervals only where resamples were asked for and say something.
struct PairedAuc {
  double first = 0.0;
  double second = 0.0;
  std::optional<Interval> first_interval;
  std::optional<Interval> second_interval;
  std::optional<Interval> difference_interval;

  double Difference() const { return second - first; }
};

struct TermComparison {
  std::string term;
  std::size_t positives = 0;  // among the shared bags
  std::size_t bags = 0;       // shared
  PairedAuc auc;
};

struct RangeComparison {
  std::string range;
  std::size_t genes = 0;              // shared
  std::size_t unshared = 0;           // pairs of bag and term that only one of the runs has
  std::vector<TermComparison> terms;  // most positives first
  std::size_t top_terms = 0;          // how many the first average is over
  PairedAuc top;
  PairedAuc all;
};

struct RunComparison {
  std::size_t genes = 0;  // in any range
  std::vector<RangeComparison> ranges;
  PairedAuc top;  // mean over ranges
  PairedAuc all;
};

// Ranges in which no term has an AUC in both runs are left out. threads <= 0 means one per core.
RunComparison CompareRuns(const std::vector<RangePredictions>& ranges, const EvaluateOptions& options, int threads);

}  // namespace flyscribe
