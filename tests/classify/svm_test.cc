#include "classify/svm.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/classify/some_bags.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

SvmProblem ProblemOf(const std::vector<int>& labels, const std::vector<std::size_t>& rows) {
  SvmProblem problem;
  problem.rows = rows;
  for (const std::size_t row : rows) problem.y.push_back(labels[row] != 0 ? 1.0 : -1.0);
  problem.tolerance = 1e-10;
  return problem;
}

TEST(SharedKernel, HoldsTheInnerProducts) {
  const FloatMatrix features(3, 2, {1.0F, 2.0F, 3.0F, 4.0F, -1.0F, 0.5F});
  const SharedKernel kernel(features);
  ASSERT_EQ(kernel.size(), 3U);
  EXPECT_EQ(kernel(0, 0), 5.0);
  EXPECT_EQ(kernel(0, 1), 11.0);
  EXPECT_EQ(kernel(1, 0), 11.0);
  EXPECT_EQ(kernel(2, 1), -1.0);
}

TEST(SolveSvm, DecisionsAreWeightsTimesFeaturesPlusBias) {
  const std::vector<int> labels = RandomLabels(40, 0.4, 1);
  const FloatMatrix features = Clouds(labels, 6, 0.4, 2);
  const SharedKernel kernel(features);
  const SupportVectors solution = SolveSvm(kernel, ProblemOf(labels, {0, 3, 5, 7, 9, 11, 13, 20, 22, 25, 30, 31}));
  const std::vector<double> weights = solution.Weights(features);
  for (std::size_t row = 0; row < 40; ++row) {
    double expected = solution.bias;
    for (std::size_t i = 0; i < 6; ++i) expected += weights[i] * static_cast<double>(features(row, i));
    EXPECT_NEAR(solution.Decision(kernel, row), expected, 1e-12);
  }
}

// A problem over some rows of the shared kernel is the problem that those rows alone pose.
TEST(SolveSvm, SomeRowsAreAProblemOfTheirOwn) {
  const std::vector<int> labels = RandomLabels(60, 0.4, 3);
  const FloatMatrix features = Clouds(labels, 5, 0.3, 4);
  std::vector<std::size_t> rows;
  std::vector<std::size_t> renumbered;
  std::vector<int> some_labels;
  FloatMatrix some(20, 5);
  for (std::size_t k = 0; k < 20; ++k) {
    rows.push_back(59 - 3 * k);  // in any order
    renumbered.push_back(k);
    some_labels.push_back(labels[rows[k]]);
    std::copy_n(features.Row(rows[k]).begin(), 5, some.Row(k).begin());
  }
  const std::vector<double> shared = SolveSvm(SharedKernel(features), ProblemOf(labels, rows)).Weights(features);
  const std::vector<double> alone = SolveSvm(SharedKernel(some), ProblemOf(some_labels, renumbered)).Weights(some);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(shared[i], alone[i], 1e-7);
}

TEST(SolveSvm, RefusesWhatLibsvmRefuses) {
  SvmProblem problem = ProblemOf({1, 0}, {0, 1});
  problem.tolerance = 0.0;
  const SharedKernel kernel(FloatMatrix(2, 1, {1.0F, -1.0F}));
  EXPECT_EQ(ExpectError([&] { SolveSvm(kernel, problem); }).code, ErrorCode::kUsage);
}

TEST(SvmLibraryVersion, IsANumber) { EXPECT_GE(std::stoi(SvmLibraryVersion()), 300); }

}  // namespace
}  // namespace flyscribe
