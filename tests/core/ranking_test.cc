#include "core/ranking.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/rng.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

using Scores = std::vector<double>;
using Labels = std::vector<std::uint8_t>;

TEST(Ranking, CountsByHand) {
  const std::vector<Above> counts = CountsByThreshold(Scores{1, 3, 1, -2}, Labels{1, 1, 0, 0});
  ASSERT_EQ(counts.size(), 3U);
  EXPECT_EQ(counts[0].score, 3.0);
  EXPECT_EQ(counts[0].positives, 1U);
  EXPECT_EQ(counts[0].negatives, 0U);
  EXPECT_EQ(counts[1].score, 1.0);
  EXPECT_EQ(counts[1].positives, 2U);
  EXPECT_EQ(counts[1].negatives, 1U);
  EXPECT_EQ(Total(counts).score, -2.0);
  EXPECT_EQ(Total(counts).positives, 2U);
  EXPECT_EQ(Total(counts).negatives, 2U);
}

TEST(Ranking, NothingGivesNothing) {
  EXPECT_TRUE(CountsByThreshold({}, {}).empty());
  EXPECT_EQ(Total({}).positives, 0U);
  EXPECT_EQ(Auc({}, {}), 0.5);
  EXPECT_EQ(Auc(Scores{1, 2}, Labels{1, 1}), 0.5);
  EXPECT_EQ(Auc(Scores{1, 2}, Labels{0, 0}), 0.5);
}

TEST(Ranking, AucByHand) {
  EXPECT_EQ(Auc(Scores{3, 2, 1, 0}, Labels{1, 0, 1, 0}), 0.75);
  EXPECT_EQ(Auc(Scores{1, 1, 1, 1}, Labels{1, 0, 1, 0}), 0.5);
  EXPECT_EQ(Auc(Scores{2, 1, 1}, Labels{1, 1, 0}), 0.75);
}

// The definition, pair by pair, with many ties and in any order of the items.
TEST(Ranking, AucEqualsCountingAllPairs) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Rng rng(seed);
    Scores scores;
    Labels labels;
    for (int i = 0; i < 40; ++i) {
      labels.push_back(rng.Chance(0.3) || i == 0 ? 1 : 0);
      scores.push_back(static_cast<double>(rng.Below(12)) + labels.back());
    }
    double wins = 0.0;
    double pairs = 0.0;
    for (std::size_t p = 0; p < scores.size(); ++p) {
      for (std::size_t n = 0; n < scores.size(); ++n) {
        if (labels[p] == 0 || labels[n] != 0) continue;
        pairs += 1.0;
        wins += scores[p] > scores[n] ? 1.0 : scores[p] == scores[n] ? 0.5 : 0.0;
      }
    }
    EXPECT_NEAR(Auc(scores, labels), wins / pairs, 1e-12);
    std::reverse(scores.begin(), scores.end());
    std::reverse(labels.begin(), labels.end());
    EXPECT_NEAR(Auc(scores, labels), wins / pairs, 1e-12);
  }
}

TEST(Ranking, LengthsMustAgree) {
  EXPECT_EQ(ExpectError([] { Auc(Scores{1}, Labels{}); }).code, ErrorCode::kInternal);
}

}  // namespace
}  // namespace flyscribe
