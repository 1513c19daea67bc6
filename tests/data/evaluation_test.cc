#include "data/evaluation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/file.h"
#include "tests/support/corrupt_text.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

using ::testing::HasSubstr;

Evaluation Sample() {
  Evaluation evaluation;
  const Metrics metrics = {0.75, 0.5, 1.0 / 3, 0.1, 0.2, 0.3, 0.4};
  evaluation.terms = {{"gut", 3, 8, 2, metrics, {{0, 0}, {0.5, 1}, {1, 1}}, {{0, 1}, {1, 0.375}}}};
  evaluation.averages = {{"all", "macro", 3, {}}, {"top 10", "macro", 1, metrics}, {"top 10", "weighted", 1, {}}};
  evaluation.skipped = {{"brain", "no \"positive\" bag"}};
  evaluation.predictions = {{"b1", "gut", 0, true, 0.1, true}, {"b2", "gut", 1, false, -1e-9, false}};
  return evaluation;
}

class EvaluationTest : public ::testing::Test {
 protected:
  EvaluationTest() { Sample().Save(folder_.path()); }
  std::string ComplaintFor(const std::string& json) const {
    folder_.Write("evaluation.json", json);
    const CaughtError error = ExpectError([&] { Evaluation::Load(folder_.path()); });
    EXPECT_EQ(error.code, ErrorCode::kCorrupt);
    return error.text;
  }
  // The sample's JSON with one piece replaced.
  std::string Spoiled(const std::string& from, const std::string& to) const {
    const TempFolder fresh;
    Sample().Save(fresh.path());
    std::string json = ReadFile(fresh / "evaluation.json");
    const std::size_t at = json.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return json.replace(at, from.size(), to);
  }

  TempFolder folder_;
};

TEST_F(EvaluationTest, RoundTripsByteForByte) {
  const Evaluation loaded = Evaluation::Load(folder_.path());
  EXPECT_EQ(loaded.terms, Sample().terms);
  EXPECT_EQ(loaded.averages, Sample().averages);
  EXPECT_EQ(loaded.skipped, Sample().skipped);
  EXPECT_EQ(loaded.predictions, Sample().predictions);
  const TempFolder again;
  loaded.Save(again.path());
  for (const std::string name : {"terms.tsv", "averages.tsv", "predictions.tsv", "evaluation.json"}) {
    EXPECT_EQ(ReadFile(again / name), ReadFile(folder_ / name)) << name;
  }
}

TEST_F(EvaluationTest, WritesTheTables) {
  const std::string names = "accuracy\tbaseline\tauc\tsensitivity\tspecificity\tf1\taverage_precision\n";
  const std::string values = "0.750000\t0.500000\t0.333333\t0.100000\t0.200000\t0.300000\t0.400000\n";
  const std::string zeros = "0.000000\t0.000000\t0.000000\t0.000000\t0.000000\t0.000000\t0.000000\n";
  EXPECT_EQ(ReadFile(folder_ / "terms.tsv"), "term\tpositives\tbags\t" + names + "gut\t3\t8\t" + values);
  EXPECT_EQ(ReadFile(folder_ / "averages.tsv"),
            "terms\taverage\tcount\t" + names + "all\tmacro\t3\t" + zeros + "top 10\tmacro\t1\t" + values +
                "top 10\tweighted\t1\t" + zeros);
  EXPECT_EQ(ReadFile(folder_ / "predictions.tsv"),
            "bag\tterm\tfold\tlabel\tdecision_value\tcall\nb1\tgut\t0\t1\t0.1\t1\nb2\tgut\t1\t0\t-1e-09\t0\n");
}

TEST_F(EvaluationTest, TopTerms) {
  const Evaluation evaluation = Sample();
  ASSERT_NE(evaluation.TopTerms("macro"), nullptr);
  EXPECT_EQ(evaluation.TopTerms("macro")->metrics.accuracy, 0.75);
  EXPECT_EQ(evaluation.TopTerms("weighted"), &evaluation.averages[2]);
  EXPECT_EQ(Evaluation{}.TopTerms("macro"), nullptr);
}

TEST_F(EvaluationTest, AnEmptyOneRoundTrips) {
  const TempFolder folder;
  Evaluation{}.Save(folder.path());
  const Evaluation loaded = Evaluation::Load(folder.path());
  EXPECT_TRUE(loaded.terms.empty());
  EXPECT_TRUE(loaded.predictions.empty());
}

TEST_F(EvaluationTest, BadJson) {
  EXPECT_THAT(ComplaintFor(""), HasSubstr("parse error"));
  EXPECT_THAT(ComplaintFor(ReadFile(folder_ / "averages.tsv")), HasSubstr("parse error"));
  EXPECT_THAT(ComplaintFor("{}"), HasSubstr("key 'terms' not found"));
  EXPECT_THAT(ComplaintFor("[1]"), HasSubstr("cannot use at() with array"));
  EXPECT_THAT(ComplaintFor(Spoiled("\"auc\"", "\"auk\"")), HasSubstr("key 'auc' not found"));
  EXPECT_THAT(ComplaintFor(Spoiled("\"call\": true", "\"call\": 1")), HasSubstr("type must be boolean"));
  EXPECT_THAT(ComplaintFor(Spoiled("0.75", "null")), HasSubstr("type must be number"));
}

TEST_F(EvaluationTest, CountsAreNotNegative) {
  const fs::path path = folder_ / "evaluation.json";
  EXPECT_EQ(ComplaintFor(Spoiled("\"positives\": 3", "\"positives\": -3")),
            CorruptText(path, "positives is not a count"));
  EXPECT_EQ(ComplaintFor(Spoiled("\"count\": 3", "\"count\": 3.5")), CorruptText(path, "count is not a count"));
  EXPECT_EQ(ComplaintFor(Spoiled("\"fold\": 1", "\"fold\": -1")), CorruptText(path, "fold is not a count"));
}

}  // namespace
}  // namespace flyscribe
