// flyscribe compare A B: two runs on the genes and terms both have tested, with an interval of the difference.
#include "evaluate/compare.h"

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/error.h"
#include "core/file.h"
#include "core/fs.h"
#include "core/text.h"
#include "data/stage_range.h"
#include "data/tables.h"
#include "pipeline/arguments/arguments.h"
#include "pipeline/arguments/command_line.h"
#include "pipeline/command.h"
#include "pipeline/terminal/console.h"
#include "pipeline/terminal/text_table.h"

namespace flyscribe {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kTable = "predictions.tsv";
constexpr const char* kPixels = "pixels";

struct CompareArguments {
  std::string first;
  std::string second;
  OptionArguments options;
  int threads = 0;
  bool json = false;
};

// range -> table of predictions.
using TablesOfRanges = std::map<StageRange, fs::path>;

std::optional<StageRange> RangeNamed(const std::string& name) {
  for (const StageRange range : StageRange::All()) {
    if (range.name() == name) return range;
  }
  return std::nullopt;
}

// The innermost folder on the way that is named like a range: output/4-6, output/4-6/pixels, cache/4-6/evaluate/<key>.
StageRange RangeOfFolder(const fs::path& folder) {
  for (fs::path path = fs::absolute(folder).lexically_normal(); path.has_relative_path(); path = path.parent_path()) {
    if (const auto range = RangeNamed(path.filename().string())) return *range;
  }
  throw Error(ErrorCode::kInput,
              folder.string() + ": no folder on the way says which stage range the predictions are of",
              "give a run's output folder, or <output>/<range>, or <output>/<range>/pixels");
}

// Below a run's output folder; with `inner` in a folder of each range.
TablesOfRanges TablesBelow(const fs::path& output, const fs::path& inner = {}) {
  TablesOfRanges tables;
  for (const fs::path& entry : EntriesOf(output)) {
    const auto range = RangeNamed(entry.filename().string());
    if (range && fs::exists(entry / inner / kTable)) tables[*range] = entry / inner / kTable;
  }
  return tables;
}

fs::path OutputFolder(const fs::path& given) {
  const bool is_config = given.extension() == ".yaml" || given.extension() == ".yml";
  return is_config ? fs::path(ReadConfig(given, {}).run.output) : given;
}

// The tables of a run: of its output folder, or of the config that names it; of one range; of <output>/pixels, which is
// no folder but stands for the baselines of all ranges.
TablesOfRanges FindTables(const std::string& given) {
  const fs::path folder = OutputFolder(given);
  if (fs::exists(folder / kTable)) return {{RangeOfFolder(folder), folder / kTable}};
  const bool all_pixels = !fs::exists(folder) && folder.filename() == kPixels;
  TablesOfRanges tables = all_pixels ? TablesBelow(folder.parent_path(), kPixels) : TablesBelow(folder);
  if (!tables.empty()) return tables;
  throw Error(ErrorCode::kInput,
              folder.string() + ": no predictions here",
              "run the config first, then give its output folder, <output>/<range>, or <output>/pixels for the "
              "raw-pixel baselines of all ranges");
}

std::string NamesOf(const TablesOfRanges& tables) {
  std::vector<std::string> names;
  for (const auto& [range, table] : tables) names.push_back(range.name());
  return Join(names, ", ");
}

std::vector<RangePredictions> LoadShared(const CompareArguments& arguments) {
  const TablesOfRanges first = FindTables(arguments.first);
  const TablesOfRanges second = FindTables(arguments.second);
  std::vector<RangePredictions> shared;
  for (const auto& [range, table] : first) {
    const auto other = second.find(range);
    if (other == second.end()) continue;
    shared.push_back({range.name(), LoadPredictions(table), LoadPredictions(other->second)});
  }
  if (!shared.empty()) return shared;
  throw Error(ErrorCode::kInput,
              "the two runs share no stage range: " + NamesOf(first) + " against " + NamesOf(second),
              "compare runs over the same stage ranges");
}

std::string IntervalText(const std::optional<Interval>& interval, bool with_sign) {
  if (!interval) return "-";
  const auto text = [&](double value) { return (with_sign && value > 0.0 ? "+" : "") + FormatFixed(value, 4); };
  return text(interval->low) + " to " + text(interval->high);
}

std::vector<std::string> Row(const std::string& name, const std::string& count, const PairedAuc& auc) {
  return {name,
          count,
          FormatFixed(auc.first, 4),
          FormatFixed(auc.second, 4),
          (auc.Difference() > 0.0 ? "+" : "") + FormatFixed(auc.Difference(), 4),
          IntervalText(auc.difference_interval, true)};
}

std::string AveragesText(const RunComparison& comparison) {
  TextTable table({"macro AUC", ">over", ">A", ">B", ">B - A", ">95 % of the difference"});
  for (const RangeComparison& range : comparison.ranges) {
    table.Add(Row(range.range + ", top", CountText(range.top_terms, "term"), range.top));
    table.Add(Row(range.range + ", all", CountText(range.terms.size(), "term"), range.all));
  }
  if (comparison.ranges.size() > 1) {
    const std::string ranges = CountText(comparison.ranges.size(), "range");
    table.Add(Row("mean, top", ranges, comparison.top));
    table.Add(Row("mean, all", ranges, comparison.all));
  }
  return table.ToString();
}

std::string TermsText(const RangeComparison& range) {
  TextTable table({"term, " + range.range, ">positives", ">A", ">B", ">B - A", ">95 % of the difference"});
  for (const TermComparison& term : range.terms) {
    table.Add(Row(Printable(term.term, 48), std::to_string(term.positives), term.auc));
  }
  return table.ToString();
}

std::string ComparisonText(const CompareArguments& arguments, const RunComparison& comparison) {
  std::string text = "A  " + arguments.first + "\nB  " + arguments.second + "\n" + CountText(comparison.genes, "gene") +
                     " tested by both\n";
  for (const RangeComparison& range : comparison.ranges) {
    if (range.unshared == 0) continue;
    text += range.range + ": " + CountText(range.unshared, "prediction") +
            " left out, of bags and terms that only one run tested\n";
  }
  text += "\n" + AveragesText(comparison);
  for (const RangeComparison& range : comparison.ranges) text += "\n" + TermsText(range);
  return text;
}

Json IntervalJson(const std::optional<Interval>& interval) {
  return interval ? Json{interval->low, interval->high} : Json(nullptr);
}

Json AucJson(const PairedAuc& auc) {
  return {{"first", auc.first},
          {"first_interval", IntervalJson(auc.first_interval)},
          {"second", auc.second},
          {"second_interval", IntervalJson(auc.second_interval)},
          {"difference", auc.Difference()},
          {"difference_interval", IntervalJson(auc.difference_interval)}};
}

Json RangeJson(const RangeComparison& range) {
  Json terms = Json::array();
  for (const TermComparison& term : range.terms) {
    terms.push_back(
        {{"term", term.term}, {"positives", term.positives}, {"bags", term.bags}, {"auc", AucJson(term.auc)}});
  }
  return {{"range", range.range},
          {"genes", range.genes},
          {"unshared", range.unshared},
          {"top", {{"terms", range.top_terms}, {"macro_auc", AucJson(range.top)}}},
          {"all", {{"terms", range.terms.size()}, {"macro_auc", AucJson(range.all)}}},
          {"terms", terms}};
}

std::string ComparisonJson(const CompareArguments& arguments,
                           const EvaluateOptions& options,
                           const RunComparison& comparison) {
  Json ranges = Json::array();
  for (const RangeComparison& range : comparison.ranges) ranges.push_back(RangeJson(range));
  const Json json = {{"format", 1},
                     {"first", arguments.first},
                     {"second", arguments.second},
                     {"bootstrap", options.bootstrap},
                     {"seed", options.seed},
                     {"genes", comparison.genes},
                     {"mean", {{"top", AucJson(comparison.top)}, {"all", AucJson(comparison.all)}}},
                     {"ranges", ranges}};
  return JsonLines(json);
}

int RunCompare(const CompareArguments& arguments) {
  const EvaluateOptions options = arguments.options.Read({}, "evaluate").evaluate;
  const RunComparison comparison = CompareRuns(LoadShared(arguments), options, arguments.threads);
  PrintResult(arguments.json ? ComparisonJson(arguments, options, comparison) : ComparisonText(arguments, comparison));
  return 0;
}

}  // namespace

Command CompareCommand() {
  return {"compare",
          "Compare the scores of two runs on the same genes, with confidence intervals",
          [](const CommandLine& line) {
            auto arguments = std::make_shared<CompareArguments>();
            const std::string what = "output folder, config, <output>/<range> or <output>/pixels";
            line.Value("first", arguments->first, "A run: " + what).Required().Named("A");
            line.Value("second", arguments->second, "Another one, whose gain over A is told").Required().Named("B");
            arguments->options.Declare(line, "--top", "evaluate.top_terms");
            arguments->options.Declare(line, "--bootstrap", "evaluate.bootstrap");
            arguments->options.Declare(line, "--seed", "evaluate.seed");
            line.Value("--threads", arguments->threads, "Worker threads; 0 means one per core").Between(0, 1024);
            line.Flag("--json", arguments->json, "As JSON, for programs");
            return [arguments] { return RunCompare(*arguments); };
          }};
}

}  // namespace flyscribe
