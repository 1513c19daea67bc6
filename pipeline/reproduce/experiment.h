// An experiment of the paper: which measurements it needs, and the part of the page it becomes.
//
// Experiments are pure: they neither measure nor write. Measurements that several of them need are the same ones, so
// they are made once. `docs/reproduction.md` says what each shows.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "pipeline/config/config.h"
#include "pipeline/reproduce/measurement.h"
#include "report/reproduction.h"

namespace flyscribe {

// What all experiments of one command have in common.
struct Study {
  const Config& config;
  bool only_scc = false;  // Table 1 without its rival
  bool full = false;      // online learning at batch size 1 to its end

  const ReproduceOptions& options() const { return config.reproduce; }
  std::vector<std::string> Ranges() const;  // the config's, in the order of development
  std::vector<int> Sizes() const { return Numbers(config.reproduce.sizes); }

  // Learning as the paper has it, single-threaded: exact SCC, our mini-batch SCC, online learning in batches of 512,
  // and online learning at batch size 1, of which only visits are timed unless `full`.
  Measurement Scc(const std::string& range, int atoms) const;
  Measurement Minibatch(const std::string& range, int atoms) const;
  Measurement Online(const std::string& range, int atoms) const;
  Measurement OnlineSingle(const std::string& range, int atoms) const;

 private:
  Measurement Base(const std::string& range, int atoms, LearnOptions::Method method) const;
};

// What has been measured.
class Results {
 public:
  void Add(const Measurement& measurement, Measured measured);
  // REQUIRES: it was measured.
  const Measured& Of(const Measurement& measurement) const;
  bool Has(const Measurement& measurement) const;

 private:
  std::map<std::string, Measured> by_identity_;
};

struct Experiment {
  std::string name;  // on the command line: "table1"
  std::string part;  // on the page: "Table 1"
  std::vector<Measurement> (*wants)(const Study& study);
  ReproductionPart (*tell)(const Study& study, const Results& results);
};

Experiment Table1Experiment();
Experiment Table2Experiment();
Experiment Fig3Experiment();
Experiment Fig4Experiment();
Experiment MinibatchExperiment();
Experiment BeyondExperiment();
Experiment EmbryosExperiment();

// Those that learn from descriptors, in the order of the page. Figure 5 is figure5.h's.
const std::vector<Experiment>& Experiments();

// Texts for cells.
std::string Fixed(double value, int digits);
std::string Times(double ratio);         // "123 x", three digits that count
std::string Percent(double share);       // 0.0123 -> "+1.23 %"
std::string Microseconds(double value);  // "12.3"
std::string HoursText(double hours);     // three digits that count
ReproductionCheck Check(bool held, const std::string& claim, const std::string& numbers);
// An axis over the values, and one for epochs.
Axis ValueAxis(const std::string& label, const std::vector<Series>& series);
Axis EpochAxis(std::size_t epochs);
// One value an epoch, from 1 on.
std::vector<CurvePoint> PerEpoch(const std::vector<double>& values);
// What is said of every objective.
std::string ObjectiveNote(const Measured& measured);

}  // namespace flyscribe
