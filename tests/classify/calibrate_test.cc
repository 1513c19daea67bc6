#include "classify/calibrate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/rng.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

using ::testing::ElementsAre;

// Labels drawn with the probability of a known sigmoid; `grain` > 0 makes ties.
HeldOut Drawn(std::size_t bags, double slope, double offset, std::uint64_t seed, double grain = 0.0) {
  Rng rng(seed);
  HeldOut held_out;
  for (std::size_t i = 0; i < bags; ++i) {
    double value = rng.Normal(-0.5, 1.0);
    if (grain > 0.0) value = grain * std::round(value / grain);
    held_out.values.push_back(value);
    held_out.labels.push_back(rng.Chance(1.0 / (1.0 + std::exp(-(slope * value + offset)))) ? 1 : 0);
  }
  held_out.labels[0] = 1;
  held_out.labels[1] = 0;
  return held_out;
}

std::size_t Positives(const HeldOut& held_out) {
  return static_cast<std::size_t>(std::count(held_out.labels.begin(), held_out.labels.end(), 1));
}

// Platt's loss from its definition.
double CrossEntropy(const HeldOut& held_out, double slope, double offset) {
  const auto positives = static_cast<double>(Positives(held_out));
  const double negatives = static_cast<double>(held_out.labels.size()) - positives;
  double loss = 0.0;
  for (std::size_t i = 0; i < held_out.values.size(); ++i) {
    const double target = held_out.labels[i] != 0 ? (positives + 1.0) / (positives + 2.0) : 1.0 / (negatives + 2.0);
    const double p = 1.0 / (1.0 + std::exp(-(slope * held_out.values[i] + offset)));
    loss -= target * std::log(p) + (1.0 - target) * std::log(1.0 - p);
  }
  return loss;
}

// Never falling least squares by its min-max formula: P(s_i) = max over j <= i of min over k >= i of mean(j .. k).
std::vector<double> NaiveIsotonic(const HeldOut& held_out) {
  std::vector<double> distinct = held_out.values;
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  const auto mean = [&](double low, double high) {
    double sum = 0.0;
    double count = 0.0;
    for (std::size_t i = 0; i < held_out.values.size(); ++i) {
      if (held_out.values[i] < low || held_out.values[i] > high) continue;
      sum += held_out.labels[i];
      count += 1.0;
    }
    return sum / count;
  };
  std::vector<double> fitted;
  for (const double value : held_out.values) {
    double best = 0.0;
    for (const double low : distinct) {
      if (low > value) break;
      double least = 1.0;
      for (const double high : distinct) {
        if (high >= value) least = std::min(least, mean(low, high));
      }
      best = std::max(best, least);
    }
    fitted.push_back(best);
  }
  return fitted;
}

struct Counts {
  double true_positives = 0.0;
  double calls = 0.0;
  double positives = 0.0;
  double F1() const { return 2.0 * true_positives / (calls + positives); }
  double Precision() const { return true_positives / calls; }
};

Counts CountsAt(const HeldOut& held_out, double cut) {
  Counts counts;
  for (std::size_t i = 0; i < held_out.values.size(); ++i) {
    counts.positives += held_out.labels[i];
    if (!(held_out.values[i] > cut)) continue;
    counts.calls += 1.0;
    counts.true_positives += held_out.labels[i];
  }
  return counts;
}

TEST(FitPlatt, NoOtherSigmoidHasALowerCrossEntropy) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const HeldOut held_out = Drawn(60, 1.5, -0.3, seed);
    const Calibration fitted = FitPlatt(held_out);
    ASSERT_GT(fitted.slope, 0.0);
    const double least = CrossEntropy(held_out, fitted.slope, fitted.offset);
    for (const double step : {1e-1, 1e-3}) {
      for (int direction = 0; direction < 16; ++direction) {
        const double angle = direction * M_PI / 8.0;
        const double slope = fitted.slope + step * std::cos(angle);
        const double offset = fitted.offset + step * std::sin(angle);
        EXPECT_LE(least, CrossEntropy(held_out, slope, offset)) << "seed " << seed;
      }
    }
  }
}

TEST(FitPlatt, FindsTheSigmoidLabelsWereDrawnFrom) {
  const Calibration fitted = FitPlatt(Drawn(20000, 2.0, 0.7, 3));
  EXPECT_NEAR(fitted.slope, 2.0, 0.1);
  EXPECT_NEAR(fitted.offset, 0.7, 0.1);
}

TEST(FitPlatt, ScalesWithTheDecisionValues) {
  const HeldOut held_out = Drawn(100, 2.0, 0.0, 4);
  const Calibration fitted = FitPlatt(held_out);
  for (const double scale : {1e-9, 1e-3, 1e3, 1e9}) {
    HeldOut scaled = held_out;
    for (double& value : scaled.values) value = scale * (value + 5.0);
    const Calibration other = FitPlatt(scaled);
    EXPECT_TRUE(other.IsValid());
    for (std::size_t i = 0; i < held_out.values.size(); ++i) {
      EXPECT_NEAR(other.Probability(scaled.values[i]), fitted.Probability(held_out.values[i]), 1e-6) << scale;
    }
  }
}

TEST(FitPlatt, SeparatedClassesStayFinite) {
  const Calibration fitted = FitPlatt({{-2.0, -1.0, 1.0, 2.0}, {0, 0, 1, 1}});
  EXPECT_TRUE(fitted.IsValid());
  EXPECT_GT(fitted.slope, 0.0);
  // The targets are 3/4 and 1/4.
  EXPECT_GT(fitted.Probability(2.0), 0.7);
  EXPECT_LT(fitted.Probability(2.0), 0.9);
  EXPECT_NEAR(fitted.Probability(0.0), 0.5, 1e-9);
}

TEST(FitPlatt, AFallingFitIsThePrior) {
  const HeldOut falling = {{-2.0, -1.0, 1.0, 2.0, 3.0}, {1, 1, 0, 0, 0}};
  EXPECT_EQ(FitPlatt(falling), PriorCalibration(2, 3));
  EXPECT_NEAR(FitPlatt(falling).Probability(100.0), 3.0 / 7.0, 1e-12);
}

TEST(FitPlatt, EqualValuesOrNothingGiveThePrior) {
  EXPECT_EQ(FitPlatt({{0.5, 0.5, 0.5}, {1, 0, 0}}), PriorCalibration(1, 2));
  EXPECT_EQ(FitPlatt({}), PriorCalibration(0, 0));
  EXPECT_NEAR(PriorCalibration(0, 0).Probability(1.0), 0.5, 1e-12);
  EXPECT_NEAR(PriorCalibration(0, 8).Probability(1.0), 0.1, 1e-12);
}

TEST(FitIsotonic, ByHand) {
  // 1 violates what follows: {0 | 1 0 | 1}.
  const Calibration fitted = FitIsotonic({{4.0, 1.0, 2.0, 3.0}, {1, 0, 1, 0}});
  EXPECT_THAT(
      fitted.knots,
      ElementsAre(
          CalibrationKnot{1.0, 0.0}, CalibrationKnot{2.0, 0.5}, CalibrationKnot{3.0, 0.5}, CalibrationKnot{4.0, 1.0}));
  EXPECT_EQ(fitted.Probability(3.5), 0.75);
}

TEST(FitIsotonic, EqualsTheMinMaxFormula) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const HeldOut held_out = Drawn(40, 1.0, 0.0, seed, seed % 2 == 0 ? 0.25 : 0.0);
    const Calibration fitted = FitIsotonic(held_out);
    EXPECT_TRUE(fitted.IsValid());
    const std::vector<double> expected = NaiveIsotonic(held_out);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_NEAR(fitted.Probability(held_out.values[i]), expected[i], 1e-12) << "seed " << seed;
    }
  }
}

TEST(FitIsotonic, FallingLabelsGiveOneProbability) {
  const Calibration fitted = FitIsotonic({{1.0, 2.0, 3.0, 4.0}, {1, 1, 0, 0}});
  EXPECT_THAT(fitted.knots, ElementsAre(CalibrationKnot{1.0, 0.5}, CalibrationKnot{4.0, 0.5}));
  EXPECT_THAT(FitIsotonic({{1.0}, {1}}).knots, ElementsAre(CalibrationKnot{1.0, 1.0}));
  EXPECT_EQ(ExpectError([] { FitIsotonic({}); }).code, ErrorCode::kInternal);
}

TEST(CutForF1, ByHand) {
  // Calling 3 and 2: 2 of 2 right, 2 of 3 found: 0.8. Calling all five: 6 / 8.
  const HeldOut held_out = {{3.0, 2.0, 1.0, 0.0, -1.0}, {1, 1, 0, 0, 1}};
  EXPECT_EQ(CutForF1(held_out, FitPlatt(held_out)), 1.5);
}

TEST(CutForF1, NoOtherCutIsBetter) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const HeldOut held_out = Drawn(40, 1.0, 0.0, seed, seed % 2 == 0 ? 0.25 : 0.0);
    const double cut = CutForF1(held_out, FitPlatt(held_out));
    const double f1 = CountsAt(held_out, cut).F1();
    for (double other = -5.0; other < 5.0; other += 0.01) {
      EXPECT_GE(f1 + 1e-12, CountsAt(held_out, other).F1()) << "seed " << seed;
    }
  }
}

TEST(CutForF1, CallsBagsOfOneIsotonicProbabilityAlike) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const HeldOut held_out = Drawn(40, 1.0, 0.0, seed);
    const Calibration fitted = FitIsotonic(held_out);
    const double cut = CutForF1(held_out, fitted);
    for (const double value : held_out.values) {
      EXPECT_EQ(value > cut, fitted.Probability(value) > fitted.Probability(cut)) << "seed " << seed;
    }
  }
}

TEST(CutForF1, MayCallEverything) {
  const HeldOut falling = {{1.0, 2.0, 3.0}, {1, 1, 0}};
  EXPECT_EQ(CutForF1(falling, FitPlatt(falling)), 0.5);
  const HeldOut equal = {{1.0, 1.0}, {1, 0}};
  EXPECT_EQ(CutForF1(equal, FitPlatt(equal)), 0.5);
  EXPECT_EQ(CutForF1({{1.0, 2.0}, {0, 0}}, Calibration{}), kCallNone);
  EXPECT_EQ(CutForF1({}, Calibration{}), kCallNone);
}

TEST(CutForPrecision, IsTheLowestThatReachesIt) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const HeldOut held_out = Drawn(60, 1.5, 0.0, seed);
    const double cut = CutForPrecision(held_out, FitPlatt(held_out), 0.8);
    const Counts at = CountsAt(held_out, cut);
    EXPECT_TRUE(cut == kCallNone || at.Precision() >= 0.8);
    // Every cut that calls more falls short.
    for (const double value : held_out.values) {
      const Counts other = CountsAt(held_out, value - 1e-9);
      EXPECT_TRUE(other.calls <= at.calls || other.Precision() < 0.8) << "seed " << seed;
    }
  }
}

TEST(CutForPrecision, CallsNothingWhereItIsOutOfReach) {
  const HeldOut falling = {{1.0, 2.0, 3.0}, {1, 0, 0}};
  EXPECT_EQ(CutForPrecision(falling, FitPlatt(falling), 0.9), kCallNone);
  EXPECT_EQ(CutForPrecision(falling, FitPlatt(falling), 0.3), 0.5);
  EXPECT_EQ(CutForPrecision({{1.0}, {0}}, Calibration{}, 0.0), kCallNone) << "nothing true is called";
}

TEST(CutForProbability, CallsExactlyWhatIsAboveIt) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const HeldOut held_out = Drawn(40, 1.0, 0.0, seed);
    for (const Calibration& calibration : {FitPlatt(held_out), FitIsotonic(held_out)}) {
      for (const double probability : {0.0, 0.2, 0.5, 0.7, 1.0}) {
        const double cut = CutForProbability(calibration, probability);
        for (double value = -6.0; value < 6.0; value += 0.0137) {
          EXPECT_EQ(value > cut, calibration.Probability(value) > probability) << probability << " at " << value;
        }
      }
    }
  }
}

TEST(CutForProbability, AConstantIsAllOrNothing) {
  EXPECT_EQ(CutForProbability(PriorCalibration(1, 7), 0.1), kCallAll);
  EXPECT_EQ(CutForProbability(PriorCalibration(1, 7), 0.5), kCallNone);
  EXPECT_EQ(PriorCalibration(1, 7).Probability(kCallNone), PriorCalibration(1, 7).Probability(kCallAll));
  const Calibration sigmoid{.slope = 2.0, .offset = 0.0, .knots = {}};
  EXPECT_EQ(sigmoid.Probability(kCallNone), 1.0);
  EXPECT_EQ(sigmoid.Probability(kCallAll), 0.0);
}

}  // namespace
}  // namespace flyscribe
