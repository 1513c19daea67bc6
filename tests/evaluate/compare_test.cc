#include "evaluate/compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "core/rng.h"
#include "core/statistics.h"
#include "evaluate/metrics.h"
#include "evaluate/resample.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

using ::testing::HasSubstr;

Prediction Predict(const std::string& gene, const std::string& term, int fold, bool label, double value) {
  Prediction prediction;
  prediction.bag = "bag of " + gene;
  prediction.gene = gene;
  prediction.term = term;
  prediction.fold = fold;
  prediction.label = label;
  prediction.decision_value = value;
  return prediction;
}

// "gut" on four genes of one fold: A orders half of the pairs rightly, B all.
RangePredictions SmallRange() {
  RangePredictions range{"4-6", {}, {}};
  const std::vector<double> a = {4, 1, 3, 2};
  const std::vector<double> b = {4, 3, 2, 1};
  for (std::size_t i = 0; i < 4; ++i) {
    const std::string gene = "g" + std::to_string(i);
    range.first.push_back(Predict(gene, "gut", 0, i < 2, a[i]));
    range.second.push_back(Predict(gene, "gut", 0, i < 2, b[i]));
  }
  return range;
}

EvaluateOptions Options(int bootstrap, int top_terms = 10) {
  EvaluateOptions options;
  options.bootstrap = bootstrap;
  options.top_terms = top_terms;
  return options;
}

TEST(CompareRuns, ByHand) {
  const RunComparison comparison = CompareRuns({SmallRange()}, Options(0), 1);
  ASSERT_EQ(comparison.ranges.size(), 1U);
  const RangeComparison& range = comparison.ranges[0];
  EXPECT_EQ(range.range, "4-6");
  EXPECT_EQ(range.genes, 4U);
  EXPECT_EQ(range.unshared, 0U);
  ASSERT_EQ(range.terms.size(), 1U);
  EXPECT_EQ(range.terms[0].positives, 2U);
  EXPECT_EQ(range.terms[0].bags, 4U);
  EXPECT_DOUBLE_EQ(range.terms[0].auc.first, 0.5);
  EXPECT_DOUBLE_EQ(range.terms[0].auc.second, 1.0);
  EXPECT_DOUBLE_EQ(comparison.top.Difference(), 0.5);
  EXPECT_FALSE(comparison.top.difference_interval);
}

TEST(CompareRuns, LooksOnlyAtWhatBothHaveTested) {
  RangePredictions range = SmallRange();
  range.first.push_back(Predict("only in A", "gut", 0, true, -9));
  range.second.push_back(Predict("only in B", "gut", 0, false, 9));
  range.second.push_back(Predict("g0", "brain", 0, true, 9));
  const RunComparison comparison = CompareRuns({range}, Options(0), 1);
  EXPECT_EQ(comparison.genes, 4U);
  EXPECT_EQ(comparison.ranges[0].unshared, 3U);
  EXPECT_DOUBLE_EQ(comparison.all.first, 0.5);
  EXPECT_DOUBLE_EQ(comparison.all.second, 1.0);
}

TEST(CompareRuns, TopTermsAreThoseWithTheMostPositives) {
  RangePredictions range = SmallRange();
  for (std::size_t i = 0; i < 4; ++i) {
    const std::string gene = "g" + std::to_string(i);
    range.first.push_back(Predict(gene, "brain", 0, i < 3, -static_cast<double>(i)));
    range.second.push_back(Predict(gene, "brain", 0, i < 3, 0.0));
  }
  const RunComparison comparison = CompareRuns({range}, Options(0, 1), 1);
  EXPECT_EQ(comparison.ranges[0].terms[0].term, "brain");
  EXPECT_EQ(comparison.ranges[0].top_terms, 1U);
  EXPECT_DOUBLE_EQ(comparison.ranges[0].top.first, 1.0);
  EXPECT_DOUBLE_EQ(comparison.ranges[0].top.second, 0.5);
  EXPECT_DOUBLE_EQ(comparison.ranges[0].all.first, 0.75);
  EXPECT_DOUBLE_EQ(comparison.ranges[0].all.second, 0.75);
}

// Two ranges with the same genes; A has two folds, B three.
std::vector<RangePredictions> RandomRanges(double gain_of_b) {
  std::vector<RangePredictions> ranges = {{"4-6", {}, {}}, {"7-8", {}, {}}};
  Rng rng(3);
  for (int i = 0; i < 60; ++i) {
    const std::string gene = "g" + std::to_string(100 + i);
    for (RangePredictions& range : ranges) {
      for (const char* term : {"brain", "gut"}) {
        const bool label = rng.Chance(0.4);
        const double shared = rng.Normal() + (label ? 0.7 : 0.0);
        range.first.push_back(Predict(gene, term, i % 2, label, shared + 0.3 * rng.Normal()));
        const double gain = label ? gain_of_b : 0.0;
        range.second.push_back(Predict(gene, term, i % 3, label, shared + gain + 0.3 * rng.Normal()));
      }
    }
  }
  return ranges;
}

// The definition: lists in which a prediction stands as often as its gene was drawn. Genes are numbered as they first
// appear, by range, term and bag; here that is the order of their names.
double NaiveMacroAuc(const std::vector<Prediction>& predictions, const Draws& draws) {
  std::map<std::string, std::map<int, std::pair<std::vector<double>, std::vector<std::uint8_t>>>> lists;
  for (const Prediction& prediction : predictions) {
    const auto gene = static_cast<std::size_t>(std::stoi(prediction.gene.substr(1)) - 100);
    for (std::uint32_t k = 0; k < draws[gene]; ++k) {
      lists[prediction.term][prediction.fold].first.push_back(prediction.decision_value);
      lists[prediction.term][prediction.fold].second.push_back(prediction.label ? 1 : 0);
    }
  }
  double sum = 0.0;
  for (const auto& [term, folds] : lists) {
    double of_term = 0.0;
    for (const auto& [fold, list] : folds) of_term += Auc(list.first, list.second);
    sum += of_term / static_cast<double>(folds.size());
  }
  return sum / static_cast<double>(lists.size());
}

TEST(CompareRuns, IntervalsEqualTheDefinition) {
  const std::vector<RangePredictions> ranges = RandomRanges(0.3);
  const RunComparison comparison = CompareRuns(ranges, Options(40), 2);
  std::vector<double> of_range;
  std::vector<double> mean;
  std::vector<double> of_first;
  for (std::size_t resample = 0; resample < 40; ++resample) {
    const Draws draws = DrawGenes(60, 0, resample);
    std::vector<double> differences;
    for (const RangePredictions& range : ranges) {
      differences.push_back(NaiveMacroAuc(range.second, draws) - NaiveMacroAuc(range.first, draws));
    }
    of_range.push_back(differences[1]);
    mean.push_back((differences[0] + differences[1]) / 2.0);
    of_first.push_back(NaiveMacroAuc(ranges[1].first, draws));
  }
  EXPECT_NEAR(comparison.ranges[1].all.difference_interval->low, PercentileInterval(of_range).low, 1e-12);
  EXPECT_NEAR(comparison.ranges[1].all.difference_interval->high, PercentileInterval(of_range).high, 1e-12);
  EXPECT_NEAR(comparison.all.difference_interval->low, PercentileInterval(mean).low, 1e-12);
  EXPECT_NEAR(comparison.all.difference_interval->high, PercentileInterval(mean).high, 1e-12);
  EXPECT_NEAR(comparison.ranges[1].all.first_interval->low, PercentileInterval(of_first).low, 1e-12);
}

TEST(CompareRuns, FindsAGainAndDoesNotFindOneThatIsNotThere) {
  const RunComparison gain = CompareRuns(RandomRanges(0.8), Options(300), 2);
  EXPECT_GT(gain.all.difference_interval->low, 0.0);
  const RunComparison none = CompareRuns(RandomRanges(0.0), Options(300), 2);
  EXPECT_LT(none.all.difference_interval->low, 0.0);
  EXPECT_GT(none.all.difference_interval->high, 0.0);
  const Interval paired = *none.all.difference_interval;
  const Interval alone = *none.all.first_interval;
  EXPECT_LT(paired.high - paired.low, alone.high - alone.low) << "pairing narrows";
}

TEST(CompareRuns, TheSameRunTwiceDiffersByNothing) {
  std::vector<RangePredictions> ranges = RandomRanges(0.3);
  for (RangePredictions& range : ranges) range.second = range.first;
  const RunComparison comparison = CompareRuns(ranges, Options(50), 1);
  EXPECT_EQ(comparison.all.Difference(), 0.0);
  EXPECT_EQ(*comparison.all.difference_interval, (Interval{0.0, 0.0}));
}

TEST(CompareRuns, IsTheSameForAnyNumberOfThreads) {
  const RunComparison one = CompareRuns(RandomRanges(0.3), Options(100), 1);
  const RunComparison four = CompareRuns(RandomRanges(0.3), Options(100), 4);
  EXPECT_EQ(one.top.difference_interval, four.top.difference_interval);
  EXPECT_EQ(one.ranges[0].terms[1].auc.second_interval, four.ranges[0].terms[1].auc.second_interval);
}

TEST(CompareRunsErrors, NothingShared) {
  RangePredictions range = SmallRange();
  for (Prediction& prediction : range.second) prediction.bag += " of another run";
  const CaughtError error = ExpectError([&] { CompareRuns({range}, Options(0), 1); });
  EXPECT_EQ(error.code, ErrorCode::kInput);
  EXPECT_EQ(error.text,
            "error: the two runs share no term that both have tested on the same bags with and without it\n  hint: "
            "compare runs over the same stage ranges, genes and terms");
  EXPECT_EQ(ExpectError([] { CompareRuns({}, Options(0), 1); }).code, ErrorCode::kInput);
}

TEST(CompareRunsErrors, OtherLabels) {
  RangePredictions range = SmallRange();
  range.second[1].label = false;
  range.second[2].label = true;
  const CaughtError error = ExpectError([&] { CompareRuns({range}, Options(0), 1); });
  EXPECT_EQ(error.code, ErrorCode::kInput);
  EXPECT_THAT(error.text,
              HasSubstr("the labels of 2 of 4 shared pairs of bag and term differ in range 4-6, the first: bag bag of "
                        "g1, 'gut'"));
  EXPECT_THAT(error.text, HasSubstr("hint: scores against other labels do not compare"));
}

TEST(CompareRunsErrors, ALeak) {
  RangePredictions range = SmallRange();
  range.first.push_back(Predict("g0", "brain", 1, true, 1.0));
  EXPECT_THAT(ExpectError([&] { CompareRuns({range}, Options(0), 1); }).text,
              HasSubstr("gene g0 has bags in fold 0 and in fold 1"));
}

TEST(CompareRunsErrors, OtherGenesAndRepeatedRows) {
  RangePredictions genes = SmallRange();
  genes.second[3].gene = "another";
  EXPECT_THAT(ExpectError([&] { CompareRuns({genes}, Options(0), 1); }).text,
              HasSubstr("bag bag of g3 is of gene g3 in the first run and of gene another in the second"));
  RangePredictions twice = SmallRange();
  twice.second.push_back(twice.second.back());
  EXPECT_THAT(ExpectError([&] { CompareRuns({twice}, Options(0), 1); }).text,
              HasSubstr("bag bag of g3 is predicted twice for 'gut' in range 4-6"));
}

}  // namespace
}  // namespace flyscribe
