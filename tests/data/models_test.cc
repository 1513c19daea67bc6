#include "data/models.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/file.h"
#include "core/npy.h"
#include "tests/support/corrupt_text.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

TermModels Sample() {
  TermModels models;
  models.terms = {{"gut", 5, 7, -0.1, 4, 10, 0.25, {1.5, -0.5, {}}},
                  {"pole cell", 2, 10, 1e-9, 12, 0.1, -1, {0, 0, {{-1, 0.1}, {0.5, 0.1}, {2, 0.75}}}}};
  models.skipped = {{"brain", 1, "only one positive bag"}};
  models.weights = FloatMatrix(2, 3, std::vector<float>{1, 2, 3, 4, 5, 6});
  models.scores = Matrix<double>(4, 2, std::vector<double>{1, -1, 0.1, 1.0 / 3, 0, -0.0, 2, 3});
  models.inner_weights = FloatMatrix(4, 3, std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  models.inner_bias = Matrix<double>(2, 2, std::vector<double>{0.1, 0.2, 0.3, 0.4});
  return models;
}

const std::string kHeader = "term\tstate\tpositives\tnegatives\tbias\tsupport_vectors\tc\tcut\n";

class ModelsTest : public ::testing::Test {
 protected:
  ModelsTest() { Sample().Save(folder_.path()); }
  std::string Complaint() const {
    const CaughtError error = ExpectError([&] { TermModels::Load(folder_.path()); });
    EXPECT_EQ(error.code, ErrorCode::kCorrupt);
    return error.text;
  }
  std::string ComplaintFor(const std::string& row) const {
    folder_.Write("terms.tsv", kHeader + row + "\n");
    return Complaint();
  }

  TempFolder folder_;
};

TEST_F(ModelsTest, RoundTripsByteForByte) {
  EXPECT_EQ(ReadFile(folder_ / "terms.tsv"),
            kHeader +
                "gut\ttrained\t5\t7\t-0.1\t4\t10\t0.25\npole cell\ttrained\t2\t10\t1e-09\t12\t0.1\t-1\n"
                "brain\tonly one positive bag\t1\t0\t0\t0\t0\t0\n");
  const TermModels loaded = TermModels::Load(folder_.path());
  EXPECT_EQ(loaded.terms, Sample().terms);
  EXPECT_EQ(loaded.skipped, Sample().skipped);
  EXPECT_EQ(loaded.weights, Sample().weights);
  EXPECT_EQ(loaded.scores, Sample().scores);
  EXPECT_EQ(loaded.inner_weights, Sample().inner_weights);
  EXPECT_EQ(loaded.inner_bias, Sample().inner_bias);
  EXPECT_EQ(loaded.inner_folds(), 2U);
  const TempFolder again;
  loaded.Save(again.path());
  for (const std::string name :
       {"terms.tsv", "calibrations.json", "weights.npy", "scores.npy", "inner_weights.npy", "inner_bias.npy"}) {
    EXPECT_EQ(ReadFile(again / name), ReadFile(folder_ / name)) << name;
  }
}

TEST_F(ModelsTest, WithoutScores) {
  const TempFolder folder;
  Sample().SaveWithoutScores(folder.path());
  EXPECT_FALSE(fs::exists(folder / "scores.npy"));
  const TermModels loaded = TermModels::LoadWithoutScores(folder.path());
  EXPECT_EQ(loaded.terms, Sample().terms);
  EXPECT_EQ(loaded.weights, Sample().weights);
  EXPECT_EQ(loaded.scores.rows(), 0U);
  EXPECT_EQ(loaded.scores.cols(), 2U);
  EXPECT_EQ(ExpectError([&] { TermModels::Load(folder.path()); }).code, ErrorCode::kInput);
}

TEST_F(ModelsTest, NoTermTrained) {
  const TempFolder folder;
  TermModels models;
  models.skipped = {{"brain", 1, "only one positive bag"}};
  models.weights = FloatMatrix(0, 500);
  models.scores = Matrix<double>(20, 0);
  models.Save(folder.path());
  const TermModels loaded = TermModels::Load(folder.path());
  EXPECT_EQ(loaded.weights.cols(), 500U);
  EXPECT_EQ(loaded.scores.rows(), 20U);
  EXPECT_EQ(loaded.skipped, models.skipped);
}

TEST_F(ModelsTest, FilesMustAgree) {
  const std::string disagree = CorruptText(folder_.path(), "the model files disagree about the number of terms");
  WriteNpy<float>(folder_ / "weights.npy", FloatMatrix(3, 3));
  EXPECT_EQ(Complaint(), disagree);
  Sample().Save(folder_.path());
  WriteNpy<double>(folder_ / "scores.npy", Matrix<double>(4, 1));
  EXPECT_EQ(Complaint(), disagree);
  const std::string inner = CorruptText(folder_.path(), "the models of the inner folds do not fit the others");
  Sample().Save(folder_.path());
  WriteNpy<float>(folder_ / "inner_weights.npy", FloatMatrix(3, 3));
  EXPECT_EQ(Complaint(), inner);
  Sample().Save(folder_.path());
  WriteNpy<double>(folder_ / "inner_bias.npy", Matrix<double>(0, 0));
  EXPECT_EQ(Complaint(), inner);
}

TEST_F(ModelsTest, NumbersMustBeFinite) {
  FloatMatrix weights = Sample().weights;
  weights(1, 2) = std::numeric_limits<float>::quiet_NaN();
  WriteNpy<float>(folder_ / "weights.npy", weights);
  EXPECT_EQ(Complaint(), CorruptText(folder_ / "weights.npy", "a number is not finite"));
  TermModels models = Sample();
  models.scores(0, 0) = std::numeric_limits<double>::infinity();
  models.Save(folder_.path());
  EXPECT_EQ(Complaint(), CorruptText(folder_ / "scores.npy", "a number is not finite"));
}

TEST_F(ModelsTest, CalibrationsMustRise) {
  const fs::path path = folder_ / "calibrations.json";
  const std::string falls = CorruptText(path, "the calibration of 'gut' is no rising map to probabilities");
  for (const std::string gut : {R"({"slope": -1, "offset": 0})",
                                R"({"knots": [[0, 0.5], [1, 0.4]]})",
                                R"({"knots": [[0, 0.5], [0, 0.6]]})",
                                R"({"knots": [[0, 1.5]]})"}) {
    folder_.Write("calibrations.json", "[" + gut + R"(, {"slope": 1, "offset": 0}])");
    EXPECT_EQ(Complaint(), falls) << gut;
  }
  folder_.Write("calibrations.json", "[]");
  EXPECT_EQ(Complaint(), CorruptText(path, "expected one calibration a term"));
}

TEST_F(ModelsTest, BadNumbers) {
  const fs::path path = folder_ / "terms.tsv";
  EXPECT_EQ(ComplaintFor("gut\ttrained\t-5\t7\t0\t4\t1\t0"), CorruptText(path, "the number -5 is out of range"));
  EXPECT_EQ(ComplaintFor("gut\ttrained\t5\t-7\t0\t4\t1\t0"), CorruptText(path, "the number -7 is out of range"));
  EXPECT_EQ(ComplaintFor("gut\ttrained\t5\t7\t0\t-4\t1\t0"), CorruptText(path, "the number -4 is out of range"));
  EXPECT_EQ(ComplaintFor("gut\ttoo rare\t-1\t0\t0\t0\t1\t0"), CorruptText(path, "the number -1 is out of range"));
  EXPECT_EQ(ComplaintFor("gut\ttrained\t5.0\t7\t0\t4\t1\t0"), CorruptText(path, "expected an integer, found '5.0'"));
  EXPECT_EQ(ComplaintFor("gut\ttrained\t5\t7\tinf\t4\t1\t0"), CorruptText(path, "expected a number, found 'inf'"));
}

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
