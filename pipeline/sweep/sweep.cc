#include "pipeline/sweep/sweep.h"

#include <map>
#include <set>

#include "core/csv.h"
#include "core/error.h"
#include "core/hash.h"
#include "core/text.h"
#include "data/evaluation.h"
#include "pipeline/terminal/text_table.h"

namespace flyscribe {
namespace {

constexpr std::size_t kMostPoints = 10000;

// Splits at commas that are not within brackets or quotes.
std::vector<std::string> SplitValues(const std::string& text) {
  std::vector<std::string> values(1);
  int depth = 0;
  char quote = '\0';
  for (const char c : text) {
    if (quote != '\0') {
      if (c == quote) quote = '\0';
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '[' || c == '{') {
      ++depth;
    } else if (c == ']' || c == '}') {
      --depth;
    } else if (c == ',' && depth == 0) {
      values.emplace_back();
      continue;
    }
    values.back() += c;
  }
  return values;
}

// Fit for the name of a folder.
std::string PlainName(const std::string& given) {
  std::string name = given;
  const std::string plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._=-";
  for (char& c : name) {
    if (plain.find(c) == std::string::npos) c = '_';
  }
  // File systems allow 255 bytes.
  constexpr std::size_t kLongest = 180;
  if (name.size() > kLongest) name = name.substr(0, kLongest) + "-" + Sha256OfText(given).substr(0, 16);
  return name;
}

struct Axis {
  std::string key;
  std::vector<std::string> values;
};

Axis ParseAxis(const std::string& argument) {
  const std::string source = "--sweep " + argument;
  const std::size_t equals = argument.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw Error(
        ErrorCode::kUsage, "expected key=value,value", "for example --sweep learn.atoms=500,1000,2000", {source});
  }
  Axis axis{argument.substr(0, equals), SplitValues(argument.substr(equals + 1))};
  std::map<std::string, std::string> seen;  // name of its folder -> value
  for (std::string& value : axis.values) {
    value = Trim(value);
    if (value.empty())
      throw Error(ErrorCode::kUsage, "a value is empty", "for example --sweep learn.atoms=500,1000", {source});
    const auto [other, is_new] = seen.emplace(PlainName(value), value);
    if (is_new) continue;
    throw Error(ErrorCode::kUsage,
                other->second == value ? "the value " + value + " is given twice"
                                       : "the values " + other->second + " and " + value + " would share a folder",
                {},
                {source});
  }
  // The points of a sweep share the cache, the process and one output folder; ranges are run side by side anyway.
  for (const char* fixed : {"output", "cache.dir", "simd"}) {
    if (axis.key == fixed)
      throw Error(ErrorCode::kUsage, axis.key + " is the same for all points of a sweep", {}, {source});
  }
  return axis;
}

// The scores of one range of a point; empty cells if there are none.
std::vector<std::string> ScoreCells(const RunOutcome& share, const std::string& range) {
  for (const StepOutcome* step : share.Made(EvaluateStep())) {
    if (step->range != range) continue;
    const std::vector<AverageEvaluation> averages = Evaluation::Load(step->folder).averages;
    if (averages.empty()) continue;
    const auto cell = [](const AverageEvaluation* average, double Metrics::*measure) {
      return average == nullptr ? "" : FormatFixed(average->metrics.*measure, 4);
    };
    return {cell(TopTerms(averages, AverageKind::kMacro), &Metrics::auc),
            cell(AllTerms(averages, AverageKind::kMacro), &Metrics::auc),
            cell(TopTerms(averages, AverageKind::kWeighted), &Metrics::auc),
            cell(AllTerms(averages, AverageKind::kWeighted), &Metrics::auc),
            cell(AllTerms(averages, AverageKind::kMacro), &Metrics::f1)};
  }
  return std::vector<std::string>(5);
}

// What the steps of the range took when they were computed.
double SecondsOf(const RunOutcome& share, const std::string& range) {
  double seconds = 0.0;
  for (const StepOutcome& step : share.steps) {
    if (step.range == range) seconds += step.made_seconds;
  }
  return seconds;
}

// "error: what; hint: how".
std::string OneLine(const std::string& error) {
  std::vector<std::string> lines;
  for (const std::string& line : Split(error, '\n')) lines.emplace_back(Trim(line));
  return Join(lines, "; ");
}

std::string ErrorOf(const RunOutcome& share, const std::string& range) {
  if (share.steps.empty() && share.error) return OneLine(TextOf(share.error));
  for (const StepOutcome& step : share.steps) {
    const bool concerns = step.range == range || step.range == kAllRanges;
    if (concerns && !step.error.empty()) return OneLine(step.error);
  }
  return {};
}

std::string StateOf(const RunOutcome& share, const std::string& range) {
  if (!ErrorOf(share, range).empty()) return "failed";
  for (const StepOutcome& step : share.steps) {
    if (step.step == EvaluateStep().name && step.range == range) return step.folder.empty() ? "not run" : "done";
  }
  return "not run";
}

}  // namespace

std::string SweepPoint::Name() const {
  std::vector<std::string> parts;
  for (const auto& [key, value] : settings) {
    parts.push_back(key);
    parts.back() += "=" + value;
  }
  return Join(parts, " ");
}

std::string SweepPoint::Folder() const { return PlainName(Name()); }

std::vector<SweepPoint> SweepGrid(const std::vector<std::string>& arguments) {
  std::vector<SweepPoint> points(1);
  std::set<std::string> keys;
  for (const std::string& argument : arguments) {
    const Axis axis = ParseAxis(argument);
    if (!keys.insert(axis.key).second) {
      throw Error(
          ErrorCode::kUsage, axis.key + " is swept twice", "give all its values at once", {"--sweep " + argument});
    }
    std::vector<SweepPoint> finer;
    for (const SweepPoint& point : points) {
      for (const std::string& value : axis.values) {
        finer.push_back(point);
        finer.back().settings.emplace_back(axis.key, value);
      }
    }
    points = std::move(finer);
    if (points.size() > kMostPoints) {
      throw Error(ErrorCode::kUsage, "the grid has more than 10000 points", {}, {"--sweep " + argument});
    }
  }
  return points;
}

std::vector<NamedConfig> ReadConfigs(const fs::path& path,
                                     const std::vector<std::string>& overrides,
                                     const std::vector<SweepPoint>& points) {
  const ConfigNode file = ReadConfigFile(path);
  std::vector<NamedConfig> configs;
  for (const SweepPoint& point : points) {
    ConfigNode root = file;
    for (const std::string& argument : overrides) ApplyOverride(root, argument);
    for (const auto& [key, value] : point.settings) {
      ApplyOverride(root, key + "=" + value, "--sweep " + key + "=" + value);
    }
    Config config = ReadConfigTree(root, path.stem().string());
    config.path = fs::absolute(path).lexically_normal().string();
    if (!point.settings.empty()) config.run.output = (fs::path(config.run.output) / "points" / point.Folder()).string();
    configs.push_back({point.Name(), std::move(config)});
  }
  return configs;
}

std::string SweepTable::Tsv() const {
  std::string text = TsvRow(header);
  for (const std::vector<std::string>& row : rows) text += TsvRow(row);
  return text;
}

std::string SweepTable::Text() const {
  TextTable table(header);
  for (const std::vector<std::string>& row : rows) table.Add(row);
  return table.ToString();
}

SweepTable TabulateSweep(const std::vector<SweepPoint>& points, const Plan& plan, const RunOutcome& outcome) {
  SweepTable table;
  std::vector<std::string>& header = table.header;
  for (const auto& [key, value] : points.front().settings) header.push_back(key);
  for (const char* name : {"range",
                           "state",
                           "macro_auc_top",
                           "macro_auc_all",
                           "weighted_auc_top",
                           "weighted_auc_all",
                           "macro_f1_all",
                           "seconds",
                           "error"}) {
    header.emplace_back(name);
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    const RunOutcome share = OutcomeOf(outcome, plan.points[i]);
    for (const StageRange range : plan.points[i].config->StageRanges()) {
      std::vector<std::string> row;
      for (const auto& [key, value] : points[i].settings) row.push_back(value);
      row.push_back(range.name());
      row.push_back(StateOf(share, range.name()));
      for (std::string& cell : ScoreCells(share, range.name())) row.push_back(std::move(cell));
      row.push_back(FormatFixed(SecondsOf(share, range.name()), 2));
      row.push_back(ErrorOf(share, range.name()));
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

}  // namespace flyscribe
