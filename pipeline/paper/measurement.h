// One measurement: what is learned, from how much, how it is timed; and what came out.
//
// Times are wall-clock times of learning alone: the patches have been read once before the first epoch (Learn checks
// them), and neither the objective's evaluation nor a checkpoint is in them. Objectives are exact: the mean over a
// fixed sample, spread evenly over the patches, of 0.5 |x - Dz|^2 + lambda |z|_1 with z solved to a KKT tolerance of
// 1e-4 by the encoder (sparse/encoder.h), the same for every method.
//
// The patches are shuffled once, by learn.seed. Methods that visit them in file order (learn.patch_order) therefore
// visit the same patches in the same order, from the same first dictionary.
//
// A measurement is an artifact of the cache like any other, but for one thing: its times are its content, so computed
// again it differs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/fs.h"
#include "core/matrix.h"
#include "core/progress.h"
#include "sparse/learn_options.h"

namespace flyscribe {

struct Measurement {
  std::string range;   // or "all", of embryos of all ranges
  std::string source;  // which descriptors; "" for those of the config
  LearnOptions learn;
  // So many of the range's patches are learned from, spread evenly; 0 means all.
  int patches = 0;
  int share = 1;  // of those, one in so many
  // If not 0: visits are timed only. learn.epochs epochs over so many of the patches, after one that does not count;
  // the first dictionary is drawn from all of them.
  int timed_visits = 0;
  int objective_patches = 0;  // 0 means all
  int threads = 1;
  int side_by_side = 1;  // measurements that run at a time
  int repetition = 1;    // tells measurements apart that are otherwise the same

  // "option" lines of its cache key, learn's options apart.
  std::string KeyLines() const;
  // Tells all measurements apart.
  std::string Identity() const;
  // "scc m=500", for lists.
  std::string Label() const;
};

struct Measured {
  std::size_t patches = 0;  // visited in an epoch
  // Of each epoch that counts.
  std::vector<double> seconds;
  std::vector<double> codes;       // the part spent in updating codes (Z)
  std::vector<double> dictionary;  // the part spent in updating the dictionary (D)
  std::vector<double> objective;   // exact, after the epoch; empty if visits_only
  double first_objective = 0.0;    // with the first dictionary
  std::size_t objective_patches = 0;
  double nonzeros = 0.0;  // of the exact codes at the end, mean over the sample
  std::size_t unused_atoms = 0;
  bool diverged = false;     // then there are no numbers
  bool visits_only = false;  // visits were timed, nothing learned to its end
  // Anonymous memory of the process, in bytes: before learning, and the most that was seen while learning.
  std::uint64_t memory_before = 0;
  std::uint64_t memory_peak = 0;
  int interruptions = 0;  // how often it was stopped and went on
  std::string made;       // when
  std::string processor;  // where

  double Total() const;  // seconds of all epochs
  // Microseconds of a visit: the mean over all epochs; the median over epochs if visits_only.
  double VisitMicroseconds() const;
  double CodesMicroseconds() const;
  double DictionaryMicroseconds() const;
  // After the last epoch. REQUIRES: it was evaluated and did not diverge.
  double Objective() const { return objective.back(); }
  // Seconds of learning until an epoch ended with at most this objective.
  std::optional<double> SecondsTo(double target) const;

  //   measurement.json
  void Save(const fs::path& folder) const;
  // Throws Error(kCorrupt) if the file is damaged.
  static Measured Load(const fs::path& folder);
};

// The middle one, or the mean of the two in the middle. REQUIRES: not empty.
double Median(std::vector<double> values);

// When the measurements of a page were made, and in how many goes: some may be of earlier commands.
class MeasurementsOrigin {
 public:
  void Add(const Measured& measured, bool of_an_earlier_command);

  // Name and value, for people.
  std::vector<std::pair<std::string, std::string>> Facts() const;

 private:
  std::size_t now_ = 0;
  std::size_t before_ = 0;
  std::size_t resumed_ = 0;
  std::string first_;  // when, in a form that sorts
  std::string last_;
};

struct MeasureControl {
  // Where an interrupted measurement goes on: after an epoch, if some seconds have passed since the last time, the
  // state of learning and the times so far are written down.
  fs::path checkpoint;
  double checkpoint_seconds = 15.0;
  std::string identity;  // of the problem: a checkpoint of another one is not used
  Progress& progress;
};

// The order in which patches are visited in every epoch, by every method whose learn.patch_order is file.
std::vector<std::size_t> ShuffledOnce(std::vector<std::size_t> rows, std::int64_t seed);

// `patches` are all those of the range. Learning that diverges is a result, other errors are thrown as by Learn.
Measured TakeMeasurement(const Measurement& measurement, FloatView patches, const MeasureControl& control);

}  // namespace flyscribe
