#include "pipeline/paper/measurement.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <vector>

#include "core/error.h"
#include "core/file.h"
#include "core/options.h"
#include "core/parallel.h"
#include "core/progress.h"
#include "core/rng.h"
#include "core/text.h"
#include "data/tables.h"
#include "pipeline/cache/checkpoint.h"
#include "pipeline/paper/machine.h"
#include "sparse/encoder.h"
#include "sparse/learn.h"

namespace flyscribe {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kFile = "measurement.json";

std::string MethodName(const LearnOptions& learn) {
  switch (learn.method) {
    case LearnOptions::Method::kScc:
      return "scc";
    case LearnOptions::Method::kSccMinibatch:
      return "scc-minibatch";
    case LearnOptions::Method::kOnline:
      return "online";
  }
  return "unknown";
}

double Sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

// Per visit, of the seconds of each epoch.
double Microseconds(const std::vector<double>& epochs, std::size_t patches, bool median) {
  if (epochs.empty() || patches == 0) return 0.0;
  const double epoch = median ? Median(epochs) : Sum(epochs) / static_cast<double>(epochs.size());
  return epoch * 1e6 / static_cast<double>(patches);
}

// Names every field once, for writing (`This` is const) and for reading.
template <class This, class Visit>
void ForEachField(This& measured, const Visit& visit) {
  visit("patches", measured.patches);
  visit("seconds", measured.seconds);
  visit("codes", measured.codes);
  visit("dictionary", measured.dictionary);
  visit("objective", measured.objective);
  visit("first_objective", measured.first_objective);
  visit("objective_patches", measured.objective_patches);
  visit("nonzeros", measured.nonzeros);
  visit("unused_atoms", measured.unused_atoms);
  visit("diverged", measured.diverged);
  visit("visits_only", measured.visits_only);
  visit("memory_before", measured.memory_before);
  visit("memory_peak", measured.memory_peak);
  visit("interruptions", measured.interruptions);
  visit("made", measured.made);
  visit("processor", measured.processor);
}

}  // namespace

std::string Measurement::KeyLines() const {
  return fmt::format(
      "patches: {}\nshare: {}\ntimed_visits: {}\nobjective_patches: {}\nthreads: {}\nside_by_side: {}\nrepetition: "
      "{}\n",
      patches,
      share,
      timed_visits,
      objective_patches,
      threads,
      side_by_side,
      repetition);
}

std::string Measurement::Identity() const {
  return "range: " + range + "\nsource: " + source + "\n" + KeyLines() + KeyText(learn);
}

std::string Measurement::Label() const {
  std::string label = fmt::format("{} m={}", MethodName(learn), learn.atoms);
  const bool exact = learn.method == LearnOptions::Method::kScc;
  if (!exact) label += fmt::format(" batch={}", learn.batch);
  if (exact && learn.CdSteps() != 3) label += fmt::format(" steps={}", learn.CdSteps());
  if (exact && learn.rate == LearnOptions::Rate::kNatural) {
    label += fmt::format(" a={} b={}", FormatReal(learn.rate_a), FormatReal(learn.rate_b));
  }
  const bool online = learn.method == LearnOptions::Method::kOnline;
  if (online && learn.solver == LearnOptions::Solver::kDescent) label += " solver=descent";
  if (!source.empty()) label += " " + source;
  if (patches > 0) label += fmt::format(" n={}", patches);
  if (share > 1) label += fmt::format(" n/{}", share);
  if (timed_visits > 0) label += fmt::format(" timed={}", timed_visits);
  if (threads != 1) label += fmt::format(" threads={}", threads);
  if (repetition != 1) label += fmt::format(" again={}", repetition);
  return label;
}

double Measured::Total() const { return Sum(seconds); }

double Measured::VisitMicroseconds() const { return Microseconds(seconds, patches, visits_only); }
double Measured::CodesMicroseconds() const { return Microseconds(codes, patches, visits_only); }
double Measured::DictionaryMicroseconds() const { return Microseconds(dictionary, patches, visits_only); }

std::optional<double> Measured::SecondsTo(double target) const {
  double sum = 0.0;
  for (std::size_t epoch = 0; epoch < objective.size(); ++epoch) {
    sum += seconds[epoch];
    if (objective[epoch] <= target) return sum;
  }
  return std::nullopt;
}

void Measured::Save(const fs::path& folder) const {
  Json json;
  ForEachField(*this, [&](const char* name, const auto& value) { json[name] = value; });
  CreateFolder(folder);
  WriteFileAtomically(folder / kFile, JsonLines(json, 1));
}

Measured Measured::Load(const fs::path& folder) {
  const fs::path path = folder / kFile;
  try {
    const Json json = Json::parse(ReadFile(path));
    Measured measured;
    ForEachField(measured, [&](const char* name, auto& value) { json.at(name).get_to(value); });
    return measured;
  } catch (const Json::exception& error) {
    throw Error(ErrorCode::kCorrupt, std::string("the measurement is damaged: ") + error.what(), {}, {path.string()});
  }
}

double Median(std::vector<double> values) {
  FLYSCRIBE_CHECK(!values.empty(), "the median of nothing");
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : 0.5 * (values[middle - 1] + values[middle]);
}

void MeasurementsOrigin::Add(const Measured& measured, bool of_an_earlier_command) {
  ++(of_an_earlier_command ? before_ : now_);
  if (measured.interruptions > 0) ++resumed_;
  first_ = first_.empty() ? measured.made : std::min(first_, measured.made);
  last_ = std::max(last_, measured.made);
}

std::vector<std::pair<std::string, std::string>> MeasurementsOrigin::Facts() const {
  const std::size_t all = now_ + before_;
  if (all == 0) return {};
  return {
      {"measurements",
       fmt::format(
           "{}, {} of them made by this command, {} before; {} interrupted and resumed", all, now_, before_, resumed_)},
      {"measured", first_ + " to " + last_}};
}

namespace {

constexpr std::uint64_t kOrderStream = 0x6f72646572;  // of the seed: apart from the streams learning draws from

// Passes everything on but warnings: where visits are timed only, a dictionary larger than their patches is meant.
class WithoutWarnings : public Progress {
 public:
  explicit WithoutWarnings(Progress& progress) : progress_(progress) {}

  void Begin(std::uint64_t total, std::string_view unit) override { progress_.Begin(total, unit); }
  void Advance(std::uint64_t done) override { progress_.Advance(done); }
  void Note(std::string_view remark) override { progress_.Note(remark); }
  void Say(const std::string& message) override { progress_.Say(message); }
  bool StopRequested() const override { return progress_.StopRequested(); }

 private:
  Progress& progress_;
};

// `count` of n rows, spread evenly; all if count is 0 or too large.
std::vector<std::size_t> EvenRows(std::size_t n, int count) {
  const std::size_t wanted = count <= 0 ? n : std::min(n, static_cast<std::size_t>(count));
  std::vector<std::size_t> rows(wanted);
  for (std::size_t i = 0; i < wanted; ++i) rows[i] = i * n / wanted;
  return rows;
}

std::vector<std::size_t> EvenOf(const std::vector<std::size_t>& rows, int count) {
  std::vector<std::size_t> chosen = EvenRows(rows.size(), count);
  for (std::size_t& row : chosen) row = rows[row];
  return chosen;
}

std::vector<std::size_t> ShareOf(const std::vector<std::size_t>& rows, int share) {
  if (share <= 1) return rows;
  return EvenOf(rows, static_cast<int>(std::max<std::size_t>(1, rows.size() / static_cast<std::size_t>(share))));
}

FloatMatrix Copy(FloatView patches, const std::vector<std::size_t>& rows) {
  FloatMatrix copy(rows.size(), patches.cols());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::copy(patches.Row(rows[i]).begin(), patches.Row(rows[i]).end(), copy.Row(i).begin());
  }
  return copy;
}

class MeasureRun {
 public:
  MeasureRun(const Measurement& measurement, FloatView patches, const MeasureControl& control)
      : measurement_(measurement),
        patches_(patches),
        control_(control),
        checkpoint_(control.checkpoint / "state", control.identity, control.checkpoint_seconds),
        all_rows_(ShareOf(EvenRows(patches.rows(), measurement.patches), measurement.share)),
        rows_(ShuffledOnce(TimesOnly() ? EvenOf(all_rows_, measurement.timed_visits) : all_rows_,
                           measurement.learn.seed)),
        options_(measurement.learn) {
    if (TimesOnly()) {
      ++options_.epochs;  // one to warm up
    } else {
      // Of all patches, also if only a share is learned from: objectives of several shares can be compared.
      sample_ = Copy(patches, EvenOf(EvenRows(patches.rows(), measurement.patches), measurement.objective_patches));
    }
  }

  Measured Run() {
    const std::optional<LearnState> state = StateToGoOnFrom();
    const FloatMatrix first =
        InitialDictionary(patches_, all_rows_, static_cast<std::size_t>(options_.atoms), options_.seed);
    if (!state) Begin(first);
    LearnControl control;
    control.threads = measurement_.threads;
    control.initial = &first;
    control.resume = state ? &*state : nullptr;
    control.times = &times_;
    control.after_epoch = [this](const LearnPause& pause) { AfterEpoch(pause); };
    const MemoryWatch watch;
    try {
      WithoutWarnings silent(control_.progress);
      Progress& progress = TimesOnly() ? silent : control_.progress;
      const LearnResult result = Learn(patches_, rows_, options_, control, progress);
      times_ = result.times;
      NoteEpoch(result.dictionary.atoms);
      measured_.unused_atoms = result.dictionary.summary.unused_atoms;
    } catch (const Error& error) {
      if (!MayDiverge() || error.code() != ErrorCode::kInput) throw;
      measured_.diverged = true;
    }
    measured_.memory_before = watch.before();
    measured_.memory_peak = watch.peak();
    return Finish();
  }

 private:
  bool TimesOnly() const { return measurement_.timed_visits > 0; }
  bool MayDiverge() const { return options_.rate == LearnOptions::Rate::kNatural; }

  // A checkpoint that cannot be used costs time, nothing else, and is told.
  std::optional<LearnState> StateToGoOnFrom() {
    try {
      std::optional<LearnState> state = checkpoint_.Load();
      if (!state) return std::nullopt;
      measured_ = Measured::Load(control_.checkpoint);
      if (measured_.seconds.size() < static_cast<std::size_t>(state->epochs_done))
        return BeginAnew("times are missing");
      ForgetAfter(static_cast<std::size_t>(state->epochs_done));
      ++measured_.interruptions;
      control_.progress.Say(fmt::format("going on after epoch {} of {}", state->epochs_done, options_.epochs));
      return state;
    } catch (const Error& error) {
      if (error.code() == ErrorCode::kInterrupted || error.code() == ErrorCode::kDisk) throw;
      return BeginAnew(error.what());
    }
  }

  std::optional<LearnState> BeginAnew(const std::string& reason) {
    control_.progress.Warn("the checkpoint cannot be used, measuring anew: " + reason);
    checkpoint_.Remove();
    measured_ = {};
    return std::nullopt;
  }

  void ForgetAfter(std::size_t epochs) {
    for (std::vector<double>* values : {&measured_.seconds, &measured_.codes, &measured_.dictionary}) {
      values->resize(epochs);
    }
    if (!TimesOnly()) measured_.objective.resize(epochs);
  }

  void Begin(const FloatMatrix& first) {
    measured_ = {};
    if (!TimesOnly()) measured_.first_objective = Encode(first).objective;
  }

  EncodeResult Encode(const FloatMatrix& atoms) {
    const EncodeControl control = {.lambda = options_.lambda,
                                   .nonnegative = options_.nonnegative,
                                   .threads = std::max(1, DefaultThreads() / measurement_.side_by_side)};
    return flyscribe::Encode(sample_, atoms, control, {}, NoProgress());
  }

  void AfterEpoch(const LearnPause& pause) {
    NoteEpoch(pause.Atoms());
    if (!checkpoint_.IsDue()) return;
    // The times first: a state without them is of no use.
    measured_.Save(control_.checkpoint);
    checkpoint_.Save(pause.State());
  }

  // Times are of this process' epochs; what went before a resume is in measured_ already.
  void NoteEpoch(const FloatMatrix& atoms) {
    measured_.seconds.push_back(times_.per_epoch.back());
    measured_.codes.push_back(times_.codes - noted_codes_);
    measured_.dictionary.push_back(times_.dictionary - noted_dictionary_);
    noted_codes_ = times_.codes;
    noted_dictionary_ = times_.dictionary;
    if (TimesOnly()) return;
    const EncodeResult exact = Encode(atoms);
    measured_.objective.push_back(exact.objective);
    measured_.nonzeros = exact.nonzeros_per_code;
  }

  Measured Finish() {
    measured_.visits_only = TimesOnly();
    measured_.patches = rows_.size();
    measured_.objective_patches = sample_.rows();
    measured_.made = UtcNow();
    measured_.processor = ProcessorName();
    if (measured_.diverged) ForgetAfter(0);
    if (!TimesOnly() || measured_.diverged) return measured_;
    for (std::vector<double>* values : {&measured_.seconds, &measured_.codes, &measured_.dictionary}) {
      values->erase(values->begin());
    }
    return measured_;
  }

  const Measurement& measurement_;
  FloatView patches_;
  const MeasureControl& control_;
  LearnCheckpoint checkpoint_;
  std::vector<std::size_t> all_rows_;  // the patches that take part
  std::vector<std::size_t> rows_;      // those visited, in their order
  LearnOptions options_;
  FloatMatrix sample_;
  Measured measured_;
  LearnTimes times_;
  double noted_codes_ = 0.0;
  double noted_dictionary_ = 0.0;
};

}  // namespace

std::vector<std::size_t> ShuffledOnce(std::vector<std::size_t> rows, std::int64_t seed) {
  Rng(static_cast<std::uint64_t>(seed), kOrderStream).Shuffle(rows);
  return rows;
}

Measured TakeMeasurement(const Measurement& measurement, FloatView patches, const MeasureControl& control) {
  return MeasureRun(measurement, patches, control).Run();
}

}  // namespace flyscribe
