#include "data/models.h"

#include <gtest/gtest.h>

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
  models.terms = {{"gut", 5, 7, -0.1, 4}, {"pole cell", 2, 10, 1e-9, 12}};
  models.skipped = {{"brain", 1, "only one positive bag"}};
  models.weights = FloatMatrix(2, 3, std::vector<float>{1, 2, 3, 4, 5, 6});
  models.scores = Matrix<double>(4, 2, std::vector<double>{1, -1, 0.1, 1.0 / 3, 0, -0.0, 2, 3});
  return models;
}

class ModelsTest : public ::testing::Test {
 protected:
  ModelsTest() { Sample().Save(folder_.path()); }
  std::string Complaint() const {
    const CaughtError error = ExpectError([&] { TermModels::Load(folder_.path()); });
    EXPECT_EQ(error.code, ErrorCode::kCorrupt);
    return error.text;
  }
  std::string ComplaintFor(const std::string& row) const {
    folder_.Write("terms.tsv", "term\tstate\tpositives\tnegatives\tbias\tsupport_vectors\n" + row + "\n");
    return Complaint();
  }

  TempFolder folder_;
};

TEST_F(ModelsTest, RoundTripsByteForByte) {
  EXPECT_EQ(ReadFile(folder_ / "terms.tsv"),
            "term\tstate\tpositives\tnegatives\tbias\tsupport_vectors\ngut\ttrained\t5\t7\t-0.1\t4\n"
            "pole cell\ttrained\t2\t10\t1e-09\t12\nbrain\tonly one positive bag\t1\t0\t0\t0\n");
  const TermModels loaded = TermModels::Load(folder_.path());
  EXPECT_EQ(loaded.terms, Sample().terms);
  EXPECT_EQ(loaded.skipped, Sample().skipped);
  EXPECT_EQ(loaded.weights, Sample().weights);
  EXPECT_EQ(loaded.scores, Sample().scores);
  const TempFolder again;
  loaded.Save(again.path());
  for (const std::string name : {"terms.tsv", "weights.npy", "scores.npy"}) {
    EXPECT_EQ(ReadFile(again / name), ReadFile(folder_ / name)) << name;
  }
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
}

TEST_F(ModelsTest, BadNumbers) {
  const fs::path path = folder_ / "terms.tsv";
  EXPECT_EQ(ComplaintFor("gut\ttrained\t-5\t7\t0\t4"), CorruptText(path, "the number -5 is out of range"));
  EXPECT_EQ(ComplaintFor("gut\ttrained\t5\t-7\t0\t4"), CorruptText(path, "the number -7 is out of range"));
  EXPECT_EQ(ComplaintFor("gut\ttrained\t5\t7\t0\t-4"), CorruptText(path, "the number -4 is out of range"));
  EXPECT_EQ(ComplaintFor("gut\ttoo rare\t-1\t0\t0\t0"), CorruptText(path, "the number -1 is out of range"));
  EXPECT_EQ(ComplaintFor("gut\ttrained\t5.0\t7\t0\t4"), CorruptText(path, "expected an integer, found '5.0'"));
  EXPECT_EQ(ComplaintFor("gut\ttrained\t5\t7\tinf\t4"), CorruptText(path, "expected a number, found 'inf'"));
}

}  // namespace
}  // namespace flyscribe
