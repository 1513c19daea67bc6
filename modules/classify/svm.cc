#include "classify/svm.h"

#include <fmt/format.h>
#include <libsvm/svm.h>

#include <array>

#include "core/error.h"
#include "core/gram.h"

namespace flyscribe {

// Row i is (0: i + 1), (1: K_i1), ..., (n: K_in), (-1). LIBSVM takes K_ij from row i at the place that the first node
// of row j names: so any choice of rows is a problem of its own.
struct SharedKernel::Nodes {
  std::size_t size = 0;
  std::vector<svm_node> nodes;

  std::size_t Length() const { return size + 2; }
  const svm_node* Row(std::size_t i) const { return &nodes[i * Length()]; }
};

namespace {

// LIBSVM's cache of kernel columns, per problem in work. Its size changes time only.
constexpr double kCacheMegabytes = 100.0;

struct ModelDeleter {
  void operator()(svm_model* model) const { svm_free_and_destroy_model(&model); }
};
using ModelPtr = std::unique_ptr<svm_model, ModelDeleter>;

}  // namespace

SharedKernel::SharedKernel(FloatView features) : nodes_(std::make_unique<Nodes>()) {
  const Matrix<double> gram = GramMatrix(features);
  nodes_->size = features.rows();
  nodes_->nodes.resize(nodes_->size * nodes_->Length());
  svm_node* next = nodes_->nodes.data();
  for (std::size_t i = 0; i < nodes_->size; ++i) {
    *next++ = {0, static_cast<double>(i + 1)};
    for (std::size_t j = 0; j < nodes_->size; ++j) *next++ = {static_cast<int>(j + 1), gram(i, j)};
    *next++ = {-1, 0.0};
  }
}

SharedKernel::~SharedKernel() = default;

std::size_t SharedKernel::size() const { return nodes_->size; }

double SharedKernel::operator()(std::size_t i, std::size_t j) const { return nodes_->Row(i)[j + 1].value; }

double SupportVectors::Decision(const SharedKernel& kernel, std::size_t row) const {
  const svm_node* products = kernel.nodes().Row(row) + 1;
  double sum = bias;
  for (std::size_t k = 0; k < rows.size(); ++k) sum += coefficients[k] * products[rows[k]].value;
  return sum;
}

std::vector<double> SupportVectors::Weights(FloatView features) const {
  std::vector<double> weights(features.cols(), 0.0);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const std::span<const float> row = features.Row(rows[k]);
    for (std::size_t i = 0; i < row.size(); ++i) weights[i] += coefficients[k] * static_cast<double>(row[i]);
  }
  return weights;
}

SupportVectors SolveSvm(const SharedKernel& kernel, const SvmProblem& problem) {
  // LIBSVM reports through one global function pointer; it is set once, before any training.
  [[maybe_unused]] static const bool silenced = [] {
    svm_set_print_string_function([](const char* /*text*/) {});
    return true;
  }();
  // LIBSVM's interface knows no const, but it only reads.
  std::vector<svm_node*> rows;
  rows.reserve(problem.rows.size());
  for (const std::size_t row : problem.rows) rows.push_back(const_cast<svm_node*>(kernel.nodes().Row(row)));
  std::vector<double> y = problem.y;
  const svm_problem given = {static_cast<int>(rows.size()), y.data(), rows.data()};
  std::array<int, 2> classes = {1, -1};
  std::array<double, 2> weights = {problem.positive_weight, problem.negative_weight};
  svm_parameter parameters{};
  parameters.svm_type = C_SVC;
  parameters.kernel_type = PRECOMPUTED;
  parameters.cache_size = kCacheMegabytes;
  parameters.eps = problem.tolerance;
  parameters.C = problem.c;
  parameters.shrinking = 1;
  parameters.nr_weight = 2;
  parameters.weight_label = classes.data();
  parameters.weight = weights.data();
  if (const char* reason = svm_check_parameter(&given, &parameters)) {
    throw Error(ErrorCode::kUsage,
                fmt::format("LIBSVM refuses the training options: {}", reason),
                "check train.c, train.c_grid and train.tolerance");
  }
  const ModelPtr model(svm_train(&given, &parameters));
  const double sign = model->label[0] == 1 ? 1.0 : -1.0;  // the decision is positive for label[0], whichever that is
  SupportVectors vectors;
  vectors.bias = -sign * model->rho[0];
  for (int k = 0; k < model->l; ++k) {
    vectors.rows.push_back(problem.rows[static_cast<std::size_t>(model->sv_indices[k] - 1)]);
    vectors.coefficients.push_back(sign * model->sv_coef[0][k]);
  }
  return vectors;
}

std::string SvmLibraryVersion() { return std::to_string(libsvm_version); }

}  // namespace flyscribe
