// flyscribe encode: sparse codes of an .npy matrix of patches with a given dictionary. See docs/sparse-coding.md.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/file.h"
#include "core/parallel.h"
#include "core/simd.h"
#include "core/text.h"
#include "data/tables.h"
#include "pipeline/arguments/arguments.h"
#include "pipeline/arguments/command_line.h"
#include "pipeline/command.h"
#include "pipeline/commands/matrix_files.h"
#include "pipeline/commands/result_folder.h"
#include "pipeline/terminal/console.h"
#include "pipeline/terminal/process.h"
#include "sparse/constrained.h"
#include "sparse/encoder.h"
#include "sparse/pursuit.h"

namespace flyscribe {
namespace {

// Below this ratio the tolerance is felt in the codes.
constexpr double kLambdaPerTolerance = 10.0;
constexpr std::int64_t kMostNonzeros = 65536;
constexpr double kNotGiven = -std::numeric_limits<double>::infinity();
constexpr double kMostRidge = 1e6;
constexpr double kLeastPenalty = 1e-6;
constexpr double kMostPenalty = 1e6;

using Json = nlohmann::ordered_json;

// summary.json comes last: it vouches for the others.
const std::vector<std::string> kResultFiles = {
    "codes.indptr.npy", "codes.indices.npy", "codes.data.npy", "codes.npz", "summary.json"};

struct EncodeArguments {
  MatrixArguments files;
  CommonArguments common;
  OptionArguments options;
  std::string dictionary;
  double ridge = 0.0;
  std::string weights;
  std::string method = "lasso";
  std::int64_t nonzeros = 0;  // 0: not given
  double error = kNotGiven;
  double budget = kNotGiven;

  bool HasError() const { return error != kNotGiven; }
  bool HasBudget() const { return budget != kNotGiven; }
};

// What belongs to one form of coding is refused in another.
void RequireArgumentsOfTheMethod(const EncodeArguments& arguments) {
  struct Flag {
    std::string name;
    bool given;
    std::vector<std::string> methods;  // it goes with
  };
  const OptionArguments& options = arguments.options;
  const std::vector<Flag> flags = {{"--lambda", options.IsGiven("learn.lambda"), {"lasso"}},
                                   {"--ridge", arguments.ridge != 0.0, {"lasso"}},
                                   {"--weights", !arguments.weights.empty(), {"lasso"}},
                                   {"--nonnegative", options.IsGiven("learn.nonnegative"), {"lasso", "error", "l1"}},
                                   {"--kkt", options.IsGiven("encode.kkt_tolerance"), {"lasso"}},
                                   {"--max-cycles", options.IsGiven("encode.max_cycles"), {"lasso"}},
                                   {"--set", !arguments.common.overrides.empty(), {"lasso"}},
                                   {"--nonzeros", arguments.nonzeros > 0, {"omp"}},
                                   {"--error", arguments.HasError(), {"omp", "error"}},
                                   {"--budget", arguments.HasBudget(), {"l1"}}};
  const auto refuse = [](const std::string& message, const std::string& hint) {
    throw Error(ErrorCode::kUsage, message, hint);
  };
  const std::string& method = arguments.method;
  for (const Flag& flag : flags) {
    if (!flag.given || std::ranges::find(flag.methods, method) != flag.methods.end()) continue;
    refuse(flag.name + " does not go with --method " + method, "it goes with --method " + Join(flag.methods, ", "));
  }
  const auto require_limit = [&](const std::string& flag, double value) {
    if (value == kNotGiven || (value >= 0.0 && std::isfinite(value))) return;
    refuse(fmt::format("{} {}: expected a finite number, 0 or more", flag, value),
           flag == "--error" ? "it is the |x - Dz| that is small enough" : "it is the largest sum of |z_j|");
  };
  require_limit("--error", arguments.error);
  require_limit("--budget", arguments.budget);
  if (!(arguments.ridge >= 0.0 && arguments.ridge <= kMostRidge)) {
    refuse(fmt::format("--ridge {}: expected a number from 0 to {}", arguments.ridge, kMostRidge),
           "it is the second penalty of the elastic net, (ridge / 2) |z|^2; 0 leaves it out");
  }
  if (method == "lasso" && !options.IsGiven("learn.lambda")) {
    refuse("--lambda is required", "as a rule it is the one the dictionary was learned with");
  }
  if (method == "omp" && arguments.nonzeros == 0 && !arguments.HasError()) {
    refuse("--method omp needs --nonzeros, --error or both",
           "--nonzeros 5: at most 5 atoms a patch; --error 0.1: until |x - Dz| is at most 0.1");
  }
  if (method == "error" && !arguments.HasError()) {
    refuse("--method error needs --error", "--error 0.1: the smallest sum of |z_j| with |x - Dz| at most 0.1");
  }
  if (method == "l1" && !arguments.HasBudget()) {
    refuse("--method l1 needs --budget", "--budget 2: the smallest |x - Dz| with a sum of |z_j| of at most 2");
  }
}

template <class Work>
auto OrSayHowToGoOn(const Work& work) {
  try {
    return work();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kInterrupted) throw;
    throw Error(ErrorCode::kInterrupted, "interrupted", "nothing was kept; the same command begins anew");
  }
}

std::string FormOf(const EncodeArguments& arguments) {
  return std::string(arguments.weights.empty() ? "" : "weighted-") + (arguments.ridge > 0.0 ? "elastic-net" : "lasso");
}

std::string SummaryText(const EncodeArguments& arguments, const Config& config, const EncodeResult& result) {
  const int threads = arguments.common.Threads();
  Json json = {{"format", 1},
               {"command", "encode"},
               {"version", Version()},
               {"input", arguments.files.input},
               {"dictionary", arguments.dictionary},
               {"patches", result.codes.rows()},
               {"atoms", result.codes.atoms},
               {"form", FormOf(arguments)},
               {"lambda", config.learn.lambda},
               {"ridge", arguments.ridge},
               {"nonnegative", config.learn.nonnegative},
               {"kkt_tolerance", config.encode.kkt_tolerance},
               {"max_cycles", config.encode.max_cycles},
               {"threads", threads > 0 ? threads : DefaultThreads()},
               {"simd", SimdInUse()},
               {"objective", result.objective},
               {"worst_kkt", result.worst_kkt},
               {"worst_gap", result.worst_gap},
               {"nonzeros_per_code", result.nonzeros_per_code},
               {"unconverged", result.unconverged},
               {"seconds", result.seconds}};
  if (!arguments.weights.empty()) json["weights"] = arguments.weights;
  // Paths may hold bytes that are no UTF-8.
  return JsonLines(json);
}

std::string ResultText(const EncodeArguments& arguments, const EncodeResult& result) {
  return fmt::format(
      "{} patches over {} atoms\n"
      "  objective  {:.6f}\n"
      "  codes      {:.1f} non-zeros each; worst KKT violation {:.1e}, {} unconverged\n"
      "  time       {}\n"
      "  result     {}\n",
      result.codes.rows(),
      result.codes.atoms,
      result.objective,
      result.nonzeros_per_code,
      result.worst_kkt,
      result.unconverged,
      HumanSeconds(result.seconds),
      arguments.files.output);
}

// Weights and lambda matter by their product alone; the least is what lambda is in the lasso.
double LeastPenalty(const EncodeControl& control, const std::string& path) {
  if (control.weights.empty()) return control.lambda;
  const double least = control.lambda * *std::ranges::min_element(control.weights);
  if (least >= kLeastPenalty && least <= kMostPenalty) return least;
  throw Error(ErrorCode::kInput,
              fmt::format("lambda times the smallest weight is {:g}; it must lie between {:g} and {:g}",
                          least,
                          kLeastPenalty,
                          kMostPenalty),
              "divide the weights by their smallest: then --lambda keeps its usual scale",
              {path});
}

// Of the forms without a penalty.
struct LimitedResult {
  SparseCodes codes;
  Json facts;  // for summary.json
  double objective = 0.0;
  double worst_error = 0.0;
  std::size_t unreached = 0;
  double seconds = 0.0;
};

LimitedResult RunOmp(FloatView patches, const FloatMatrix& atoms, const EncodeArguments& arguments, Console& console) {
  const PursuitControl control = {
      .nonzeros = arguments.nonzeros > 0 ? static_cast<std::size_t>(arguments.nonzeros) : atoms.rows(),
      .error = arguments.HasError() ? arguments.error : 0.0,
      .threads = arguments.common.Threads()};
  PursuitResult result = Pursue(patches, atoms, control, console);
  const Json facts = {{"objective", result.objective},
                      {"worst_error", result.worst_error},
                      {"nonzeros_per_code", result.nonzeros_per_code}};
  return {std::move(result.codes), facts, result.objective, result.worst_error, result.unreached, result.seconds};
}

LimitedResult RunConstrained(
    FloatView patches, const FloatMatrix& atoms, const EncodeArguments& arguments, bool nonnegative, Console& console) {
  const ConstrainedControl control = {
      .kind = arguments.HasError() ? ConstrainedControl::Kind::kError : ConstrainedControl::Kind::kBudget,
      .limit = arguments.HasError() ? arguments.error : arguments.budget,
      .nonnegative = nonnegative,
      .threads = arguments.common.Threads()};
  ConstrainedResult result = EncodeConstrained(patches, atoms, control, console);
  const Json facts = {{"nonnegative", nonnegative},
                      {"objective", result.objective},
                      {"l1_norm", result.weight},
                      {"worst_error", result.worst_error},
                      {"worst_kkt", result.worst_kkt},
                      {"nonzeros_per_code", result.nonzeros_per_code}};
  return {std::move(result.codes), facts, result.objective, result.worst_error, result.unreached, result.seconds};
}

std::string LimitedSummary(const EncodeArguments& arguments, const LimitedResult& result) {
  const int threads = arguments.common.Threads();
  Json json = {{"format", 1},
               {"command", "encode"},
               {"version", Version()},
               {"input", arguments.files.input},
               {"dictionary", arguments.dictionary},
               {"form", arguments.method},
               {"patches", result.codes.rows()},
               {"atoms", result.codes.atoms}};
  if (arguments.nonzeros > 0) json["nonzeros"] = arguments.nonzeros;
  if (arguments.HasError()) json["error"] = arguments.error;
  if (arguments.HasBudget()) json["budget"] = arguments.budget;
  json["threads"] = threads > 0 ? threads : DefaultThreads();
  json["simd"] = SimdInUse();
  json.update(result.facts);
  if (arguments.HasError()) json["unreached"] = result.unreached;
  json["seconds"] = result.seconds;
  // Paths may hold bytes that are no UTF-8.
  return JsonLines(json);
}

std::string LimitedText(const EncodeArguments& arguments, const LimitedResult& result) {
  return fmt::format(
      "{} patches over {} atoms, --method {}\n"
      "  objective  {:.6f}, 0.5 |x - Dz|^2\n"
      "  codes      {:.1f} non-zeros each; largest |x - Dz| {:.4f}\n"
      "  time       {}\n"
      "  result     {}\n",
      result.codes.rows(),
      result.codes.atoms,
      arguments.method,
      result.objective,
      result.facts.at("nonzeros_per_code").get<double>(),
      result.worst_error,
      HumanSeconds(result.seconds),
      arguments.files.output);
}

int RunWithoutPenalty(const EncodeArguments& arguments, bool nonnegative) {
  UseSimd(arguments.files.simd);
  ResultFolder folder(arguments.files.output, kResultFiles, arguments.files.force);
  Console console(DetectConsoleStyle(arguments.common.quiet));
  console.StartStep("reading");
  const FloatNpy patches = ReadPatches(arguments.files.input);
  const FloatMatrix atoms = ReadAtoms(arguments.dictionary);
  RequireSameLength(patches.view(), arguments.files.input, atoms, arguments.dictionary);
  if (arguments.method != "omp") RequireUnitBall(atoms, arguments.dictionary);
  folder.RequireNotReplaced(arguments.files.input);
  folder.RequireNotReplaced(arguments.dictionary);
  console.StartStep("encode");
  const LimitedResult result = OrSayHowToGoOn([&] {
    return arguments.method == "omp" ? RunOmp(patches.view(), atoms, arguments, console)
                                     : RunConstrained(patches.view(), atoms, arguments, nonnegative, console);
  });
  console.FinishStep(StepState::kRun, result.seconds, "objective " + FormatFixed(result.objective, 4));
  if (arguments.HasError() && result.unreached > 0) {
    console.Warn(fmt::format("{} of {} patches did not come down to the error asked for; raise {}--error",
                             result.unreached,
                             result.codes.rows(),
                             arguments.nonzeros > 0 ? "--nonzeros or " : ""));
  }
  folder.Commit([&](const fs::path& unfinished) {
    patches.RequireWhole();
    result.codes.Save(unfinished);
    result.codes.SaveNpz(unfinished / "codes.npz");
    WriteFile(unfinished / "summary.json", LimitedSummary(arguments, result));
  });
  if (!arguments.common.quiet) PrintResult(LimitedText(arguments, result));
  return 0;
}

int RunEncode(const EncodeArguments& arguments) {
  const Config config = arguments.options.Read(arguments.common.overrides, "encode");
  RequireArgumentsOfTheMethod(arguments);
  if (arguments.method != "lasso") return RunWithoutPenalty(arguments, config.learn.nonnegative);
  EncodeControl control = {.lambda = config.learn.lambda,
                           .nonnegative = config.learn.nonnegative,
                           .threads = arguments.common.Threads(),
                           .ridge = arguments.ridge};
  UseSimd(arguments.files.simd);
  // Fail in the first second, not the last.
  ResultFolder folder(arguments.files.output, kResultFiles, arguments.files.force);
  Console console(DetectConsoleStyle(arguments.common.quiet));
  console.StartStep("reading");
  const FloatNpy patches = ReadPatches(arguments.files.input);
  const FloatMatrix atoms = ReadAtoms(arguments.dictionary);
  RequireSameLength(patches.view(), arguments.files.input, atoms, arguments.dictionary);
  RequireUnitBall(atoms, arguments.dictionary);
  std::vector<double> weights;
  if (!arguments.weights.empty()) weights = ReadPenaltyWeights(arguments.weights, atoms.rows());
  control.weights = weights;
  folder.RequireNotReplaced(arguments.files.input);
  folder.RequireNotReplaced(arguments.dictionary);
  if (!arguments.weights.empty()) folder.RequireNotReplaced(arguments.weights);
  WarnOfScale(patches.view(), control.lambda, console);
  if (LeastPenalty(control, arguments.weights) < kLambdaPerTolerance * config.encode.kkt_tolerance) {
    console.Warn(
        "lambda is not much larger than the tolerance of the optimality conditions: codes will be rough; lower "
        "--kkt");
  }
  console.StartStep("encode");
  const EncodeResult result =
      OrSayHowToGoOn([&] { return Encode(patches.view(), atoms, control, config.encode, console); });
  console.FinishStep(StepState::kRun, result.seconds, "objective " + FormatFixed(result.objective, 4));
  if (result.unconverged > 0) {
    console.Warn(fmt::format("{} of {} patches did not reach the tolerance; raise --max-cycles or --kkt",
                             result.unconverged,
                             result.codes.rows()));
  }
  folder.Commit([&](const fs::path& unfinished) {
    patches.RequireWhole();
    result.codes.Save(unfinished);
    result.codes.SaveNpz(unfinished / "codes.npz");
    WriteFile(unfinished / "summary.json", SummaryText(arguments, config, result));
  });
  if (!arguments.common.quiet) PrintResult(ResultText(arguments, result));
  return 0;
}

}  // namespace

Command EncodeCommand() {
  return {
      "encode", "Code an .npy matrix of patches with a given dictionary", [](const CommandLine& line) {
        auto arguments = std::make_shared<EncodeArguments>();
        DeclareMatrixArguments(line, arguments->files);
        line.Value("--dictionary,-d", arguments->dictionary, "Dictionary: an .npy matrix, one atom a row")
            .Required()
            .Named("D.npy");
        arguments->options.Declare(line, "--lambda", "learn.lambda");
        line.Find("--lambda")
            .Described("Weight of the l1 penalty, which the lasso needs; as a rule the dictionary was learned with it");
        line.Value("--method",
                   arguments->method,
                   "What is solved: lasso, by --lambda; omp, greedily, by --nonzeros or --error; error: the smallest "
                   "|z|_1 with |x - Dz| <= --error; l1: the smallest |x - Dz| with |z|_1 <= --budget")
            .OneOf({"lasso", "omp", "error", "l1"})
            .Named("WORD")
            .ShowDefault();
        line.Value("--nonzeros", arguments->nonzeros, "omp: at most so many atoms a patch")
            .Named("K")
            .Between(1, kMostNonzeros);
        line.Value("--error", arguments->error, "omp, error: the |x - Dz| asked for; 0.1 is 10 % of norm 1").Named("E");
        line.Value("--budget", arguments->budget, "l1: the largest |z|_1").Named("T");
        line.Value("--ridge", arguments->ridge, "A second penalty, (MU / 2) |z|^2: the elastic net; 0 is the lasso")
            .Named("MU")
            .ShowDefault();
        line.Value("--weights", arguments->weights, "Weights of the l1 penalty: an .npy vector, one an atom")
            .Named("W.npy");
        arguments->options.Declare(line, "--nonnegative", "learn.nonnegative");
        arguments->options.Declare(line, "--kkt", "encode.kkt_tolerance");
        arguments->options.Declare(line, "--max-cycles", "encode.max_cycles");
        DeclareCommonArguments(line, "kkt_tolerance=1e-5", arguments->common);
        return [arguments] { return RunEncode(*arguments); };
      }};
}

}  // namespace flyscribe
