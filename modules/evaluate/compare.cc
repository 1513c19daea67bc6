#include "evaluate/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "core/error.h"
#include "core/parallel.h"
#include "evaluate/resample.h"
#include "evaluate/score_sheet.h"

namespace flyscribe {
namespace {

using PairKey = std::pair<std::string, std::string>;  // term, bag
using PredictionOfPair = std::map<PairKey, const Prediction*>;

std::string InRange(const std::string& range) { return range.empty() ? "" : " in range " + range; }

// A run's predictions of a range by term and bag.
PredictionOfPair IndexPairs(const std::vector<Prediction>& predictions, const std::string& range) {
  PredictionOfPair index;
  FoldOfEachGene fold_of_gene;
  for (const Prediction& prediction : predictions) {
    fold_of_gene.Add(prediction.gene, prediction.fold);
    if (index.emplace(PairKey{prediction.term, prediction.bag}, &prediction).second) continue;
    throw Error(ErrorCode::kInput,
                fmt::format("bag {} is predicted twice for '{}'{}", prediction.bag, prediction.term, InRange(range)),
                "predictions.tsv has one row a bag and term");
  }
  return index;
}

// One pair of bag and term that both runs have tested.
struct SharedPair {
  const Prediction* first = nullptr;
  const Prediction* second = nullptr;
};

void RequireSameLabels(const std::vector<SharedPair>& pairs, const std::string& range) {
  const auto differ = [](const SharedPair& pair) { return pair.first->label != pair.second->label; };
  const auto conflicts = std::ranges::count_if(pairs, differ);
  if (conflicts == 0) return;
  const Prediction& example = *std::ranges::find_if(pairs, differ)->first;
  throw Error(ErrorCode::kInput,
              fmt::format("the labels of {} of {} shared pairs of bag and term differ{}, the first: bag {}, '{}'",
                          conflicts,
                          pairs.size(),
                          InRange(range),
                          example.bag,
                          example.term),
              "scores against other labels do not compare; run both with the same tables and label options");
}

// By term, then bag.
std::vector<SharedPair> SharedPairs(const PredictionOfPair& first, const PredictionOfPair& second) {
  std::vector<SharedPair> pairs;
  for (const auto& [key, prediction] : first) {
    const auto other = second.find(key);
    if (other == second.end()) continue;
    if (prediction->gene != other->second->gene) {
      throw Error(ErrorCode::kInput,
                  fmt::format("bag {} is of gene {} in the first run and of gene {} in the second",
                              prediction->bag,
                              prediction->gene,
                              other->second->gene),
                  "compare runs over the same data");
    }
    pairs.push_back({prediction, other->second});
  }
  return pairs;
}

// The shared tests of one run, term by term.
class RunTests {
 public:
  explicit RunTests(const std::vector<Prediction>& predictions) {
    for (const Prediction& prediction : predictions) places_.emplace(prediction.fold, 0);
    std::size_t next = 0;
    for (auto& [fold, place] : places_) place = next++;
  }

  void StartTerm() { tests_.push_back({1.0, std::vector<std::vector<Tested>>(places_.size())}); }
  void Add(const Prediction& prediction, std::uint32_t gene) {
    const Tested test{prediction.decision_value, prediction.probability, prediction.call, prediction.label, gene};
    tests_.back().folds[places_.at(prediction.fold)].push_back(test);
  }
  const std::vector<TermTests>& tests() const { return tests_; }

 private:
  std::map<int, std::size_t> places_;
  std::vector<TermTests> tests_;
};

// One AUC in both runs, if there is one.
struct Aucs {
  double first = 0.0;
  double second = 0.0;
};
using MaybeAucs = std::optional<Aucs>;

class MeanAucs {
 public:
  void Add(const MaybeAucs& aucs) {
    if (!aucs) return;
    sum_.first += aucs->first;
    sum_.second += aucs->second;
    ++count_;
  }
  MaybeAucs Mean() const {
    if (count_ == 0) return std::nullopt;
    return Aucs{sum_.first / count_, sum_.second / count_};
  }

 private:
  Aucs sum_;
  int count_ = 0;
};

// What one draw of genes gives for a range.
struct RangeAucs {
  std::vector<MaybeAucs> terms;
  MaybeAucs top;
  MaybeAucs all;
};

// What both runs share of a range.
class SharedRange {
 public:
  SharedRange(const RangePredictions& given, GeneNumbers& genes, std::size_t top_terms)
      : range_(given.range), first_(given.first), second_(given.second), top_terms_(top_terms) {
    const PredictionOfPair first = IndexPairs(given.first, given.range);
    const PredictionOfPair second = IndexPairs(given.second, given.range);
    const std::vector<SharedPair> pairs = SharedPairs(first, second);
    RequireSameLabels(pairs, given.range);
    unshared_ = first.size() + second.size() - 2 * pairs.size();
    Sort(pairs);
    Collect(genes);
  }

  RangeAucs Measure(const Draws& draws) const {
    const Figures first = first_sheet_->Measure(draws);
    const Figures second = second_sheet_->Measure(draws);
    RangeAucs aucs;
    MeanAucs top;
    MeanAucs all;
    for (std::size_t i = 0; i < terms_.size(); ++i) {
      const bool both = first.terms[i] && second.terms[i];
      aucs.terms.push_back(both ? MaybeAucs({first.terms[i]->auc, second.terms[i]->auc}) : std::nullopt);
      if (i < top_terms_) top.Add(aucs.terms.back());
      all.Add(aucs.terms.back());
    }
    aucs.top = top.Mean();
    aucs.all = all.Mean();
    return aucs;
  }

  bool HasTerms() const { return !terms_.empty(); }

  // All but the AUCs.
  RangeComparison Frame() const {
    RangeComparison frame;
    frame.range = range_;
    frame.genes = genes_.size();
    frame.unshared = unshared_;
    frame.top_terms = std::min(top_terms_, terms_.size());
    for (const Term& term : terms_) frame.terms.push_back({term.name, term.positives, term.pairs.size(), {}});
    return frame;
  }

 private:
  struct Term {
    std::string name;
    std::size_t positives = 0;
    std::vector<SharedPair> pairs;
  };

  static bool HasBothClassesInAFold(const Term& term, const Prediction* SharedPair::*run) {
    std::map<int, std::pair<bool, bool>> seen;  // fold: a negative, a positive
    for (const SharedPair& pair : term.pairs) {
      const Prediction& prediction = *(pair.*run);
      (prediction.label ? seen[prediction.fold].second : seen[prediction.fold].first) = true;
    }
    return std::ranges::any_of(seen, [](const auto& fold) { return fold.second.first && fold.second.second; });
  }

  // Into terms that have an AUC in both runs, most positives first.
  void Sort(const std::vector<SharedPair>& pairs) {
    for (const SharedPair& pair : pairs) {
      if (terms_.empty() || terms_.back().name != pair.first->term) terms_.push_back({pair.first->term, 0, {}});
      terms_.back().pairs.push_back(pair);
      terms_.back().positives += pair.first->label ? 1 : 0;
    }
    std::erase_if(terms_, [](const Term& term) {
      return !HasBothClassesInAFold(term, &SharedPair::first) || !HasBothClassesInAFold(term, &SharedPair::second);
    });
    std::ranges::stable_sort(terms_, std::ranges::greater{}, &Term::positives);
  }

  void Collect(GeneNumbers& genes) {
    for (const Term& term : terms_) {
      first_.StartTerm();
      second_.StartTerm();
      for (const SharedPair& pair : term.pairs) {
        const std::uint32_t gene = genes.Of(pair.first->gene);
        genes_.insert(gene);
        first_.Add(*pair.first, gene);
        second_.Add(*pair.second, gene);
      }
    }
    first_sheet_.emplace(first_.tests());
    second_sheet_.emplace(second_.tests());
  }

  std::string range_;
  RunTests first_;
  RunTests second_;
  std::size_t top_terms_;
  std::size_t unshared_ = 0;
  std::vector<Term> terms_;
  std::set<std::uint32_t> genes_;
  std::optional<ScoreSheet> first_sheet_;
  std::optional<ScoreSheet> second_sheet_;
};

// What one draw of genes gives for all ranges.
struct RunAucs {
  std::vector<RangeAucs> ranges;
  MaybeAucs top;
  MaybeAucs all;
};

RunAucs MeasureAll(const std::vector<SharedRange>& ranges, const Draws& draws) {
  RunAucs aucs;
  MeanAucs top;
  MeanAucs all;
  for (const SharedRange& range : ranges) {
    aucs.ranges.push_back(range.Measure(draws));
    top.Add(aucs.ranges.back().top);
    all.Add(aucs.ranges.back().all);
  }
  aucs.top = top.Mean();
  aucs.all = all.Mean();
  return aucs;
}

// A figure with its intervals. `aucs_of` finds it among what a draw gave.
template <class AucsOf>
PairedAuc Paired(const RunAucs& itself, const std::vector<RunAucs>& resamples, const AucsOf& aucs_of) {
  const Aucs aucs = aucs_of(itself).value();
  std::vector<double> first;
  std::vector<double> second;
  std::vector<double> difference;
  for (const RunAucs& resample : resamples) {
    const MaybeAucs& drawn = aucs_of(resample);
    if (!drawn) continue;
    first.push_back(drawn->first);
    second.push_back(drawn->second);
    difference.push_back(drawn->second - drawn->first);
  }
  PairedAuc paired{aucs.first, aucs.second, {}, {}, {}};
  if (first.empty()) return paired;
  paired.first_interval = PercentileInterval(std::move(first));
  paired.second_interval = PercentileInterval(std::move(second));
  paired.difference_interval = PercentileInterval(std::move(difference));
  return paired;
}

}  // namespace

RunComparison CompareRuns(const std::vector<RangePredictions>& ranges, const EvaluateOptions& options, int threads) {
  GeneNumbers genes;
  std::vector<SharedRange> shared;
  for (const RangePredictions& range : ranges) {
    shared.emplace_back(range, genes, static_cast<std::size_t>(options.top_terms));
    if (!shared.back().HasTerms()) shared.pop_back();
  }
  if (shared.empty()) {
    throw Error(ErrorCode::kInput,
                "the two runs share no term that both have tested on the same bags with and without it",
                "compare runs over the same stage ranges, genes and terms");
  }
  const RunAucs itself = MeasureAll(shared, EachGeneOnce(genes.size()));
  std::vector<RunAucs> resamples(static_cast<std::size_t>(options.bootstrap));
  ParallelFor(threads, resamples.size(), [&](std::size_t i) {
    resamples[i] = MeasureAll(shared, DrawGenes(genes.size(), options.seed, i));
  });

  const auto paired = [&](const auto& aucs_of) { return Paired(itself, resamples, aucs_of); };
  RunComparison comparison;
  comparison.genes = genes.size();
  comparison.top = paired([](const RunAucs& aucs) -> const MaybeAucs& { return aucs.top; });
  comparison.all = paired([](const RunAucs& aucs) -> const MaybeAucs& { return aucs.all; });
  for (std::size_t r = 0; r < shared.size(); ++r) {
    RangeComparison range = shared[r].Frame();
    range.top = paired([r](const RunAucs& aucs) -> const MaybeAucs& { return aucs.ranges[r].top; });
    range.all = paired([r](const RunAucs& aucs) -> const MaybeAucs& { return aucs.ranges[r].all; });
    for (std::size_t t = 0; t < range.terms.size(); ++t) {
      range.terms[t].auc = paired([r, t](const RunAucs& aucs) -> const MaybeAucs& { return aucs.ranges[r].terms[t]; });
    }
    comparison.ranges.push_back(std::move(range));
  }
  return comparison;
}

}  // namespace flyscribe
