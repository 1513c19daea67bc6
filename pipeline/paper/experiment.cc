#include "pipeline/paper/experiment.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/text.h"

namespace flyscribe {
namespace {

constexpr int kBatch = 512;

}  // namespace

std::vector<std::string> Study::Ranges() const {
  std::vector<std::string> ranges;
  for (const StageRange range : config.StageRanges()) ranges.push_back(range.name());
  return ranges;
}

Measurement Study::Base(const std::string& range, int atoms, LearnOptions::Method method) const {
  Measurement measurement;
  measurement.range = range;
  LearnOptions& learn = measurement.learn;
  if (method == LearnOptions::Method::kScc) learn.Apply(LearnOptions::Profile::kPaper);
  learn.profile = LearnOptions::Profile::kNone;
  learn.method = method;
  learn.atoms = atoms;
  learn.batch = kBatch;
  learn.lambda = config.learn.lambda;
  learn.epochs = config.learn.epochs;
  learn.seed = config.learn.seed;
  learn.patch_order = LearnOptions::PatchOrder::kFile;  // the order measure gives, one for all methods
  const bool images = options().descriptors == ReproduceOptions::Descriptors::kImages;
  measurement.patches = images ? options().max_patches : 0;
  measurement.objective_patches = options().objective_patches;
  measurement.side_by_side = options().side_by_side;
  return measurement;
}

Measurement Study::Scc(const std::string& range, int atoms) const {
  return Base(range, atoms, LearnOptions::Method::kScc);
}

Measurement Study::Minibatch(const std::string& range, int atoms) const {
  return Base(range, atoms, LearnOptions::Method::kSccMinibatch);
}

Measurement Study::Online(const std::string& range, int atoms) const {
  return Base(range, atoms, LearnOptions::Method::kOnline);
}

Measurement Study::OnlineSingle(const std::string& range, int atoms) const {
  Measurement measurement = Online(range, atoms);
  measurement.learn.batch = 1;
  if (full) return measurement;
  measurement.timed_visits = options().online_visits;
  measurement.learn.epochs = options().repeats;
  measurement.objective_patches = 0;
  return measurement;
}

std::vector<Measurement> Study::Runs(const Measurement& measurement) const {
  return Repeat(measurement, options().run_repeats);
}

std::vector<Measurement> Repeat(Measurement measurement, int times) {
  std::vector<Measurement> all;
  for (measurement.repetition = 1; measurement.repetition <= times; ++measurement.repetition) {
    all.push_back(measurement);
  }
  return all;
}

double Repeated::MedianOf(double (Measured::*value)() const) const {
  std::vector<double> values;
  for (const Measured* run : runs) values.push_back((run->*value)());
  return Median(values);
}

std::optional<double> Repeated::SecondsTo(double objective) const {
  std::vector<double> seconds;
  for (const Measured* run : runs) {
    const auto reached = run->SecondsTo(objective);
    if (!reached) return std::nullopt;
    seconds.push_back(*reached);
  }
  return Median(seconds);
}

void Results::Add(const Measurement& measurement, Measured measured) {
  by_identity_[measurement.Identity()] = std::move(measured);
}

const Measured& Results::Of(const Measurement& measurement) const {
  const auto found = by_identity_.find(measurement.Identity());
  FLYSCRIBE_CHECK(found != by_identity_.end(), "not measured: " + measurement.Label());
  return found->second;
}

Repeated Results::Of(const std::vector<Measurement>& repetitions) const {
  Repeated repeated;
  for (const Measurement& each : repetitions) repeated.runs.push_back(&Of(each));
  return repeated;
}

const std::vector<Experiment>& Experiments() {
  static const std::vector<Experiment> experiments = {Table1Experiment(),
                                                      Table2Experiment(),
                                                      Fig3Experiment(),
                                                      Fig4Experiment(),
                                                      MinibatchExperiment(),
                                                      BeyondExperiment(),
                                                      EmbryosExperiment()};
  return experiments;
}

void Span::Add(double value) {
  low = std::min(low, value);
  high = std::max(high, value);
}

std::string Span::Text(std::string (*text)(double)) const { return text(low) + " to " + text(high); }

std::string ThreeDigits(double value) {
  if (!std::isfinite(value)) return "-";
  const double size = std::abs(value);
  // Of what is below a billionth no digit is shown.
  const int digits = size < 1e-9 ? 0 : std::max(0, 2 - static_cast<int>(std::floor(std::log10(size))));
  return FormatFixed(value, digits);
}

std::string Times(double ratio) { return ThreeDigits(ratio) + " x"; }

std::string Percent(double share) { return fmt::format("{:+.2f} %", 100.0 * share); }

ReproductionCheck Check(bool held, const std::string& claim, const std::string& numbers) {
  return {claim, held ? ReproductionCheck::State::kHeld : ReproductionCheck::State::kFailed, numbers};
}

Axis ValueAxis(const std::string& label, const std::vector<Series>& series) {
  bool any = false;
  double low = 0.0;
  double high = 0.0;
  for (const Series& each : series) {
    for (const CurvePoint& point : each.points) {
      low = any ? std::min(low, point.y) : point.y;
      high = any ? std::max(high, point.y) : point.y;
      any = true;
    }
  }
  return NiceAxis(label, low, high);
}

Axis EpochAxis(std::size_t epochs) {
  const auto last = static_cast<double>(std::max<std::size_t>(2, epochs));
  return NiceAxis("Epoch", 1.0, last, static_cast<int>(std::min(last, 10.0)));
}

std::vector<CurvePoint> PerEpoch(const std::vector<double>& values) {
  std::vector<CurvePoint> points;
  for (std::size_t i = 0; i < values.size(); ++i) points.push_back({static_cast<double>(i + 1), values[i]});
  return points;
}

std::string ObjectiveNote(const Study& study) {
  const int patches = study.options().objective_patches;
  return patches == 0 ? "Objectives are exact, on all patches."
                      : fmt::format("Objectives are exact, on a fixed sample of at most {} patches.", patches);
}

std::string RunsNote(const Study& study) {
  const int runs = study.options().run_repeats;
  return runs == 1 ? "Times of SCC are of one run." : fmt::format("Times of SCC are medians of {} runs.", runs);
}

void Say(bool agrees, const std::string& statement, ReproductionPart& part) {
  (agrees ? part.agrees : part.differs).push_back(statement);
}

}  // namespace flyscribe
