#include "evaluate/resample.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "core/rng.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

TEST(GeneNumbers, NumbersGenesInTheOrderTheyAreMet) {
  GeneNumbers genes;
  EXPECT_EQ(genes.Of("b"), 0U);
  EXPECT_EQ(genes.Of("a"), 1U);
  EXPECT_EQ(genes.Of("b"), 0U);
  EXPECT_EQ(genes.size(), 2U);
}

TEST(FoldOfEachGene, RefusesAGeneInTwoFolds) {
  FoldOfEachGene folds;
  folds.Add("FBgn0000001", 0);
  folds.Add("FBgn0000002", 1);
  folds.Add("FBgn0000001", 0);
  const CaughtError error = ExpectError([&] { folds.Add("FBgn0000001", 3); });
  EXPECT_EQ(error.code, ErrorCode::kInput);
  EXPECT_EQ(error.text,
            "error: gene FBgn0000001 has bags in fold 0 and in fold 3: models are tested on a gene they were trained "
            "on\n  hint: folds must be given by gene, as ingest does");
}

TEST(DrawGenes, DrawsAsManyAsThereAre) {
  for (std::size_t resample = 0; resample < 20; ++resample) {
    const Draws draws = DrawGenes(50, 3, resample);
    EXPECT_EQ(draws.size(), 50U);
    EXPECT_EQ(std::accumulate(draws.begin(), draws.end(), 0U), 50U);
  }
  EXPECT_TRUE(DrawGenes(0, 3, 0).empty());
}

TEST(DrawGenes, DependsOnSeedAndNumberAlone) {
  EXPECT_EQ(DrawGenes(50, 3, 7), DrawGenes(50, 3, 7));
  EXPECT_NE(DrawGenes(50, 3, 7), DrawGenes(50, 3, 8));
  EXPECT_NE(DrawGenes(50, 3, 7), DrawGenes(50, 4, 7));
}

TEST(DrawGenes, GivesEveryGeneTheSameChance) {
  constexpr std::size_t kResamples = 4000;
  std::vector<double> drawn(10);
  double missed = 0.0;
  for (std::size_t i = 0; i < kResamples; ++i) {
    const Draws draws = DrawGenes(drawn.size(), 0, i);
    for (std::size_t gene = 0; gene < draws.size(); ++gene) {
      drawn[gene] += draws[gene];
      missed += draws[gene] == 0 ? 1.0 : 0.0;
    }
  }
  for (const double times : drawn) EXPECT_NEAR(times / kResamples, 1.0, 0.06);
  EXPECT_NEAR(missed / kResamples / 10.0, std::pow(0.9, 10), 0.01);
}

TEST(PercentileInterval, ByHand) {
  std::vector<double> values(101);
  for (std::size_t i = 0; i < values.size(); ++i) values[100 - i] = static_cast<double>(i);
  EXPECT_DOUBLE_EQ(PercentileInterval(values).low, 2.5);
  EXPECT_DOUBLE_EQ(PercentileInterval(values).high, 97.5);
  EXPECT_EQ(PercentileInterval({0.25}), (Interval{0.25, 0.25}));
  EXPECT_EQ(ExpectError([] { PercentileInterval({}); }).code, ErrorCode::kInternal);
}

// The mean of 60 normal numbers lies in its 95 % interval about 95 times of 100.
TEST(PercentileInterval, CoversTheTruthAboutAsOftenAsItSays) {
  constexpr std::size_t kGenes = 60;
  constexpr int kTrials = 300;
  int covered = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    Rng rng(11, static_cast<std::uint64_t>(trial));
    std::vector<double> values(kGenes);
    for (double& value : values) value = rng.Normal();
    std::vector<double> means;
    for (std::size_t resample = 0; resample < 200; ++resample) {
      const Draws draws = DrawGenes(kGenes, trial, resample);
      means.push_back(std::inner_product(values.begin(), values.end(), draws.begin(), 0.0) / kGenes);
    }
    const Interval interval = PercentileInterval(means);
    covered += interval.low <= 0.0 && 0.0 <= interval.high ? 1 : 0;
  }
  EXPECT_GT(covered, 0.90 * kTrials);
  EXPECT_LT(covered, 0.98 * kTrials);
}

}  // namespace
}  // namespace flyscribe
