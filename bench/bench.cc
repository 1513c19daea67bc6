// Measures modules/sparse: against the machine's limit, its baseline, naive loops and rivals, and how it grows; at the
// end one table of all goals. README.md in this folder has what is measured and how.
//
// Times on a shared machine move by 20 % from run to run: every ratio is taken within this one run, what is compared is
// run in turns, and the shortest of each counts.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <vector>

#include "bench/goals.h"
#include "bench/machine.h"
#include "bench/natural.h"
#include "bench/rival.h"
#include "bench/table.h"
#include "bench/yardsticks.h"
#include "core/error.h"
#include "core/file.h"
#include "core/parallel.h"
#include "core/simd.h"
#include "sparse/encoder.h"
#include "sparse/learn.h"

namespace flyscribe {
namespace {

using Method = LearnOptions::Method;

struct Arguments {
  std::string input;
  std::string json;
  std::string markdown;
  std::vector<std::string> rivals;  // adapters
  std::vector<std::string> also;    // files of goals that other programs measured
  std::vector<std::string> only;    // parts; empty: all
  std::size_t patches = 50000;
  std::vector<int> atoms = {500, 1000, 2000};
  int epochs = 10;
  int repetitions = 3;
  double lambda = 0.10;
};

constexpr double kMicroseconds = 1e6;
constexpr std::size_t kPatchesForObjective = 10000;
constexpr std::size_t kPatchesForNaive = 1000;

// What was found where SPAMS and the released SCC 1.1 ran beside flyscribe, each at its best on that machine, for
// runs where they are not installed. Passes are of a matrix product (SPAMS) or of single products (SCC) of the same
// machine.
struct Elsewhere {
  int atoms;
  double race;         // goal: so many times sooner to the objective of SPAMS's ten epochs
  double spams_visit;  // passes a visit of SPAMS takes
  double scc;          // goal: so many times faster a visit than the released SCC
  double scc_visit;    // passes a visit of it takes
};
constexpr std::array<Elsewhere, 3> kElsewhere = {
    {{500, 20, 57.2, 6, 15.8}, {1000, 30, 69.1, 8, 15.9}, {2000, 40, 95.4, 10, 19.7}}};
constexpr int kEpochsOfTheRace = 10;
// SPAMS took at least so many times as long as our own online learning (LARS): 55 / 29 us, 138 / 55, 428 / 174.
constexpr double kSpamsToOnline = 1.9;

constexpr double kGoalCoding = 8.0;         // times faster than SPAMS
constexpr double kGoalFirstEpoch = 1.5;     // of a later one
constexpr double kGoalExactPasses = 1.5;    // a visit of exact SCC
constexpr double kGoalNatural = 20.0;       // times sooner than SPAMS
constexpr double kGoalThreads = 1.8;        // two against one
constexpr double kGoalSklearnLearn = 25.0;  // times sooner
constexpr std::array<std::pair<int, double>, 2> kGoalSklearnCoding = {{{500, 45.0}, {1000, 60.0}}};  // times faster

const std::string kNotInstalled = "not installed";

std::string RaceAgainstSpams(const Elsewhere& elsewhere) {
  return fmt::format("mini-batch SCC to SPAMS' objective ({:g} times sooner), m = {}", elsewhere.race, elsewhere.atoms);
}
std::string AgainstReleasedScc(const Elsewhere& elsewhere) {
  return fmt::format("exact SCC against the released one ({:g} times), m = {}", elsewhere.scc, elsewhere.atoms);
}
std::string CodingAgainstSpams(int atoms) {
  return fmt::format("coding against SPAMS ({:g} times), m = {}", kGoalCoding, atoms);
}

const Elsewhere* FoundElsewhere(int atoms) {
  const auto found = std::ranges::find(kElsewhere, atoms, &Elsewhere::atoms);
  return found == kElsewhere.end() ? nullptr : &*found;
}

// At most so many matrix products of the same set: what eight times SPAMS comes to.
double GoalEncodePasses() { return SimdInUse() == "AVX-512" ? 7.0 : 4.0; }

bool Has(const std::vector<Rival>& rivals, const std::string& name) {
  return std::ranges::count(rivals, name, &Rival::name) > 0;
}

Figure AtLeast(double value, const std::string& unit, double bound) { return {value, unit, bound, true}; }
Figure AtMost(double value, const std::string& unit, double bound) { return {value, unit, bound, false}; }

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

// Of codes of any origin, in double precision.
double Objective(FloatView patches, const FloatMatrix& atoms, const SparseCodes& codes, double lambda) {
  double sum = 0.0;
  std::vector<double> r(patches.cols());
  for (std::size_t row = 0; row < patches.rows(); ++row) {
    std::ranges::copy(patches.Row(row), r.begin());
    for (std::size_t k = 0; k < codes.RowData(row).size(); ++k) {
      const double weight = codes.RowData(row)[k];
      const std::span<const float> atom = atoms.Row(static_cast<std::size_t>(codes.RowIndices(row)[k]));
      for (std::size_t i = 0; i < r.size(); ++i) r[i] -= weight * static_cast<double>(atom[i]);
      sum += lambda * std::abs(weight);
    }
    for (const double value : r) sum += 0.5 * value * value;
  }
  return sum / static_cast<double>(patches.rows());
}

// A run with the exact objective after each epoch, found outside the timing.
struct Course {
  std::vector<double> seconds;     // of each epoch
  std::vector<double> objectives;  // after it
  FloatMatrix atoms;               // at the end

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

Course Follow(const FloatMatrix& patches, const LearnOptions& options, const FloatMatrix* initial = nullptr) {
  Course course;
  LearnControl control;
  control.initial = initial;
  control.after_epoch = [&](const LearnPause& pause) {
    course.objectives.push_back(ExactObjective(patches, pause.Atoms(), options.lambda));
  };
  const LearnResult result = Learn(patches, AllRows(patches), options, control, NoProgress());
  course.objectives.push_back(ExactObjective(patches, result.dictionary.atoms, options.lambda));
  course.seconds = result.times.per_epoch;
  course.atoms = result.dictionary.atoms;
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

// What a visit costs with each method, and when each has the objective that online learning ends with.
void MeasureVisits(const FloatMatrix& patches,
                   int atoms,
                   const Limits& limits,
                   const Arguments& arguments,
                   const std::vector<Rival>& rivals,
                   Goals& goals) {
  const double scale = kMicroseconds / static_cast<double>(patches.rows());
  const double vector_pass = limits.matrix_vector * kMicroseconds;
  const double matrix_pass = limits.our_products * kMicroseconds;
  LearnOptions release = OptionsOf(Method::kScc, atoms, arguments);
  release.Apply(LearnOptions::Profile::kRelease10);
  release.lambda = arguments.lambda;
  LearnOptions descent = OptionsOf(Method::kOnline, atoms, arguments);
  descent.solver = LearnOptions::Solver::kDescent;
  const Course scc = Follow(patches, OptionsOf(Method::kScc, atoms, arguments));
  const Course release_course = Follow(patches, release);
  const Course minibatch = Follow(patches, OptionsOf(Method::kSccMinibatch, atoms, arguments));
  const Course online = Follow(patches, OptionsOf(Method::kOnline, atoms, arguments));
  const Course fast_online = Follow(patches, descent);

  BenchTable visits(fmt::format("m = {}: a visit of a patch", atoms),
                    {"1st, us", "later, us", "mean, us", "mean/pass", "later/pass", "objective"});
  const auto row = [&](const char* name, const Course& course, double pass) {
    const double mean = course.Total() * scale / static_cast<double>(course.seconds.size());
    const double later = MeanAfterFirst(course.seconds) * scale;
    visits.Row(name,
               {course.seconds.front() * scale, later, mean, mean / pass, later / pass, course.objectives.back()});
    return mean / pass;
  };
  const double paper_passes = row("scc, paper", scc, vector_pass);
  const double release_passes = row("scc, release-1.0", release_course, vector_pass);
  row("scc-minibatch", minibatch, matrix_pass);
  row("online, lars", online, matrix_pass);
  row("online, descent", fast_online, matrix_pass);
  for (const auto& [profile, passes] : {std::pair{"paper", paper_passes}, {"release-1.0", release_passes}}) {
    goals.Add({.what = fmt::format("exact SCC, {}, a visit, m = {}", profile, atoms),
               .figure = AtMost(passes, "single products", kGoalExactPasses)});
  }

  BenchTable race(fmt::format("m = {}: time to the objective online has after {} epochs", atoms, arguments.epochs),
                  {"seconds", "online/this"});
  race.Row("online, lars", {online.Total(), 1.0});
  race.Row("online, descent", {fast_online.Total(), online.Total() / fast_online.Total()});
  const auto reached = minibatch.SecondsTo(online.objectives.back());
  if (reached) race.Row("scc-minibatch", {*reached, online.Total() / *reached});
  if (!reached) fmt::print("  scc-minibatch did not reach it\n");
  fmt::print("  exact scc (paper) ends {:+.2f} % from online\n",
             100.0 * (scc.objectives.back() / online.objectives.back() - 1.0));
  const Elsewhere* elsewhere = FoundElsewhere(atoms);
  if (elsewhere != nullptr && !Has(rivals, "spams")) {
    // SPAMS learns online with LARS, and ends where ours does.
    Goal sooner = {.what = RaceAgainstSpams(*elsewhere), .figure = {}, .why = kNotInstalled};
    if (!reached)
      sooner.why += fmt::format("; our online learning's objective not reached in {} epochs", arguments.epochs);
    if (reached) {
      sooner.stand_in = AtMost(*reached * scale / matrix_pass,
                               "matrix products a patch in all",
                               kEpochsOfTheRace * elsewhere->spams_visit / elsewhere->race);
    }
    goals.Add(sooner);
  }
  if (elsewhere != nullptr && !Has(rivals, "scc")) {
    goals.Add({.what = AgainstReleasedScc(*elsewhere),
               .figure = {},
               .stand_in = AtMost(release_passes, "single products", elsewhere->scc_visit / elsewhere->scc),
               .why = kNotInstalled});
  }
}

// The first epoch against the later ones, in several runs.
void MeasureFirstEpoch(
    const FloatMatrix& patches, int atoms, const Arguments& arguments, BenchTable& table, Goals& goals) {
  LearnOptions options = OptionsOf(Method::kSccMinibatch, atoms, arguments);
  options.epochs = 4;
  double first = 1e300;
  double later = 1e300;
  for (int repetition = 0; repetition < arguments.repetitions; ++repetition) {
    const std::vector<double> seconds = Learn(patches, AllRows(patches), options, {}, NoProgress()).times.per_epoch;
    first = std::min(first, seconds.front());
    later = std::min(later, MeanAfterFirst(seconds));
  }
  const double scale = kMicroseconds / static_cast<double>(patches.rows());
  table.Row(fmt::format("m = {}", atoms), {first * scale, later * scale, first / later});
  goals.Add({.what = fmt::format("mini-batch SCC, first epoch against a later one, m = {}", atoms),
             .figure = AtMost(first / later, "times", kGoalFirstEpoch)});
}

// Coding and the matrix product it is counted in are timed in turns.
void MeasureEncoder(const FloatMatrix& patches,
                    int atoms,
                    const Arguments& arguments,
                    const std::vector<Rival>& rivals,
                    BenchTable& table,
                    Goals& goals) {
  LearnOptions options = OptionsOf(Method::kSccMinibatch, atoms, arguments);
  options.epochs = 3;
  const FloatView some = FirstRows(patches, 2 * kPatchesForObjective);
  const FloatMatrix dictionary = Learn(patches, AllRows(patches), options, {}, NoProgress()).dictionary.atoms;
  EncodeResult result;
  EncodeControl control = {.lambda = arguments.lambda};
  std::vector<double> best = {1e300, 1e300};
  double pass = 1e300;
  for (int repetition = 0; repetition < arguments.repetitions; ++repetition) {
    pass = std::min(pass, MeasureLimits(patches, static_cast<std::size_t>(atoms), 1).our_products);
    for (int threads = 1; threads <= 2; ++threads) {
      control.threads = threads;
      result = Encode(some, dictionary, control, {}, NoProgress());
      double& seconds = best[static_cast<std::size_t>(threads - 1)];
      seconds = std::min(seconds, result.seconds);
    }
  }
  const auto n = static_cast<double>(some.rows());
  const double passes = best[0] / pass / n;
  table.Row(fmt::format("m = {}", atoms),
            {best[0] * kMicroseconds / n,
             passes,
             best[0] / best[1],
             result.nonzeros_per_code,
             result.worst_kkt,
             result.worst_gap});
  const Figure counted = AtMost(passes, "matrix products", GoalEncodePasses());
  if (atoms >= 1000) goals.Add({.what = fmt::format("coding to KKT 1e-4, m = {}", atoms), .figure = counted});
  if (!Has(rivals, "spams")) {
    goals.Add({.what = CodingAgainstSpams(atoms), .figure = {}, .stand_in = counted, .why = kNotInstalled});
  }
  if (atoms == 1000) {
    goals.Add({.what = "coding, two threads against one, m = 1000",
               .figure = AtLeast(best[0] / best[1], "times", kGoalThreads)});
  }
}

// A rival and we, in turns, on the same patches with the same dictionary.
double TimesFasterCoding(const Rival& rival, const FloatMatrix& patches, int atoms, const Arguments& arguments) {
  constexpr std::size_t kCoded = 4000;
  LearnOptions options = OptionsOf(Method::kSccMinibatch, atoms, arguments);
  options.epochs = 3;
  const FloatMatrix dictionary = Learn(patches, AllRows(patches), options, {}, NoProgress()).dictionary.atoms;
  const FloatView coded = FirstRows(patches, kCoded);
  double ours = 1e300;
  RivalRun theirs;
  EncodeResult result;
  for (int repetition = 0; repetition < arguments.repetitions; ++repetition) {
    result = Encode(coded, dictionary, {.lambda = arguments.lambda}, {}, NoProgress());
    ours = std::min(ours, result.seconds);
    RivalRun run = rival.Encode(coded, dictionary, arguments.lambda);
    if (repetition == 0 || run.seconds < theirs.seconds) theirs = std::move(run);
  }
  BenchTable table(fmt::format("m = {}: coding {} patches", atoms, coded.rows()),
                   {"us/patch", "objective", "rival/this"});
  const double scale = kMicroseconds / static_cast<double>(coded.rows());
  table.Row("flyscribe encode", {ours * scale, result.objective, theirs.seconds / ours});
  table.Row(rival.name(), {theirs.seconds * scale, Objective(coded, dictionary, theirs.codes, arguments.lambda), 1.0});
  return theirs.seconds / ours;
}

// How many times sooner we have the objective that a rival has after so many epochs; 0 if never. In turns, the best of
// each; long runs once.
double TimesSooner(const Rival& rival,
                   FloatView patches,
                   int atoms,
                   int epochs,
                   const LearnOptions& options,
                   const Arguments& arguments) {
  const FloatMatrix few(patches.rows(), patches.cols(), {patches.values().begin(), patches.values().end()});
  const FloatMatrix start = InitialDictionary(few, AllRows(few), static_cast<std::size_t>(atoms), 1);
  double theirs = 1e300;
  double target = 0.0;
  double ours = 1e300;
  double end = 0.0;
  for (int repetition = 0; repetition < (epochs > 1 ? 1 : arguments.repetitions); ++repetition) {
    const RivalRun run = rival.Learn(few, start, arguments.lambda, epochs, options.batch);
    theirs = std::min(theirs, run.seconds);
    target = ExactObjective(few, run.atoms, arguments.lambda);
    const Course course = Follow(few, options, &start);
    ours = std::min(ours, course.SecondsTo(target).value_or(ours));
    end = course.objectives.back();
  }
  const bool reached = ours < 1e300;
  BenchTable table(fmt::format("m = {}: time to the objective {} has after {} epoch(s) of {} patches",
                               atoms,
                               rival.name(),
                               epochs,
                               few.rows()),
                   {"seconds", "objective", "rival/this"});
  table.Row(rival.name(), {theirs, target, 1.0});
  if (reached) table.Row("scc-minibatch", {ours, end, theirs / ours});
  if (!reached) fmt::print("  scc-minibatch did not reach it\n");
  return reached ? theirs / ours : 0.0;
}

void MeasureRival(const Rival& rival, const FloatMatrix& patches, int atoms, const Arguments& arguments, Goals& goals) {
  constexpr std::size_t kLearned = 20000;
  const Elsewhere* elsewhere = FoundElsewhere(atoms);
  const LearnOptions options = OptionsOf(Method::kSccMinibatch, atoms, arguments);
  if (rival.name() == "scc") {
    const FloatMatrix start = InitialDictionary(patches, AllRows(patches), static_cast<std::size_t>(atoms), 1);
    LearnOptions release = OptionsOf(Method::kScc, atoms, arguments);
    release.Apply(LearnOptions::Profile::kRelease10);
    release.lambda = arguments.lambda;
    const RivalRun theirs = rival.Learn(patches, start, arguments.lambda, release.epochs, 1);
    const Course ours = Follow(patches, release, &start);
    fmt::print("\nexact SCC, m = {}: {:.3g} s against {:.3g} s of the released one; objectives {:.5f} and {:.5f}\n",
               atoms,
               ours.Total(),
               theirs.seconds,
               ours.objectives.back(),
               ExactObjective(patches, theirs.atoms, arguments.lambda));
    if (elsewhere != nullptr) {
      goals.Add({.what = AgainstReleasedScc(*elsewhere),
                 .figure = AtLeast(theirs.seconds / ours.Total(), "times faster", elsewhere->scc)});
    }
    return;
  }
  const double faster = TimesFasterCoding(rival, patches, atoms, arguments);
  if (rival.name() == "spams") {
    goals.Add({.what = CodingAgainstSpams(atoms), .figure = AtLeast(faster, "times faster", kGoalCoding)});
    const double sooner = TimesSooner(rival, patches, atoms, kEpochsOfTheRace, options, arguments);
    if (elsewhere != nullptr) {
      goals.Add({.what = RaceAgainstSpams(*elsewhere), .figure = AtLeast(sooner, "times sooner", elsewhere->race)});
    }
    return;
  }
  const double sooner = TimesSooner(rival, FirstRows(patches, kLearned), atoms, 1, options, arguments);
  if (rival.name() != "sklearn") return;
  for (const auto& [known_atoms, bound] : kGoalSklearnCoding) {
    if (known_atoms != atoms) continue;
    goals.Add({.what = fmt::format("coding against scikit-learn, m = {}", atoms),
               .figure = AtLeast(faster, "times faster", bound)});
    goals.Add({.what = fmt::format("mini-batch SCC to scikit-learn's objective after an epoch, m = {}", atoms),
               .figure = AtLeast(sooner, "times sooner", kGoalSklearnLearn)});
  }
}

void MeasureRivals(const std::vector<Rival>& rivals,
                   const FloatMatrix& patches,
                   const Arguments& arguments,
                   Goals& goals) {
  for (const Rival& rival : rivals) {
    for (const int atoms : arguments.atoms) {
      if (atoms <= 1000 || rival.name() != "sklearn") MeasureRival(rival, patches, atoms, arguments, goals);
    }
  }
  if (Has(rivals, "sklearn")) return;
  goals.Add({.what = "coding and mini-batch SCC against scikit-learn", .figure = {}, .why = kNotInstalled});
}

// Patches of photographs: small ones, whose codes are dense, and whitened ones.
void MeasureNatural(const Arguments& arguments, Goals& goals) {
  constexpr std::size_t kCount = 50000;
  constexpr int kEpochs = 5;
  for (const std::size_t side : {std::size_t{8}, std::size_t{12}}) {
    const bool white = side == 12;
    const double lambda = white ? 0.08 : 0.05;  // for codes of 25 to 35 non-zeros
    const FloatMatrix plain = NaturalPatches(kCount, side);
    const FloatMatrix patches = white ? Whitened(plain) : plain;
    for (const int atoms : {256, 512}) {
      LearnOptions options = OptionsOf(Method::kOnline, atoms, arguments);
      options.epochs = kEpochs;
      options.lambda = lambda;
      const Course online = Follow(patches, options);
      options.method = Method::kSccMinibatch;
      options.epochs = arguments.epochs;
      const Course minibatch = Follow(patches, options);
      const auto reached = minibatch.SecondsTo(online.objectives.back());
      const EncodeResult codes =
          Encode(FirstRows(patches, 2000), minibatch.atoms, {.lambda = lambda}, {}, NoProgress());
      const std::string what =
          fmt::format("{} {} x {} patches, m = {}", white ? "whitened" : "natural", side, side, atoms);
      BenchTable table(what + fmt::format(": time to the objective online has after {} epochs", kEpochs),
                       {"seconds", "1st/later", "objective", "non-zeros", "online/this"});
      table.Row("online, lars",
                {online.Total(),
                 online.seconds.front() / MeanAfterFirst(online.seconds),
                 online.objectives.back(),
                 codes.nonzeros_per_code,
                 1.0});
      table.Row("scc-minibatch",
                {reached.value_or(0.0),
                 minibatch.seconds.front() / MeanAfterFirst(minibatch.seconds),
                 minibatch.objectives.back(),
                 codes.nonzeros_per_code,
                 reached ? online.Total() / *reached : 0.0});
      goals.Add({.what = fmt::format("{} against SPAMS ({:g} times sooner)", what, kGoalNatural),
                 .figure = {},
                 .stand_in = AtLeast(reached ? online.Total() / *reached : 0.0,
                                     "times sooner than our online learning",
                                     kGoalNatural / kSpamsToOnline),
                 .why = kNotInstalled});
    }
  }
}

void MeasureThreads(const FloatMatrix& patches, int atoms, const Arguments& arguments, Goals& goals) {
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
    if (method == Method::kOnline) continue;
    goals.Add({.what = fmt::format("mini-batch SCC, two threads against one, m = {}", atoms),
               .figure = AtLeast(best[0] / best[1], "times", kGoalThreads)});
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

// The rivals that can be run here.
std::vector<Rival> Installed(const Arguments& arguments) {
  std::vector<Rival> installed;
  for (const std::string& adapter : arguments.rivals) {
    const Rival rival(adapter);
    const std::string about = rival.About();
    fmt::print("rival {}: {}\n", rival.name(), about.empty() ? "not installed" : about);
    if (!about.empty()) installed.push_back(rival);
  }
  return installed;
}

void MeasureMachine(const FloatMatrix& patches, const Arguments& arguments) {
  const std::vector<Peak> peaks = MeasurePeaks();
  BenchTable table("what one core does at best: 1e9 operations a second", {"fused multiply-adds"});
  for (const Peak& peak : peaks) table.Row(peak.set, {peak.gflops});
  const auto own = std::ranges::find(peaks, SimdInUse(), &Peak::set);
  for (const int atoms : arguments.atoms) {
    const Limits limits = MeasureLimits(patches, static_cast<std::size_t>(atoms), arguments.repetitions);
    const double operations = 2e-9 * atoms * static_cast<double>(patches.cols());
    BenchTable passes(fmt::format("m = {}: one pass D^T x", atoms), {"us/patch", "Gflop/s", "of the peak"});
    const auto row = [&](const char* name, double seconds) {
      const double gflops = operations / seconds;
      passes.Row(name, {seconds * kMicroseconds, gflops, own == peaks.end() ? 0.0 : gflops / own->gflops});
    };
    row("matrix-matrix, ours", limits.our_products);
    row("matrix-matrix, OpenBLAS", limits.matrix_matrix);
    row("matrix-vector", limits.matrix_vector);
  }
}

void Run(const Arguments& arguments) {
  const FloatMatrix patches = arguments.input.empty() ? SimulatedPatches(arguments.patches)
                                                      : PatchesFromFile(arguments.input, arguments.patches);
  fmt::print("{} patches of {} values, {}; lambda {}; {} cores\n",
             patches.rows(),
             patches.cols(),
             arguments.input.empty() ? "simulated" : arguments.input,
             arguments.lambda,
             DefaultThreads());
  fmt::print("instruction set {}; {}\n", SimdInUse(), BlasVersion());
  const std::vector<Rival> rivals = Installed(arguments);
  Goals goals;
  const auto wanted = [&](const char* part) {
    return arguments.only.empty() || std::ranges::count(arguments.only, part) > 0;
  };
  if (wanted("machine")) MeasureMachine(patches, arguments);
  if (wanted("gram")) {
    BenchTable grams("Gram matrix in double precision, one thread", {"s", "s OpenBLAS", "of OpenBLAS"});
    for (const auto& [rows, cols] : {std::pair{600U, 6000U}, {1500U, 12000U}}) {
      const GramTimes times = MeasureGram(rows, cols, arguments.repetitions);
      grams.Row(fmt::format("{} x {}", rows, cols), {times.ours, times.blas, times.ours / times.blas});
    }
  }
  if (wanted("visits")) {
    for (const int atoms : arguments.atoms) {
      const Limits limits = MeasureLimits(patches, static_cast<std::size_t>(atoms), arguments.repetitions);
      MeasureVisits(patches, atoms, limits, arguments, rivals, goals);
    }
    BenchTable first("scc-minibatch: the first epoch against the later ones", {"1st, us", "later, us", "1st/later"});
    for (const int atoms : arguments.atoms) MeasureFirstEpoch(patches, atoms, arguments, first, goals);
  }
  if (wanted("naive")) {
    BenchTable naive("exact scc against naive loops, first epoch", {"naive, us", "ours, us", "times faster"});
    for (const int atoms : arguments.atoms) MeasureNaive(patches, atoms, arguments, naive);
  }
  if (wanted("coding")) {
    BenchTable encoder("coding to KKT 1e-4",
                       {"us/patch", "passes", "2 threads", "non-zeros", "worst KKT", "worst gap"});
    for (const int atoms : arguments.atoms) MeasureEncoder(patches, atoms, arguments, rivals, encoder, goals);
  }
  if (wanted("threads")) MeasureThreads(patches, 1000, arguments, goals);
  if (wanted("natural")) MeasureNatural(arguments, goals);
  if (wanted("rivals")) MeasureRivals(rivals, patches, arguments, goals);
  if (wanted("growth")) MeasureGrowth(patches, arguments);
  for (const std::string& file : arguments.also) goals.AddFile(file);
  if (arguments.also.empty() && arguments.only.empty()) {
    for (const char* what : {"annotating 900 images by bench/recipe.yaml: 150 images/s a core, 100 kB an image",
                             "a run of bench/recipe.yaml, five stage ranges, two cores: 60 s",
                             "learning 2000 atoms from 1,006,012 patches: 400 MB of anonymous memory"}) {
      goals.Add({.what = what, .figure = {}, .why = "`./dev bench all` measures it"});
    }
  }
  goals.Print();
  if (!arguments.markdown.empty()) WriteFileAtomically(arguments.markdown, goals.Markdown());
  if (!arguments.json.empty()) {
    WriteFileAtomically(arguments.json,
                        fmt::format("{{\"tables\": {}, \"goals\": {}}}\n", BenchTable::AllAsJson(), goals.Json()));
  }
}

}  // namespace
}  // namespace flyscribe

int main(int argc, char** argv) {
  flyscribe::RestartWithBlasCore(argv);
  flyscribe::Arguments arguments;
  CLI::App app("Measures learning and coding; prints ratios.", "flyscribe_bench");
  app.add_option("--input", arguments.input, "Patches to measure with, an .npy matrix; else simulated embryos");
  app.add_option("--patches", arguments.patches, "How many of them")->check(CLI::Range(1024, 100000000));
  app.add_option("--atoms", arguments.atoms, "Sizes of the dictionary")->delimiter(',')->check(CLI::Range(1, 65536));
  app.add_option("--epochs", arguments.epochs, "Epochs of each run")->check(CLI::Range(2, 1000));
  app.add_option("--repetitions", arguments.repetitions, "Of short measurements; the best counts")
      ->check(CLI::Range(1, 100));
  app.add_option("--lambda", arguments.lambda, "Weight of the l1 penalty")->check(CLI::Range(1e-6, 10.0));
  app.add_option("--rival", arguments.rivals, "Adapter of a rival (repeatable); bench/README.md has the protocol")
      ->type_size(1);
  app.add_option("--also", arguments.also, "Goals that other programs measured, for the table (repeatable)")
      ->type_size(1);
  app.add_option("--only", arguments.only, "Measure these parts alone: all, if none is named")
      ->delimiter(',')
      ->check(
          CLI::IsMember({"machine", "gram", "visits", "naive", "coding", "threads", "natural", "rivals", "growth"}));
  app.add_option("--json", arguments.json, "Also write all tables and the goals to this file");
  app.add_option("--markdown", arguments.markdown, "Also write the goals as a table to this file");
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
