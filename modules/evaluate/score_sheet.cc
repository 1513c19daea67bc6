#include "evaluate/score_sheet.h"

#include <algorithm>
#include <array>

#include "core/error.h"

namespace flyscribe {
namespace {

// A weighted mean of metrics, in the order they are added.
class MeanMetrics {
 public:
  void Add(const Metrics& metrics, double weight) {
    for (const Measure& measure : kMeasures) sum_.*measure.value += weight * metrics.*measure.value;
    weight_ += weight;
  }
  // Nothing if nothing was added.
  std::optional<Metrics> Mean() const {
    if (weight_ == 0.0) return std::nullopt;
    Metrics mean;
    for (const Measure& measure : kMeasures) mean.*measure.value = sum_.*measure.value / weight_;
    mean.f1_of_means = F1Of(mean.precision, mean.sensitivity);
    return mean;
  }

 private:
  Metrics sum_;
  double weight_ = 0.0;
};

}  // namespace

ScoreSheet::ScoreSheet(const std::vector<TermTests>& terms) : tests_(terms) {
  for (const TermTests& term : terms) {
    FLYSCRIBE_CHECK(term.folds.size() == terms.front().folds.size(), "all terms have as many folds");
    terms_.push_back({term.weight, {}, {}});
    for (const std::vector<Tested>& tests : term.folds) {
      terms_.back().folds.emplace_back(tests);
      const auto positives = static_cast<std::size_t>(std::ranges::count(tests, true, &Tested::label));
      terms_.back().has_both_classes.push_back(positives > 0 && positives < tests.size());
    }
  }
}

void ScoreSheet::AddAverage(AverageKind kind, std::size_t count) {
  FLYSCRIBE_CHECK(count <= terms_.size(), "an average over more terms than there are");
  averages_.push_back({kind, count, {}});
  if (kind != AverageKind::kMicro) return;
  for (std::size_t fold = 0; fold < (count == 0 ? 0 : tests_.front().folds.size()); ++fold) {
    std::vector<Tested> joined;
    for (std::size_t term = 0; term < count; ++term) {
      const std::vector<Tested>& tests = tests_[term].folds[fold];
      if (terms_[term].has_both_classes[fold]) joined.insert(joined.end(), tests.begin(), tests.end());
    }
    for (Tested& test : joined) test.score = test.probability;
    averages_.back().pairs.emplace_back(std::move(joined));
  }
}

Figures ScoreSheet::Measure(const Draws& draws) const {
  Figures figures;
  SumsByFold sums(terms_.size());
  for (std::size_t term = 0; term < terms_.size(); ++term) {
    MeanMetrics mean;
    for (const RankedTests& fold : terms_[term].folds) {
      sums[term].push_back(fold.Sum(draws));
      if (sums[term].back().HasBothClasses()) mean.Add(MetricsOf(sums[term].back()), 1.0);
    }
    figures.terms.push_back(mean.Mean());
  }
  for (const Average& average : averages_) {
    const bool micro = average.kind == AverageKind::kMicro;
    figures.averages.push_back(micro ? MicroMean(average, sums, draws) : MeanOverTerms(average, figures));
  }
  return figures;
}

std::optional<Metrics> ScoreSheet::MeanOverTerms(const Average& average, const Figures& figures) const {
  MeanMetrics mean;
  for (std::size_t term = 0; term < average.count; ++term) {
    const double weight = average.kind == AverageKind::kWeighted ? terms_[term].weight : 1.0;
    if (figures.terms[term]) mean.Add(*figures.terms[term], weight);
  }
  return mean.Mean();
}

std::optional<Metrics> ScoreSheet::MicroMean(const Average& average, const SumsByFold& sums, const Draws& draws) const {
  MeanMetrics mean;
  for (std::size_t fold = 0; fold < average.pairs.size(); ++fold) {
    const TestSums joined = average.pairs[fold].Sum(draws);
    if (!joined.HasBothClasses()) continue;
    std::uint64_t majority = 0;
    for (std::size_t term = 0; term < average.count; ++term) {
      if (terms_[term].has_both_classes[fold]) majority += sums[term][fold].Majority();
    }
    Metrics metrics = MetricsOf(joined);
    metrics.baseline = static_cast<double>(majority) / static_cast<double>(joined.positives + joined.negatives);
    mean.Add(metrics, 1.0);
  }
  return mean.Mean();
}

}  // namespace flyscribe
