#include "evaluate/metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/rng.h"
#include "core/statistics.h"
#include "evaluate/resample.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Scores = std::vector<double>;
using Labels = std::vector<std::uint8_t>;

// The definition: every pair of a positive and a negative.
double PairAuc(const Scores& scores, const Labels& labels) {
  double wins = 0.0;
  double pairs = 0.0;
  for (std::size_t p = 0; p < scores.size(); ++p) {
    for (std::size_t n = 0; n < scores.size(); ++n) {
      if (labels[p] != 1 || labels[n] != 0) continue;
      pairs += 1.0;
      if (scores[p] > scores[n]) wins += 1.0;
      if (scores[p] == scores[n]) wins += 0.5;
    }
  }
  return wins / pairs;
}

struct Sample {
  Scores scores;
  Labels labels;
};

// Few distinct scores, so that ties are common.
Sample RandomSample(std::uint64_t seed) {
  Rng rng(seed);
  Sample sample;
  for (int i = 0; i < 40; ++i) {
    sample.labels.push_back(rng.Chance(0.3) ? 1 : 0);
    sample.scores.push_back(static_cast<double>(rng.Below(12)) - 6.0 + (sample.labels.back() != 0 ? 2.0 : 0.0));
  }
  sample.labels[0] = 1;
  sample.labels[1] = 0;
  return sample;
}

TEST(Auc, ByHand) {
  EXPECT_EQ(Auc(Scores{3, 2, 1, 0}, Labels{1, 1, 0, 0}), 1.0);
  EXPECT_EQ(Auc(Scores{3, 2, 1, 0}, Labels{0, 0, 1, 1}), 0.0);
  EXPECT_EQ(Auc(Scores{3, 2, 1, 0}, Labels{1, 0, 1, 0}), 0.75);
  EXPECT_EQ(Auc(Scores{1, 1, 1, 1}, Labels{1, 0, 1, 0}), 0.5);
  EXPECT_EQ(Auc(Scores{2, 1, 1}, Labels{1, 1, 0}), 0.75);
}

TEST(Auc, EqualsCountingAllPairs) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Sample sample = RandomSample(seed);
    EXPECT_NEAR(Auc(sample.scores, sample.labels), PairAuc(sample.scores, sample.labels), 1e-12);
  }
}

TEST(Auc, RefusesScoresWithoutLabels) {
  EXPECT_EQ(ExpectError([] { Auc(Scores{1.0}, Labels{}); }).code, ErrorCode::kInternal);
}

TEST(Auc, IsOneHalfWithoutAClass) {
  EXPECT_EQ(Auc(Scores{}, Labels{}), 0.5);
  EXPECT_EQ(Auc(Scores{1, 2}, Labels{1, 1}), 0.5);
  EXPECT_EQ(Auc(Scores{1, 2}, Labels{0, 0}), 0.5);
}

TEST(RocCurve, ByHand) {
  EXPECT_THAT(RocCurve(Scores{3, 2, 2, 1}, Labels{1, 1, 0, 0}),
              ElementsAre(CurvePoint{0, 0}, CurvePoint{0, 0.5}, CurvePoint{0.5, 1}, CurvePoint{1, 1}));
  EXPECT_THAT(RocCurve(Scores{1, 2}, Labels{1, 1}), IsEmpty());
  EXPECT_THAT(RocCurve(Scores{1, 2}, Labels{0, 0}), IsEmpty());
  EXPECT_THAT(RocCurve(Scores{}, Labels{}), IsEmpty());
}

TEST(RocCurve, EnclosesTheAuc) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Sample sample = RandomSample(seed);
    const std::vector<CurvePoint> points = RocCurve(sample.scores, sample.labels);
    double area = 0.0;
    for (std::size_t k = 1; k < points.size(); ++k) {
      area += (points[k].x - points[k - 1].x) * 0.5 * (points[k].y + points[k - 1].y);
    }
    EXPECT_NEAR(area, PairAuc(sample.scores, sample.labels), 1e-12);
  }
}

TEST(PrecisionRecallCurve, ByHand) {
  EXPECT_THAT(PrecisionRecallCurve(Scores{3, 2, 2, 1}, Labels{1, 1, 0, 0}),
              ElementsAre(CurvePoint{0, 1}, CurvePoint{0.5, 1}, CurvePoint{1, 2.0 / 3.0}, CurvePoint{1, 0.5}));
  EXPECT_THAT(PrecisionRecallCurve(Scores{1, 2}, Labels{0, 0}), IsEmpty());
}

TEST(ThinCurve, KeepsBothEnds) {
  std::vector<CurvePoint> points;
  for (int k = 0; k < 1000; ++k) points.push_back({k * 1.0, k * 2.0});
  const std::vector<CurvePoint> thinned = ThinCurve(points, 200);
  ASSERT_EQ(thinned.size(), 200U);
  EXPECT_EQ(thinned.front(), points.front());
  EXPECT_EQ(thinned.back(), points.back());
  for (std::size_t k = 1; k < thinned.size(); ++k) EXPECT_GT(thinned[k].x, thinned[k - 1].x);
  EXPECT_EQ(ThinCurve({{0, 0}, {1, 1}}, 2).size(), 2U);
  EXPECT_THAT(ThinCurve({}, 2), IsEmpty());
}

Metrics MetricsOnce(const std::vector<Tested>& tests) {
  return MetricsOf(RankedTests(tests).Sum(EachGeneOnce(tests.size())));
}

// Called above `cut`.
std::vector<Tested> TestsOf(const std::vector<double>& scores, const std::vector<int>& labels, double cut = 0.0) {
  std::vector<Tested> tests;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    tests.push_back({scores[i], 0.5, scores[i] > cut, labels[i] != 0, static_cast<std::uint32_t>(i)});
  }
  return tests;
}

// Few distinct scores, so that ties are common; three bags a gene.
std::vector<Tested> RandomTests(std::uint64_t seed, std::size_t genes) {
  Rng rng(seed);
  std::vector<Tested> tests;
  for (std::size_t i = 0; i < 3 * genes; ++i) {
    Tested test;
    test.label = rng.Chance(0.3);
    test.score = static_cast<double>(rng.Below(12)) - 6.0 + (test.label ? 2.0 : 0.0);
    test.probability = rng.Uniform();
    test.call = rng.Chance(0.4);
    test.gene = static_cast<std::uint32_t>(i % genes);
    tests.push_back(test);
  }
  return tests;
}

// Each bag as often as its gene was drawn.
std::vector<Tested> Repeated(const std::vector<Tested>& tests, const Draws& draws) {
  std::vector<Tested> repeated;
  for (const Tested& test : tests) {
    for (std::uint32_t k = 0; k < draws[test.gene]; ++k) repeated.push_back(test);
  }
  return repeated;
}

// The definition: for every positive, the precision among all bags that score at least as high.
double NaiveAveragePrecision(const std::vector<double>& scores, const std::vector<std::uint8_t>& labels) {
  double sum = 0.0;
  double positives = 0.0;
  for (std::size_t p = 0; p < scores.size(); ++p) {
    if (labels[p] != 1) continue;
    double above = 0.0;
    double found = 0.0;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      if (scores[i] < scores[p]) continue;
      above += 1.0;
      found += labels[i];
    }
    sum += found / above;
    positives += 1.0;
  }
  return sum / positives;
}

// The definitions, bag by bag and pair by pair.
Metrics NaiveMetrics(const std::vector<Tested>& tests) {
  double tp = 0.0;
  double fp = 0.0;
  double fn = 0.0;
  double tn = 0.0;
  double error = 0.0;
  double wins = 0.0;
  for (const Tested& a : tests) {
    (a.call ? (a.label ? tp : fp) : (a.label ? fn : tn)) += 1.0;
    error += (a.probability - a.label) * (a.probability - a.label);
    for (const Tested& b : tests) {
      if (a.label && !b.label) wins += a.score > b.score ? 1.0 : a.score == b.score ? 0.5 : 0.0;
    }
  }
  std::vector<double> scores;
  std::vector<std::uint8_t> labels;
  for (const Tested& test : tests) {
    scores.push_back(test.score);
    labels.push_back(test.label ? 1 : 0);
  }
  const auto n = static_cast<double>(tests.size());
  Metrics metrics;
  metrics.accuracy = (tp + tn) / n;
  metrics.baseline = std::max(tp + fn, fp + tn) / n;
  metrics.auc = wins / ((tp + fn) * (fp + tn));
  metrics.sensitivity = tp / (tp + fn);
  metrics.specificity = tn / (tn + fp);
  metrics.balanced_accuracy = (metrics.sensitivity + metrics.specificity) / 2.0;
  metrics.precision = tp + fp == 0.0 ? 0.0 : tp / (tp + fp);
  metrics.f1 = 2.0 * tp / (2.0 * tp + fp + fn);
  metrics.f1_of_means = metrics.f1;
  metrics.average_precision = NaiveAveragePrecision(scores, labels);
  metrics.brier = error / n;
  return metrics;
}

TEST(RankedTests, ByHand) {
  // tp 2, fn 1, fp 1, tn 4; a value of exactly the cut is no call.
  std::vector<Tested> tests = TestsOf({2.0, 1.0, 0.0, 0.5, -1.0, -2.0, -3.0, -4.0}, {1, 1, 1, 0, 0, 0, 0, 0});
  tests[0].probability = 0.9;
  tests[7].probability = 0.2;
  const Metrics metrics = MetricsOnce(tests);
  EXPECT_DOUBLE_EQ(metrics.accuracy, 6.0 / 8.0);
  EXPECT_DOUBLE_EQ(metrics.baseline, 5.0 / 8.0);
  EXPECT_DOUBLE_EQ(metrics.auc, 14.0 / 15.0);
  EXPECT_DOUBLE_EQ(metrics.sensitivity, 2.0 / 3.0);
  EXPECT_DOUBLE_EQ(metrics.specificity, 4.0 / 5.0);
  EXPECT_DOUBLE_EQ(metrics.balanced_accuracy, 11.0 / 15.0);
  EXPECT_DOUBLE_EQ(metrics.precision, 2.0 / 3.0);
  EXPECT_DOUBLE_EQ(metrics.f1, 4.0 / 6.0);
  EXPECT_DOUBLE_EQ(metrics.f1_of_means, 4.0 / 6.0);
  EXPECT_DOUBLE_EQ(metrics.average_precision, (1.0 + 1.0 + 3.0 / 4.0) / 3.0);
  EXPECT_NEAR(metrics.brier, (0.01 + 0.04 + 6 * 0.25) / 8.0, 1e-15);
}

TEST(RankedTests, BaselineOfAMajorityOfPositives) {
  EXPECT_DOUBLE_EQ(MetricsOnce(TestsOf({1, 1, 1}, {1, 1, 0})).baseline, 2.0 / 3.0);
}

TEST(RankedTests, WithoutAClassEverythingIsDefined) {
  const Metrics positives = MetricsOnce(TestsOf({1, -1}, {1, 1}));
  EXPECT_EQ(positives, (Metrics{0.5, 1.0, 0.5, 0.5, 0.0, 2.0 / 3.0, 1.0, 0.25, 1.0, 2.0 / 3.0, 0.25}));
  const Metrics negatives = MetricsOnce(TestsOf({1, -1}, {0, 0}));
  EXPECT_EQ(negatives, (Metrics{0.5, 1.0, 0.5, 0.0, 0.5, 0.0, 0.0, 0.25, 0.0, 0.0, 0.25}));
  EXPECT_EQ(MetricsOnce({}), (Metrics{0.0, 0.0, 0.5}));
  // Nothing is called.
  const Metrics silent = MetricsOnce(TestsOf({1, 2}, {0, 1}, 3.0));
  EXPECT_EQ(silent.precision, 0.0);
  EXPECT_EQ(silent.f1_of_means, 0.0);
}

TEST(RankedTests, DoNotDependOnTheOrder) {
  std::vector<Tested> tests = RandomTests(3, 15);
  const Metrics metrics = MetricsOf(RankedTests(tests).Sum(EachGeneOnce(15)));
  std::reverse(tests.begin(), tests.end());
  EXPECT_EQ(metrics, MetricsOf(RankedTests(tests).Sum(EachGeneOnce(15))));
}

TEST(RankedTests, CountAsTheListInWhichEachBagStandsAsOftenAsItsGeneWasDrawn) {
  constexpr std::size_t kGenes = 15;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const std::vector<Tested> tests = RandomTests(seed, kGenes);
    const RankedTests ranked(tests);
    for (std::size_t resample = 0; resample < 5; ++resample) {
      const Draws draws = DrawGenes(kGenes, 1, resample);
      const Metrics naive = NaiveMetrics(Repeated(tests, draws));
      const Metrics fast = MetricsOf(ranked.Sum(draws));
      for (const Measure& measure : kMeasures) {
        EXPECT_NEAR(fast.*measure.value, naive.*measure.value, 1e-12) << measure.name << ", seed " << seed;
      }
    }
  }
}

TEST(F1Of, IsTheHarmonicMean) {
  EXPECT_DOUBLE_EQ(F1Of(0.5, 1.0), 2.0 / 3.0);
  EXPECT_EQ(F1Of(0.0, 0.0), 0.0);
}

Tested Said(double probability, bool label) { return {0.0, probability, false, label, 0}; }

TEST(ReliabilityCurve, ByHand) {
  const std::vector<Tested> tests = {
      Said(0.75, true), Said(0.25, true), Said(0.5, false), Said(0.0, false), Said(0.5, true), Said(1.0, true)};
  EXPECT_THAT(ReliabilityCurve(tests, 3),
              ElementsAre(ReliabilityBin{2, 0.125, 0.5}, ReliabilityBin{2, 0.5, 0.5}, ReliabilityBin{2, 0.875, 1.0}));
  EXPECT_THAT(ReliabilityCurve(tests, 1), ElementsAre(ReliabilityBin{6, 0.5, 4.0 / 6.0}));
}

TEST(ReliabilityCurve, EqualProbabilitiesShareABin) {
  std::vector<Tested> tests;
  for (int i = 0; i < 6; ++i) tests.push_back(Said(0.5, i < 3));
  tests.push_back(Said(0.75, true));
  EXPECT_THAT(ReliabilityCurve(tests, 4), ElementsAre(ReliabilityBin{6, 0.5, 0.5}, ReliabilityBin{1, 0.75, 1.0}));
  std::reverse(tests.begin(), tests.end());
  EXPECT_THAT(ReliabilityCurve(tests, 4), ElementsAre(ReliabilityBin{6, 0.5, 0.5}, ReliabilityBin{1, 0.75, 1.0}));
}

TEST(ReliabilityCurve, FewPredictions) {
  EXPECT_THAT(ReliabilityCurve({}, 10), IsEmpty());
  const std::vector<Tested> two = {Said(0.25, false), Said(0.5, true)};
  EXPECT_THAT(ReliabilityCurve(two, 10), ElementsAre(ReliabilityBin{1, 0.25, 0.0}, ReliabilityBin{1, 0.5, 1.0}));
  EXPECT_EQ(ExpectError([&] { ReliabilityCurve(two, 0); }).code, ErrorCode::kInternal);
}

TEST(ReliabilityCurve, HonestProbabilitiesLieOnTheDiagonal) {
  Rng rng(5);
  std::vector<Tested> tests;
  for (int i = 0; i < 20000; ++i) {
    const double probability = rng.Uniform();
    tests.push_back(Said(probability, rng.Chance(probability)));
  }
  const std::vector<ReliabilityBin> curve = ReliabilityCurve(tests, 10);
  ASSERT_EQ(curve.size(), 10U);
  for (const ReliabilityBin& bin : curve) {
    EXPECT_EQ(bin.count, 2000U);
    EXPECT_NEAR(bin.observed, bin.probability, 0.04);
  }
}

}  // namespace
}  // namespace flyscribe
