#include "pipeline/run/run_record.h"

#include <fmt/core.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "core/csv.h"
#include "core/file.h"
#include "core/parallel.h"
#include "core/text.h"
#include "data/evaluation.h"
#include "pipeline/config/describe.h"
#include "pipeline/terminal/process.h"
#include "report/report.h"

namespace flyscribe {
namespace {

double Seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

std::vector<StepGraphNode> GraphForReport(const RunOutcome& outcome) {
  std::vector<StepGraphNode> graph;
  for (const StepOutcome& step : outcome.steps) {
    const bool made = !step.folder.empty();
    graph.push_back({step.range,
                     step.part,
                     step.step,
                     step.state,
                     made ? (step.hit() ? "made in " : "") + HumanSeconds(step.made_seconds) : "",
                     step.inputs});
  }
  return graph;
}

RunFacts FactsForReport(const RunRecord& record) {
  RunFacts facts;
  facts.version = Version();
  facts.command = record.command;
  facts.wall_seconds = record.resources.wall_seconds;
  facts.cpu_seconds = record.resources.cpu_seconds;
  facts.peak_memory_bytes = record.resources.peak_bytes;
  facts.cache_hits = record.outcome.Hits();
  facts.cache_misses = record.outcome.Misses();
  facts.threads = record.config.run.threads > 0 ? record.config.run.threads : DefaultThreads();
  for (const StepOutcome& step : record.outcome.steps) {
    if (step.folder.empty()) continue;
    facts.steps.push_back({step.range, step.part, step.step, step.hit(), step.made_seconds});
  }
  facts.graph = GraphForReport(record.outcome);
  return facts;
}

// Of what one of the evaluating steps left, per range.
std::vector<RangeScores> ScoresOf(const RunOutcome& outcome, const Step& evaluating) {
  std::vector<RangeScores> scores;
  for (const StepOutcome* step : outcome.Made(evaluating)) {
    scores.push_back({step->range, Evaluation::Load(step->folder).averages});
  }
  return scores;
}

void WriteSkippedTable(OutputFolder& output, const std::vector<RangeFault>& faults) {
  std::string text = TsvRow({"range", "input", "reason"});
  for (const RangeFault& fault : faults) text += TsvRow({fault.range, fault.skipped.input, fault.skipped.reason});
  output.Write("skipped.tsv", text);
}

constexpr std::array<const char*, 3> kTables = {"terms.tsv", "averages.tsv", "predictions.tsv"};

void CopyTables(const fs::path& artifact, const std::string& folder, OutputFolder& output) {
  for (const char* table : kTables) output.Write(folder + table, ReadFile(artifact / table));
}

// A baseline that is no longer asked for goes: it would lie beside scores it does not belong to.
void WriteScoreTables(const RunRecord& record, OutputFolder& output) {
  for (const StepOutcome& step : record.outcome.steps) {
    if (step.folder.empty()) continue;
    const std::string folder = step.range + "/";
    if (step.step == EvaluateStep().name) CopyTables(step.folder, folder, output);
    if (step.step == EvaluateStep().name && !record.config.protocol.pixel_baseline) {
      for (const char* table : kTables) output.Remove(folder + "pixels/" + table);
    }
    if (step.step == EvaluatePixelsStep().name) CopyTables(step.folder, folder + "pixels/", output);
  }
}

constexpr std::size_t kNameWidth = 34;

// "0.941-0.972"; a dash where it was not computed.
std::string IntervalText(const std::optional<MetricsInterval>& interval) {
  return interval ? fmt::format("{:.3f}-{:.3f}", interval->low.auc, interval->high.auc) : "-";
}

template <class Scored>
std::string MetricsRow(const std::string& name, const std::string& count, const Scored& scored) {
  const Metrics& metrics = scored.metrics;
  return fmt::format("  {:<{}}  {:>9}  {:>6.3f}  {:>13}  {:>8.3f}  {:>8.3f}  {:>6.3f}  {:>6.3f}  {:>6.3f}\n",
                     name.size() > kNameWidth ? name.substr(0, kNameWidth - 3) + "..." : name,
                     kNameWidth,
                     count,
                     metrics.auc,
                     IntervalText(scored.interval),
                     metrics.accuracy,
                     metrics.baseline,
                     metrics.sensitivity,
                     metrics.specificity,
                     metrics.f1);
}

std::string AverageRows(const Evaluation& evaluation, const std::string& before, const std::string& after) {
  std::string text;
  for (const AverageEvaluation& average : evaluation.averages) {
    const std::string name = fmt::format("{}{}{}, {}", before, NameOf(average.kind), after, average.terms.name());
    text += MetricsRow(name, fmt::format("{} terms", average.count), average);
  }
  return text;
}

// The averages of the baseline, if it was run.
std::string PixelRows(const RunOutcome& outcome, const std::string& range) {
  for (const StepOutcome* step : outcome.Made(EvaluatePixelsStep())) {
    if (step->range == range) return "\n" + AverageRows(Evaluation::Load(step->folder), "raw pixels 40x16, ", "");
  }
  return {};
}

}  // namespace

Resources ResourcesSinceStart(double wall_seconds) {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return {wall_seconds,
          Seconds(usage.ru_utime) + Seconds(usage.ru_stime),
          static_cast<std::uint64_t>(usage.ru_maxrss) * 1024};
}

std::vector<RangeFault> CollectFaults(const RunOutcome& outcome) {
  const std::vector<const StepOutcome*> reports = outcome.Made(ReportStep());
  if (!reports.empty()) return LoadFaults(reports.front()->folder);
  std::vector<RangeFault> faults;
  std::set<std::string> pooled;  // every fold pools the same bags: list them once per range
  for (const StepOutcome& step : outcome.steps) {
    const bool pools = step.step == PoolStep().name;
    const bool lists = pools || step.step == IngestStep().name || step.step == StandardiseStep().name;
    if (!lists || step.folder.empty() || (pools && !pooled.insert(step.range).second)) continue;
    for (Skipped& item : LoadSkipped(step.folder)) {
      if (item.fault) faults.push_back({step.range, std::move(item)});
    }
  }
  return faults;
}

std::string RunJson(const RunRecord& record) {
  const RunSummary summary = {.version = Version(),
                              .id = record.id,
                              .config = record.config.name,
                              .command = record.command,
                              .exit_code = record.exit_code,
                              .resources = record.resources,
                              .hits = record.outcome.Hits(),
                              .misses = record.outcome.Misses(),
                              .skipped = record.faults.size(),
                              .report = (fs::path(record.config.run.output) / "report" / "index.html").string(),
                              .scores = ScoresOf(record.outcome, EvaluateStep()),
                              .pixel_scores = ScoresOf(record.outcome, EvaluatePixelsStep())};
  return WriteRunSummary(summary, record.outcome.steps);
}

OutputFolder OpenOutput(const Config& config, const fs::path& config_file) {
  std::vector<std::string> files = {"config.yaml", "report/index.html", "run.json", "skipped.tsv"};
  for (const StageRange range : config.StageRanges()) {
    for (const char* table : kTables) {
      files.push_back(range.name() + "/" + table);
      files.push_back(range.name() + "/pixels/" + table);
    }
  }
  const fs::path output = config.run.output;
  return {output, files, config_file, OfFirstRelease(output / "run.json")};
}

void WriteOutputs(const RunRecord& record, OutputFolder& output) {
  WriteScoreTables(record, output);
  WriteSkippedTable(output, record.faults);
  // A run that ends early leaves the results of an earlier one in place, and with them the options they came from.
  if (!record.outcome.Made(EvaluateStep()).empty()) output.Write("config.yaml", EffectiveYaml(record.config, false));
  for (const StepOutcome* report : record.outcome.Made(ReportStep())) {
    output.Write("report/index.html", InsertRunFacts(ReadFile(report->folder / "report.html"), FactsForReport(record)));
  }
  output.Write("run.json", RunJson(record));
}

std::string ScoreTable(const RunOutcome& outcome) {
  std::string text;
  for (const StepOutcome* step : outcome.Made(EvaluateStep())) {
    const Evaluation evaluation = Evaluation::Load(step->folder);
    const std::size_t tested = evaluation.terms.empty() ? 0 : evaluation.terms.front().bags;
    text += fmt::format("\nStage range {}: scores on {} bags of genes no model has seen\n", step->range, tested);
    text += fmt::format("  {:<{}}  {:>9}  {:>6}  {:>13}  {:>8}  {:>8}  {:>6}  {:>6}  {:>6}\n",
                        "term",
                        kNameWidth,
                        "positives",
                        "AUC",
                        "95 % interval",
                        "accuracy",
                        "baseline",
                        "sens.",
                        "spec.",
                        "F1");
    for (const TermEvaluation& term : evaluation.terms) {
      text += MetricsRow(term.term, std::to_string(term.positives), term);
    }
    text += "\n";
    text += AverageRows(evaluation, "", " average") + PixelRows(outcome, step->range);
    if (evaluation.terms.empty()) text += "  no term could be evaluated; see the report for the reasons\n";
  }
  return text;
}

std::string ClosingBlock(const RunRecord& record) {
  const RunOutcome& outcome = record.outcome;
  std::string text = fmt::format("\nflyscribe {}\n", Version());
  text += fmt::format("  time     {} (CPU {})\n",
                      HumanSeconds(record.resources.wall_seconds),
                      HumanSeconds(record.resources.cpu_seconds));
  text += fmt::format("  memory   {} at most\n", HumanBytes(record.resources.peak_bytes));
  text += fmt::format("  cache    {} hits, {} misses{}\n",
                      outcome.Hits(),
                      outcome.Misses(),
                      outcome.Misses() == 0 && !outcome.error ? ": nothing to do" : "");
  if (!record.faults.empty()) {
    text += fmt::format("  skipped  {} inputs, listed in {}\n",
                        record.faults.size(),
                        (fs::path(record.config.run.output) / "skipped.tsv").string());
  }
  const bool has_report = !outcome.Made(ReportStep()).empty();
  const fs::path output = record.config.run.output;
  text += has_report ? fmt::format("  report   {}\n", (output / "report" / "index.html").string())
                     : fmt::format("  output   {}\n", output.string());
  return text;
}

}  // namespace flyscribe
