#include "sparse/learn.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <unordered_set>

#include "core/error.h"
#include "core/file.h"
#include "core/npy.h"
#include "core/parallel.h"
#include "core/progress.h"
#include "core/rng.h"
#include "core/text.h"
#include "data/tables.h"
#include "sparse/learner.h"

namespace flyscribe {
namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void ThrowUnreadable(const fs::path& folder, const std::string& reason) {
  throw Error(ErrorCode::kCorrupt,
              "the checkpoint is not readable: " + reason,
              "delete the folder to begin anew",
              {folder.string()});
}

}  // namespace

void LearnState::Save(const fs::path& folder) const {
  CreateFolder(folder);
  WriteNpy<float>(folder / "atoms.npy", atoms);
  const std::array<std::span<const double>, 2> parts = {curvature, epoch_curvature};
  WriteNpyParts<double>(folder / "curvature.npy", parts, {2, curvature.size()});
  if (moments.rows() > 0) {
    WriteNpy<float>(folder / "moments.npy", moments);
  } else {
    fs::remove(folder / "moments.npy");  // of a state that was here before
  }
  codes.Save(folder);
  const Json json = {{"epochs_done", epochs_done},
                     {"steps", steps},
                     {"objective_per_epoch", objective_per_epoch},
                     {"replaced_atoms", replaced_atoms}};
  WriteFile(folder / "state.json", JsonLines(json));
}

LearnState LearnState::Load(const fs::path& folder) {
  LearnState state;
  try {
    const Json json = Json::parse(ReadFile(folder / "state.json"));
    for (const char* count : {"epochs_done", "steps", "replaced_atoms"}) {
      // nlohmann would turn -1 into a huge number without a word.
      if (!json.at(count).is_number_unsigned()) ThrowUnreadable(folder, std::string(count) + " is not a count");
    }
    json.at("epochs_done").get_to(state.epochs_done);
    json.at("steps").get_to(state.steps);
    json.at("objective_per_epoch").get_to(state.objective_per_epoch);
    json.at("replaced_atoms").get_to(state.replaced_atoms);
  } catch (const Json::exception& error) {
    ThrowUnreadable(folder, error.what());
  }
  state.atoms = ReadNpyMatrix<float>(folder / "atoms.npy");
  const Matrix<double> curvature = ReadNpyMatrix<double>(folder / "curvature.npy");
  const std::size_t atoms = state.atoms.rows();
  if (curvature.rows() != 2 || curvature.cols() != atoms) ThrowUnreadable(folder, "the arrays differ in length");
  state.curvature.assign(curvature.Row(0).begin(), curvature.Row(0).end());
  state.epoch_curvature.assign(curvature.Row(1).begin(), curvature.Row(1).end());
  if (fs::exists(folder / "moments.npy")) {
    state.moments = ReadNpyMatrix<float>(folder / "moments.npy");
    if (state.moments.rows() != atoms || state.moments.cols() != atoms + state.atoms.cols()) {
      ThrowUnreadable(folder, "the arrays differ in length");
    }
  }
  state.codes = SparseCodes::Load(folder, atoms);
  const bool counts =
      state.epochs_done >= 0 && static_cast<std::size_t>(state.epochs_done) == state.objective_per_epoch.size();
  if (!counts) ThrowUnreadable(folder, "state.json contradicts itself");
  return state;
}

namespace {

double SquaredNorm(std::span<const float> values) {
  double sum = 0.0;
  for (const float value : values) sum += static_cast<double>(value) * static_cast<double>(value);
  return sum;
}

void ProjectOntoBall(std::span<float> atom) {
  const double squared_norm = SquaredNorm(atom);
  if (squared_norm <= 1.0) return;
  const auto scale = static_cast<float>(1.0 / std::sqrt(squared_norm));
  for (float& value : atom) value *= scale;
}

void ScaleToSphere(std::span<float> atom) {
  const double norm = std::sqrt(SquaredNorm(atom));
  if (norm == 0.0) return;
  for (float& value : atom) value = static_cast<float>(value / norm);
}

// Takes away what is negative. Returns whether anything is left.
bool ClipToNonnegative(std::span<float> atom) {
  for (float& value : atom) value = value > 0.0F ? value : 0.0F;
  return SquaredNorm(atom) > 0.0;
}

// Checks the patches, and returns the mean objective with all codes zero.
double CheckPatches(FloatView patches, std::span<const std::size_t> rows) {
  if (rows.empty()) {
    throw Error(ErrorCode::kInput,
                "there are no patches to learn from",
                "either all patches were dropped as flat (normalise.min_deviation), or all genes lie in the tested "
                "fold (add genes)");
  }
  double sum = 0.0;
  for (const std::size_t row : rows) {
    FLYSCRIBE_CHECK(row < patches.rows(), "a row to learn from is outside the patches");
    if (!AllFinite(patches.Row(row))) {
      throw Error(ErrorCode::kInput,
                  fmt::format("patch {} holds a value that is not a finite number", row),
                  "patches count from 0; compute the descriptors again");
    }
    sum += 0.5 * SquaredNorm(patches.Row(row));
  }
  return sum / static_cast<double>(rows.size());
}

std::unique_ptr<Learner> MakeLearner(const LearnProblem& problem) {
  switch (problem.options.method) {
    case LearnOptions::Method::kScc:
      return MakeSccLearner(problem);
    case LearnOptions::Method::kSccMinibatch:
      return MakeMinibatchLearner(problem);
    case LearnOptions::Method::kOnline:
      return MakeOnlineLearner(problem);
  }
  FLYSCRIBE_CHECK(false, "unknown method");
  return nullptr;
}

LearnState FirstState(const LearnProblem& problem, const FloatMatrix* given) {
  const LearnOptions& options = problem.options;
  const auto atoms = static_cast<std::size_t>(options.atoms);
  LearnState state;
  if (given != nullptr) {
    if (given->rows() != atoms || given->cols() != problem.patches.cols()) {
      throw Error(ErrorCode::kUsage,
                  fmt::format("the first dictionary has {} atoms of {} values; {} of {} are needed",
                              given->rows(),
                              given->cols(),
                              atoms,
                              problem.patches.cols()),
                  "one row an atom, as long as a patch");
    }
    if (!AllFinite(given->values())) {
      throw Error(ErrorCode::kInput, "the first dictionary holds a value that is not a finite number");
    }
    state.atoms = *given;
  } else {
    state.atoms = InitialDictionary(problem.patches, problem.rows, atoms, options.seed);
  }
  for (std::size_t atom = 0; atom < atoms; ++atom) {
    if (options.nonnegative_atoms && !ClipToNonnegative(state.atoms.Row(atom))) {
      if (given != nullptr) {
        throw Error(ErrorCode::kInput,
                    fmt::format("atom {} (counted from 0) of the first dictionary has no value above 0", atom),
                    "with nonnegative_atoms what is negative becomes 0, and nothing would be left of it");
      }
      Rng rng(static_cast<std::uint64_t>(options.seed), kNonnegativeStream + atom);
      for (float& value : state.atoms.Row(atom)) value = static_cast<float>(std::abs(rng.Normal()));
      ScaleToSphere(state.atoms.Row(atom));
    }
    if (options.OnSphere()) {
      ScaleToSphere(state.atoms.Row(atom));
    } else {
      ProjectOntoBall(state.atoms.Row(atom));
    }
  }
  state.curvature.assign(atoms, 0.0);
  state.epoch_curvature.assign(atoms, 0.0);
  return state;
}

void RequireFits(const LearnState& state, const LearnProblem& problem) {
  const auto atoms = static_cast<std::size_t>(problem.options.atoms);
  const bool has_moments = problem.options.method == LearnOptions::Method::kOnline;
  const bool fits = state.atoms.rows() == atoms && state.atoms.cols() == problem.patches.cols() &&
                    state.curvature.size() == atoms && state.epoch_curvature.size() == atoms &&
                    state.moments.rows() == (has_moments ? atoms : 0) && state.codes.atoms == atoms &&
                    state.codes.rows() == problem.size() && state.epochs_done <= problem.options.epochs;
  if (fits) return;
  throw Error(ErrorCode::kUsage,
              "the state to go on from belongs to another problem",
              "begin anew, or give the input and options it was left by");
}

// An epoch from which on learning may have settled: it and the one before it began with codes.
constexpr std::size_t kFirstSettled = 3;

bool HasSettled(const std::vector<double>& objectives, double tolerance) {
  if (tolerance <= 0.0 || objectives.size() < kFirstSettled) return false;
  const double before = objectives[objectives.size() - 2];
  return std::abs(before - objectives.back()) <= tolerance * before;
}

// Runs the epochs of one call of Learn, and keeps the books.
class LearnRun : public LearnPause {
 public:
  LearnRun(const LearnProblem& problem, const LearnControl& control, LearnState state, double zero_objective)
      : problem_(problem),
        control_(control),
        state_(std::move(state)),
        zero_objective_(zero_objective),
        memory_(state_, problem.size()),
        learner_(MakeLearner(problem)) {
    // What is large lives in memory_.
    state_.atoms = {};
    state_.moments = {};
    state_.codes = {};
    if (problem.options.unused_atoms == LearnOptions::UnusedAtoms::kReplace) memory_.errors.resize(problem.size());
  }

  LearnResult Run(Progress& progress) {
    const int epochs = problem_.options.epochs;
    progress.Begin(static_cast<std::uint64_t>(epochs - state_.epochs_done) * problem_.size(), "patches");
    while (!IsDone()) {
      RunEpoch(progress);
      if (IsDone()) break;
      if (!memory_.errors.empty()) ReplaceUnusedAtoms();
      if (!control_.after_epoch) continue;
      if (control_.times != nullptr) *control_.times = times_;
      control_.after_epoch(*this);
    }
    if (state_.epochs_done < epochs) {  // there was less to do than was said
      const std::uint64_t visits = times_.per_epoch.size() * problem_.size();
      progress.Begin(visits, "patches");
      progress.Advance(visits);
    }
    return Finish();
  }

  int epochs_done() const override { return state_.epochs_done; }
  FloatMatrix Atoms() const override { return memory_.atoms.ToMatrix(); }
  LearnState State() const override {
    LearnState state = state_;
    state.atoms = Atoms();
    state.curvature = memory_.curvature;
    state.epoch_curvature = memory_.epoch_curvature;
    state.moments = memory_.moments;
    state.steps = memory_.steps;
    state.codes = memory_.codes.ToCodes(memory_.atoms.rows());
    return state;
  }

 private:
  bool IsSettled() const { return HasSettled(state_.objective_per_epoch, problem_.options.tolerance); }
  bool IsDone() const { return state_.epochs_done >= problem_.options.epochs || IsSettled(); }

  void RunEpoch(Progress& progress) {
    const int epoch = state_.epochs_done + 1;
    const double start = SecondsNow();
    const EpochReport report = learner_->RunEpoch(epoch, memory_, progress);
    times_.per_epoch.push_back(SecondsNow() - start);
    times_.codes += report.seconds_codes;
    times_.dictionary += report.seconds_dictionary;
    const double objective = report.objective / static_cast<double>(problem_.size());
    RequireConvergence(epoch, objective);
    state_.objective_per_epoch.push_back(objective);
    state_.epochs_done = epoch;
    if (epoch == 1 && memory_.codes.nonzeros() == 0) {
      progress.Warn(
          "all codes are zero after the first epoch: nothing was learned; lower learn.lambda, or scale the patches to "
          "norm 1");
    }
    progress.Note(fmt::format("epoch {} of {}, objective {}, {} non-zeros a code",
                              epoch,
                              problem_.options.epochs,
                              FormatFixed(objective, 4),
                              FormatFixed(NonzerosPerCode(), 1)));
  }

  double NonzerosPerCode() const {
    return static_cast<double>(memory_.codes.nonzeros()) / static_cast<double>(problem_.size());
  }

  void RequireConvergence(int epoch, double objective) const {
    bool finite = std::isfinite(objective);
    for (std::size_t atom = 0; finite && atom < memory_.atoms.rows(); ++atom) {
      finite = AllFinite(memory_.atoms.Values(atom));
    }
    // Codes that are all zero do as well as this; what single precision loses over long patches is allowed for.
    if (finite && objective <= zero_objective_ * (1.0 + 1e-4)) return;
    throw Error(
        ErrorCode::kInput,
        finite ? fmt::format("learning diverged in epoch {}: the objective {} is worse than that of zero codes, {}",
                             epoch,
                             FormatFixed(objective, 4),
                             FormatFixed(zero_objective_, 4))
               : fmt::format("learning diverged in epoch {}: the numbers grew beyond all bounds", epoch),
        problem_.options.method == LearnOptions::Method::kScc && problem_.options.rate == LearnOptions::Rate::kNatural
            ? "the natural rate is too high: lower learn.rate_a or raise learn.rate_b"
            : "patches are expected to have norm 1; check the steps before learn");
  }

  std::vector<std::size_t> UnusedAtoms() const {
    std::vector<bool> used(memory_.atoms.rows(), false);
    for (std::size_t item = 0; item < problem_.size(); ++item) {
      for (const std::int32_t atom : memory_.codes.Indices(item)) used[static_cast<std::size_t>(atom)] = true;
    }
    std::vector<std::size_t> unused;
    for (std::size_t atom = 0; atom < used.size(); ++atom) {
      if (!used[atom]) unused.push_back(atom);
    }
    return unused;
  }

  // Worst patch first; no patch twice.
  void ReplaceUnusedAtoms() {
    const std::vector<std::size_t> unused = UnusedAtoms();
    std::vector<std::size_t> worst(problem_.size());
    std::iota(worst.begin(), worst.end(), std::size_t{0});
    const std::size_t count = std::min(unused.size(), worst.size());
    const auto worse = [this](std::size_t a, std::size_t b) {
      return memory_.errors[a] != memory_.errors[b] ? memory_.errors[a] > memory_.errors[b] : a < b;
    };
    std::partial_sort(worst.begin(), worst.begin() + static_cast<std::ptrdiff_t>(count), worst.end(), worse);
    for (std::size_t i = 0; i < count && memory_.errors[worst[i]] > 0.0F; ++i) {
      std::vector<float> atom(problem_.Patch(worst[i]).begin(), problem_.Patch(worst[i]).end());
      if (problem_.options.nonnegative_atoms && !ClipToNonnegative(atom)) continue;
      ScaleToSphere(atom);
      memory_.atoms.Set(unused[i], atom);
      ++state_.replaced_atoms;
      memory_.curvature[unused[i]] = 0.0;
      memory_.epoch_curvature[unused[i]] = 0.0;
      if (memory_.moments.rows() == 0) continue;
      // Else online's statistics would bring the old atom back at the next step.
      for (std::size_t other = 0; other < memory_.moments.rows(); ++other) memory_.moments(other, unused[i]) = 0.0F;
      std::fill(memory_.moments.Row(unused[i]).begin(), memory_.moments.Row(unused[i]).end(), 0.0F);
    }
  }

  LearnResult Finish() {
    LearnResult result;
    LearningSummary& summary = result.dictionary.summary;
    summary.lambda = problem_.options.lambda;
    summary.nonnegative = problem_.options.nonnegative;
    summary.patches = problem_.size();
    summary.objective_per_epoch = state_.objective_per_epoch;
    summary.settled = IsSettled();
    summary.nonzeros_per_code = NonzerosPerCode();
    summary.unused_atoms = UnusedAtoms().size();
    summary.replaced_atoms = state_.replaced_atoms;
    result.dictionary.atoms = Atoms();
    result.codes = memory_.codes.ToCodes(memory_.atoms.rows());
    result.times = times_;
    return result;
  }

  const LearnProblem& problem_;
  const LearnControl& control_;
  LearnState state_;
  double zero_objective_;
  LearnerMemory memory_;
  std::unique_ptr<Learner> learner_;
  LearnTimes times_;
};

}  // namespace

double LearnTimes::Total() const { return std::accumulate(per_epoch.begin(), per_epoch.end(), 0.0); }

FloatMatrix InitialDictionary(FloatView patches,
                              std::span<const std::size_t> rows,
                              std::size_t atoms,
                              std::int64_t seed) {
  std::vector<std::size_t> drawn(rows.begin(), rows.end());
  Rng rng(static_cast<std::uint64_t>(seed), kInitialStream);
  rng.Shuffle(drawn);
  FloatMatrix dictionary(atoms, patches.cols());
  std::unordered_set<std::string_view> taken;
  std::size_t atom = 0;
  for (std::size_t i = 0; i < drawn.size() && atom < atoms; ++i) {
    const std::span<const float> patch = patches.Row(drawn[i]);
    const std::string_view bytes(reinterpret_cast<const char*>(patch.data()), patch.size_bytes());
    if (SquaredNorm(patch) == 0.0 || !taken.insert(bytes).second) continue;
    std::ranges::copy(patch, dictionary.Row(atom).begin());
    ProjectOntoBall(dictionary.Row(atom++));
  }
  for (; atom < atoms; ++atom) {
    for (float& value : dictionary.Row(atom)) value = static_cast<float>(rng.Normal());
    ScaleToSphere(dictionary.Row(atom));
  }
  return dictionary;
}

LearnResult Learn(FloatView patches,
                  std::span<const std::size_t> rows,
                  const LearnOptions& options,
                  const LearnControl& control,
                  Progress& progress) {
  FLYSCRIBE_CHECK(options.atoms > 0 && options.epochs > 0 && options.batch > 0, "learn options are out of range");
  const LearnProblem problem = {
      patches, rows, options, ActiveKernels(), control.threads > 0 ? control.threads : DefaultThreads()};
  const double zero_objective = CheckPatches(patches, rows);
  if (rows.size() < static_cast<std::size_t>(options.atoms)) {
    progress.Warn(fmt::format("{} atoms are more than the {} patches to learn from; lower learn.atoms, or add images",
                              options.atoms,
                              rows.size()));
  }
  if (control.resume != nullptr) RequireFits(*control.resume, problem);
  LearnState state = control.resume != nullptr ? *control.resume : FirstState(problem, control.initial);
  return LearnRun(problem, control, std::move(state), zero_objective).Run(progress);
}

}  // namespace flyscribe
