// An experiment of the paper: which measurements it needs, and the part of the page it becomes.
//
// Experiments are pure: they neither measure nor write. Measurements that several of them need are the same ones, so
// they are made once. `docs/reproduction.md` says what each shows.
#pragma once

#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/paper/measurement.h"
#include "pipeline/paper/options.h"
#include "report/reproduction.h"

namespace flyscribe {

// What all experiments of one command have in common.
struct Study {
  const PaperConfig& config;
  bool only_scc = false;  // Table 1 without its rival
  bool full = false;      // online learning at batch size 1 to its end

  const ReproduceOptions& options() const { return config.reproduce; }
  std::vector<std::string> Ranges() const { return config.RangeNames(); }
  std::vector<int> Sizes() const { return Numbers(config.reproduce.sizes); }

  // Learning as the paper has it, single-threaded: exact SCC, our mini-batch SCC, online learning in batches of 512,
  // and online learning at batch size 1, of which only visits are timed unless `full`.
  Measurement Scc(const std::string& range, int atoms) const { return Base(range, atoms, LearnOptions::Method::kScc); }
  Measurement Minibatch(const std::string& range, int atoms) const {
    return Base(range, atoms, LearnOptions::Method::kSccMinibatch);
  }
  Measurement Online(const std::string& range, int atoms) const {
    return Base(range, atoms, LearnOptions::Method::kOnline);
  }
  Measurement OnlineSingle(const std::string& range, int atoms) const;

  // Whole runs whose times are shown, as often as options().run_repeats says.
  std::vector<Measurement> Runs(const Measurement& measurement) const;

 private:
  Measurement Base(const std::string& range, int atoms, LearnOptions::Method method) const;
};

// The same, so many times: apart only by their number, from 1 on.
std::vector<Measurement> Repeat(Measurement measurement, int times);

// What came of repeated measurements: objectives are the same in all, times are not, and the median counts.
// REQUIRES: there is at least one.
struct Repeated {
  std::vector<const Measured*> runs;

  const Measured& One() const { return *runs.front(); }
  double Objective() const { return One().Objective(); }
  double Total() const { return MedianOf(&Measured::Total); }
  double VisitMicroseconds() const { return MedianOf(&Measured::VisitMicroseconds); }
  double MedianOf(double (Measured::*value)() const) const;
  // None if the objective is not reached.
  std::optional<double> SecondsTo(double objective) const;
};

// What has been measured.
class Results {
 public:
  void Add(const Measurement& measurement, Measured measured);
  // REQUIRES: it was measured.
  const Measured& Of(const Measurement& measurement) const;
  Repeated Of(const std::vector<Measurement>& repetitions) const;

 private:
  std::map<std::string, Measured> by_identity_;
};

struct Experiment {
  std::string name;  // on the command line: "table1"
  std::vector<Measurement> (*wants)(const Study& study);
  ReproductionPart (*tell)(const Study& study, const Results& results);
};

Experiment Table1Experiment();
Experiment Table2Experiment();
Experiment Figure3Experiment();
Experiment Figure4Experiment();
Experiment MinibatchExperiment();
Experiment BeyondExperiment();
Experiment EmbryosExperiment();

// Those that learn from descriptors, in the order of the page. Figure 5 is figure5.h's.
const std::vector<Experiment>& Experiments();

// A column of a table: its heading, and what it says of a row.
template <class Row>
struct Column {
  std::string heading;
  std::function<std::string(const Row& row)> cell;
  bool shown = true;
};

template <class Row>
ReproductionTable Tabulate(const std::string& caption,
                           const std::vector<Row>& rows,
                           std::vector<Column<Row>> columns,
                           const std::string& note) {
  std::erase_if(columns, [](const Column<Row>& column) { return !column.shown; });
  ReproductionTable table{.caption = caption, .note = note};
  for (const Column<Row>& column : columns) table.header.push_back(column.heading);
  for (const Row& row : rows) {
    std::vector<std::string>& cells = table.rows.emplace_back();
    for (const Column<Row>& column : columns) cells.push_back(column.cell(row));
  }
  return table;
}

// The smallest and the largest of some numbers. REQUIRES for its texts: there is one.
struct Span {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void Add(double value);
  bool empty() const { return low > high; }
  // "12.3 to 45.6", each written by `text`.
  std::string Text(std::string (*text)(double)) const;
};

// Texts for cells.
std::string ThreeDigits(double value);    // those that count, without exponent: "12.3", "0.000123"
std::string Times(double ratio);          // "123 x"
std::string ExcessPercent(double share);  // 0.0123 -> "+1.23 %"
ReproductionCheck Check(bool held, const std::string& claim, const std::string& numbers);
// An axis over the values, and one for epochs.
Axis ValueAxis(const std::string& label, const std::vector<Series>& series);
Axis EpochAxis(std::size_t epochs);
// One value an epoch, from 1 on.
std::vector<CurvePoint> PerEpoch(const std::vector<double>& values);
// What is said of every objective, and of times that are of whole runs.
std::string ObjectiveNote(const Study& study);
std::string RunsNote(const Study& study);
// Puts a statement about the paper where it belongs.
void Say(bool agrees, const std::string& statement, ReproductionPart& part);

// What the page says before its parts: what was used as data, and how it was measured.
std::vector<std::string> LeadText(const PaperConfig& config);
std::vector<std::string> FairnessText(const PaperConfig& config);
// "smoothing 2.8, stride 16, of real images".
std::string DescriptorsText(const PaperConfig& config);

}  // namespace flyscribe
