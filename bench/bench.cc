// Measures modules/sparse: against the machine's limit, against its baseline, against naive loops, and how it grows.
//
//   ./dev bench [--input X.npy] [--patches N] [--atoms 500,1000,2000] [--epochs E] [--json FILE]
//
// Times on a shared machine move by 20 % from run to run: every ratio is taken within this one run.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

#include "bench/table.h"
#include "bench/yardsticks.h"
#include "core/error.h"
#include "core/file.h"
#include "core/parallel.h"
#include "sparse/encoder.h"
#include "sparse/learn.h"

namespace flyscribe {
namespace {

using Method = LearnOptions::Method;

struct Arguments {
  std::string input;
  std::string json;
  std::size_t patches = 50000;
  std::vector<int> atoms = {500, 1000, 2000};
  int epochs = 10;
  int repetitions = 3;
  double lambda = 0.10;
};

constexpr double kMicroseconds = 1e6;
constexpr std::size_t kPatchesForObjective = 10000;
constexpr std::size_t kPatchesForNaive = 1000;

FloatView FirstRows(const FloatMatrix& patches, std::size_t count) {
  return {patches.data(), std::min(count, patches.rows()), patches.cols()};
}

std::vector<std::size_t> AllRows(FloatView patches) {
  std::vector<std::size_t> rows(patches.rows());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  return rows;
}

LearnOptions OptionsOf(Method method, int atoms, const Arguments& arguments) {
  LearnOptions options;
  if (method == Method::kScc) options.Apply(LearnOptions::Profile::kPaper);
  options.method = method;
  options.atoms = atoms;
  options.epochs = arguments.epochs;
  options.lambda = arguments.lambda;
  return options;
}

double ExactObjective(const FloatMatrix& patches, const FloatMatrix& atoms, double lambda) {
  const EncodeControl control = {.lambda = lambda, .nonnegative = false, .threads = 0};
  return Encode(FirstRows(patches, kPatchesForObjective), atoms, control, {}, NoProgress()).objective;
}

// A run with the exact objective after each epoch, found outside the timing.
struct Course {
  std::vector<double> seconds;     // of each epoch
  std::vector<double> objectives;  // after it
  double seconds_dictionary = 0.0;

  double Total() const { return std::accumulate(seconds.begin(), seconds.end(), 0.0); }
  // Seconds until the objective was reached for the first time.
  std::optional<double> SecondsTo(double objective) const {
    double sum = 0.0;
    for (std::size_t epoch = 0; epoch < seconds.size(); ++epoch) {
      sum += seconds[epoch];
      if (objectives[epoch] <= objective) return sum;
    }
    return std::nullopt;
  }
};

Course Follow(const FloatMatrix& patches, const LearnOptions& options, int threads = 1) {
  Course course;
  LearnControl control;
  control.threads = threads;
  control.after_epoch = [&](const LearnPause& pause) {
    course.objectives.push_back(ExactObjective(patches, pause.Atoms(), options.lambda));
  };
  const LearnResult result = Learn(patches, AllRows(patches), options, control, NoProgress());
  course.objectives.push_back(ExactObjective(patches, result.dictionary.atoms, options.lambda));
  course.seconds = result.times.per_epoch;
  course.seconds_dictionary = result.times.dictionary;
  return course;
}

double MeanAfterFirst(const std::vector<double>& seconds) {
  if (seconds.size() < 2) return seconds.front();
  return std::accumulate(seconds.begin() + 1, seconds.end(), 0.0) / static_cast<double>(seconds.size() - 1);
}

void MeasureNaive(const FloatMatrix& patches, int atoms, const Arguments& arguments, BenchTable& table) {
  const FloatView first = FirstRows(patches, kPatchesForNaive);
  const FloatMatrix few(first.rows(), first.cols(), {first.values().begin(), first.values().end()});
  const FloatMatrix start = InitialDictionary(patches, AllRows(patches), static_cast<std::size_t>(atoms), 1);
  LearnOptions options = OptionsOf(Method::kScc, atoms, arguments);
  options.epochs = 1;
  options.patch_order = LearnOptions::PatchOrder::kFile;
  LearnControl control;
  control.initial = &start;
  const double naive = BestSeconds(1, [&] {
    FloatMatrix dictionary = start;
    NaiveSccEpoch(few, arguments.lambda, dictionary);
  });
  const double ours = Learn(few, AllRows(few), options, control, NoProgress()).times.Total();
  const double scale = kMicroseconds / static_cast<double>(few.rows());
  table.Row(fmt::format("naive loops, m = {}", atoms), {naive * scale, ours * scale, naive / ours});
}

// Everything at one size of the dictionary.
void MeasureSize(const FloatMatrix& patches, int atoms, const Arguments& arguments) {
  const auto n = static_cast<double>(patches.rows());
  const double scale = kMicroseconds / n;
  const Limits limits = MeasureLimits(patches, static_cast<std::size_t>(atoms), arguments.repetitions);
  const double vector_pass = limits.matrix_vector * kMicroseconds;
  const double matrix_pass = limits.matrix_matrix * kMicroseconds;
  BenchTable passes(fmt::format("m = {}: one pass D^T x", atoms), {"us/patch", "of OpenBLAS"});
  passes.Row("matrix-matrix, OpenBLAS", {matrix_pass, 1.0});
  passes.Row("matrix-matrix, ours", {limits.our_products * kMicroseconds, limits.our_products / limits.matrix_matrix});
  passes.Row("matrix-vector", {vector_pass, limits.matrix_vector / limits.matrix_matrix});

  const Course scc = Follow(patches, OptionsOf(Method::kScc, atoms, arguments));
  LearnOptions release = OptionsOf(Method::kScc, atoms, arguments);
  release.Apply(LearnOptions::Profile::kRelease10);
  release.lambda = arguments.lambda;
  const Course release_course = Follow(patches, release);
  const Course minibatch = Follow(patches, OptionsOf(Method::kSccMinibatch, atoms, arguments));
  const Course online = Follow(patches, OptionsOf(Method::kOnline, atoms, arguments));
  LearnOptions descent = OptionsOf(Method::kOnline, atoms, arguments);
  descent.solver = LearnOptions::Solver::kDescent;
  const Course fast_online = Follow(patches, descent);

  BenchTable visits(fmt::format("m = {}: a visit of a patch", atoms),
                    {"1st, us", "later, us", "mean, us", "mean/limit", "later/limit", "objective"});
  const auto row = [&](const char* name, const Course& course, double limit) {
    const double mean = course.Total() * scale / static_cast<double>(course.seconds.size());
    const double later = MeanAfterFirst(course.seconds) * scale;
    visits.Row(name,
               {course.seconds.front() * scale, later, mean, mean / limit, later / limit, course.objectives.back()});
  };
  row("scc, paper", scc, vector_pass);
  row("scc, release-1.0", release_course, vector_pass);
  row("scc-minibatch", minibatch, matrix_pass);
  row("online, lars", online, matrix_pass);
  row("online, descent", fast_online, matrix_pass);

  BenchTable race(fmt::format("m = {}: time to the objective online has after {} epochs", atoms, arguments.epochs),
                  {"seconds", "online/this"});
  race.Row("online, lars", {online.Total(), 1.0});
  race.Row("online, descent", {fast_online.Total(), online.Total() / fast_online.Total()});
  const auto reached = minibatch.SecondsTo(online.objectives.back());
  if (reached) race.Row("scc-minibatch", {*reached, online.Total() / *reached});
  if (!reached) fmt::print("  scc-minibatch did not reach it\n");
  fmt::print("  exact scc (paper) ends {:+.2f} % from online\n",
             100.0 * (scc.objectives.back() / online.objectives.back() - 1.0));
}

void MeasureEncoder(const FloatMatrix& patches, int atoms, const Arguments& arguments, BenchTable& table) {
  LearnOptions options = OptionsOf(Method::kSccMinibatch, atoms, arguments);
  options.epochs = 3;
  const FloatView some = FirstRows(patches, 2 * kPatchesForObjective);
  const FloatMatrix dictionary = Learn(patches, AllRows(patches), options, {}, NoProgress()).dictionary.atoms;
  const Limits limits = MeasureLimits(patches, static_cast<std::size_t>(atoms), arguments.repetitions);
  EncodeResult result;
  EncodeControl control = {.lambda = arguments.lambda};
  std::vector<double> best = {1e300, 1e300};
  for (int repetition = 0; repetition < arguments.repetitions; ++repetition) {
    for (int threads = 1; threads <= 2; ++threads) {
      control.threads = threads;
      result = Encode(some, dictionary, control, {}, NoProgress());
      best[static_cast<std::size_t>(threads - 1)] =
          std::min(best[static_cast<std::size_t>(threads - 1)], result.seconds);
    }
  }
  const double scale = kMicroseconds / static_cast<double>(some.rows());
  table.Row(fmt::format("m = {}", atoms),
            {best[0] * scale,
             best[0] / limits.matrix_matrix / static_cast<double>(some.rows()),
             best[0] / best[1],
             result.nonzeros_per_code,
             result.worst_kkt,
             result.worst_gap});
}

void MeasureThreads(const FloatMatrix& patches, int atoms, const Arguments& arguments) {
  BenchTable table(fmt::format("m = {}: two threads against one", atoms), {"1, us", "2, us", "times faster"});
  for (const Method method : {Method::kSccMinibatch, Method::kOnline}) {
    LearnOptions options = OptionsOf(method, atoms, arguments);
    options.epochs = method == Method::kOnline ? 1 : 3;
    std::vector<double> best = {1e300, 1e300};
    for (int repetition = 0; repetition < arguments.repetitions; ++repetition) {
      for (int threads = 1; threads <= 2; ++threads) {
        LearnControl control;
        control.threads = threads;
        const LearnTimes times = Learn(patches, AllRows(patches), options, control, NoProgress()).times;
        double& seconds = best[static_cast<std::size_t>(threads - 1)];
        seconds = std::min(seconds, times.per_epoch.back());
      }
    }
    const double scale = kMicroseconds / static_cast<double>(patches.rows());
    table.Row(method == Method::kOnline ? "online, lars" : "scc-minibatch",
              {best[0] * scale, best[1] * scale, best[0] / best[1]});
  }
}

void MeasureGrowth(const FloatMatrix& patches, const Arguments& arguments) {
  BenchTable rows("growth with n (m = 500): us per visit, from the second epoch on", {"scc", "scc-minibatch"});
  for (const std::size_t share : {std::size_t{4}, std::size_t{2}, std::size_t{1}}) {
    const FloatView part = FirstRows(patches, patches.rows() / share);
    std::vector<double> values;
    for (const Method method : {Method::kScc, Method::kSccMinibatch}) {
      LearnOptions options = OptionsOf(method, 500, arguments);
      options.epochs = 3;
      const LearnTimes times = Learn(part, AllRows(part), options, {}, NoProgress()).times;
      values.push_back(MeanAfterFirst(times.per_epoch) * kMicroseconds / static_cast<double>(part.rows()));
    }
    rows.Row(fmt::format("n = {}", part.rows()), values);
  }
  BenchTable sizes("growth with m: us per visit, from the second epoch on", {"scc", "scc-minibatch", "encode"});
  const FloatView part = FirstRows(patches, 16384);
  for (const int atoms : {1000, 2000, 4000, 8000}) {
    std::vector<double> values;
    FloatMatrix dictionary;
    for (const Method method : {Method::kScc, Method::kSccMinibatch}) {
      LearnOptions options = OptionsOf(method, atoms, arguments);
      options.epochs = 4;
      const LearnResult result = Learn(part, AllRows(part), options, {}, NoProgress());
      values.push_back(MeanAfterFirst(result.times.per_epoch) * kMicroseconds / static_cast<double>(part.rows()));
      dictionary = result.dictionary.atoms;
    }
    const FloatView few = FirstRows(patches, 4096);
    const EncodeResult coded = Encode(few, dictionary, {.lambda = arguments.lambda}, {}, NoProgress());
    values.push_back(coded.seconds * kMicroseconds / static_cast<double>(few.rows()));
    sizes.Row(fmt::format("m = {}", atoms), values);
  }
}

void Run(const Arguments& arguments) {
  const FloatMatrix patches = arguments.input.empty() ? SimulatedPatches(arguments.patches)
                                                      : PatchesFromFile(arguments.input, arguments.patches);
  fmt::print("{} patches of {} values, {}; lambda {}; instruction set {}; {} cores\n",
             patches.rows(),
             patches.cols(),
             arguments.input.empty() ? "simulated" : arguments.input,
             arguments.lambda,
             SimdName("auto"),
             DefaultThreads());
  for (const int atoms : arguments.atoms) MeasureSize(patches, atoms, arguments);
  BenchTable naive("exact scc against naive loops, first epoch", {"naive, us", "ours, us", "times faster"});
  for (const int atoms : arguments.atoms) MeasureNaive(patches, atoms, arguments, naive);
  BenchTable encoder("coding to KKT 1e-4", {"us/patch", "passes", "2 threads", "non-zeros", "worst KKT", "worst gap"});
  for (const int atoms : arguments.atoms) MeasureEncoder(patches, atoms, arguments, encoder);
  MeasureThreads(patches, 1000, arguments);
  MeasureGrowth(patches, arguments);
  if (!arguments.json.empty()) WriteFileAtomically(arguments.json, BenchTable::AllAsJson());
}

}  // namespace
}  // namespace flyscribe

int main(int argc, char** argv) {
  flyscribe::Arguments arguments;
  CLI::App app("Measures learning and coding; prints ratios.", "flyscribe_bench");
  app.add_option("--input", arguments.input, "Patches to measure with, an .npy matrix; else simulated embryos");
  app.add_option("--patches", arguments.patches, "How many of them")->check(CLI::Range(1024, 100000000));
  app.add_option("--atoms", arguments.atoms, "Sizes of the dictionary")->delimiter(',')->check(CLI::Range(1, 65536));
  app.add_option("--epochs", arguments.epochs, "Epochs of each run")->check(CLI::Range(2, 1000));
  app.add_option("--repetitions", arguments.repetitions, "Of short measurements; the best counts")
      ->check(CLI::Range(1, 100));
  app.add_option("--lambda", arguments.lambda, "Weight of the l1 penalty")->check(CLI::Range(1e-6, 10.0));
  app.add_option("--json", arguments.json, "Also write the tables to this file");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : static_cast<int>(flyscribe::ErrorCode::kUsage);
  }
  try {
    flyscribe::Run(arguments);
  } catch (const flyscribe::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return static_cast<int>(error.code());
  }
  return 0;
}
