#include "pipeline/paper/measurement.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/error.h"
#include "core/file.h"
#include "core/options.h"
#include "core/text.h"

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
  const Json json = {{"patches", patches},
                     {"seconds", seconds},
                     {"codes", codes},
                     {"dictionary", dictionary},
                     {"objective", objective},
                     {"first_objective", first_objective},
                     {"objective_patches", objective_patches},
                     {"nonzeros", nonzeros},
                     {"unused_atoms", unused_atoms},
                     {"diverged", diverged},
                     {"visits_only", visits_only},
                     {"memory_before", memory_before},
                     {"memory_peak", memory_peak},
                     {"interruptions", interruptions},
                     {"made", made},
                     {"processor", processor}};
  CreateFolder(folder);
  WriteFileAtomically(folder / kFile, json.dump(1) + "\n");
}

Measured Measured::Load(const fs::path& folder) {
  const fs::path path = folder / kFile;
  try {
    const Json json = Json::parse(ReadFile(path));
    Measured measured;
    json.at("patches").get_to(measured.patches);
    json.at("seconds").get_to(measured.seconds);
    json.at("codes").get_to(measured.codes);
    json.at("dictionary").get_to(measured.dictionary);
    json.at("objective").get_to(measured.objective);
    json.at("first_objective").get_to(measured.first_objective);
    json.at("objective_patches").get_to(measured.objective_patches);
    json.at("nonzeros").get_to(measured.nonzeros);
    json.at("unused_atoms").get_to(measured.unused_atoms);
    json.at("diverged").get_to(measured.diverged);
    json.at("visits_only").get_to(measured.visits_only);
    json.at("memory_before").get_to(measured.memory_before);
    json.at("memory_peak").get_to(measured.memory_peak);
    json.at("interruptions").get_to(measured.interruptions);
    json.at("made").get_to(measured.made);
    json.at("processor").get_to(measured.processor);
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

}  // namespace flyscribe
