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
  const Metrics metrics = {0.75, 0.5, 1.0 / 3, 0.1, 0.2, 0.3, 0.4, 0.15, 0.6, 0.35, 0.05};
  Metrics high = metrics;
  high.auc = 0.4;
  const MetricsInterval interval = {metrics, high};
  evaluation.terms = {{"gut",
                       3,
                       8,
                       2,
                       metrics,
                       {{0, 0}, {0.5, 1}, {1, 1}},
                       {{0, 1}, {1, 0.375}},
                       interval,
                       {{4, 0.25, 0.5}, {4, 0.75, 0.25}},
                       {{0, 1.0, 0.5}, {1, 0.1, 0.3}}}};
  evaluation.averages = {{{}, AverageKind::kMacro, 3, {}, {}},
                         {{10}, AverageKind::kMacro, 1, metrics, interval},
                         {{10}, AverageKind::kWeighted, 1, {}, {}}};
  evaluation.skipped = {{"brain", "no \"positive\" bag"}};
  evaluation.reliability = {{8, 0.5, 0.375}};
  evaluation.predictions = {{"b1", "g1", "gut", 0, true, 0.1, 0.7, 0.5, true},
                            {"b2", "g2", "gut", 1, false, -1e-9, 0.25, 0.3, false}};
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
  EXPECT_EQ(loaded.reliability, Sample().reliability);
  EXPECT_EQ(loaded.predictions, Sample().predictions);
  const TempFolder again;
  loaded.Save(again.path());
  for (const std::string name : {"terms.tsv", "averages.tsv", "predictions.tsv", "evaluation.json"}) {
    EXPECT_EQ(ReadFile(again / name), ReadFile(folder_ / name)) << name;
  }
}

TEST_F(EvaluationTest, WritesTheTables) {
  const std::string names =
      "accuracy\tbaseline\tauc\tsensitivity\tspecificity\tf1\taverage_precision\tbalanced_accuracy\tprecision\t"
      "f1_of_means\tbrier\tauc_low\tauc_high\n";
  const std::string values =
      "0.750000\t0.500000\t0.333333\t0.100000\t0.200000\t0.300000\t0.400000\t0.150000\t0.600000\t0.350000\t"
      "0.050000\t0.333333\t0.400000\n";
  std::string zeros;
  for (int i = 0; i < 11; ++i) zeros += "0.000000\t";
  zeros += "\t\n";  // no interval
  EXPECT_EQ(ReadFile(folder_ / "terms.tsv"), "term\tpositives\tbags\t" + names + "gut\t3\t8\t" + values);
  EXPECT_EQ(ReadFile(folder_ / "averages.tsv"),
            "terms\taverage\tcount\t" + names + "all\tmacro\t3\t" + zeros + "top 10\tmacro\t1\t" + values +
                "top 10\tweighted\t1\t" + zeros);
  EXPECT_EQ(ReadFile(folder_ / "predictions.tsv"),
            "bag\tgene\tterm\tfold\tlabel\tdecision_value\tprobability\tthreshold\tcall\tscore_source\n"
            "b1\tg1\tgut\t0\t1\t0.1\t0.7\t0.5\t1\ttest\n"
            "b2\tg2\tgut\t1\t0\t-1e-09\t0.25\t0.3\t0\ttest\n");
}

TEST_F(EvaluationTest, TopTerms) {
  const Evaluation evaluation = Sample();
  ASSERT_NE(TopTerms(evaluation.averages, AverageKind::kMacro), nullptr);
  EXPECT_EQ(TopTerms(evaluation.averages, AverageKind::kMacro)->metrics.accuracy, 0.75);
  EXPECT_EQ(TopTerms(evaluation.averages, AverageKind::kWeighted), &evaluation.averages[2]);
  EXPECT_EQ(TopTerms({}, AverageKind::kMacro), nullptr);
  EXPECT_EQ(AllTerms(evaluation.averages, AverageKind::kMacro), &evaluation.averages[0]);
  EXPECT_EQ(AllTerms(evaluation.averages, AverageKind::kWeighted), nullptr);
}

TEST(AveragedTermsTest, HaveNames) {
  for (const AverageKind kind : kAverageKinds) EXPECT_EQ(AverageKindOf(NameOf(kind)), kind);
  EXPECT_EQ(AverageKindOf("mean"), std::nullopt);
  EXPECT_EQ(AveragedTerms{5}.name(), "top 5");
  EXPECT_EQ(AveragedTerms::Of("top 5"), AveragedTerms{5});
  EXPECT_EQ(AveragedTerms{}.name(), "all");
  EXPECT_EQ(AveragedTerms::Of("all"), AveragedTerms{});
  for (const char* name : {"", "top", "top ", "top 0", "top -1", "top x", "All"}) {
    EXPECT_EQ(AveragedTerms::Of(name), std::nullopt) << name;
  }
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
  EXPECT_THAT(ComplaintFor(Spoiled("0.75", "null")), HasSubstr("type must be number"));
  EXPECT_THAT(ComplaintFor(Spoiled("\"top 10\"", "\"top ten\"")), HasSubstr("no choice of terms"));
  EXPECT_THAT(ComplaintFor(Spoiled("\"macro\"", "\"mean\"")), HasSubstr("no kind of average"));
}

TEST_F(EvaluationTest, CountsAreNotNegative) {
  const fs::path path = folder_ / "evaluation.json";
  EXPECT_EQ(ComplaintFor(Spoiled("\"positives\": 3", "\"positives\": -3")),
            CorruptText(path, "positives is not a count"));
  EXPECT_EQ(ComplaintFor(Spoiled("\"count\": 3", "\"count\": 3.5")), CorruptText(path, "count is not a count"));
  EXPECT_EQ(ComplaintFor(Spoiled("\"fold\": 1", "\"fold\": -1")), CorruptText(path, "fold is not a count"));
  EXPECT_EQ(ComplaintFor(Spoiled("\"fold\": 1", "\"fold\": 4294967297")), CorruptText(path, "fold is not a count"));
}

TEST_F(EvaluationTest, BadPredictions) {
  const fs::path path = folder_ / "predictions.tsv";
  const std::string good = ReadFile(path);
  const auto complaint = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    folder_.Write("predictions.tsv", text.replace(text.find(from), from.size(), to));
    const CaughtError error = ExpectError([&] { LoadPredictions(path); });
    EXPECT_EQ(error.code, ErrorCode::kCorrupt);
    return error.text;
  };
  EXPECT_THAT(complaint("gene", "jean"), HasSubstr("expected the columns bag, gene, term, fold, label"));
  EXPECT_EQ(complaint("\t0\t1\t0.1", "\t-1\t1\t0.1"), CorruptText(path, "the number -1 is out of range"));
  EXPECT_EQ(complaint("\t0\t1\t0.1", "\t0\t2\t0.1"), CorruptText(path, "the number 2 is out of range"));
  EXPECT_EQ(complaint("0.7", "much"), CorruptText(path, "expected a number, found 'much'"));
  EXPECT_EQ(complaint("1\ttest", "1\toof"), CorruptText(path, "expected scores of tests, found score_source 'oof'"));
}

}  // namespace
}  // namespace flyscribe
