#include "core/statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/file.h"
#include "core/npy.h"
#include "core/progress.h"
#include "core/rng.h"
#include "tests/support/expect_error.h"
#include "tests/support/recording_progress.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

// The file numpy.save would write, with any type string and byte offset.
template <class T>
std::string FileOf(const std::string& type, const std::vector<T>& values, std::size_t shift = 0) {
  std::string header =
      "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + std::to_string(values.size()) + ",), }";
  header.resize(117 + shift, ' ');
  header += '\n';
  std::string bytes = std::string("\x93NUMPY\x01") + '\0' + static_cast<char>(header.size()) + '\0' + header;
  return bytes + std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

class StatisticsTest : public ::testing::Test {
 protected:
  std::optional<Statistics> Of(const std::string& bytes) const {
    return StatisticsOf(AnyNpy(folder_.Write("x.npy", bytes)), NoProgress());
  }
  template <class T>
  Statistics Of(const std::string& type, const std::vector<T>& values, std::size_t shift = 0) const {
    const auto statistics = Of(FileOf(type, values, shift));
    EXPECT_TRUE(statistics.has_value()) << type;
    return statistics.value_or(Statistics());
  }

  TempFolder folder_;
};

template <class Whole>
void ExpectSmallNumbers(const Statistics& statistics) {
  EXPECT_EQ(statistics.count, 4U);
  EXPECT_EQ(statistics.zeros, 1U);
  EXPECT_EQ(statistics.min, Number(Whole{0}));
  EXPECT_EQ(statistics.max, Number(Whole{5}));
  EXPECT_DOUBLE_EQ(statistics.mean, 2.5);
  EXPECT_DOUBLE_EQ(statistics.deviation, std::sqrt(3.25));
}

TEST_F(StatisticsTest, EveryTypeOfNumber) {
  ExpectSmallNumbers<std::uint64_t>(Of<std::uint8_t>("|u1", {0, 2, 3, 5}));
  ExpectSmallNumbers<std::uint64_t>(Of<std::uint16_t>("<u2", {0, 2, 3, 5}));
  ExpectSmallNumbers<std::uint64_t>(Of<std::uint32_t>("<u4", {0, 2, 3, 5}));
  ExpectSmallNumbers<std::uint64_t>(Of<std::uint64_t>("<u8", {0, 2, 3, 5}));
  ExpectSmallNumbers<std::int64_t>(Of<std::int8_t>("|i1", {0, 2, 3, 5}));
  ExpectSmallNumbers<std::int64_t>(Of<std::int16_t>("<i2", {0, 2, 3, 5}));
  ExpectSmallNumbers<std::int64_t>(Of<std::int32_t>("<i4", {0, 2, 3, 5}));
  ExpectSmallNumbers<std::int64_t>(Of<std::int64_t>("<i8", {0, 2, 3, 5}));
  ExpectSmallNumbers<double>(Of<float>("<f4", {0, 2, 3, 5}));
  ExpectSmallNumbers<double>(Of<double>("<f8", {0, 2, 3, 5}));
  const Statistics flags = Of<std::uint8_t>("|b1", {1, 0, 0, 1});
  EXPECT_EQ(flags.zeros, 2U);
  EXPECT_EQ(flags.max, Number(std::uint64_t{1}));
  EXPECT_DOUBLE_EQ(flags.mean, 0.5);
}

TEST_F(StatisticsTest, OtherTypesHaveNone) {
  EXPECT_FALSE(Of(FileOf<std::uint16_t>("<f2", {1, 2})).has_value());
  EXPECT_FALSE(Of(FileOf<float>(">f4", {1, 2})).has_value());
  EXPECT_FALSE(Of(FileOf<std::uint8_t>("|S1", {1, 2})).has_value());
  EXPECT_FALSE(Of(FileOf<std::uint8_t>("|O", {1, 2})).has_value());
}

TEST_F(StatisticsTest, ExtremesOfIntegersAreExact) {
  const std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
  const Statistics narrow = Of<std::int64_t>("<i8", {lowest + 1, -7, (std::int64_t{1} << 53) + 1});
  EXPECT_EQ(narrow.min, Number(lowest + 1));
  EXPECT_EQ(narrow.max, Number((std::int64_t{1} << 53) + 1));
  const std::uint64_t highest = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(Of<std::uint64_t>("<u8", {5, highest}).max, Number(highest));
}

TEST_F(StatisticsTest, WhatIsNoNumberIsCountedAndLeftOut) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Statistics some = Of<double>("<f8", {nan, 1, -infinity, 3, infinity, nan, -0.0, nan});
  EXPECT_EQ(some.count, 8U);
  EXPECT_EQ(some.nans, 3U);
  EXPECT_EQ(some.infinities, 2U);
  EXPECT_EQ(some.zeros, 1U);
  EXPECT_EQ(some.Finite(), 3U);
  EXPECT_EQ(some.min, Number(0.0));
  EXPECT_EQ(some.max, Number(3.0));
  EXPECT_DOUBLE_EQ(some.mean, 4.0 / 3);
  const Statistics none = Of<float>("<f4", {static_cast<float>(nan)});
  EXPECT_EQ(none.Finite(), 0U);
  EXPECT_EQ(Of<float>("<f4", {}).count, 0U);
}

TEST_F(StatisticsTest, ManyBlocksAgreeWithTheDefinition) {
  Rng rng(1, 2);
  for (const std::size_t count : {1U, 2047U, 2048U, 2049U, 10000U}) {
    std::vector<double> values(count);
    for (double& value : values) value = 1e9 + rng.Normal();
    long double sum = 0;
    for (const double value : values) sum += value;
    const long double mean = sum / static_cast<long double>(count);
    long double squares = 0;
    for (const double value : values) squares += (value - mean) * (value - mean);
    const auto deviation = static_cast<double>(std::sqrt(squares / static_cast<long double>(count)));
    const Statistics statistics = Of("<f8", values);
    EXPECT_EQ(statistics.count, count);
    EXPECT_NEAR(statistics.mean, static_cast<double>(mean), 1e-5);
    // The textbook's mean of squares minus square of the mean would be off by hundreds.
    EXPECT_NEAR(statistics.deviation, deviation, 1e-6 * deviation + 1e-9) << count;
  }
}

TEST_F(StatisticsTest, MisalignedDataIsRead) {
  for (const std::size_t shift : {1U, 3U, 5U}) ExpectSmallNumbers<double>(Of<double>("<f8", {0, 2, 3, 5}, shift));
}

TEST_F(StatisticsTest, BeyondTheRangeOfDoubleIsNoNumber) {
  const Statistics statistics = Of<double>("<f8", {1e308, -1e308, 1.5e308});
  EXPECT_EQ(statistics.max, Number(1.5e308));
  EXPECT_TRUE(std::isnan(statistics.deviation));
  EXPECT_TRUE(std::isnan(Of<double>("<f8", {1e308, 1e308}).mean));
}

TEST_F(StatisticsTest, CanBeInterrupted) {
  const AnyNpy array(folder_.Write("x.npy", FileOf<float>("<f4", {1, 2})));
  EXPECT_EQ(ExpectError([&] { StatisticsOf(array, RecordingProgress(AtOnce)); }).code, ErrorCode::kInterrupted);
}

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
