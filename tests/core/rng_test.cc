#include "core/rng.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <vector>

#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

using ::testing::ElementsAre;

constexpr std::uint64_t kAllOnes = ~std::uint64_t{0};

std::vector<std::uint64_t> FirstFour(Rng rng) {
  std::vector<std::uint64_t> numbers;
  for (int i = 0; i < 4; ++i) numbers.push_back(rng.Next());
  return numbers;
}

// The golden numbers come from a second implementation, in another language. If they change, every result changes.
TEST(RngTest, GoldenNumbers) {
  EXPECT_THAT(FirstFour(Rng(0)),
              ElementsAre(0x32fd8c67c3b1baddU, 0x11afc8210eb14f42U, 0x949416874589078fU, 0x02da3c42b9954523U));
  EXPECT_THAT(FirstFour(Rng(1)),
              ElementsAre(0x68b02a87b58ad621U, 0x5153de78d62694caU, 0x66c6d2b92073a542U, 0xa4d9f154ea82b748U));
  EXPECT_THAT(FirstFour(Rng(1, 1)),
              ElementsAre(0x53c348ec4a13cd28U, 0xe64574869784a4aaU, 0xf96ce61c6738584dU, 0x57487a584fd95382U));
  EXPECT_THAT(FirstFour(Rng(kAllOnes, kAllOnes)),
              ElementsAre(0x0983212965e7b92aU, 0x93cb01ae0f01e8afU, 0x2738ef165b8f858aU, 0x0355a94910e1ce49U));
}

TEST(RngTest, GoldenDerivedNumbers) {
  Rng uniform(42, 7);
  EXPECT_EQ(uniform.Uniform(), 0.8928658423877136);
  EXPECT_EQ(uniform.Uniform(), 0.9546048182917352);
  EXPECT_EQ(uniform.Uniform(), 0.3680708533884567);
  Rng below(42, 7);
  std::vector<std::uint64_t> digits(12);
  for (std::uint64_t& digit : digits) digit = below.Below(10);
  EXPECT_THAT(digits, ElementsAre(5, 1, 7, 7, 0, 6, 1, 3, 8, 8, 4, 4));
  Rng shuffle(42, 7);
  std::vector<int> items(10);
  std::iota(items.begin(), items.end(), 0);
  shuffle.Shuffle(items);
  EXPECT_THAT(items, ElementsAre(8, 2, 7, 3, 1, 0, 4, 9, 6, 5));
}

TEST(RngTest, GoldenNormals) {
  Rng rng(42, 7);
  for (const double expected : {-2.2283017580563964, 0.5112951552381048, -1.2565992861447166, -1.3675842390461153}) {
    EXPECT_NEAR(rng.Normal(), expected, 1e-14) << "the last digit is the mathematical library's";
  }
}

TEST(RngTest, MixBitsIsSplitmix) {
  EXPECT_EQ(MixBits(0), 0U);
  EXPECT_EQ(MixBits(1), 0x5692161d100b05e5U);
  EXPECT_EQ(MixBits(0x9e3779b97f4a7c15U), 0xe220a8397b1dcdafU) << "splitmix64's first number for seed 0";
}

TEST(RngTest, HashTextGolden) {
  EXPECT_EQ(HashText(0, ""), 0x69dd497cadf91c08U);
  EXPECT_EQ(HashText(0, "FBgn0000014"), 0x2a26172b93e9d26dU);
  EXPECT_EQ(HashText(1, "FBgn0000014"), 0x76367d8622c3844aU);
  EXPECT_EQ(HashText(0, "\xc3\xa4"), 0x4d2ed0159bcaf03eU) << "bytes over 127 count as unsigned";
}

TEST(RngTest, StreamsDiffer) {
  std::set<std::uint64_t> first;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    for (std::uint64_t stream = 0; stream < 30; ++stream) first.insert(Rng(seed, stream).Next());
  }
  EXPECT_EQ(first.size(), 900U);
}

TEST(RngTest, UniformStaysInItsRange) {
  Rng rng(1);
  double sum = 0.0;
  for (int i = 0; i < 100000; ++i) {
    const double value = rng.Uniform();
    ASSERT_GE(value, 0.0);
    ASSERT_LT(value, 1.0);
    sum += value;
    const double scaled = rng.Uniform(-3.0, 5.0);
    ASSERT_GE(scaled, -3.0);
    ASSERT_LT(scaled, 5.0);
  }
  EXPECT_NEAR(sum / 100000, 0.5, 0.005);
}

TEST(RngTest, BelowIsEven) {
  Rng rng(2);
  std::array<int, 7> counts{};
  for (int i = 0; i < 70000; ++i) ++counts.at(rng.Below(7));
  // Chi squared with 6 degrees of freedom: under 22.5 in all but one of a thousand.
  double chi_squared = 0.0;
  for (const int count : counts) chi_squared += (count - 10000.0) * (count - 10000.0) / 10000.0;
  EXPECT_LT(chi_squared, 22.5);
}

TEST(RngTest, BelowHasNoBiasForHugeBounds) {
  // A plain remainder would put two thirds of the numbers into the lower half.
  constexpr std::uint64_t kBound = std::uint64_t{3} << 62;
  Rng rng(3);
  int low = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t number = rng.Below(kBound);
    ASSERT_LT(number, kBound);
    if (number < kBound / 3) ++low;
  }
  EXPECT_NEAR(low / 20000.0, 1.0 / 3, 0.02);
}

TEST(RngTest, BelowAtItsLimits) {
  Rng rng(4);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(rng.Below(1), 0U);
  for (int i = 0; i < 100; ++i) EXPECT_LT(rng.Below(kAllOnes), kAllOnes);
  EXPECT_EQ(ExpectError([&] { rng.Below(0); }).code, ErrorCode::kInternal);
}

TEST(RngTest, ShuffleIsAPermutationAndEveryOneIsLikely) {
  std::map<std::vector<int>, int> counts;
  for (std::uint64_t stream = 0; stream < 6000; ++stream) {
    std::vector<int> items = {1, 2, 3};
    Rng(5, stream).Shuffle(items);
    ++counts[items];
    std::sort(items.begin(), items.end());
    ASSERT_THAT(items, ElementsAre(1, 2, 3));
  }
  ASSERT_EQ(counts.size(), 6U);
  for (const auto& [order, count] : counts) EXPECT_NEAR(count, 1000, 130);
}

TEST(RngTest, ShuffleOfLittle) {
  std::vector<int> none;
  std::vector<int> one = {9};
  Rng rng(6);
  rng.Shuffle(none);
  rng.Shuffle(one);
  EXPECT_TRUE(none.empty());
  EXPECT_THAT(one, ElementsAre(9));
  EXPECT_EQ(rng.Next(), Rng(6).Next()) << "nothing to decide, no number drawn";
}

TEST(RngTest, NormalHasItsMoments) {
  Rng rng(7);
  constexpr int kCount = 200000;
  std::array<double, 5> moments{};
  for (int i = 0; i < kCount; ++i) {
    const double value = rng.Normal();
    ASSERT_TRUE(std::isfinite(value));
    for (std::size_t power = 1; power <= 4; ++power) moments.at(power) += std::pow(value, power) / kCount;
  }
  EXPECT_NEAR(moments[1], 0.0, 0.01);
  EXPECT_NEAR(moments[2], 1.0, 0.015);
  EXPECT_NEAR(moments[3], 0.0, 0.05);
  EXPECT_NEAR(moments[4], 3.0, 0.1);
}

TEST(RngTest, NormalWithMeanAndDeviation) {
  Rng plain(8);
  Rng scaled(8);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(scaled.Normal(5.0, 2.0), 5.0 + 2.0 * plain.Normal());
}

TEST(RngTest, ChanceAtItsLimits) {
  Rng rng(9);
  int hits = 0;
  for (int i = 0; i < 10000; ++i) {
    EXPECT_FALSE(rng.Chance(0.0));
    EXPECT_TRUE(rng.Chance(1.0));
    if (rng.Chance(0.25)) ++hits;
  }
  EXPECT_NEAR(hits, 2500, 150);
}

}  // namespace
}  // namespace flyscribe
