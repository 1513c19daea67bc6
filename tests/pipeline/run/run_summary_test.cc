#include "pipeline/run/run_summary.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace flyscribe {
namespace {

// Averages over the top five and all terms, of two ranges.
RunSummary Sample() {
  AverageEvaluation average{.terms = {5}, .kind = AverageKind::kMacro, .count = 4, .metrics = {}, .interval = {}};
  double next = 0.125;
  for (const Measure& measure : kMeasures) average.metrics.*measure.value = next += 0.0625;
  AverageEvaluation all = average;
  all.terms = {};
  all.count = 17;
  all.metrics.auc = 0.1;  // has no short binary form
  average.interval.emplace();
  average.interval->low.auc = 0.25;
  average.interval->high.auc = 0.75;
  return {.version = "1.2",
          .id = "id",
          .config = "tiny",
          .command = "flyscribe run tiny.yaml",
          .exit_code = 3,
          .resources = {.wall_seconds = 1.5, .cpu_seconds = 2.5, .peak_bytes = 12345678901},
          .hits = 2,
          .misses = 9,
          .skipped = 1,
          .report = "out/report/index.html",
          .scores = {{"4-6", {average, all}}, {"13-16", {all}}},
          .pixel_scores = {{"4-6", {all}}}};
}

TEST(RunSummaryTest, IsReadAsItWasWritten) {
  const RunSummary written = Sample();
  const std::optional<RunSummary> read = ReadRunSummary(WriteRunSummary(written, {}));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->version, written.version);
  EXPECT_EQ(read->id, written.id);
  EXPECT_EQ(read->config, written.config);
  EXPECT_EQ(read->command, written.command);
  EXPECT_EQ(read->exit_code, written.exit_code);
  EXPECT_EQ(read->resources.wall_seconds, written.resources.wall_seconds);
  EXPECT_EQ(read->resources.cpu_seconds, written.resources.cpu_seconds);
  EXPECT_EQ(read->resources.peak_bytes, written.resources.peak_bytes);
  EXPECT_EQ(read->hits, written.hits);
  EXPECT_EQ(read->misses, written.misses);
  EXPECT_EQ(read->skipped, written.skipped);
  EXPECT_EQ(read->report, written.report);
  ASSERT_EQ(read->scores.size(), 2U);
  EXPECT_EQ(read->scores[0].range, "4-6");
  EXPECT_EQ(read->scores[0].averages, written.scores[0].averages);
  EXPECT_EQ(read->scores[1].averages, written.scores[1].averages);
  ASSERT_EQ(read->pixel_scores.size(), 1U);
  EXPECT_EQ(read->pixel_scores[0].averages, written.pixel_scores[0].averages);
}

TEST(RunSummaryTest, HasTheFieldsThatProgramsRead) {
  StepOutcome step;
  step.range = "4-6";
  step.step = "learn";
  step.folder = "cache/4-6/learn/\xff";
  const auto json = nlohmann::json::parse(WriteRunSummary(Sample(), {step}));
  EXPECT_EQ(json.at("format"), 1);
  EXPECT_EQ(json.at("peak_memory_bytes"), 12345678901);
  EXPECT_EQ(json.at("scores").at("4-6").at("top 5").at("macro").at("terms"), 4);
  EXPECT_EQ(json.at("scores").at("4-6").at("top 5").at("macro").at("auc_low"), 0.25);
  EXPECT_EQ(json.at("scores").at("4-6").at("all").at("macro").at("auc"), 0.1);
  EXPECT_FALSE(json.at("scores").at("4-6").at("all").at("macro").contains("auc_low"));
  EXPECT_EQ(json.at("steps")[0].at("artifact"), "cache/4-6/learn/\xef\xbf\xbd");
  EXPECT_FALSE(json.at("steps")[0].contains("error"));
  EXPECT_FALSE(json.at("steps")[0].contains("differing"));
}

const std::string kStart =
    R"({"version": "1", "config": "c", "command": "x", "exit_code": 3, "wall_seconds": 1,
        "peak_memory_bytes": 2, "hits": 3, "misses": 4, "skipped": 5, "scores": )";

TEST(RunSummaryTest, OfAnEarlierVersion) {
  const std::string score = R"({"all": {"macro": {"terms": 3, "auc": 0.5, "f1": null}, "new kind": {}}})";
  const auto summary = ReadRunSummary(kStart + R"({"13-16": )" + score + R"(, "4-6": )" + score + "}}");
  ASSERT_TRUE(summary.has_value());
  ASSERT_EQ(summary->scores.size(), 2U);
  EXPECT_EQ(summary->scores[0].range, "4-6") << "ranges come in the order of development";
  EXPECT_EQ(summary->scores[1].range, "13-16");
  ASSERT_EQ(summary->scores[1].averages.size(), 1U);
  const AverageEvaluation& average = summary->scores[1].averages[0];
  EXPECT_EQ(average.count, 3U);
  EXPECT_EQ(average.metrics.auc, 0.5);
  EXPECT_TRUE(std::isnan(average.metrics.accuracy));
  EXPECT_TRUE(std::isnan(average.metrics.f1));
  EXPECT_FALSE(average.interval.has_value());
}

TEST(RunSummaryTest, OtherTextsAreNone) {
  const std::string nested = std::string(1000000, '[') + std::string(1000000, ']');
  for (const std::string& text : {std::string(),
                                  std::string("null"),
                                  std::string("[]"),
                                  std::string("{"),
                                  std::string(R"({"format": 1})"),
                                  kStart + "7}",
                                  kStart + R"({"4-6": {"all": {"macro": {}}}}})",
                                  kStart + "{}, \"x\": " + nested + "}"}) {
    EXPECT_FALSE(ReadRunSummary(text).has_value()) << text.substr(0, 300);
  }
  EXPECT_TRUE(ReadRunSummary(kStart + "{}}").has_value());
}

}  // namespace
}  // namespace flyscribe
