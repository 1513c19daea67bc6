#include "pipeline/commands/matrix_files.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "tests/support/expect_error.h"
#include "tests/support/recording_progress.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

class MatrixFilesTest : public testing::Test {
 protected:
  fs::path Write(const std::string& name, const FloatMatrix& matrix) const {
    WriteNpy<float>(folder_ / name, matrix);
    return folder_ / name;
  }

  TempFolder folder_;
};

TEST_F(MatrixFilesTest, PatchesStayInTheFile) {
  const FloatMatrix x(2, 3, {1, 2, 3, 4, 5, 6});
  const FloatNpy patches = ReadPatches(Write("x.npy", x));
  EXPECT_TRUE(patches.mapped());
  EXPECT_EQ(patches.view()(1, 0), 4.0F);
  EXPECT_EQ(ReadAtoms(folder_ / "x.npy"), x);
}

TEST_F(MatrixFilesTest, EmptyMatricesAreRefused) {
  const fs::path no_rows = Write("no_rows.npy", FloatMatrix(0, 3));
  const CaughtError error = ExpectError([&] { ReadPatches(no_rows); });
  EXPECT_EQ(error.code, ErrorCode::kInput);
  EXPECT_EQ(error.text,
            no_rows.string() +
                ": error: the matrix is empty: its shape is (0, 3)\n"
                "  hint: at least one row is needed, one patch a row");
  const fs::path no_cols = Write("no_cols.npy", FloatMatrix(2, 0));
  EXPECT_EQ(ExpectError([&] { ReadAtoms(no_cols); }).text,
            no_cols.string() +
                ": error: the matrix is empty: its shape is (2, 0)\n"
                "  hint: at least one row is needed, one atom a row");
}

TEST_F(MatrixFilesTest, TheFirstRowThatIsNotFiniteIsNamed) {
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::infinity()}) {
    const fs::path path = Write("x.npy", FloatMatrix(3, 2, {1, 2, 3, bad, bad, 6}));
    const CaughtError error = ExpectError([&] { ReadPatches(path); });
    EXPECT_EQ(error.code, ErrorCode::kInput);
    EXPECT_EQ(error.text,
              path.string() +
                  ": error: row 1 (counted from 0) holds a value that is not a finite number\n"
                  "  hint: to drop such rows in NumPy: "
                  "numpy.save(path, x[numpy.isfinite(x).all(axis=1)])");
    EXPECT_EQ(ExpectError([&] { ReadAtoms(path); }).code, ErrorCode::kInput);
  }
}

TEST_F(MatrixFilesTest, PatchesOfAnotherScaleThanLambdaAreToldOf) {
  const auto warning = [](const FloatMatrix& patches, double lambda) {
    RecordingProgress progress;
    WarnOfScale(patches, lambda, progress);
    return progress.warnings.empty() ? "" : progress.warnings.at(0);
  };
  const auto of_norm = [](float norm) { return FloatMatrix(3, 2, {0, 0, 0.6F * norm, 0.8F * norm, 0, norm}); };
  for (const float norm : {0.2F, 1.0F, 9.0F}) EXPECT_EQ(warning(of_norm(norm), 0.1), "");
  EXPECT_EQ(warning(of_norm(1000), 0.1),
            "the patches' norms are far from 1 (root mean square 1e+03), and lambda 0.1 is on their scale; to bring "
            "them to 1 in NumPy: numpy.save(path, x / 1000)");
  EXPECT_EQ(warning(of_norm(0.05F), 0.01),
            "the patches' norms are far from 1 (root mean square 0.05), and lambda 0.01 is on their scale; to bring "
            "them to 1 in NumPy: numpy.save(path, x / 0.05)");
  EXPECT_EQ(warning(of_norm(1e-30F), 0.1),
            "lambda 0.1 is no less than the norm of the longest patch, 1e-30: all codes will be zero; to bring them to "
            "1 in NumPy: numpy.save(path, x / 1e-30)");
  EXPECT_EQ(
      warning(of_norm(1), 1.5),
      "lambda 1.5 is no less than the norm of the longest patch, 1: all codes will be zero; to bring them to 1 in "
      "NumPy: numpy.save(path, x / 1)");
  EXPECT_EQ(warning(FloatMatrix(3, 2, 0.0F), 0.1), "all patches are zero: there is nothing to code");
}

TEST_F(MatrixFilesTest, PenaltyWeightsAreAVectorARowOrAColumn) {
  const std::vector<double> expected = {0.5, 2.0, 1.0};
  const fs::path path = folder_ / "w.npy";
  for (const Shape& shape : {Shape{3}, Shape{1, 3}, Shape{3, 1}}) {
    WriteNpy<double>(path, expected, shape);
    EXPECT_EQ(ReadPenaltyWeights(path, 3), expected);
    WriteNpy<float>(path, std::vector<float>{0.5F, 2.0F, 1.0F}, shape);
    EXPECT_EQ(ReadPenaltyWeights(path, 3), expected);
  }
  const CaughtError few = ExpectError([&] { ReadPenaltyWeights(path, 4); });
  EXPECT_EQ(few.code, ErrorCode::kInput);
  EXPECT_EQ(few.text,
            path.string() +
                ": error: 4 atoms need 4 weights, of float32 or float64; this is <f4 (3, 1)\n"
                "  hint: in NumPy: numpy.save(path, w.astype('float32')) with w.shape == (4,)");
  WriteNpy<std::int32_t>(path, std::vector<std::int32_t>{1, 2, 3}, {3});
  EXPECT_EQ(ExpectError([&] { ReadPenaltyWeights(path, 3); }).code, ErrorCode::kInput);
  WriteNpy<float>(path, std::vector<float>(4, 1.0F), {2, 2});
  EXPECT_EQ(ExpectError([&] { ReadPenaltyWeights(path, 4); }).code, ErrorCode::kInput);
  for (const double bad : {0.0, -1.0, std::numeric_limits<double>::infinity(), std::nan("")}) {
    WriteNpy<double>(path, std::vector<double>{1.0, bad}, {2});
    const CaughtError error = ExpectError([&] { ReadPenaltyWeights(path, 2); });
    EXPECT_EQ(error.code, ErrorCode::kInput);
    EXPECT_NE(error.text.find("error: weight 1 (counted from 0) is "), std::string::npos);
    EXPECT_NE(error.text.find("hint: the penalty of an atom is lambda times its weight"), std::string::npos);
  }
}

TEST_F(MatrixFilesTest, PatchesAndAtomsHaveOneLength) {
  const FloatMatrix patches(4, 3, 1.0F);
  RequireSameLength(patches, "x.npy", FloatMatrix(9, 3), "d.npy");
  const CaughtError error = ExpectError([&] { RequireSameLength(patches, "x.npy", FloatMatrix(3, 4), "d.npy"); });
  EXPECT_EQ(error.code, ErrorCode::kInput);
  EXPECT_EQ(error.text,
            "d.npy: error: the atoms have 4 values each, the patches of x.npy 3\n"
            "  hint: rows are atoms here and patches there; if yours are columns, in NumPy: numpy.save(path, x.T)");
}

TEST_F(MatrixFilesTest, AtomsLieInTheUnitBall) {
  RequireUnitBall(FloatMatrix(3, 2, {0, 0, 0.6F, 0.8F, 1.00005F, 0}), "d.npy");
  const CaughtError error = ExpectError([] { RequireUnitBall(FloatMatrix(2, 2, {0, 1, 3, 4}), "d.npy"); });
  EXPECT_EQ(error.code, ErrorCode::kInput);
  EXPECT_EQ(error.text,
            "d.npy: error: atom 1 (counted from 0) has norm 5.0000; atoms must lie in the unit ball\n"
            "  hint: to scale those beyond it in NumPy: numpy.save(path, d / numpy.maximum(1, numpy.linalg.norm(d, "
            "axis=1, keepdims=True)))");
  EXPECT_EQ(ExpectError([] { RequireUnitBall(FloatMatrix(1, 1, {1.0002F}), "d.npy"); }).code, ErrorCode::kInput);
}

}  // namespace
}  // namespace flyscribe
