#include "pipeline/run/run_record.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/file.h"
#include "core/text.h"
#include "data/evaluation.h"
#include "tests/pipeline/tiny_run.h"
#include "tests/report/html_checker.h"

namespace flyscribe {
namespace {

RunRecord Record(std::vector<RangeFault> faults) {
  const TinyRun& run = SharedTinyRun();
  return {run.config,
          run.outcome,
          "flyscribe run tiny.yaml --set a=b",
          std::move(faults),
          {75.0, 100.0, 123456789},
          3,
          "id"};
}

void Write(const RunRecord& record) {
  OutputFolder output = OpenOutput(record.config, "tiny.yaml");
  WriteOutputs(record, output);
}

TEST(WriteOutputs, LeavesReportTablesConfigAndRecord) {
  const TinyRun& run = SharedTinyRun();
  Write(Record({{"4-6", {"a.bmp", "not an image", true}}}));
  const fs::path output = run.config.run.output;
  const auto json = nlohmann::json::parse(ReadFile(output / "run.json"));
  EXPECT_EQ(json.at("steps").size(), 11U);
  EXPECT_EQ(json.at("steps")[1].at("step"), "ingest");
  EXPECT_EQ(json.at("steps")[1].at("range"), "4-6");
  EXPECT_EQ(json.at("steps")[1].at("state"), "run");
  EXPECT_EQ(json.at("steps")[1].at("key").get<std::string>().size(), 64U);
  EXPECT_EQ(json.at("exit_code"), 3);
  EXPECT_EQ(json.at("command"), "flyscribe run tiny.yaml --set a=b");
  EXPECT_EQ(json.at("skipped"), 1);
  const auto& macro = json.at("scores").at("4-6").at("top 10").at("macro");
  EXPECT_GT(macro.at("auc"), 0.0);
  EXPECT_LE(macro.at("auc_low"), macro.at("auc_high"));
  for (const Measure& measure : kMeasures) EXPECT_TRUE(macro.contains(measure.name)) << measure.name;
  EXPECT_NE(ReadFile(output / "report" / "index.html").find("1 min 15 s"), std::string::npos);
  EXPECT_EQ(ReadFile(output / "skipped.tsv"), "range\tinput\treason\n4-6\ta.bmp\tnot an image\n");
  for (const char* table : {"terms.tsv", "averages.tsv", "predictions.tsv"}) {
    EXPECT_EQ(ReadFile(output / "4-6" / table), ReadFile(run.FolderOf("evaluate") / table));
  }
  EXPECT_EQ(ReadConfig(output / "config.yaml", {}).learn.atoms, 24);
}

TEST(WriteOutputs, LeavesTheBaselineBesideTheScoresAsLongAsItIsAskedFor) {
  const TinyRun& run = SharedBaselineRun();
  const fs::path output = run.config.run.output;
  Write({run.config, run.outcome, "", {}, {}, 0, "id"});
  for (const char* table : {"terms.tsv", "averages.tsv", "predictions.tsv"}) {
    EXPECT_EQ(ReadFile(output / "4-6" / table), ReadFile(run.FolderOf("evaluate") / table));
    EXPECT_EQ(ReadFile(output / "4-6" / "pixels" / table), ReadFile(run.FolderOf("evaluate-pixels") / table));
  }
  const auto json = nlohmann::json::parse(ReadFile(output / "run.json"));
  for (const auto& [entry, step] : {std::pair{"scores", "evaluate"}, {"pixel_scores", "evaluate-pixels"}}) {
    EXPECT_EQ(json.at(entry).at("4-6").at("top 10").at("macro").at("auc"),
              TopTerms(Evaluation::Load(run.FolderOf(step)).averages, AverageKind::kMacro)->metrics.auc);
  }
  const std::string page = ReadFile(output / "report" / "index.html");
  EXPECT_EQ(CountOf(page, " · raw pixels "), 2U) << "beside macro and weighted AUC";
  EXPECT_EQ(CountOf(page, "aria-label=\"pixels 4-6: run, "), 1U) << "a step of the graph";

  Config without = run.config;
  without.protocol.pixel_baseline = false;
  RunOutcome outcome = run.outcome;
  std::erase_if(outcome.steps, [](const StepOutcome& step) { return step.step == "evaluate-pixels"; });
  for (StepOutcome& step : outcome.steps) step.inputs.clear();
  Write({without, outcome, "", {}, {}, 0, "id"});
  EXPECT_FALSE(fs::exists(output / "4-6" / "pixels")) << "it would not belong to the scores";
  EXPECT_TRUE(nlohmann::json::parse(ReadFile(output / "run.json")).at("pixel_scores").empty());
}

TEST(WriteOutputs, DrawsTheStepsFromSimulateToReport) {
  Write(Record({}));
  const std::string page = ReadFile(fs::path(SharedTinyRun().config.run.output) / "report" / "index.html");
  for (const char* step : {"simulate: run, ", "ingest 4-6: run, ", "learn 4-6 fold-0: run, ", "report: run, "}) {
    EXPECT_EQ(CountOf(page, "aria-label=\"" + std::string(step)), 1U) << step;
  }
  // The tiny run is one chain of eleven steps.
  EXPECT_EQ(CountOf(page, "\nfrom "), 10U);
}

TEST(ClosingBlock, SaysWhatMatters) {
  const std::string text = ClosingBlock(Record({{"4-6", {"a.bmp", "r", true}}}));
  EXPECT_NE(text.find("time     1 min 15 s (CPU 1 min 40 s)"), std::string::npos) << text;
  EXPECT_NE(text.find("memory   123 MB at most"), std::string::npos) << text;
  EXPECT_NE(text.find("cache    0 hits, 11 misses\n"), std::string::npos) << text;
  EXPECT_NE(text.find("skipped  1 inputs"), std::string::npos) << text;
  EXPECT_NE(text.find("report/index.html"), std::string::npos) << text;
}

TEST(ScoreTable, HasTermsAndAverages) {
  const std::string text = ScoreTable(SharedTinyRun().outcome);
  EXPECT_NE(text.find("Stage range 4-6"), std::string::npos);
  EXPECT_NE(text.find("macro average, top 10"), std::string::npos) << text;
  EXPECT_NE(text.find("baseline"), std::string::npos);
  const AverageEvaluation macro =
      *TopTerms(Evaluation::Load(SharedTinyRun().FolderOf("evaluate")).averages, AverageKind::kMacro);
  ASSERT_TRUE(macro.interval);
  const std::string interval = FormatFixed(macro.interval->low.auc, 3) + "-" + FormatFixed(macro.interval->high.auc, 3);
  EXPECT_NE(text.find("  " + FormatFixed(macro.metrics.auc, 3) + "    " + interval + "  "), std::string::npos) << text;
}

TEST(ScoreTable, HasTheAveragesOfRawPixelsWhereTheyWereRun) {
  EXPECT_EQ(ScoreTable(SharedTinyRun().outcome).find("raw pixels"), std::string::npos);
  const Evaluation pixels = Evaluation::Load(SharedBaselineRun().FolderOf("evaluate-pixels"));
  const std::string text = ScoreTable(SharedBaselineRun().outcome);
  const std::size_t line = text.find("  raw pixels 40x16, macro, top 10 ");
  ASSERT_NE(line, std::string::npos) << text;
  EXPECT_GT(line, text.find("  micro average, all "));
  const std::string row = text.substr(line, text.find('\n', line) - line);
  EXPECT_NE(row.find("  " + FormatFixed(TopTerms(pixels.averages, AverageKind::kMacro)->metrics.auc, 3)),
            std::string::npos)
      << row;
  EXPECT_NE(text.find("  raw pixels 40x16, weighted, all "), std::string::npos) << text;
}

TEST(CollectFaults, TakesFaultsNotFilters) { EXPECT_TRUE(CollectFaults(SharedTinyRun().outcome).empty()); }

TEST(Resources, AreThoseOfThisProcess) {
  const Resources resources = ResourcesSinceStart(2.0);
  EXPECT_EQ(resources.wall_seconds, 2.0);
  EXPECT_GT(resources.peak_bytes, 1000000U);
}

}  // namespace
}  // namespace flyscribe
