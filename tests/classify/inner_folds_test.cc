#include "classify/inner_folds.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/statistics.h"
#include "tests/classify/some_bags.h"

namespace flyscribe {
namespace {

TermClasses ClassesOf(const std::vector<int>& labels) {
  TermClasses term;
  for (const int label : labels) {
    term.labels.push_back(static_cast<std::uint8_t>(label));
    ++(label != 0 ? term.positives : term.negatives);
  }
  return term;
}

std::vector<int> FoldsInTurn(std::size_t rows, int folds) {
  std::vector<int> fold_of;
  for (std::size_t row = 0; row < rows; ++row) fold_of.push_back(static_cast<int>(row) % folds);
  return fold_of;
}

// The mean AUC of a candidate, each fold trained on features of its own.
double NaiveMeanAuc(const FloatMatrix& features,
                    const std::vector<int>& labels,
                    const std::vector<int>& fold_of,
                    double c,
                    const TrainOptions& options) {
  double sum = 0.0;
  for (int fold = 0; fold < options.inner_folds; ++fold) {
    std::vector<std::size_t> outside;
    std::vector<double> values;
    std::vector<std::uint8_t> held_out;
    for (std::size_t row = 0; row < fold_of.size(); ++row) {
      if (fold_of[row] != fold) outside.push_back(row);
    }
    FloatMatrix some(outside.size(), features.cols());
    std::vector<int> some_labels;
    std::vector<std::size_t> all;
    for (std::size_t k = 0; k < outside.size(); ++k) {
      std::copy_n(features.Row(outside[k]).begin(), features.cols(), some.Row(k).begin());
      some_labels.push_back(labels[outside[k]]);
      all.push_back(k);
    }
    const SupportVectors solution = SolveSvm(SharedKernel(some), MakeProblem(ClassesOf(some_labels), all, c, options));
    const std::vector<double> weights = solution.Weights(some);
    for (std::size_t row = 0; row < fold_of.size(); ++row) {
      if (fold_of[row] != fold) continue;
      double value = solution.bias;
      for (std::size_t i = 0; i < weights.size(); ++i) value += weights[i] * static_cast<double>(features(row, i));
      values.push_back(value);
      held_out.push_back(static_cast<std::uint8_t>(labels[row]));
    }
    sum += Auc(values, held_out);
  }
  return sum / options.inner_folds;
}

TrainOptions Choosing(ChooseC choose) {
  TrainOptions options;
  options.choose_c = choose;
  options.c_grid = {"0.001", "0.1", "10"};
  options.inner_folds = 4;
  options.tolerance = 1e-8;
  return options;
}

// Three terms of different difficulty over one set of features.
struct Example {
  std::vector<std::vector<int>> labels;
  FloatMatrix features;
  std::vector<TermClasses> terms;
  std::vector<int> fold_of = FoldsInTurn(80, 4);

  explicit Example(std::uint64_t seed) {
    labels = {RandomLabels(80, 0.3, seed), RandomLabels(80, 0.5, seed + 1), RandomLabels(80, 0.4, seed + 2)};
    features = Clouds(labels[0], 8, 0.25, seed + 3);
    const FloatMatrix second = Clouds(labels[1], 8, 0.15, seed + 4);
    for (std::size_t row = 0; row < 80; ++row) {
      for (std::size_t i = 4; i < 8; ++i) features(row, i) = second(row, i);
    }
    for (const std::vector<int>& each : labels) terms.push_back(ClassesOf(each));
  }
};

TEST(RunInnerFolds, ChoosesTheBestCPerTermAndPerRange) {
  for (const std::uint64_t seed : {100U, 200U, 300U}) {
    const Example example(seed);
    const SharedKernel kernel(example.features);
    const TrainOptions per_term = Choosing(ChooseC::kTerm);
    const std::vector<double> grid = per_term.Candidates();
    std::vector<double> sums(grid.size(), 0.0);
    std::vector<double> expected;
    for (const std::vector<int>& labels : example.labels) {
      std::vector<double> means;
      for (const double c : grid) {
        means.push_back(NaiveMeanAuc(example.features, labels, example.fold_of, c, per_term));
      }
      for (std::size_t k = 0; k < grid.size(); ++k) sums[k] += means[k];
      expected.push_back(grid[static_cast<std::size_t>(std::max_element(means.begin(), means.end()) - means.begin())]);
    }
    const auto of_range = grid[static_cast<std::size_t>(std::max_element(sums.begin(), sums.end()) - sums.begin())];
    const auto by_term = RunInnerFolds({kernel, example.terms, example.fold_of}, per_term, 2, NoProgress());
    const auto by_range =
        RunInnerFolds({kernel, example.terms, example.fold_of}, Choosing(ChooseC::kRange), 2, NoProgress());
    for (std::size_t term = 0; term < 3; ++term) {
      EXPECT_EQ(by_term[term].c, expected[term]) << "seed " << seed << " term " << term;
      EXPECT_EQ(by_range[term].c, of_range) << "seed " << seed;
    }
  }
}

TEST(RunInnerFolds, NoModelSawItsFold) {
  const Example example(400);
  const SharedKernel kernel(example.features);
  const auto results =
      RunInnerFolds({kernel, example.terms, example.fold_of}, Choosing(ChooseC::kTerm), 1, NoProgress());
  for (const InnerResult& result : results) {
    ASSERT_EQ(result.folds.size(), 4U);
    for (int fold = 0; fold < 4; ++fold) {
      const InnerModel& model = result.folds[static_cast<std::size_t>(fold)];
      EXPECT_TRUE(model.trained);
      for (const std::size_t row : model.vectors.rows) EXPECT_NE(example.fold_of[row], fold);
    }
  }
}

TEST(RunInnerFolds, OfEqualsTheSmallerC) {
  // Separated so widely that every C ranks perfectly.
  const std::vector<int> labels = RandomLabels(40, 0.5, 5);
  const FloatMatrix features = Clouds(labels, 4, 5.0, 6);
  const std::vector<TermClasses> terms = {ClassesOf(labels)};
  const std::vector<int> fold_of = FoldsInTurn(40, 4);
  const auto results =
      RunInnerFolds({SharedKernel(features), terms, fold_of}, Choosing(ChooseC::kRange), 1, NoProgress());
  EXPECT_EQ(results[0].c, 0.001);
}

TEST(RunInnerFolds, ALonelyPositiveHasNoVote) {
  // Of the first term's folds none has both classes inside and outside; fold 1 has no positive to learn from.
  std::vector<int> lonely(40, 0);
  lonely[5] = 1;
  const std::vector<int> labels = RandomLabels(40, 0.5, 7);
  const FloatMatrix features = Clouds(labels, 4, 0.3, 8);
  const SharedKernel kernel(features);
  const std::vector<TermClasses> terms = {ClassesOf(lonely), ClassesOf(labels)};
  const std::vector<int> fold_of = FoldsInTurn(40, 4);
  TrainOptions options = Choosing(ChooseC::kTerm);
  options.c = 0.7;
  const auto by_term = RunInnerFolds({kernel, terms, fold_of}, options, 1, NoProgress());
  EXPECT_EQ(by_term[0].c, 0.7);
  EXPECT_FALSE(by_term[0].folds[1].trained);
  EXPECT_EQ(by_term[0].folds[1].vectors.bias, -1.0);
  EXPECT_TRUE(by_term[0].folds[1].vectors.rows.empty());
  EXPECT_TRUE(by_term[0].folds[0].trained);
  options.choose_c = ChooseC::kRange;
  const auto by_range = RunInnerFolds({kernel, terms, fold_of}, options, 1, NoProgress());
  EXPECT_EQ(by_range[0].c, by_term[1].c) << "the other term alone decides";
}

TEST(RunInnerFolds, AnEmptyFoldIsNotTrained) {
  const std::vector<int> labels = RandomLabels(30, 0.5, 9);
  const FloatMatrix features = Clouds(labels, 4, 0.3, 10);
  const std::vector<TermClasses> terms = {ClassesOf(labels)};
  const std::vector<int> fold_of = FoldsInTurn(30, 3);  // none in fold 3
  const auto results =
      RunInnerFolds({SharedKernel(features), terms, fold_of}, Choosing(ChooseC::kRange), 1, NoProgress());
  EXPECT_TRUE(results[0].folds[2].trained);
  EXPECT_FALSE(results[0].folds[3].trained);
}

TEST(MakeProblem, WeighsTheClassesOfItsOwnRows) {
  const TermClasses term = ClassesOf({1, 0, 0, 0, 1, 1});
  TrainOptions options;
  const SvmProblem problem = MakeProblem(term, {0, 1, 2, 3}, 2.0, options);
  EXPECT_EQ(problem.y, (std::vector<double>{1.0, -1.0, -1.0, -1.0}));
  EXPECT_EQ(problem.positive_weight, 2.0);
  EXPECT_NEAR(problem.negative_weight, 4.0 / 6.0, 1e-15);
  EXPECT_EQ(problem.c, 2.0);
  options.class_weight = ClassWeight::kNone;
  EXPECT_EQ(MakeProblem(term, {0, 1}, 1.0, options).positive_weight, 1.0);
}

}  // namespace
}  // namespace flyscribe
