#include "pipeline/paper/measure.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/rng.h"
#include "sparse/encoder.h"
#include "sparse/learn.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

// Unit vectors around a few directions.
FloatMatrix SomePatches(std::size_t count) {
  constexpr std::size_t kLength = 16;
  FloatMatrix patches(count, kLength);
  for (std::size_t i = 0; i < count; ++i) {
    Rng rng(1, i);
    double norm = 0.0;
    for (std::size_t j = 0; j < kLength; ++j) {
      const double value = (j == i % 8 ? 1.0 : 0.0) + (j == i % 5 ? 0.5 : 0.0) + 0.1 * rng.Normal();
      patches(i, j) = static_cast<float>(value);
      norm += value * value;
    }
    for (float& value : patches.Row(i)) value = static_cast<float>(value / std::sqrt(norm));
  }
  return patches;
}

Measurement SomeMeasurement(LearnOptions::Method method = LearnOptions::Method::kScc) {
  Measurement measurement;
  measurement.range = "4-6";
  measurement.learn.method = method;
  measurement.learn.atoms = 12;
  measurement.learn.epochs = 4;
  measurement.learn.batch = 32;
  measurement.objective_patches = 40;
  return measurement;
}

class MeasureTest : public testing::Test {
 protected:
  Measured Run(const Measurement& measurement, Progress& progress = NoProgress()) const {
    const MeasureControl control{
        .checkpoint = folder_ / "checkpoint", .checkpoint_seconds = 0.0, .identity = "this", .progress = progress};
    Measured measured = TakeMeasurement(measurement, patches_, control);
    fs::remove_all(folder_ / "checkpoint");  // as the driver does once the artifact is whole
    return measured;
  }

  TempFolder folder_;
  FloatMatrix patches_ = SomePatches(200);
};

TEST_F(MeasureTest, ObjectivesAreThoseOfExactCodesOfTheSample) {
  const Measurement measurement = SomeMeasurement();
  const Measured measured = Run(measurement);
  EXPECT_EQ(measured.patches, 200U);
  EXPECT_EQ(measured.objective_patches, 40U);
  ASSERT_EQ(measured.seconds.size(), 4U);
  ASSERT_EQ(measured.codes.size(), 4U);
  ASSERT_EQ(measured.dictionary.size(), 4U);
  ASSERT_EQ(measured.objective.size(), 4U);

  FloatMatrix sample(40, patches_.cols());
  std::vector<std::size_t> rows(patches_.rows());
  for (std::size_t i = 0; i < 40; ++i) {
    std::copy(patches_.Row(i * 5).begin(), patches_.Row(i * 5).end(), sample.Row(i).begin());
  }
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = i;
  const EncodeControl encode = {.lambda = measurement.learn.lambda};
  const FloatMatrix first = InitialDictionary(patches_, rows, 12, measurement.learn.seed);
  EXPECT_EQ(measured.first_objective, Encode(sample, first, encode, {}, NoProgress()).objective);
  const LearnResult learned =
      Learn(patches_, ShuffledOnce(rows, measurement.learn.seed), measurement.learn, {.initial = &first}, NoProgress());
  const EncodeResult exact = Encode(sample, learned.dictionary.atoms, encode, {}, NoProgress());
  EXPECT_EQ(measured.Objective(), exact.objective);
  EXPECT_EQ(measured.nonzeros, exact.nonzeros_per_code);
  EXPECT_LT(measured.Objective(), measured.first_objective);
}

TEST_F(MeasureTest, AllMethodsStartFromTheSameDictionary) {
  const Measured scc = Run(SomeMeasurement());
  for (const auto method : {LearnOptions::Method::kSccMinibatch, LearnOptions::Method::kOnline}) {
    EXPECT_EQ(Run(SomeMeasurement(method)).first_objective, scc.first_objective);
  }
}

TEST_F(MeasureTest, AllMethodsVisitPatchesInTheSameOrder) {
  std::vector<std::size_t> rows(patches_.rows());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = i;
  const std::vector<std::size_t> order = ShuffledOnce(rows, 0);
  EXPECT_NE(order, rows);
  EXPECT_TRUE(std::is_permutation(order.begin(), order.end(), rows.begin()));
  EXPECT_NE(ShuffledOnce(rows, 1), order);
  for (const auto method :
       {LearnOptions::Method::kScc, LearnOptions::Method::kSccMinibatch, LearnOptions::Method::kOnline}) {
    Measurement measurement = SomeMeasurement(method);
    measurement.learn.patch_order = LearnOptions::PatchOrder::kFile;
    measurement.learn.seed = 0;
    measurement.objective_patches = 0;
    const FloatMatrix first = InitialDictionary(patches_, rows, 12, 0);
    const LearnResult learned = Learn(patches_, order, measurement.learn, {.initial = &first}, NoProgress());
    const EncodeControl encode = {.lambda = measurement.learn.lambda};
    EXPECT_EQ(Run(measurement).Objective(),
              Encode(patches_, learned.dictionary.atoms, encode, {}, NoProgress()).objective);
  }
}

TEST_F(MeasureTest, FewerPatchesAreSpreadEvenly) {
  Measurement measurement = SomeMeasurement();
  measurement.patches = 100;
  measurement.share = 4;
  measurement.objective_patches = 0;
  const Measured measured = Run(measurement);
  EXPECT_EQ(measured.patches, 25U);
  EXPECT_EQ(measured.objective_patches, 100U) << "the same for every share";
}

TEST_F(MeasureTest, TimedVisitsHaveAWarmUpThatDoesNotCount) {
  Measurement measurement = SomeMeasurement(LearnOptions::Method::kOnline);
  measurement.learn.batch = 1;
  measurement.learn.epochs = 3;
  measurement.timed_visits = 5;
  const Measured measured = Run(measurement);
  EXPECT_EQ(measured.patches, 5U) << "fewer than atoms";
  EXPECT_EQ(measured.seconds.size(), 3U);
  EXPECT_EQ(measured.codes.size(), 3U);
  EXPECT_TRUE(measured.objective.empty());
  EXPECT_GT(measured.VisitMicroseconds(), 0.0);
}

TEST_F(MeasureTest, DivergenceIsAResult) {
  Measurement measurement = SomeMeasurement();
  measurement.learn.rate = LearnOptions::Rate::kNatural;
  measurement.learn.rate_a = 1e300;  // no number of single precision
  measurement.learn.rate_b = 0.0;
  const Measured measured = Run(measurement);
  EXPECT_TRUE(measured.diverged);
  EXPECT_TRUE(measured.objective.empty());
}

// Stops learning in the middle of an epoch.
class StopInEpoch : public Progress {
 public:
  explicit StopInEpoch(int epoch) : epoch_(epoch) {}
  void Note(std::string_view remark) override {
    if (remark.starts_with("epoch")) ++seen_;
  }
  bool StopRequested() const override { return seen_ >= epoch_; }
  void Say(const std::string& message) override { said_ += message; }
  void Warn(const std::string& message) override { warned_ += message; }

  std::string said_;
  std::string warned_;

 private:
  int epoch_;
  int seen_ = 0;
};

TEST_F(MeasureTest, GoesOnWhereItWasStopped) {
  for (const auto method :
       {LearnOptions::Method::kScc, LearnOptions::Method::kSccMinibatch, LearnOptions::Method::kOnline}) {
    const Measurement measurement = SomeMeasurement(method);
    const Measured whole = Run(measurement);
    StopInEpoch stop(2);
    const CaughtError error = ExpectError([&] { Run(measurement, stop); });
    EXPECT_EQ(error.code, ErrorCode::kInterrupted);
    StopInEpoch never(100);
    const Measured resumed = Run(measurement, never);
    EXPECT_EQ(never.said_, "going on after epoch 2 of 4");
    EXPECT_EQ(resumed.objective, whole.objective);
    EXPECT_EQ(resumed.first_objective, whole.first_objective);
    EXPECT_EQ(resumed.seconds.size(), 4U);
    EXPECT_EQ(resumed.codes.size(), 4U);
    EXPECT_EQ(resumed.interruptions, 1);
  }
}

TEST_F(MeasureTest, ACheckpointOfAnotherProblemOrADamagedOneIsNotUsed) {
  const Measurement measurement = SomeMeasurement();
  const Measured whole = Run(measurement);
  StopInEpoch stop(2);
  ExpectError([&] { Run(measurement, stop); });
  Measurement other = measurement;
  other.learn.lambda = 0.2;
  const MeasureControl control{.checkpoint = folder_ / "checkpoint", .identity = "that", .progress = NoProgress()};
  EXPECT_EQ(TakeMeasurement(other, patches_, control).interruptions, 0);

  fs::remove_all(folder_ / "checkpoint");
  StopInEpoch again(2);
  ExpectError([&] { Run(measurement, again); });
  ASSERT_TRUE(fs::exists(folder_ / "checkpoint" / "state"));
  folder_.Write("checkpoint/measurement.json", "no");
  StopInEpoch never(100);
  const Measured anew = Run(measurement, never);
  EXPECT_EQ(never.said_, "");
  EXPECT_EQ(never.warned_.rfind("the checkpoint cannot be used, measuring anew: ", 0), 0U) << never.warned_;
  EXPECT_EQ(anew.interruptions, 0);
  EXPECT_EQ(anew.objective, whole.objective);
}

}  // namespace
}  // namespace flyscribe
