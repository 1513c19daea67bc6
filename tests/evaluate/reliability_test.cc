#include "evaluate/reliability.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/rng.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

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
