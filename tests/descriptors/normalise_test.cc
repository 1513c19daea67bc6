#include "descriptors/normalise.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/rng.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

PatchTable TableWithDeviations(const std::vector<float>& deviations) {
  PatchTable table;
  for (std::size_t i = 0; i < deviations.size(); ++i) {
    const auto number = static_cast<float>(i);
    table.Append({static_cast<std::int32_t>(i / 2), 10 * number, 20 * number, 0, deviations[i], number / 8});
  }
  return table;
}

TEST(Normalise, ZeroMeanAndUnitLengthByHand) {
  const FloatMatrix raw(1, 4, std::vector<float>{1, 3, 1, 3});
  const PatchSet result = Normalise(raw, TableWithDeviations({9}), {});
  EXPECT_THAT(result.descriptors.values(), ElementsAre(-0.5F, 0.5F, -0.5F, 0.5F));
}

TEST(Normalise, KeepsOrderAndPlaces) {
  const FloatMatrix raw(3, 2, std::vector<float>{0, 1, 5, 6, 1, 0});
  NormaliseSummary summary;
  const PatchSet result = Normalise(raw, TableWithDeviations({5, 0.5, 7}), {}, &summary);
  EXPECT_EQ(summary, (NormaliseSummary{.kept = 2, .flat = 1, .constant = 0}));
  EXPECT_THAT(result.table.image, ElementsAre(0, 1));
  EXPECT_THAT(result.table.x, ElementsAre(0, 20));
  EXPECT_THAT(result.table.y, ElementsAre(0, 40));
  EXPECT_THAT(result.table.deviation, ElementsAre(5, 7));
  EXPECT_THAT(result.table.stain, ElementsAre(0, 0.25));
  EXPECT_LT(result.descriptors(0, 0), 0);
  EXPECT_GT(result.descriptors(1, 0), 0);
}

TEST(Normalise, TheThresholdItselfIsKept) {
  const FloatMatrix raw(3, 2, std::vector<float>{0, 1, 0, 1, 0, 1});
  NormaliseSummary summary;
  Normalise(raw, TableWithDeviations({2.0F, std::nextafter(2.0F, 0.0F), 2.5F}), {.min_deviation = 2}, &summary);
  EXPECT_EQ(summary, (NormaliseSummary{.kept = 2, .flat = 1, .constant = 0}));
}

TEST(Normalise, ZeroKeepsEveryWindowWithADirection) {
  const FloatMatrix raw(2, 2, std::vector<float>{0, 1, 0, 0});
  NormaliseSummary summary;
  Normalise(raw, TableWithDeviations({0, 0}), {.min_deviation = 0}, &summary);
  EXPECT_EQ(summary, (NormaliseSummary{.kept = 1, .flat = 0, .constant = 1}));
}

TEST(Normalise, DescriptorsWithoutDirectionAreDropped) {
  const float infinite = std::numeric_limits<float>::infinity();
  const float none = std::numeric_limits<float>::quiet_NaN();
  const FloatMatrix raw(5, 3, std::vector<float>{0, 0, 0, 0.1F, 0.1F, 0.1F, infinite, 0, 1, none, 0, 1, 1, 2, 3});
  NormaliseSummary summary;
  const PatchSet result = Normalise(raw, TableWithDeviations({9, 9, 9, 9, 9}), {}, &summary);
  EXPECT_EQ(summary, (NormaliseSummary{.kept = 1, .flat = 0, .constant = 4}));
  EXPECT_THAT(result.table.x, ElementsAre(40));
}

TEST(Normalise, FilterByTheDescriptorItself) {
  // The deviation of {a, -a} is a; in units of 1/512 that is 512 a.
  const float a = 4.0F / 512.0F;
  const FloatMatrix raw(2, 2, std::vector<float>{a, -a, a / 2, -a / 2});
  NormaliseOptions options{.min_deviation = 4, .filter = NormaliseOptions::Filter::kDescriptor};
  NormaliseSummary summary;
  const PatchSet result = Normalise(raw, TableWithDeviations({0, 100}), options, &summary);
  EXPECT_EQ(summary, (NormaliseSummary{.kept = 1, .flat = 1, .constant = 0}));
  EXPECT_THAT(result.table.deviation, ElementsAre(0));
}

TEST(Normalise, AgreesWithTheDefinitionOnRandomRows) {
  constexpr std::size_t kRows = 50;
  constexpr std::size_t kColumns = 128;
  FloatMatrix raw(kRows, kColumns);
  Rng rng(1);
  for (std::size_t i = 0; i < kRows * kColumns; ++i) raw.data()[i] = static_cast<float>(rng.Uniform(0, 0.2));
  const PatchSet result = Normalise(raw, TableWithDeviations(std::vector<float>(kRows, 9)), {});
  ASSERT_EQ(result.descriptors.rows(), kRows);
  for (std::size_t row = 0; row < kRows; ++row) {
    long double mean = 0;
    for (const float value : raw.Row(row)) mean += static_cast<long double>(value) / kColumns;
    long double squares = 0;
    for (const float value : raw.Row(row)) squares += (value - mean) * (value - mean);
    for (std::size_t k = 0; k < kColumns; ++k) {
      const double expected = static_cast<double>((raw(row, k) - mean) / std::sqrt(squares));
      EXPECT_FLOAT_EQ(result.descriptors(row, k), static_cast<float>(expected));
    }
  }
}

TEST(Normalise, NothingInNothingOut) {
  NormaliseSummary summary{.kept = 9, .flat = 9, .constant = 9};
  const PatchSet result = Normalise(FloatMatrix(0, 128), {}, {}, &summary);
  EXPECT_EQ(summary, NormaliseSummary{});
  EXPECT_EQ(result.descriptors.rows(), 0U);
  EXPECT_EQ(result.descriptors.cols(), 128U);
}

TEST(Normalise, OneDescriptorPerPatch) {
  const CaughtError error = ExpectError([] { Normalise(FloatMatrix(2, 3), {}, {}); });
  EXPECT_EQ(error.code, ErrorCode::kInternal);
  EXPECT_THAT(error.text, HasSubstr("one descriptor per patch"));
}

TEST(NormaliseOptions, KeyText) { EXPECT_EQ(KeyText(NormaliseOptions{}), "min_deviation: 1\nfilter: \"pixels\"\n"); }

}  // namespace
}  // namespace flyscribe
