#include "classify/one_vs_rest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "core/rng.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A table with one column per term, in the order given.
LabelTable TableOf(const std::vector<std::pair<std::string, std::vector<int>>>& terms) {
  LabelTable table;
  table.values = Matrix<std::uint8_t>(terms.empty() ? 0 : terms[0].second.size(), terms.size());
  for (std::size_t column = 0; column < terms.size(); ++column) {
    table.terms.push_back(terms[column].first);
    table.positives.push_back(0);
    for (std::size_t bag = 0; bag < terms[column].second.size(); ++bag) {
      table.values(bag, column) = static_cast<std::uint8_t>(terms[column].second[bag]);
      table.positives[column] += static_cast<std::size_t>(terms[column].second[bag]);
    }
  }
  return table;
}

TrainOptions Precise() {
  TrainOptions options;
  options.min_positives = 1;
  options.tolerance = 1e-9;
  return options;
}

TermModels Train(const FloatMatrix& features, const LabelTable& labels, const TrainOptions& options, int threads = 1) {
  return TrainTerms(features, labels, std::vector<bool>(features.rows(), true), options, threads, NoProgress());
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

// Two clouds around +/- `shift` in every coordinate.
FloatMatrix Clouds(const std::vector<int>& labels, std::size_t cols, double shift, std::uint64_t seed) {
  FloatMatrix features(labels.size(), cols);
  for (std::size_t row = 0; row < labels.size(); ++row) {
    Rng rng(seed, row);
    for (float& value : features.Row(row)) {
      value = static_cast<float>(rng.Normal(labels[row] != 0 ? shift : -shift, 1.0));
    }
  }
  return features;
}

std::vector<int> RandomLabels(std::size_t count, double share, std::uint64_t seed) {
  std::vector<int> labels(count);
  Rng rng(seed);
  for (int& label : labels) label = rng.Chance(share) ? 1 : 0;
  return labels;
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
  EXPECT_NEAR(models.scores(1, 0), 2.0, 1e-6);
  EXPECT_NEAR(models.scores(3, 0), -3.0, 1e-6);
}

TEST(TrainTerms, SignDoesNotDependOnWhichClassComesFirst) {
  const FloatMatrix features(4, 1, {-3.0F, -1.0F, 1.0F, 2.0F});
  const TermModels models = Train(features, TableOf({{"right", {0, 0, 1, 1}}, {"left", {1, 1, 0, 0}}}), Precise());
  EXPECT_GT(models.weights(0, 0), 0.5F);
  EXPECT_LT(models.weights(1, 0), -0.5F);
  for (std::size_t bag = 0; bag < 4; ++bag) EXPECT_NEAR(models.scores(bag, 0), -models.scores(bag, 1), 1e-6);
}

// Weak duality: no w, b has a lower primal value than any dual value. Meeting the optimum of an independent solver from
// above therefore proves weights, bias, class weights and scores at once.
TEST(TrainTerms, ReachesTheOptimumOfTheStatedProblem) {
  for (const bool balanced : {true, false}) {
    for (const double c : {0.01, 1.0, 30.0}) {
      const std::vector<int> labels = RandomLabels(60, 0.25, 7);
      const FloatMatrix features = Clouds(labels, 5, 0.3, 8);
      TrainOptions options = Precise();
      options.c = c;
      options.class_weight = balanced ? ClassWeight::kBalanced : ClassWeight::kNone;
      const TermModels models = Train(features, TableOf({{"a", labels}}), options);
      const Definition definition(features, labels, c, balanced);
      const double optimum = definition.DualOptimum();
      EXPECT_NEAR(definition.Primal(models.weights.Row(0), models.scores, 0) / optimum, 1.0, 1e-5)
          << "c " << c << " balanced " << balanced;
    }
  }
}

TEST(TrainTerms, ScoresAreWeightsTimesFeaturesPlusBiasForAllBags) {
  const std::vector<int> labels = RandomLabels(40, 0.5, 9);
  const FloatMatrix features = Clouds(labels, 6, 0.4, 10);
  std::vector<bool> training(40, true);
  for (std::size_t bag = 0; bag < 40; bag += 3) training[bag] = false;
  const TermModels models = TrainTerms(features, TableOf({{"a", labels}}), training, Precise(), 1, NoProgress());
  ASSERT_EQ(models.scores.rows(), 40U);
  for (std::size_t bag = 0; bag < 40; ++bag) {
    double expected = models.terms[0].bias;
    for (std::size_t i = 0; i < 6; ++i) {
      expected += static_cast<double>(models.weights(0, i)) * static_cast<double>(features(bag, i));
    }
    EXPECT_NEAR(models.scores(bag, 0), expected, 1e-12);
  }
  EXPECT_EQ(ScoreBags(features, models, 3), models.scores);
}

TEST(TrainTerms, TestBagsDoNotTouchTheModel) {
  std::vector<int> labels = RandomLabels(40, 0.5, 11);
  FloatMatrix features = Clouds(labels, 6, 0.4, 12);
  std::vector<bool> training(40, true);
  for (std::size_t bag = 30; bag < 40; ++bag) training[bag] = false;
  const TermModels before = TrainTerms(features, TableOf({{"a", labels}}), training, Precise(), 1, NoProgress());
  for (std::size_t bag = 30; bag < 40; ++bag) {
    labels[bag] = 1 - labels[bag];
    features(bag, 0) += 10.0F;
  }
  const TermModels after = TrainTerms(features, TableOf({{"a", labels}}), training, Precise(), 1, NoProgress());
  EXPECT_EQ(before.weights, after.weights);
  EXPECT_EQ(before.terms, after.terms);
}

TEST(TrainTerms, SeparableCloudsAreRankedPerfectly) {
  const std::vector<int> labels = RandomLabels(80, 0.3, 13);
  const LabelTable table = TableOf({{"a", labels}});
  const TermModels models = Train(Clouds(labels, 10, 2.0, 14), table, TrainOptions{});
  EXPECT_EQ(PairAuc(models.scores, table, 0), 1.0);
  for (std::size_t bag = 0; bag < 80; ++bag) EXPECT_EQ(models.scores(bag, 0) > 0.0, labels[bag] == 1);
}

TEST(TrainTerms, BalancedWeightsSaveARareTerm) {
  // Ten positives against 190 negatives with overlap: unweighted, hardly any positive is called.
  std::vector<int> labels(200, 0);
  for (std::size_t bag = 0; bag < 200; bag += 20) labels[bag] = 1;
  const FloatMatrix features = Clouds(labels, 3, 0.4, 15);
  TrainOptions options;
  const auto called = [&](ClassWeight weight) {
    options.class_weight = weight;
    const TermModels models = Train(features, TableOf({{"a", labels}}), options);
    int count = 0;
    for (std::size_t bag = 0; bag < 200; bag += 20) count += models.scores(bag, 0) > 0.0 ? 1 : 0;
    return count;
  };
  EXPECT_LE(called(ClassWeight::kNone), 2);
  EXPECT_GE(called(ClassWeight::kBalanced), 6);
}

TEST(TrainTerms, OnePositiveBagIsEnough) {
  std::vector<int> labels(20, 0);
  labels[13] = 1;
  const LabelTable table = TableOf({{"a", labels}});
  const TermModels models = Train(Clouds(labels, 10, 2.0, 16), table, Precise());
  ASSERT_EQ(models.terms.size(), 1U);
  EXPECT_EQ(PairAuc(models.scores, table, 0), 1.0);
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
      TrainTerms(features, table, {true, true, true, true, false, false}, options, 1, NoProgress());
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

  const TermModels nothing = Train(FloatMatrix(0, 2), LabelTable{}, TrainOptions{});
  EXPECT_TRUE(nothing.terms.empty());

  const TermModels untrained =
      TrainTerms(FloatMatrix(2, 2, 1.0F), TableOf({{"a", {1, 0}}}), {false, false}, Precise(), 1, NoProgress());
  ASSERT_EQ(untrained.skipped.size(), 1U);
  EXPECT_EQ(untrained.skipped[0].reason, "no training bag has the term");
}

TEST(TrainTerms, FeaturesAllZeroGiveOneFiniteScoreForAll) {
  const TermModels models =
      Train(FloatMatrix(10, 4, 0.0F), TableOf({{"a", {1, 0, 0, 1, 0, 0, 0, 0, 0, 0}}}), Precise());
  ASSERT_EQ(models.terms.size(), 1U);
  EXPECT_EQ(models.weights, FloatMatrix(1, 4, 0.0F));
  for (std::size_t bag = 0; bag < 10; ++bag) {
    EXPECT_TRUE(std::isfinite(models.scores(bag, 0)));
    EXPECT_EQ(models.scores(bag, 0), models.scores(0, 0));
  }
}

TEST(TrainTerms, SameBytesForAnyNumberOfThreads) {
  std::vector<std::pair<std::string, std::vector<int>>> terms;
  for (std::uint64_t k = 0; k < 12; ++k)
    terms.emplace_back("term " + std::to_string(k), RandomLabels(100, 0.4, 20 + k));
  const FloatMatrix features = Clouds(terms[0].second, 16, 0.3, 18);
  const TermModels one = Train(features, TableOf(terms), TrainOptions{}, 1);
  const TermModels three = Train(features, TableOf(terms), TrainOptions{}, 3);
  ASSERT_EQ(one.terms.size(), 12U);
  EXPECT_EQ(one.terms, three.terms);
  EXPECT_EQ(one.weights, three.weights);
  EXPECT_EQ(one.scores, three.scores);
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
  EXPECT_THAT(error.text, HasSubstr("hint: check train.c and train.tolerance"));
}

TEST(TrainTermsErrors, ShapesDiffer) {
  const LabelTable table = TableOf({{"a", {1, 0}}});
  EXPECT_EQ(ExpectError([&] { Train(FloatMatrix(3, 2, 1.0F), table, Precise()); }).code, ErrorCode::kInternal);
}

class RecordingProgress : public Progress {
 public:
  void Begin(std::uint64_t total, std::string_view unit) override { total_ = total, unit_ = unit; }
  void Advance(std::uint64_t done) override { done_ += done; }
  void Warn(const std::string& message) override { warnings_.push_back(message); }
  bool StopRequested() const override { return stop_; }

  std::uint64_t total_ = 0;
  std::atomic<std::uint64_t> done_ = 0;
  bool stop_ = false;
  std::string unit_;
  std::vector<std::string> warnings_;
};

TEST(TrainTermsProgress, CountsTermsWarnsOfSlipsAndStops) {
  const LabelTable table = TableOf({{"no staining", {1, 1, 0, 0}}, {"gut", {0, 1, 0, 0}}});
  const FloatMatrix features = Clouds({1, 1, 0, 0}, 2, 1.0, 19);
  TrainOptions options = Precise();
  options.exclude_terms = {"no stainin", "yolk nuclei of the distant future", "gut"};
  RecordingProgress progress;
  TrainTerms(features, table, std::vector<bool>(4, true), options, 2, progress);
  EXPECT_EQ(progress.unit_, "terms");
  EXPECT_EQ(progress.total_, 1U);
  EXPECT_EQ(progress.done_, 1U);
  EXPECT_THAT(progress.warnings_,
              ElementsAre("train.exclude_terms: there is no term 'no stainin'; did you mean 'no staining'?"));
  progress.stop_ = true;
  const auto train = [&] { TrainTerms(features, table, std::vector<bool>(4, true), options, 2, progress); };
  EXPECT_EQ(ExpectError(train).code, ErrorCode::kInterrupted);
}

TEST(TrainOptions, KeyTextNamesEveryField) {
  EXPECT_EQ(KeyText(TrainOptions{}),
            "c: 1\nclass_weight: \"balanced\"\nmin_positives: 10\nexclude_terms: []\ntolerance: 0.001\n");
}

}  // namespace
}  // namespace flyscribe
