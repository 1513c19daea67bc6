// Measures training: all terms of a range on one shared matrix of inner products, against one plain run of LIBSVM per
// term (kernel LINEAR, dense nodes, one thread), on simulated features.
//
//   ./dev bench train [--bags N] [--features N] [--terms N] [--plain-terms N] [--inner-terms N] [--json FILE]
//
// Plain runs take minutes for all terms: some terms from the most frequent to the rarest are run, and their mean stands
// for all; the table says how many. CPU seconds are shown beside those of the clock, because they hardly move when
// others use the machine. Decision values are compared for the same terms, at a tight tolerance for both.
#include <fmt/core.h>
#include <libsvm/svm.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "bench/table.h"
#include "classify/inner_folds.h"
#include "classify/one_vs_rest.h"
#include "core/error.h"
#include "core/file.h"
#include "core/parallel.h"
#include "core/progress.h"
#include "core/rng.h"

namespace flyscribe {
namespace {

struct Arguments {
  std::size_t bags = 2650;
  std::size_t features = 2000;
  std::size_t terms = 123;
  std::size_t plain_terms = 4;
  std::size_t inner_terms = 6;
  std::string json;
};

constexpr double kTight = 1e-6;
constexpr double kMostFrequent = 0.4;  // share of the bags
constexpr double kLeastPositives = 10.0;

// Features as pooling leaves them: none negative, many zero, norm 1. A term is what lies highest in a random direction.
struct Simulated {
  FloatMatrix features;
  TrainingSet set;
};

FloatMatrix SimulatedFeatures(const Arguments& arguments) {
  FloatMatrix features(arguments.bags, arguments.features);
  ParallelFor(0, arguments.bags, [&](std::size_t bag) {
    Rng rng(1, bag);
    const std::span<float> row = features.Row(bag);
    double squares = 0.0;
    for (float& value : row) {
      value = static_cast<float>(std::max(0.0, rng.Normal(0.0, 1.0)));
      squares += static_cast<double>(value) * static_cast<double>(value);
    }
    for (float& value : row) value = static_cast<float>(static_cast<double>(value) / std::sqrt(squares));
  });
  return features;
}

// The bags that lie highest in the term's direction, with noise as large as the signal.
void AddTerm(const FloatMatrix& features, std::size_t term, std::size_t positives, LabelTable& labels) {
  Rng rng(2, term);
  std::vector<float> direction(features.cols());
  for (float& value : direction) value = static_cast<float>(rng.Normal());
  std::vector<double> signal(features.rows());
  for (std::size_t bag = 0; bag < features.rows(); ++bag) {
    signal[bag] = DecisionValue(direction, features.Row(bag), rng.Normal());
  }
  std::vector<std::size_t> order(features.rows());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return signal[a] > signal[b]; });
  for (std::size_t k = 0; k < positives; ++k) labels.values(order[k], term) = 1;
  labels.terms.push_back("term " + std::to_string(term));
  labels.positives.push_back(positives);
}

Simulated Simulate(const Arguments& arguments) {
  Simulated data;
  data.features = SimulatedFeatures(arguments);
  data.set.labels.values = Matrix<std::uint8_t>(arguments.bags, arguments.terms, 0);
  const double most = kMostFrequent * static_cast<double>(arguments.bags);
  for (std::size_t term = 0; term < arguments.terms; ++term) {
    const double share = static_cast<double>(term) / static_cast<double>(std::max<std::size_t>(1, arguments.terms - 1));
    const double positives = most * std::pow(kLeastPositives / most, share);
    AddTerm(data.features, term, static_cast<std::size_t>(positives), data.set.labels);
  }
  data.set.training.assign(arguments.bags, true);
  for (std::size_t bag = 0; bag < arguments.bags; ++bag) data.set.genes.push_back("gene " + std::to_string(bag));
  return data;
}

// `count` of the terms, evenly from the first to the last.
std::vector<std::size_t> Spread(std::size_t terms, std::size_t count) {
  std::vector<std::size_t> chosen;
  count = std::min(count, terms);
  for (std::size_t k = 0; k < count; ++k) chosen.push_back(count == 1 ? 0 : k * (terms - 1) / (count - 1));
  return chosen;
}

struct Seconds {
  double clock = 0.0;
  double cpu = 0.0;  // of all threads
};

template <class Work>
Seconds Measure(const Work& work) {
  const double start = SecondsNow();
  const std::clock_t cpu_start = std::clock();
  work();
  return {SecondsNow() - start, static_cast<double>(std::clock() - cpu_start) / CLOCKS_PER_SEC};
}

struct Linear {
  std::vector<double> weights;
  double bias = 0.0;
};

std::vector<SvmProblem> Problems(const Simulated& data, double tolerance) {
  TrainOptions options;
  options.tolerance = tolerance;
  std::vector<std::size_t> all(data.features.rows());
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::vector<SvmProblem> problems;
  for (std::size_t term = 0; term < data.set.labels.terms.size(); ++term) {
    TermClasses classes;
    for (const std::size_t bag : all) classes.labels.push_back(data.set.labels.values(bag, term));
    problems.push_back(MakeProblem(classes, all, options.c, options));
  }
  return problems;
}

// The dense data in LIBSVM's form: one node a feature, zeros too.
class PlainData {
 public:
  explicit PlainData(const FloatMatrix& features) : length_(features.cols() + 1), nodes_(features.rows() * length_) {
    svm_node* next = nodes_.data();
    for (std::size_t bag = 0; bag < features.rows(); ++bag) {
      rows_.push_back(next);
      for (std::size_t i = 0; i < features.cols(); ++i) {
        *next++ = {static_cast<int>(i + 1), static_cast<double>(features(bag, i))};
      }
      *next++ = {-1, 0.0};
    }
  }

  svm_node** rows() { return rows_.data(); }

 private:
  std::size_t length_;
  std::vector<svm_node> nodes_;
  std::vector<svm_node*> rows_;
};

struct ModelDeleter {
  void operator()(svm_model* model) const { svm_free_and_destroy_model(&model); }
};

// One term by LIBSVM alone; only the training is timed.
Seconds SolvePlainly(PlainData& data, SvmProblem problem, const FloatMatrix& features, Linear& linear) {
  svm_set_print_string_function([](const char* /*text*/) {});
  const svm_problem given = {static_cast<int>(problem.y.size()), problem.y.data(), data.rows()};
  std::array<int, 2> classes = {1, -1};
  std::array<double, 2> weights = {problem.positive_weight, problem.negative_weight};
  svm_parameter parameters{};
  parameters.svm_type = C_SVC;
  parameters.kernel_type = LINEAR;
  parameters.cache_size = 100.0;
  parameters.eps = problem.tolerance;
  parameters.C = problem.c;
  parameters.shrinking = 1;
  parameters.nr_weight = 2;
  parameters.weight_label = classes.data();
  parameters.weight = weights.data();
  std::unique_ptr<svm_model, ModelDeleter> model;
  const Seconds seconds = Measure([&] { model.reset(svm_train(&given, &parameters)); });
  const double sign = model->label[0] == 1 ? 1.0 : -1.0;
  linear = {std::vector<double>(features.cols(), 0.0), -sign * model->rho[0]};
  for (int k = 0; k < model->l; ++k) {
    const std::span<const float> row = features.Row(static_cast<std::size_t>(model->sv_indices[k] - 1));
    for (std::size_t i = 0; i < row.size(); ++i) {
      linear.weights[i] += sign * model->sv_coef[0][k] * static_cast<double>(row[i]);
    }
  }
  return seconds;
}

Seconds MeasurePlain(const Simulated& data, const std::vector<SvmProblem>& problems, std::size_t count) {
  PlainData plain(data.features);
  const std::vector<std::size_t> chosen = Spread(problems.size(), count);
  Seconds sum;
  for (const std::size_t term : chosen) {
    Linear unused;
    const Seconds seconds = SolvePlainly(plain, problems[term], data.features, unused);
    sum.clock += seconds.clock;
    sum.cpu += seconds.cpu;
  }
  const double factor = static_cast<double>(problems.size()) / static_cast<double>(chosen.size());
  return {factor * sum.clock, factor * sum.cpu};
}

// The largest difference of any bag's decision value.
double Difference(const FloatMatrix& features, const Linear& plain, const SupportVectors& shared) {
  const std::vector<double> folded = shared.Weights(features);
  const std::vector<float> weights(folded.begin(), folded.end());
  double largest = 0.0;
  for (std::size_t bag = 0; bag < features.rows(); ++bag) {
    double value = plain.bias;
    for (std::size_t i = 0; i < features.cols(); ++i) {
      value += plain.weights[i] * static_cast<double>(features(bag, i));
    }
    largest = std::max(largest, std::abs(value - DecisionValue(weights, features.Row(bag), shared.bias)));
  }
  return largest;
}

void CompareTimes(const Simulated& data, const Arguments& arguments) {
  const std::vector<SvmProblem> problems = Problems(data, TrainOptions{}.tolerance);
  BenchTable table(fmt::format("{} bags x {} features x {} terms, C = 1, tolerance 0.001: seconds for all terms",
                               arguments.bags,
                               arguments.features,
                               arguments.terms),
                   {"clock", "CPU", "times faster", "by CPU"});
  const std::size_t runs = std::min(arguments.plain_terms, arguments.terms);
  const Seconds plain = MeasurePlain(data, problems, runs);
  table.Row(fmt::format("plain, {} terms extrapolated", runs), {plain.clock, plain.cpu, 1.0, 1.0});
  for (const int threads : {1, 2}) {
    const Seconds shared = Measure([&] {
      const SharedKernel kernel(data.features);
      std::vector<std::vector<double>> weights(problems.size());
      ParallelFor(threads, problems.size(), [&](std::size_t term) {
        weights[term] = SolveSvm(kernel, problems[term]).Weights(data.features);
      });
    });
    table.Row(fmt::format("shared, {} thread{}", threads, threads == 1 ? "" : "s"),
              {shared.clock, shared.cpu, plain.clock / shared.clock, plain.cpu / shared.cpu});
  }
}

void CompareValues(const Simulated& data, const Arguments& arguments) {
  const std::vector<SvmProblem> problems = Problems(data, kTight);
  BenchTable table(fmt::format("Decision values of all bags, tolerance {} for both", kTight),
                   {"positives", "difference"});
  PlainData plain(data.features);
  const SharedKernel kernel(data.features);
  double largest = 0.0;
  for (const std::size_t term : Spread(problems.size(), arguments.plain_terms)) {
    Linear linear;
    SolvePlainly(plain, problems[term], data.features, linear);
    const double difference = Difference(data.features, linear, SolveSvm(kernel, problems[term]));
    table.Row(data.set.labels.terms[term], {static_cast<double>(data.set.labels.positives[term]), difference});
    largest = std::max(largest, difference);
  }
  fmt::print("largest difference: {:.2e}\n", largest);
}

void MeasureWhole(const Simulated& data, const Arguments& arguments) {
  TrainingSet set = data.set;
  set.labels = {};
  const LabelTable& labels = data.set.labels;
  const std::vector<std::size_t> columns = Spread(arguments.terms, arguments.inner_terms);
  const std::size_t terms = columns.size();
  set.labels.values = Matrix<std::uint8_t>(labels.values.rows(), terms);
  for (std::size_t k = 0; k < terms; ++k) {
    set.labels.terms.push_back(labels.terms[columns[k]]);
    set.labels.positives.push_back(labels.positives[columns[k]]);
    for (std::size_t bag = 0; bag < labels.values.rows(); ++bag) {
      set.labels.values(bag, k) = labels.values(bag, columns[k]);
    }
  }
  BenchTable table(
      fmt::format("TrainTerms whole (inner folds, calibration, scores), 2 threads: seconds, {} terms", terms),
      {"clock", "CPU", "CPU, all terms"});
  for (const ChooseC choose : {ChooseC::kNone, ChooseC::kRange}) {
    TrainOptions options;
    options.choose_c = choose;
    const Seconds seconds = Measure([&] { TrainTerms(data.features, set, options, 2, NoProgress()); });
    table.Row(
        choose == ChooseC::kNone ? "C given" : fmt::format("C of {}", options.c_grid.size()),
        {seconds.clock, seconds.cpu, seconds.cpu * static_cast<double>(arguments.terms) / static_cast<double>(terms)});
  }
}

void Run(const Arguments& arguments) {
  const Simulated data = Simulate(arguments);
  CompareTimes(data, arguments);
  CompareValues(data, arguments);
  MeasureWhole(data, arguments);
  if (!arguments.json.empty()) WriteFileAtomically(arguments.json, BenchTable::AllAsJson());
}

}  // namespace
}  // namespace flyscribe

int main(int argc, char** argv) {
  flyscribe::Arguments arguments;
  CLI::App app("Measures training on a shared kernel against plain LIBSVM.", "flyscribe_bench_train");
  app.add_option("--bags", arguments.bags, "Bags")->check(CLI::Range(50, 100000));
  app.add_option("--features", arguments.features, "Features")->check(CLI::Range(1, 1000000));
  app.add_option("--terms", arguments.terms, "Terms")->check(CLI::Range(1, 10000));
  app.add_option("--plain-terms", arguments.plain_terms, "Terms that plain LIBSVM is run on")
      ->check(CLI::Range(1, 10000));
  app.add_option("--inner-terms", arguments.inner_terms, "Terms trained with inner folds")->check(CLI::Range(1, 10000));
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
