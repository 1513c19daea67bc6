#include "pipeline/paper/experiment.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/text.h"

namespace flyscribe {
namespace {

constexpr int kBatch = 512;

std::string DataText(const PaperConfig& config) {
  const ReproduceOptions& options = config.reproduce;
  const std::string limit =
      options.max_patches > 0 ? fmt::format(", at most {} patches of a stage range", options.max_patches) : "";
  if (options.descriptors == ReproduceOptions::Descriptors::kImages) {
    return (config.simulated ? "Data: simulated. Descriptors of the embryos that the config simulates"
                             : "Data: real. Descriptors of the images that the config names") +
           limit + ".";
  }
  return fmt::format(
      "Data: simulated. The descriptors are dense SIFT of simulated embryos, drawn until there are as many as the "
      "paper kept{}. They are smoothed by {} pixels: with 4.0 objectives and non-zeros come out near the paper's "
      "(Table 1 has both), as real embryos' do with 2.8. No image of BDGP is in them: what can be compared with the "
      "paper is how methods behave.",
      limit,
      FormatReal(config.extract.smoothing));
}

}  // namespace

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
                                                      Figure3Experiment(),
                                                      Figure4Experiment(),
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

std::string ExcessPercent(double share) { return fmt::format("{:+.2f} %", 100.0 * share); }

ReproductionCheck Check(bool held, const std::string& claim, const std::string& numbers) {
  return {claim, held ? ReproductionCheck::State::kHeld : ReproductionCheck::State::kFailed, numbers};
}

Axis ValueAxis(const std::string& label, const std::vector<Series>& series) {
  Span values;
  for (const Series& each : series) {
    for (const CurvePoint& point : each.points) values.Add(point.y);
  }
  return values.empty() ? NiceAxis(label, 0.0, 0.0) : NiceAxis(label, values.low, values.high);
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

std::vector<std::string> LeadText(const PaperConfig& config) {
  return {
      "Lin et al., Stochastic Coordinate Coding and Its Application for Drosophila Gene Expression Pattern Annotation "
      "(2014, arXiv:1407.8147), measured again. Published numbers are the paper's own; all others were measured on the "
      "machine below, by the command below or by earlier ones whose measurements were still cached. A check that "
      "failed is listed as failed. The paper's last stage range, 13-17, is called 13-16 here, as BDGP does.",
      DataText(config)};
}

std::vector<std::string> FairnessText(const PaperConfig& config) {
  const std::string start =
      "All methods start from the same first dictionary (random patches of the range, one seed) and work in single "
      "precision on the same instruction set (but for the small triangular factor of LARS, which is of double "
      "precision). The patches are shuffled once, and all methods visit them in this one order in every epoch, one by "
      "one or in batches. (Figure 5 is learned by ordinary runs, in which each method shuffles for itself.)";
  const std::string online =
      "OL is our own implementation of Mairal et al., Online Dictionary Learning for Sparse Coding (2009): LARS for "
      "the codes on the Gram matrix of the dictionary, which is computed anew for every batch, as at batch size 1 for "
      "every patch. The race of mini-batches also runs it with this program's own encoder instead.";
  const std::string objectives =
      "Objectives are evaluated by the same exact encoder (KKT tolerance 1e-4) on the same patches, outside the "
      "timing. They are patches that were learned from, so larger dictionaries and fewer patches flatter them.";
  const std::string times =
      "Times are wall-clock times of learning alone. Reading the patches, drawing the first dictionary, checkpoints "
      "and the evaluation of objectives are not in them.";
  const std::string company =
      config.reproduce.side_by_side == 1
          ? "Every measurement runs alone, on one thread unless said."
          : fmt::format(
                "Tables 1 and 2 and Figures 3 and 4: up to {} measurements at a time, one thread each, the same for "
                "all methods, after all descriptors have been made. The race of mini-batches and the larger "
                "dictionaries run alone.",
                config.reproduce.side_by_side);
  const std::string cached =
      "Measurements are cached and are not made again on the same processor unless --force is given; each says in its "
      "measurement.json when it was made.";
  return {start, online, objectives, times, company, cached};
}

std::string DescriptorsText(const PaperConfig& config) {
  const bool images = config.reproduce.descriptors == ReproduceOptions::Descriptors::kImages;
  const std::string of = images && !config.simulated
                             ? "of real images"
                             : fmt::format("of simulated embryos, seed {}", config.simulate.seed);
  return fmt::format("smoothing {}, stride {}, {}", FormatReal(config.extract.smoothing), config.extract.stride, of);
}

}  // namespace flyscribe
