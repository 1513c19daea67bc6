#include "classify/one_vs_rest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "classify/calibrate.h"
#include "core/statistics.h"
#include "tests/classify/some_bags.h"
#include "tests/support/expect_error.h"
#include "tests/support/recording_progress.h"

namespace flyscribe {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TermModels Train(const FloatMatrix& features, const LabelTable& labels, const TrainOptions& options, int threads = 1) {
  return TrainTerms(features, SetOf(labels), options, threads, NoProgress());
}

// The share of (positive, negative) pairs in the right order.
double PairAuc(const Matrix<double>& scores, const LabelTable& labels, std::size_t column) {
  double right = 0.0;
  double pairs = 0.0;
  for (std::size_t p = 0; p < scores.rows(); ++p) {
    for (std::size_t n = 0; n < scores.rows(); ++n) {
      if (labels.values(p, column) != 1 || labels.values(n, column) != 0) continue;
      pairs += 1.0;
      right += scores(p, column) > scores(n, column) ? 1.0 : 0.0;
    }
  }
  return right / pairs;
}

// The problem of one term, straight from its definition.
struct Definition {
  const FloatMatrix& features;
  std::vector<double> y;
  std::vector<double> cost;  // C_i

  Definition(const FloatMatrix& rows, const std::vector<int>& labels, double c, bool balanced) : features(rows) {
    const auto positives = static_cast<double>(std::count(labels.begin(), labels.end(), 1));
    const auto bags = static_cast<double>(labels.size());
    for (const int label : labels) {
      y.push_back(label == 1 ? 1.0 : -1.0);
      cost.push_back(balanced ? c * bags / (2.0 * (label == 1 ? positives : bags - positives)) : c);
    }
  }

  double Kernel(std::size_t i, std::size_t j) const {
    double sum = 0.0;
    for (std::size_t k = 0; k < features.cols(); ++k) {
      sum += static_cast<double>(features(i, k)) * static_cast<double>(features(j, k));
    }
    return sum;
  }

  // 0.5 |w|^2 + sum of C_i max(0, 1 - y_i score_i).
  double Primal(std::span<const float> weights, const Matrix<double>& scores, std::size_t column) const {
    double objective = 0.0;
    for (const float weight : weights) objective += 0.5 * static_cast<double>(weight) * static_cast<double>(weight);
    for (std::size_t i = 0; i < y.size(); ++i) objective += cost[i] * std::max(0.0, 1.0 - y[i] * scores(i, column));
    return objective;
  }

  // The dual optimum by the plainest method: always move the pair that violates its conditions most.
  // max sum a_i - 0.5 sum a_i a_j y_i y_j K_ij,  0 <= a_i <= C_i,  sum a_i y_i = 0.
  double DualOptimum() const {
    const std::size_t n = y.size();
    std::vector<double> a(n, 0.0);
    std::vector<double> decision(n, 0.0);  // sum_j a_j y_j K_ij
    for (int step = 0; step < 100000; ++step) {
      std::size_t up = n;
      std::size_t down = n;
      for (std::size_t i = 0; i < n; ++i) {
        const bool may_rise = y[i] > 0 ? a[i] < cost[i] : a[i] > 0.0;
        const bool may_fall = y[i] > 0 ? a[i] > 0.0 : a[i] < cost[i];
        if (may_rise && (up == n || y[i] - decision[i] > y[up] - decision[up])) up = i;
        if (may_fall && (down == n || y[i] - decision[i] < y[down] - decision[down])) down = i;
      }
      const double gap = (y[up] - decision[up]) - (y[down] - decision[down]);
      if (gap < 1e-10) break;
      double move = gap / std::max(1e-12, Kernel(up, up) + Kernel(down, down) - 2.0 * Kernel(up, down));
      move = std::min(move, y[up] > 0 ? cost[up] - a[up] : a[up]);
      move = std::min(move, y[down] > 0 ? a[down] : cost[down] - a[down]);
      a[up] += y[up] * move;
      a[down] -= y[down] * move;
      for (std::size_t i = 0; i < n; ++i) decision[i] += move * (Kernel(i, up) - Kernel(i, down));
    }
    double objective = 0.0;
    for (std::size_t i = 0; i < n; ++i) objective += a[i] - 0.5 * a[i] * y[i] * decision[i];
    return objective;
  }
};

TEST(TrainTerms, FourPointsByHand) {
  // Positives at x = 1 and 2, negatives at -1 and -3: the margin runs through +1 and -1, so w = (1, 0) and b = 0.
  const FloatMatrix features(4, 2, {1.0F, 0.0F, 2.0F, 0.0F, -1.0F, 0.0F, -3.0F, 0.0F});
  TrainOptions options = Precise();
  options.c = 100.0;
  const TermModels models = Train(features, TableOf({{"gut", {1, 1, 0, 0}}}), options);
  ASSERT_EQ(models.terms.size(), 1U);
  EXPECT_EQ(models.terms[0].term, "gut");
  EXPECT_EQ(models.terms[0].positives, 2U);
  EXPECT_EQ(models.terms[0].negatives, 2U);
  EXPECT_EQ(models.terms[0].support_vectors, 2U);
  EXPECT_NEAR(models.weights(0, 0), 1.0, 1e-6);
  EXPECT_NEAR(models.weights(0, 1), 0.0, 1e-6);
  EXPECT_NEAR(models.terms[0].bias, 0.0, 1e-6);
  const Matrix<double> scores = ScoreBags(features, models);
  EXPECT_NEAR(scores(1, 0), 2.0, 1e-6);
  EXPECT_NEAR(scores(3, 0), -3.0, 1e-6);
}

TEST(TrainTerms, SignDoesNotDependOnWhichClassComesFirst) {
  const FloatMatrix features(4, 1, {-3.0F, -1.0F, 1.0F, 2.0F});
  const TermModels models = Train(features, TableOf({{"right", {0, 0, 1, 1}}, {"left", {1, 1, 0, 0}}}), Precise());
  EXPECT_GT(models.weights(0, 0), 0.5F);
  EXPECT_LT(models.weights(1, 0), -0.5F);
  const Matrix<double> scores = ScoreBags(features, models);
  for (std::size_t bag = 0; bag < 4; ++bag) EXPECT_NEAR(scores(bag, 0), -scores(bag, 1), 1e-6);
}

// Weak duality: no w, b has a lower primal value than any dual value. Meeting the optimum of an independent solver from
// above therefore proves weights, bias, class weights and scores at once.
TEST(TrainTerms, ReachesTheOptimumOfTheStatedProblem) {
  for (const bool balanced : {true, false}) {
    for (const double c : {0.01, 1.0, 30.0}) {
      const std::vector<int> labels = RandomLabels(60, 0.25, 7);
      const FloatMatrix features = Clouds(labels, 5, 0.3, 8);
      TrainOptions options = Precise();
      options.tolerance = 1e-7;
      options.inner_folds = 2;
      options.c = c;
      options.class_weight = balanced ? ClassWeight::kBalanced : ClassWeight::kNone;
      const TermModels models = Train(features, TableOf({{"a", labels}}), options);
      const Definition definition(features, labels, c, balanced);
      const double optimum = definition.DualOptimum();
      EXPECT_NEAR(definition.Primal(models.weights.Row(0), ScoreBags(features, models), 0) / optimum, 1.0, 1e-5)
          << "c " << c << " balanced " << balanced;
    }
  }
}

// Bags trained on are scored by the inner fold's model that held their gene out, all others by the final one.
TEST(TrainTerms, EveryBagIsScoredByAModelThatDidNotSeeIt) {
  const std::vector<int> labels = RandomLabels(40, 0.5, 9);
  const FloatMatrix features = Clouds(labels, 6, 0.4, 10);
  std::vector<bool> training(40, true);
  for (std::size_t bag = 0; bag < 40; bag += 3) training[bag] = false;
  TrainingSet set = SetOf(TableOf({{"a", labels}}), training);
  set.keep_inner_models = true;
  const TermModels models = TrainTerms(features, set, Precise(), 1, NoProgress());
  ASSERT_EQ(models.scores.rows(), 40U);
  ASSERT_EQ(models.inner_folds(), 5U);
  const Matrix<double> by_final = ScoreBags(features, models);
  for (std::size_t bag = 0; bag < 40; ++bag) {
    const auto fold = static_cast<std::size_t>(Precise().InnerFoldOf(set.genes[bag]));
    const double by_inner =
        DecisionValue(models.inner_weights.Row(fold), features.Row(bag), models.inner_bias(fold, 0));
    EXPECT_EQ(models.scores(bag, 0), training[bag] ? by_inner : by_final(bag, 0));
    double expected = models.terms[0].bias;
    for (std::size_t i = 0; i < 6; ++i) {
      expected += static_cast<double>(models.weights(0, i)) * static_cast<double>(features(bag, i));
    }
    EXPECT_NEAR(by_final(bag, 0), expected, 1e-12);
  }
  set.keep_inner_models = false;
  const TermModels lean = TrainTerms(features, set, Precise(), 1, NoProgress());
  EXPECT_EQ(lean.inner_folds(), 0U);
  EXPECT_EQ(lean.inner_weights.rows(), 0U);
  EXPECT_EQ(lean.scores, models.scores);
}

// A bag's own features and label cannot move its own score's model.
TEST(TrainTerms, OutOfFoldValuesDoNotKnowTheirOwnLabels) {
  std::vector<int> labels = RandomLabels(60, 0.5, 41);
  const FloatMatrix features = Clouds(labels, 6, 0.4, 42);
  const TrainOptions options = Precise();
  const TermModels before = Train(features, TableOf({{"a", labels}}), options);
  const int fold = options.InnerFoldOf("gene 0");
  std::vector<std::size_t> inside;
  for (std::size_t bag = 0; bag < 60; ++bag) {
    if (options.InnerFoldOf("gene " + std::to_string(bag)) != fold) continue;
    inside.push_back(bag);
    labels[bag] = 1 - labels[bag];
  }
  const TermModels after = Train(features, TableOf({{"a", labels}}), options);
  for (const std::size_t bag : inside) EXPECT_EQ(before.scores(bag, 0), after.scores(bag, 0));
  EXPECT_NE(before.weights, after.weights);
}

TEST(TrainTerms, TestBagsDoNotTouchTheModel) {
  std::vector<int> labels = RandomLabels(40, 0.5, 11);
  FloatMatrix features = Clouds(labels, 6, 0.4, 12);
  std::vector<bool> training(40, true);
  for (std::size_t bag = 30; bag < 40; ++bag) training[bag] = false;
  const TermModels before = TrainTerms(features, SetOf(TableOf({{"a", labels}}), training), Precise(), 1, NoProgress());
  for (std::size_t bag = 30; bag < 40; ++bag) {
    labels[bag] = 1 - labels[bag];
    features(bag, 0) += 10.0F;
  }
  const TermModels after = TrainTerms(features, SetOf(TableOf({{"a", labels}}), training), Precise(), 1, NoProgress());
  EXPECT_EQ(before.weights, after.weights);
  EXPECT_EQ(before.terms, after.terms);
}

TEST(TrainTerms, SeparableCloudsAreRankedPerfectly) {
  const std::vector<int> labels = RandomLabels(80, 0.3, 13);
  const LabelTable table = TableOf({{"a", labels}});
  const TermModels models = Train(Clouds(labels, 10, 2.0, 14), table, TrainOptions{});
  EXPECT_EQ(PairAuc(models.scores, table, 0), 1.0);
  for (std::size_t bag = 0; bag < 80; ++bag) {
    EXPECT_EQ(models.scores(bag, 0) > models.terms[0].cut, labels[bag] == 1);
    EXPECT_EQ(models.terms[0].calibration.Probability(models.scores(bag, 0)) > 0.5, labels[bag] == 1);
  }
  EXPECT_EQ(models.terms[0].c, 0.01) << "of equally good ones the smallest";
}

TEST(TrainTerms, BalancedWeightsSaveARareTerm) {
  // Ten positives against 190 negatives with overlap: unweighted, hardly any positive is called.
  std::vector<int> labels(200, 0);
  for (std::size_t bag = 0; bag < 200; bag += 20) labels[bag] = 1;
  const FloatMatrix features = Clouds(labels, 3, 0.4, 15);
  TrainOptions options;
  const auto called = [&](ClassWeight weight) {
    options.class_weight = weight;
    options.choose_c = ChooseC::kNone;
    const TermModels models = Train(features, TableOf({{"a", labels}}), options);
    const Matrix<double> scores = ScoreBags(features, models);
    int count = 0;
    for (std::size_t bag = 0; bag < 200; bag += 20) count += scores(bag, 0) > 0.0 ? 1 : 0;
    return count;
  };
  EXPECT_LE(called(ClassWeight::kNone), 2);
  EXPECT_GE(called(ClassWeight::kBalanced), 6);
}

// No fold can both learn it and be judged on it: given C, the prior as its probability, the margin as its cut.
TEST(TrainTerms, OnePositiveBagIsEnough) {
  std::vector<int> labels(20, 0);
  labels[13] = 1;
  const LabelTable table = TableOf({{"a", labels}});
  const FloatMatrix features = Clouds(labels, 10, 2.0, 16);
  for (const ThresholdRule rule : {ThresholdRule::kF1, ThresholdRule::kPrecision, ThresholdRule::kProbability}) {
    TrainOptions options = Precise();
    options.choose_c = ChooseC::kRange;
    options.c = 0.3;
    options.threshold = rule;
    const TermModels models = Train(features, table, options);
    ASSERT_EQ(models.terms.size(), 1U);
    EXPECT_EQ(PairAuc(ScoreBags(features, models), table, 0), 1.0);
    EXPECT_EQ(models.terms[0].c, 0.3);
    EXPECT_EQ(models.terms[0].cut, 0.0);
    EXPECT_NEAR(models.terms[0].Threshold(), 2.0 / 22.0, 1e-12);
    EXPECT_EQ(models.scores(13, 0), -1.0) << "a model that has seen no positive says no";
  }
}

// Probabilities and cuts come from out-of-fold values: those in the scores of the training bags.
TEST(TrainTerms, CalibrationAndCutAreThoseOfTheOutOfFoldValues) {
  const std::vector<int> labels = RandomLabels(120, 0.4, 51);
  const FloatMatrix features = Clouds(labels, 5, 0.3, 52);
  std::vector<bool> training(120, true);
  for (std::size_t bag = 0; bag < 20; ++bag) training[bag] = false;
  const TrainingSet set = SetOf(TableOf({{"a", labels}}), training);
  const auto train = [&](CalibrationMethod method, ThresholdRule rule, double value) {
    TrainOptions options = Precise();
    options.calibration = method;
    options.threshold = rule;
    options.threshold_value = value;
    return TrainTerms(features, set, options, 1, NoProgress());
  };
  for (const CalibrationMethod method : {CalibrationMethod::kPlatt, CalibrationMethod::kIsotonic}) {
    const TermModels by_f1 = train(method, ThresholdRule::kF1, 0.5);
    HeldOut held_out;
    for (std::size_t bag = 20; bag < 120; ++bag) {
      held_out.values.push_back(by_f1.scores(bag, 0));
      held_out.labels.push_back(static_cast<std::uint8_t>(labels[bag]));
    }
    const Calibration expected = method == CalibrationMethod::kPlatt ? FitPlatt(held_out) : FitIsotonic(held_out);
    EXPECT_EQ(by_f1.terms[0].calibration, expected);
    EXPECT_EQ(by_f1.terms[0].cut, CutForF1(held_out, expected));
    EXPECT_EQ(train(method, ThresholdRule::kPrecision, 0.8).terms[0].cut, CutForPrecision(held_out, expected, 0.8));
    EXPECT_EQ(train(method, ThresholdRule::kProbability, 0.3).terms[0].cut, CutForProbability(expected, 0.3));
    EXPECT_NEAR(train(method, ThresholdRule::kProbability, 0.3).terms[0].Threshold(), 0.3, 1e-12);
    EXPECT_EQ(train(method, ThresholdRule::kMargin, 0.8).terms[0].cut, 0.0);
  }
}

TEST(TrainTerms, SkippedTermsSayWhy) {
  const LabelTable table = TableOf({{"everywhere", {1, 1, 1, 1, 1, 0}},
                                    {"common", {1, 1, 1, 0, 0, 0}},
                                    {"boring", {0, 1, 1, 1, 0, 0}},
                                    {"tested", {0, 0, 0, 0, 1, 1}},
                                    {"rare", {0, 0, 0, 0, 0, 1}}});
  TrainOptions options;
  options.min_positives = 2;
  options.exclude_terms = {"boring"};
  const FloatMatrix features = Clouds({1, 1, 1, 0, 0, 0}, 3, 1.0, 17);
  const TermModels models =
      TrainTerms(features, SetOf(table, {true, true, true, true, false, false}), options, 1, NoProgress());
  ASSERT_EQ(models.terms.size(), 1U);
  EXPECT_EQ(models.terms[0].term, "common");
  EXPECT_EQ(models.terms[0].positives, 3U);
  EXPECT_EQ(models.terms[0].negatives, 1U);
  EXPECT_THAT(models.skipped,
              ElementsAre(SkippedTerm{"everywhere", 5, "all training bags have the term"},
                          SkippedTerm{"boring", 3, "listed in train.exclude_terms"},
                          SkippedTerm{"tested", 2, "no training bag has the term"},
                          SkippedTerm{"rare", 1, "1 positive bag, fewer than train.min_positives = 2"}));
  EXPECT_EQ(models.weights.rows(), 1U);
  EXPECT_EQ(models.scores.cols(), 1U);
}

TEST(TrainTerms, ReasonCountsThePositives) {
  const TermModels models = Train(FloatMatrix(4, 2, 1.0F), TableOf({{"a", {1, 1, 1, 0}}}), TrainOptions{});
  ASSERT_EQ(models.skipped.size(), 1U);
  EXPECT_EQ(models.skipped[0].reason, "3 positive bags, fewer than train.min_positives = 10");
}

TEST(TrainTerms, NoTermLeftGivesEmptyModels) {
  const TermModels rare = Train(FloatMatrix(4, 2, 1.0F), TableOf({{"a", {1, 1, 1, 0}}}), TrainOptions{});
  EXPECT_TRUE(rare.terms.empty());
  EXPECT_EQ(rare.weights.rows(), 0U);
  EXPECT_EQ(rare.weights.cols(), 2U);
  EXPECT_EQ(rare.scores.rows(), 4U);
  EXPECT_EQ(rare.scores.cols(), 0U);

  const TermModels nothing = Train(FloatMatrix(0, 2), TableOf({}), TrainOptions{});
  EXPECT_TRUE(nothing.terms.empty());

  const TermModels untrained =
      TrainTerms(FloatMatrix(2, 2, 1.0F), SetOf(TableOf({{"a", {1, 0}}}), {false, false}), Precise(), 1, NoProgress());
  ASSERT_EQ(untrained.skipped.size(), 1U);
  EXPECT_EQ(untrained.skipped[0].reason, "no training bag has the term");
}

TEST(TrainTerms, FeaturesAllZeroGiveOneFiniteScoreForAll) {
  const TermModels models =
      Train(FloatMatrix(10, 4, 0.0F), TableOf({{"a", {1, 0, 0, 1, 0, 0, 0, 0, 0, 0}}}), Precise());
  ASSERT_EQ(models.terms.size(), 1U);
  EXPECT_EQ(models.weights, FloatMatrix(1, 4, 0.0F));
  const Matrix<double> scores = ScoreBags(FloatMatrix(10, 4, 0.0F), models);
  for (std::size_t bag = 0; bag < 10; ++bag) {
    EXPECT_TRUE(std::isfinite(models.scores(bag, 0)));
    EXPECT_EQ(scores(bag, 0), scores(0, 0));
  }
  EXPECT_TRUE(models.terms[0].calibration.IsValid());
}

TEST(TrainTerms, SameBytesForAnyNumberOfThreads) {
  std::vector<std::pair<std::string, std::vector<int>>> terms;
  for (std::uint64_t k = 0; k < 8; ++k) terms.emplace_back("term " + std::to_string(k), RandomLabels(100, 0.4, 20 + k));
  const FloatMatrix features = Clouds(terms[0].second, 16, 0.3, 18);
  TrainOptions options;
  options.choose_c = ChooseC::kTerm;
  options.c_grid = {"0.01", "0.3"};
  const TermModels one = Train(features, TableOf(terms), options, 1);
  const TermModels three = Train(features, TableOf(terms), options, 3);
  ASSERT_EQ(one.terms.size(), 8U);
  EXPECT_EQ(one.terms, three.terms);
  EXPECT_EQ(one.weights, three.weights);
  EXPECT_EQ(one.scores, three.scores);
}

TEST(TrainTermsErrors, AGeneOnBothSides) {
  TrainingSet set = SetOf(TableOf({{"a", {1, 1, 0, 0}}}), {true, false, true, true});
  const FloatMatrix features(4, 2, 1.0F);
  TrainTerms(features, set, Precise(), 1, NoProgress());
  set.genes = {"CG1", "CG2", "CG3", "CG2"};
  const CaughtError error = ExpectError([&] { TrainTerms(features, set, Precise(), 1, NoProgress()); });
  EXPECT_EQ(error.code, ErrorCode::kInput);
  EXPECT_THAT(error.text,
              HasSubstr("gene CG2 is on both sides of the split: of its bags 1 and 3 only one is trained on"));
}

TEST(TrainTermsErrors, NotFinite) {
  FloatMatrix features(4, 2, 1.0F);
  features(2, 1) = std::nanf("");
  const CaughtError error = ExpectError([&] { Train(features, TableOf({{"a", {1, 1, 0, 0}}}), Precise()); });
  EXPECT_EQ(error.code, ErrorCode::kInput);
  EXPECT_THAT(error.text, HasSubstr("bag 2 has a feature that is not a finite number"));
}

TEST(TrainTermsErrors, LibsvmRefuses) {
  TrainOptions options = Precise();
  options.c = -1.0;
  const CaughtError error = ExpectError([&] {
    Train(FloatMatrix(4, 2, 1.0F), TableOf({{"a", {1, 1, 0, 0}}}), options);
  });
  EXPECT_EQ(error.code, ErrorCode::kUsage);
  EXPECT_THAT(error.text, HasSubstr("LIBSVM refuses the training options: C <= 0"));
  EXPECT_THAT(error.text, HasSubstr("hint: check train.c, train.c_grid and train.tolerance"));
}

TEST(TrainTermsErrors, ShapesDiffer) {
  const LabelTable table = TableOf({{"a", {1, 0}}});
  EXPECT_EQ(ExpectError([&] { Train(FloatMatrix(3, 2, 1.0F), table, Precise()); }).code, ErrorCode::kInternal);
}

TEST(TrainTermsProgress, CountsTermsWarnsOfSlipsAndStops) {
  const LabelTable table = TableOf({{"no staining", {1, 1, 0, 0}}, {"gut", {0, 1, 0, 0}}});
  const FloatMatrix features = Clouds({1, 1, 0, 0}, 2, 1.0, 19);
  TrainOptions options = Precise();
  options.exclude_terms = {"no stainin", "yolk nuclei of the distant future", "gut"};
  RecordingProgress progress;
  TrainTerms(features, SetOf(table), options, 2, progress);
  EXPECT_EQ(progress.unit, "classifiers");
  EXPECT_EQ(progress.total, 6U) << "five inner folds and the final one";
  EXPECT_EQ(progress.done, 6U);
  EXPECT_THAT(progress.warnings,
              ElementsAre("train.exclude_terms: there is no term 'no stainin'; did you mean 'no staining'?"));
  progress.stop = AtOnce;
  const auto train = [&] { TrainTerms(features, SetOf(table), options, 2, progress); };
  EXPECT_EQ(ExpectError(train).code, ErrorCode::kInterrupted);
}

TEST(TrainTermsProgress, NamesTermsThatNoCutFits) {
  const std::vector<int> labels = RandomLabels(60, 0.5, 61);
  TrainOptions options = Precise();
  options.threshold = ThresholdRule::kPrecision;
  options.threshold_value = 0.999;
  RecordingProgress progress;
  const TermModels models = TrainTerms(
      Clouds(RandomLabels(60, 0.5, 62), 3, 1.0, 63), SetOf(TableOf({{"gut", labels}})), options, 1, progress);
  ASSERT_EQ(models.terms[0].cut, kCallNone);
  EXPECT_THAT(progress.warnings,
              ElementsAre("train.threshold: no cut reaches the precision 0.999 on the inner folds; never called: gut"));
}

}  // namespace
}  // namespace flyscribe
