#include "sparse/constrained.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/parallel.h"
#include "sparse/block_coder.h"
#include "sparse/lars.h"
#include "sparse/learner.h"

namespace flyscribe {
namespace {

constexpr std::size_t kMostAtoms = 16384;  // a gigabyte of Gram matrix
constexpr double kEndOfPath = 1e-5;        // of |x|
constexpr double kSlack = 1e-4;
struct ItemResult {
  SparseCodes codes;
  double objective = 0.0;  // sum
  double weight = 0.0;     // sum
  double worst_error = 0.0;
  double worst_kkt = 0.0;
  std::size_t unreached = 0;
};

double NormInDouble(const float* values, std::size_t length) {
  double sum = 0.0;
  for (std::size_t i = 0; i < length; ++i) sum += static_cast<double>(values[i]) * static_cast<double>(values[i]);
  return std::sqrt(sum);
}

// One per worker.
class Coder {
 public:
  Coder(const PaddedRows& atoms, const Panels& panels, const PaddedRows& gram, const ConstrainedControl& control)
      : kernels_(ActiveKernels()),
        atoms_(atoms),
        panels_(panels),
        gram_(gram),
        control_(control),
        lars_(kernels_, atoms.rows()),
        x_(kBlockPatches, atoms.cols()),
        r_(1, atoms.cols()),
        correlations_(kBlockPatches, atoms.rows()) {}

  void Code(FloatView patches, std::size_t begin, std::size_t end, ItemResult& result) {
    for (std::size_t row = begin; row < end; ++row) x_.Set(row - begin, patches.Row(row));
    kernels_.products(panels_.data(),
                      panels_.panels(),
                      x_.data(),
                      end - begin,
                      correlations_.data(),
                      correlations_.length(),
                      atoms_.length());
    for (std::size_t place = 0; place < end - begin; ++place) CodeOne(place, result);
  }

 private:
  void CodeOne(std::size_t place, ItemResult& result) {
    const double norm = NormInDouble(x_.Row(place), atoms_.cols());
    LarsProblem problem = {.gram = gram_.data(),
                           .stride = gram_.length(),
                           .correlations = correlations_.Row(place),
                           .lambda = static_cast<float>(kEndOfPath * norm),
                           .nonnegative = control_.nonnegative,
                           .squared_norm = norm * norm};
    (control_.kind == ConstrainedControl::Kind::kError ? problem.error : problem.budget) = control_.limit;
    const LarsTrace trace = lars_.Solve(problem, indices_, weights_);
    kernels_.residual(
        x_.Row(place), atoms_.data(), indices_.data(), weights_.data(), indices_.size(), r_.Row(0), atoms_.length());
    const double error = NormInDouble(r_.Row(0), atoms_.cols());
    result.objective += 0.5 * error * error;
    for (const float weight : weights_) result.weight += std::abs(static_cast<double>(weight));
    result.worst_error = std::max(result.worst_error, error);
    result.worst_kkt = std::max(result.worst_kkt, static_cast<double>(trace.largest_violation));
    const bool by_error = control_.kind == ConstrainedControl::Kind::kError;
    if (by_error && error > control_.limit + kSlack * norm) ++result.unreached;
    result.codes.indices.insert(result.codes.indices.end(), indices_.begin(), indices_.end());
    result.codes.data.insert(result.codes.data.end(), weights_.begin(), weights_.end());
    result.codes.indptr.push_back(static_cast<std::int64_t>(result.codes.indices.size()));
  }

  const Kernels& kernels_;
  const PaddedRows& atoms_;
  const Panels& panels_;
  const PaddedRows& gram_;
  const ConstrainedControl& control_;
  LarsSolver lars_;
  PaddedRows x_;
  PaddedRows r_;
  PaddedRows correlations_;
  std::vector<std::int32_t> indices_;
  std::vector<float> weights_;
};

}  // namespace

ConstrainedResult EncodeConstrained(FloatView patches,
                                    const FloatMatrix& atoms,
                                    const ConstrainedControl& control,
                                    Progress& progress) {
  FLYSCRIBE_CHECK(control.limit >= 0.0, "a limit must not be negative");
  RequireCodable(patches, atoms);
  if (atoms.rows() > kMostAtoms) {
    throw Error(
        ErrorCode::kUsage,
        "coding with a constraint keeps atoms x atoms numbers: " + std::to_string(atoms.rows()) + " atoms are too many",
        "use at most " + std::to_string(kMostAtoms) + " atoms, or a penalty (--lambda)");
  }
  const double start = SecondsNow();
  const int threads = control.threads > 0 ? control.threads : DefaultThreads();
  const Kernels& kernels = ActiveKernels();
  const PaddedRows padded{FloatView(atoms)};
  const Panels panels(kernels, padded);
  PaddedRows gram(atoms.rows(), atoms.rows());
  ParallelFor(threads, (atoms.rows() + kBlockPatches - 1) / kBlockPatches, [&](std::size_t block) {
    const std::size_t begin = block * kBlockPatches;
    kernels.products(panels.data(),
                     panels.panels(),
                     padded.Row(begin),
                     std::min(kBlockPatches, atoms.rows() - begin),
                     gram.Row(begin),
                     gram.length(),
                     padded.length());
  });
  const std::vector<ItemResult> items = CodeBlocks<ItemResult>(
      patches,
      atoms.rows(),
      threads,
      progress,
      [&] { return std::make_unique<Coder>(padded, panels, gram, control); },
      [&](Coder& coder, std::size_t begin, std::size_t end, ItemResult& item) {
        coder.Code(patches, begin, end, item);
      });
  ConstrainedResult result;
  result.codes.atoms = atoms.rows();
  for (const ItemResult& item : items) {
    result.codes.Append(item.codes);
    result.objective += item.objective;
    result.weight += item.weight;
    result.worst_error = std::max(result.worst_error, item.worst_error);
    result.worst_kkt = std::max(result.worst_kkt, item.worst_kkt);
    result.unreached += item.unreached;
  }
  const auto count = static_cast<double>(std::max<std::size_t>(1, patches.rows()));
  result.objective /= count;
  result.weight /= count;
  result.nonzeros_per_code = static_cast<double>(result.codes.data.size()) / count;
  result.seconds = SecondsNow() - start;
  return result;
}

}  // namespace flyscribe
