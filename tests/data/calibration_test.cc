#include "data/calibration.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace flyscribe {
namespace {

TEST(Calibration, SigmoidIsTheFormula) {
  const Calibration calibration = {2.0, -1.0, {}};
  for (const double s : {-3.0, 0.0, 0.5, 4.0}) {
    EXPECT_DOUBLE_EQ(calibration.Probability(s), 1.0 / (1.0 + std::exp(-(2.0 * s - 1.0))));
  }
  EXPECT_EQ(calibration.Probability(-1e300), 0.0);
  EXPECT_EQ(calibration.Probability(1e300), 1.0);
}

TEST(Calibration, StepsAreLinearBetweenKnotsAndConstantBeyond) {
  const Calibration calibration = {0, 0, {{-1, 0.1}, {1, 0.5}, {2, 0.5}}};
  EXPECT_DOUBLE_EQ(calibration.Probability(-9), 0.1);
  EXPECT_DOUBLE_EQ(calibration.Probability(-1), 0.1);
  EXPECT_DOUBLE_EQ(calibration.Probability(0), 0.3);
  EXPECT_DOUBLE_EQ(calibration.Probability(1.5), 0.5);
  EXPECT_DOUBLE_EQ(calibration.Probability(9), 0.5);
}

TEST(Calibration, OnlyRisingMapsAreValid) {
  EXPECT_TRUE((Calibration{0, 1, {}}.IsValid()));
  EXPECT_TRUE((Calibration{0, 0, {{0, 0.5}}}.IsValid()));
  EXPECT_FALSE((Calibration{-1, 0, {}}.IsValid()));
  EXPECT_FALSE((Calibration{std::numeric_limits<double>::quiet_NaN(), 0, {}}.IsValid()));
  EXPECT_FALSE((Calibration{1, std::numeric_limits<double>::infinity(), {}}.IsValid()));
  EXPECT_FALSE((Calibration{0, 0, {{0, 0.5}, {1, 0.4}}}.IsValid()));
  EXPECT_FALSE((Calibration{0, 0, {{1, 0.4}, {1, 0.5}}}.IsValid()));
  EXPECT_FALSE((Calibration{0, 0, {{1, -0.1}}}.IsValid()));
}

}  // namespace
}  // namespace flyscribe
