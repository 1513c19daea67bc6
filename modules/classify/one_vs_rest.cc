#include "classify/one_vs_rest.h"

#include <libsvm/svm.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <span>

#include "core/error.h"
#include "core/linalg.h"
#include "core/parallel.h"
#include "core/text.h"

namespace flyscribe {
namespace {

// LIBSVM's cache of kernel columns, per term in training. Its size changes time only.
constexpr double kCacheMegabytes = 100.0;

// LIBSVM reports through one global function pointer; it is set once, before any training.
void SilenceLibsvm() {
  static const bool done = [] {
    svm_set_print_string_function([](const char* /*text*/) {});
    return true;
  }();
  static_cast<void>(done);
}

struct ModelDeleter {
  void operator()(svm_model* model) const { svm_free_and_destroy_model(&model); }
};
using ModelPtr = std::unique_ptr<svm_model, ModelDeleter>;

// The inner products of the training bags in LIBSVM's form of a precomputed kernel: row i is (0: i + 1), (1: K_i1),
// ..., (n: K_in), (-1). Shared by all terms, which only read it.
class Kernel {
 public:
  explicit Kernel(FloatView features) : size_(features.rows()) {
    const Matrix<double> gram = GramMatrix(features);
    const std::size_t length = size_ + 2;
    nodes_.resize(size_ * length);
    for (std::size_t i = 0; i < size_; ++i) {
      svm_node* row = &nodes_[i * length];
      row[0] = {0, static_cast<double>(i + 1)};
      for (std::size_t j = 0; j < size_; ++j) row[j + 1] = {static_cast<int>(j + 1), gram(i, j)};
      row[length - 1] = {-1, 0.0};
      rows_.push_back(row);
    }
  }

  std::size_t size() const { return size_; }
  svm_node** rows() { return rows_.data(); }

 private:
  std::size_t size_;
  std::vector<svm_node> nodes_;
  std::vector<svm_node*> rows_;
};

// One term's classes among the training bags.
struct TermProblem {
  std::size_t column = 0;  // of the label table
  std::vector<double> y;   // +1 or -1
  std::size_t positives = 0;
  std::size_t negatives = 0;
};

struct LinearModel {
  std::vector<double> weights;
  double bias = 0.0;
  std::size_t support_vectors = 0;
};

TermProblem MakeProblem(const LabelTable& labels, std::size_t column, std::span<const std::size_t> training_bags) {
  TermProblem problem;
  problem.column = column;
  for (const std::size_t bag : training_bags) {
    const bool positive = labels.values(bag, column) != 0;
    problem.y.push_back(positive ? 1.0 : -1.0);
    ++(positive ? problem.positives : problem.negatives);
  }
  return problem;
}

// Why the term cannot be trained; nothing if it can.
std::optional<std::string> ReasonToSkip(const LabelTable& labels,
                                        const TermProblem& problem,
                                        const TrainOptions& options) {
  const std::vector<std::string>& excluded = options.exclude_terms;
  if (std::find(excluded.begin(), excluded.end(), labels.terms[problem.column]) != excluded.end()) {
    return "listed in train.exclude_terms";
  }
  const std::size_t positives = labels.positives[problem.column];
  if (positives < static_cast<std::size_t>(std::max(0, options.min_positives))) {
    return std::to_string(positives) + (positives == 1 ? " positive bag" : " positive bags") +
           ", fewer than train.min_positives = " + std::to_string(options.min_positives);
  }
  if (problem.positives == 0) return "no training bag has the term";
  if (problem.negatives == 0) return "all training bags have the term";
  return std::nullopt;
}

// A term that is not there may be meant for another stage range; one that is nearly there is a slip of the finger.
void WarnOfMisspelledTerms(const LabelTable& labels, const TrainOptions& options, Progress& progress) {
  for (const std::string& term : options.exclude_terms) {
    if (std::find(labels.terms.begin(), labels.terms.end(), term) != labels.terms.end()) continue;
    const std::optional<std::string> nearest = Nearest(term, labels.terms);
    if (!nearest) continue;
    progress.Warn("train.exclude_terms: there is no term '" + term + "'; did you mean '" + *nearest + "'?");
  }
}

void RequireFinite(const FloatMatrix& features) {
  for (std::size_t bag = 0; bag < features.rows(); ++bag) {
    const std::span<const float> row = features.Row(bag);
    if (std::all_of(row.begin(), row.end(), [](float value) { return std::isfinite(value); })) continue;
    throw Error(ErrorCode::kInput,
                "bag " + std::to_string(bag) + " has a feature that is not a finite number",
                "bags count from 0; run the steps before train again");
  }
}

// Does not set the class weights, which belong to a term.
svm_parameter BaseParameters(const TrainOptions& options) {
  svm_parameter parameters{};
  parameters.svm_type = C_SVC;
  parameters.kernel_type = PRECOMPUTED;
  parameters.cache_size = kCacheMegabytes;
  parameters.eps = options.tolerance;
  parameters.C = options.c;
  parameters.shrinking = 1;
  parameters.probability = 0;
  return parameters;
}

void RequireAccepted(const svm_problem& problem, const svm_parameter& parameters) {
  const char* reason = svm_check_parameter(&problem, &parameters);
  if (reason == nullptr) return;
  throw Error(ErrorCode::kUsage,
              std::string("LIBSVM refuses the training options: ") + reason,
              "check train.c and train.tolerance");
}

// Folds the support vectors into one weight vector. LIBSVM's decision is positive for label[0], whichever that is.
LinearModel Fold(const svm_model& model, FloatView training_features) {
  const double sign = model.label[0] == 1 ? 1.0 : -1.0;
  LinearModel linear;
  linear.weights.assign(training_features.cols(), 0.0);
  linear.bias = -sign * model.rho[0];
  linear.support_vectors = static_cast<std::size_t>(model.l);
  for (int k = 0; k < model.l; ++k) {
    const double coefficient = sign * model.sv_coef[0][k];
    const std::span<const float> row = training_features.Row(static_cast<std::size_t>(model.sv_indices[k] - 1));
    for (std::size_t i = 0; i < row.size(); ++i) linear.weights[i] += coefficient * static_cast<double>(row[i]);
  }
  return linear;
}

LinearModel TrainTerm(TermProblem& term, Kernel& kernel, FloatView training_features, const TrainOptions& options) {
  const svm_problem problem = {static_cast<int>(kernel.size()), term.y.data(), kernel.rows()};
  svm_parameter parameters = BaseParameters(options);
  const auto bags = static_cast<double>(kernel.size());
  std::array<int, 2> classes = {1, -1};
  std::array<double, 2> weights = {bags / (2.0 * static_cast<double>(term.positives)),
                                   bags / (2.0 * static_cast<double>(term.negatives))};
  if (options.class_weight == ClassWeight::kBalanced) {
    parameters.nr_weight = 2;
    parameters.weight_label = classes.data();
    parameters.weight = weights.data();
  }
  RequireAccepted(problem, parameters);
  const ModelPtr model(svm_train(&problem, &parameters));
  return Fold(*model, training_features);
}

std::vector<std::size_t> TrainingBags(const std::vector<bool>& training) {
  std::vector<std::size_t> bags;
  for (std::size_t bag = 0; bag < training.size(); ++bag) {
    if (training[bag]) bags.push_back(bag);
  }
  return bags;
}

FloatMatrix RowsOf(const FloatMatrix& matrix, std::span<const std::size_t> rows) {
  FloatMatrix chosen(rows.size(), matrix.cols());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::span<const float> row = matrix.Row(rows[i]);
    std::copy(row.begin(), row.end(), chosen.Row(i).begin());
  }
  return chosen;
}

// Sorts the terms into those to train, listed in models.terms and returned in the same order, and those to skip.
std::vector<TermProblem> ChooseTerms(const LabelTable& labels,
                                     std::span<const std::size_t> training_bags,
                                     const TrainOptions& options,
                                     TermModels& models) {
  std::vector<TermProblem> problems;
  for (std::size_t column = 0; column < labels.terms.size(); ++column) {
    TermProblem problem = MakeProblem(labels, column, training_bags);
    if (const std::optional<std::string> reason = ReasonToSkip(labels, problem, options)) {
      models.skipped.push_back({labels.terms[column], labels.positives[column], *reason});
      continue;
    }
    TermModel model;
    model.term = labels.terms[column];
    model.positives = problem.positives;
    model.negatives = problem.negatives;
    models.terms.push_back(std::move(model));
    problems.push_back(std::move(problem));
  }
  return problems;
}

void Store(const LinearModel& linear, std::size_t row, TermModels& models) {
  models.terms[row].bias = linear.bias;
  models.terms[row].support_vectors = linear.support_vectors;
  for (std::size_t i = 0; i < linear.weights.size(); ++i)
    models.weights(row, i) = static_cast<float>(linear.weights[i]);
}

}  // namespace

void TrainOptions::Fields(OptionsVisitor& visit) {
  visit.Real({.name = "c",
              .doc = "Weight of training errors against a wide margin: larger fits the training bags more closely.",
              .min = 1e-6,
              .max = 1e6},
             c);
  visit.Choice({.name = "class_weight",
                .doc = "balanced: errors on the rarer class cost more, in proportion; none: all errors cost the same.",
                .allowed = {"balanced", "none"}},
               class_weight);
  visit.Integer(
      {.name = "min_positives", .doc = "Terms that fewer bags carry are not trained.", .min = 1, .max = 1000000},
      min_positives);
  visit.Words({.name = "exclude_terms", .doc = "Terms that are not trained, such as [ubiquitous, faint ubiquitous]."},
              exclude_terms);
  visit.Real({.name = "tolerance",
              .doc = "When LIBSVM stops: the largest violation of its optimality conditions.",
              .min = 1e-12,
              .max = 1.0},
             tolerance);
}

TermModels TrainTerms(const FloatMatrix& features,
                      const LabelTable& labels,
                      const std::vector<bool>& training,
                      const TrainOptions& options,
                      int threads,
                      Progress& progress) {
  FLYSCRIBE_CHECK(features.rows() == training.size(), "one row of features per bag");
  FLYSCRIBE_CHECK(labels.values.rows() == training.size(), "one row of labels per bag");
  RequireFinite(features);
  SilenceLibsvm();
  WarnOfMisspelledTerms(labels, options, progress);
  const std::vector<std::size_t> training_bags = TrainingBags(training);
  TermModels models;
  std::vector<TermProblem> problems = ChooseTerms(labels, training_bags, options, models);
  models.weights = FloatMatrix(problems.size(), features.cols());
  progress.Begin(problems.size(), "terms");
  if (!problems.empty()) {
    const FloatMatrix training_features = RowsOf(features, training_bags);
    Kernel kernel(training_features);
    ParallelFor(threads, problems.size(), [&](std::size_t row) {
      progress.ThrowIfStopped();
      Store(TrainTerm(problems[row], kernel, training_features, options), row, models);
      progress.Advance();
    });
  }
  models.scores = ScoreBags(features, models, threads);
  return models;
}

Matrix<double> ScoreBags(const FloatMatrix& features, const TermModels& models, int threads) {
  FLYSCRIBE_CHECK(models.terms.empty() || features.cols() == models.weights.cols(), "one weight per feature");
  Matrix<double> scores(features.rows(), models.terms.size());
  ParallelFor(threads, features.rows(), [&](std::size_t bag) {
    const std::span<const float> values = features.Row(bag);
    for (std::size_t term = 0; term < models.terms.size(); ++term) {
      const std::span<const float> weights = models.weights.Row(term);
      double sum = 0.0;
      for (std::size_t i = 0; i < values.size(); ++i) {
        sum += static_cast<double>(weights[i]) * static_cast<double>(values[i]);
      }
      scores(bag, term) = sum + models.terms[term].bias;
    }
  });
  return scores;
}

std::string SvmLibraryVersion() { return std::to_string(libsvm_version); }

}  // namespace flyscribe
