// flyscribe learn: a dictionary and sparse codes from an .npy matrix of patches. See docs/sparse-coding.md.
#include "sparse/learn.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>
#include <numeric>

#include "core/file.h"
#include "core/hash.h"
#include "core/parallel.h"
#include "core/rng.h"
#include "core/simd.h"
#include "core/text.h"
#include "data/tables.h"
#include "pipeline/arguments/arguments.h"
#include "pipeline/arguments/command_line.h"
#include "pipeline/cache/checkpoint.h"
#include "pipeline/cache/key.h"
#include "pipeline/command.h"
#include "pipeline/commands/matrix_files.h"
#include "pipeline/commands/result_folder.h"
#include "pipeline/config/describe.h"
#include "pipeline/steps/step.h"
#include "pipeline/terminal/console.h"
#include "pipeline/terminal/process.h"
#include "sparse/encoder.h"

namespace flyscribe {
namespace {

using Json = nlohmann::ordered_json;

// summary.json comes last: it vouches for the others.
const std::vector<std::string> kResultFiles = {
    "dictionary.npy", "codes.indptr.npy", "codes.indices.npy", "codes.data.npy", "codes.npz", "summary.json"};

constexpr std::int64_t kMostPatches = std::int64_t{1} << 40;

struct LearnArguments {
  MatrixArguments files;
  CommonArguments common;
  OptionArguments options;
  std::string initial;
  std::int64_t exact_patches = -1;  // -1: not asked for
  bool no_checkpoint = false;
};

// The problem, read and checked.
struct LearnTask {
  const LearnArguments& arguments;
  LearnOptions options;
  FloatNpy patches;
  std::optional<FloatMatrix> initial;
};

struct LearnOutcome {
  LearnResult result;
  std::optional<EncodeResult> exact;
  int resumed_after = 0;  // 0: begun anew
};

Config ReadOptions(const LearnArguments& arguments) {
  return arguments.options.Read(arguments.common.overrides, "learn");
}

// The first dictionary says how many atoms there are, unless it is said twice.
FloatMatrix ReadInitial(LearnArguments& arguments, FloatView patches) {
  FloatMatrix initial = ReadAtoms(arguments.initial);
  RequireSameLength(patches, arguments.files.input, initial, arguments.initial);
  arguments.options.Imply("learn.atoms", std::to_string(initial.rows()), arguments.initial);
  const int atoms = ReadOptions(arguments).learn.atoms;
  if (initial.rows() == static_cast<std::size_t>(atoms)) return initial;
  throw Error(ErrorCode::kUsage,
              fmt::format("the first dictionary has {} atoms, but {} are asked for", initial.rows(), atoms),
              "leave --atoms out: the dictionary says how many there are",
              {arguments.initial});
}

// Nothing correlates with such an atom, so no code will hold it, and what no code holds does not move.
void WarnOfZeroAtoms(const FloatMatrix& initial, const std::string& path, Console& console) {
  std::size_t zeros = 0;
  for (std::size_t atom = 0; atom < initial.rows(); ++atom) {
    if (std::ranges::all_of(initial.Row(atom), [](float value) { return value == 0.0F; })) ++zeros;
  }
  if (zeros == 0) return;
  console.Warn(
      fmt::format("{}: {} of {} atoms are zero and will stay so; leave them out, or give --set unused_atoms=replace",
                  path,
                  zeros,
                  initial.rows()));
}

LearnTask ReadTask(LearnArguments& arguments, Console& console) {
  console.StartStep("reading");
  FloatNpy patches = ReadPatches(arguments.files.input);
  std::optional<FloatMatrix> initial;
  if (!arguments.initial.empty()) initial = ReadInitial(arguments, patches.view());
  WarnOfScale(patches.view(), ReadOptions(arguments).learn.lambda, console);
  if (initial) WarnOfZeroAtoms(*initial, arguments.initial, console);
  return {arguments, ReadOptions(arguments).learn, std::move(patches), std::move(initial)};
}

// Everything that decides the result: a checkpoint is of use only to the same.
std::string Identity(const LearnTask& task, Console& console) {
  console.StartStep("hashing");
  ArtifactKey key("learn", LearnStep().version, "none", "all");
  key.AddOptions("learn", KeyText(task.options));
  key.AddInput("patches", Sha256OfFile(task.arguments.files.input));
  key.AddInput("initial", task.initial ? Sha256OfFile(task.arguments.initial) : "none");
  return key.text();
}

// One patch out of each of `count` equal parts of the file, the earlier ones being a patch longer where they cannot be
// equal. Which one is drawn, by streams of its own: patches at even distances would keep step with the windows of an
// image, and those of another seed could not be compared. REQUIRES: count <= rows.
FloatMatrix EvenSample(FloatView patches, std::size_t count) {
  constexpr std::uint64_t kSeed = 1;
  const std::size_t part = patches.rows() / count;
  const std::size_t longer = patches.rows() % count;
  FloatMatrix sample(count, patches.cols());
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t begin = i * part + std::min(i, longer);
    const std::size_t row = begin + Rng(kSeed, i).Below(part + (i < longer ? 1 : 0));
    std::ranges::copy(patches.Row(row), sample.Row(i).begin());
  }
  return sample;
}

EncodeResult ExactCodes(const LearnTask& task, const FloatMatrix& atoms, Console& console) {
  const FloatView all = task.patches.view();
  const auto asked = static_cast<std::size_t>(task.arguments.exact_patches);
  const std::size_t count = asked == 0 ? all.rows() : std::min(asked, all.rows());
  const FloatMatrix sample = count < all.rows() ? EvenSample(all, count) : FloatMatrix();
  const EncodeControl control = {.lambda = task.options.lambda,
                                 .nonnegative = task.options.nonnegative,
                                 .threads = task.arguments.common.Threads()};
  console.StartStep("exact objective");
  EncodeResult exact = Encode(count < all.rows() ? FloatView(sample) : all, atoms, control, EncodeOptions(), console);
  console.FinishStep(StepState::kRun, exact.seconds, "objective " + FormatFixed(exact.objective, 4));
  if (exact.unconverged > 0) {
    console.Warn(fmt::format("{} of {} patches were not coded to the tolerance: the exact objective is an upper bound",
                             exact.unconverged,
                             count));
  }
  return exact;
}

// `checkpoint` is null if none is wanted.
LearnOutcome LearnFrom(const LearnTask& task, LearnCheckpoint* checkpoint, Console& console) {
  std::vector<std::size_t> rows(task.patches.view().rows());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  LearnControl control;
  control.threads = task.arguments.common.Threads();
  control.initial = task.initial ? &*task.initial : nullptr;
  LearnOutcome outcome;
  std::optional<LearnState> state;
  if (checkpoint != nullptr) {
    state = checkpoint->Load();
    control.after_epoch = [&task, checkpoint](const LearnPause& pause) {
      if (!checkpoint->IsDue()) return;
      task.patches.RequireWhole();
      checkpoint->Save(pause.State());
    };
  }
  if (state) {
    control.resume = &*state;
    outcome.resumed_after = state->epochs_done;
    console.Say(fmt::format("going on after epoch {} of {}", state->epochs_done, task.options.epochs));
  }
  console.StartStep("learn");
  outcome.result = Learn(task.patches.view(), rows, task.options, control, console);
  const double objective = outcome.result.dictionary.summary.Objective();
  console.FinishStep(StepState::kRun, outcome.result.times.Total(), "objective " + FormatFixed(objective, 4));
  return outcome;
}

LearnOutcome LearnOrSayHowToGoOn(const LearnTask& task, LearnCheckpoint* checkpoint, Console& console) {
  try {
    LearnOutcome outcome = LearnFrom(task, checkpoint, console);
    if (task.arguments.exact_patches >= 0) {
      outcome.exact = ExactCodes(task, outcome.result.dictionary.atoms, console);
    }
    return outcome;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kInterrupted) throw;
    const int epoch = checkpoint == nullptr ? 0 : checkpoint->NewestEpoch();
    const std::string hint = epoch == 0 ? "no checkpoint was left yet; the same command begins anew"
                                        : fmt::format("the same command{} goes on after epoch {} of {}",
                                                      task.arguments.files.force ? " without --force" : "",
                                                      epoch,
                                                      task.options.epochs);
    throw Error(ErrorCode::kInterrupted, "interrupted", hint);
  }
}

Json OptionsJson(LearnOptions options) {
  options.cd_steps = options.CdSteps();
  Json json = Json::object();
  for (const OptionValue& option : ListOptions([&](OptionsVisitor& visit) { options.Fields(visit); })) {
    json[option.field.name] = option.is_word ? Json(option.value) : Json::parse(option.value);
  }
  return json;
}

// What was asked for.
Json TaskJson(const LearnTask& task) {
  const FloatView patches = task.patches.view();
  const int threads = task.arguments.common.Threads();
  Json json = {{"format", 1}, {"command", "learn"}, {"version", Version()}};
  json["input"] = task.arguments.files.input;
  if (task.initial) json["init"] = task.arguments.initial;
  json["patches"] = patches.rows();
  json["length"] = patches.cols();
  json["atoms"] = task.options.atoms;
  const Json options = OptionsJson(task.options);
  for (const char* name : {"method", "profile", "lambda", "epochs", "seed"}) json[name] = options.at(name);
  json["options"] = options;
  json["threads"] = threads > 0 ? threads : DefaultThreads();
  json["simd"] = SimdInUse();
  return json;
}

std::string SummaryText(const LearnTask& task, const LearnOutcome& outcome) {
  const LearningSummary& summary = outcome.result.dictionary.summary;
  const LearnTimes& times = outcome.result.times;
  Json json = TaskJson(task);
  json["epochs_done"] = summary.objective_per_epoch.size();
  json["settled"] = summary.settled;
  json["objective"] = summary.Objective();
  json["objective_per_epoch"] = summary.objective_per_epoch;
  if (outcome.exact) {
    json["exact_objective"] = outcome.exact->objective;
    json["exact_objective_patches"] = outcome.exact->codes.rows();
    json["exact_kkt"] = outcome.exact->worst_kkt;
    json["exact_unconverged"] = outcome.exact->unconverged;
  }
  json["nonzeros_per_code"] = summary.nonzeros_per_code;
  json["unused_atoms"] = summary.unused_atoms;
  json["replaced_atoms"] = summary.replaced_atoms;
  if (outcome.resumed_after > 0) json["resumed_after_epoch"] = outcome.resumed_after;
  json["seconds"] = times.Total();
  json["seconds_per_epoch"] = times.per_epoch;
  json["seconds_codes"] = times.codes;
  json["seconds_dictionary"] = times.dictionary;
  // Paths may hold bytes that are no UTF-8.
  return JsonLines(json);
}

void Save(const LearnTask& task, const LearnOutcome& outcome, const fs::path& folder) {
  WriteNpy<float>(folder / "dictionary.npy", outcome.result.dictionary.atoms);
  outcome.result.codes.Save(folder);
  outcome.result.codes.SaveNpz(folder / "codes.npz");
  WriteFile(folder / "summary.json", SummaryText(task, outcome));
}

std::string ResultText(const LearnTask& task, const LearnOutcome& outcome) {
  const LearningSummary& summary = outcome.result.dictionary.summary;
  const std::size_t epochs = summary.objective_per_epoch.size();
  std::string text = fmt::format("{} atoms of {} values from {} patches in {} epoch{}{}\n",
                                 outcome.result.dictionary.atoms.rows(),
                                 outcome.result.dictionary.atoms.cols(),
                                 summary.patches,
                                 epochs,
                                 epochs == 1 ? "" : "s",
                                 summary.settled ? ": the objective has settled" : "");
  text += fmt::format("  objective  {:.6f} while learning in the last epoch\n", summary.Objective());
  if (outcome.exact) {
    text += fmt::format("  exact      {:.6f} on {} patches\n", outcome.exact->objective, outcome.exact->codes.rows());
  }
  text += fmt::format(
      "  codes      {:.1f} non-zeros each; {} atoms unused\n", summary.nonzeros_per_code, summary.unused_atoms);
  text += fmt::format("  time       {}\n", HumanSeconds(outcome.result.times.Total()));
  return text + "  result     " + task.arguments.files.output + "\n";
}

int RunLearn(LearnArguments& arguments) {
  const double checkpoint_seconds = ReadOptions(arguments).cache.checkpoint_seconds;
  UseSimd(arguments.files.simd);
  // Fail in the first second, not the last.
  ResultFolder folder(arguments.files.output, kResultFiles, arguments.files.force);
  Console console(DetectConsoleStyle(arguments.common.quiet));
  const LearnTask task = ReadTask(arguments, console);
  folder.RequireNotReplaced(arguments.files.input);
  if (task.initial) folder.RequireNotReplaced(arguments.initial);
  LearnCheckpoint checkpoint(
      folder.path() / "checkpoint", arguments.no_checkpoint ? "" : Identity(task, console), checkpoint_seconds);
  if (arguments.files.force) {
    folder.Clear();
    checkpoint.Remove();
  }
  const LearnOutcome outcome = LearnOrSayHowToGoOn(task, arguments.no_checkpoint ? nullptr : &checkpoint, console);
  task.patches.RequireWhole();
  folder.Commit([&](const fs::path& unfinished) { Save(task, outcome, unfinished); });
  try {
    if (!arguments.no_checkpoint) checkpoint.Remove();
  } catch (const Error& error) {
    // The result is whole by then: a checkpoint that stays does no harm.
    console.Warn(std::string("the checkpoint stays behind: ") + error.what());
  }
  if (!arguments.common.quiet) PrintResult(ResultText(task, outcome));
  return 0;
}

}  // namespace

Command LearnCommand() {
  return {"learn", "Learn a dictionary and sparse codes from an .npy matrix", [](const CommandLine& line) {
            auto arguments = std::make_shared<LearnArguments>();
            DeclareMatrixArguments(line, arguments->files);
            line.Value("--init", arguments->initial, "First dictionary, one atom a row; else drawn from the patches")
                .Named("D0.npy");
            const auto option = [&](const std::string& flag, const std::string& key) {
              arguments->options.Declare(line, flag, key);
            };
            option("--atoms", "learn.atoms");
            option("--lambda", "learn.lambda");
            option("--epochs", "learn.epochs");
            option("--tol", "learn.tolerance");
            option("--method", "learn.method");
            option("--seed", "learn.seed");
            option("--batch", "learn.batch");
            option("--cd-steps", "learn.cd_steps");
            option("--nonnegative", "learn.nonnegative");
            option("--nonnegative-atoms", "learn.nonnegative_atoms");
            option("--profile", "learn.profile");
            line.Value("--exact-objective",
                       arguments->exact_patches,
                       "Also code N patches from all over the file exactly with the final dictionary; 0 means all")
                .Named("N")
                .Between(std::int64_t{0}, kMostPatches);
            option("--checkpoint-seconds", "cache.checkpoint_seconds");
            line.Flag("--no-checkpoint", arguments->no_checkpoint, "Leave no checkpoint, and look for none");
            DeclareCommonArguments(line, "unused_atoms=replace", arguments->common);
            return [arguments] { return RunLearn(*arguments); };
          }};
}

}  // namespace flyscribe
