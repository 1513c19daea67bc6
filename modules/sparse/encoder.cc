#include "sparse/encoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <vector>

#include "core/error.h"
#include "core/parallel.h"
#include "core/progress.h"
#include "sparse/block_coder.h"
#include "sparse/learner.h"

namespace flyscribe {
namespace {

// Until the right atoms have joined, those join whose products lie in the upper part of the range between lambda and
// the largest: first the strongest, then most of what is left.
constexpr std::array<float, 2> kSharesAtFirst = {0.6F, 0.2F};
constexpr std::size_t kMostAtFirst = 16;
constexpr std::size_t kMostLater = 24;
// There is no use in polishing weights before the right atoms have joined.
constexpr int kCyclesAtFirst = 12;
constexpr float kRestLater = 0.6F;  // of the tolerance
constexpr int kCyclesLater = 200;
// Distances are taken a little longer than computed, for what rounding may hide.
constexpr float kRounding = 1.0001F;

struct ItemResult {
  SparseCodes codes;
  double objective = 0.0;       // sum
  double zero_objective = 0.0;  // the same with all codes zero
  double worst_kkt = 0.0;
  double worst_gap = 0.0;
  std::size_t unconverged = 0;
};

// How a patch stands with respect to its optimality conditions.
struct Standing {
  float inside = 0.0F;   // the worst violation of an atom of the active set
  float outside = 0.0F;  // the largest |d_j^T r| of another atom, or lambda if none exceeds it
};

// Codes one block after the other; one per worker.
class BlockEncoder {
 public:
  BlockEncoder(const PaddedRows& atoms, const Panels& panels, const LassoTerms& terms, const EncodeOptions& options)
      : kernels_(ActiveKernels()),
        lambda_(terms.lambda),
        ridge_(terms.ridge),
        tolerance_(static_cast<float>(options.kkt_tolerance)),
        max_cycles_(options.max_cycles),
        length_(atoms.length()),
        coder_(kernels_, atoms, panels, terms),
        searched_(kBlockPatches, atoms.cols()),
        standing_(kBlockPatches) {}

  void Encode(FloatView patches, std::size_t begin, std::size_t end, ItemResult& result) {
    coder_.Clear();
    for (std::size_t row = begin; row < end; ++row) coder_.Add(patches.Row(row), {}, {});
    std::vector<std::size_t> live(end - begin);
    std::iota(live.begin(), live.end(), std::size_t{0});
    for (const float share : kSharesAtFirst) FitStrongest(live, share);
    FitAll(live);
    while (!live.empty()) Polish(live);
    for (std::size_t place = 0; place < end - begin; ++place) Collect(place, result);
  }

 private:
  // Lets in the atoms in the upper part of the range between lambda and the largest product; the rest is looked at
  // again once these are fitted.
  void FitStrongest(std::span<const std::size_t> live, float share) {
    coder_.Search(live);
    for (const std::size_t place : live) {
      const float largest = coder_.LargestOutside(place);
      coder_.Admit(place, lambda_ + share * std::max(0.0F, largest - lambda_), kMostAtFirst);
    }
    coder_.Descend(live, std::min(max_cycles_, kCyclesAtFirst));
  }

  // The last search over all atoms; what it finds stays valid as far as the residual has not moved since.
  void FitAll(std::vector<std::size_t>& live) {
    coder_.Search(live);
    for (const std::size_t place : live) {
      std::copy_n(coder_.residual(place), length_, searched_.Row(place));
      standing_[place] = {InsideViolation(place), std::max(lambda_, coder_.LargestOutside(place))};
    }
    DropFinished(live);
    for (const std::size_t place : live) coder_.Admit(place, lambda_, kMostLater);
    coder_.Solve(live, std::min(max_cycles_, kCyclesLater), kRestLater * tolerance_);
  }

  // Looks at the atoms that may break their condition by now, and lets in those that do.
  void Polish(std::vector<std::size_t>& live) {
    for (const std::size_t place : live) {
      const float moved = std::sqrt(kernels_.squared_distance(coder_.residual(place), searched_.Row(place), length_));
      const float outside = coder_.Revisit(place, lambda_ - kRounding * moved);
      standing_[place] = {InsideViolation(place), std::max(lambda_, outside)};
    }
    DropFinished(live);
    for (const std::size_t place : live) coder_.AdmitRevisited(place, lambda_, kMostLater);
    coder_.Solve(live, std::min(max_cycles_, kCyclesLater), kRestLater * tolerance_);
  }

  float InsideViolation(std::size_t place) {
    const ActiveSet& set = coder_.set(place);
    float worst = 0.0F;
    for (std::size_t k = 0; k < set.size(); ++k) {
      float product = set.products[k];
      if (!ridge_.empty()) product -= ridge_[static_cast<std::size_t>(set.ids[k])] * set.weights[k];
      worst = std::max(worst, std::abs(product - (set.weights[k] > 0.0F ? lambda_ : -lambda_)));
    }
    return worst;
  }

  bool Finished(const Standing& standing) const {
    return standing.inside <= tolerance_ && standing.outside <= lambda_ + tolerance_;
  }

  void DropFinished(std::vector<std::size_t>& live) {
    std::erase_if(
        live, [this](std::size_t place) { return Finished(standing_[place]) || coder_.cycles(place) >= max_cycles_; });
  }

  void Collect(std::size_t place, ItemResult& result) {
    const ActiveSet& set = coder_.set(place);
    const Standing& standing = standing_[place];
    const double objective = coder_.Objective(place);
    result.objective += objective;
    result.worst_kkt = std::max<double>({result.worst_kkt, standing.inside, standing.outside - lambda_});
    result.worst_gap = std::max(result.worst_gap, DualityGap(place, objective));
    if (!Finished(standing)) ++result.unconverged;
    result.codes.indices.insert(result.codes.indices.end(), set.ids.begin(), set.ids.end());
    result.codes.data.insert(result.codes.data.end(), set.weights.begin(), set.weights.end());
    result.codes.indptr.push_back(static_cast<std::int64_t>(result.codes.indices.size()));
  }

  // f(z) minus the dual objective 0.5 |x|^2 - 0.5 |x - y|^2 at y = s r, where s <= 1 brings all |d_j^T y| to lambda.
  // With a ridge, r has its longer form [r; -sqrt(mu) z].
  double DualityGap(std::size_t place, double objective) const {
    const float* x = coder_.patch(place);
    const float* r = coder_.residual(place);
    const Standing& standing = standing_[place];
    const double lambda = lambda_;
    const double largest = std::max<double>(standing.outside, lambda + static_cast<double>(standing.inside));
    const double s = lambda / largest;
    const double xr = kernels_.dot(x, r, length_);
    const double rr = static_cast<double>(kernels_.dot(r, r, length_)) + coder_.Ridge(place);
    return std::max(0.0, objective - (s * xr - 0.5 * s * s * rr));
  }

  const Kernels& kernels_;
  float lambda_;
  std::span<const float> ridge_;
  float tolerance_;
  int max_cycles_;
  std::size_t length_;
  BlockCoder coder_;
  PaddedRows searched_;  // the residuals at the last search
  std::vector<Standing> standing_;
};

// Whether an objective found in single precision can be believed: squares lie in its range, and what is left of the
// patches is more than their own rounding.
bool IsWellScaled(double objective, double zero_objective, std::size_t patches) {
  constexpr double kLeft = 1e-6;
  constexpr double kSmall = 1e-24;  // the least mean 0.5 |x|^2
  return objective > kLeft * zero_objective && zero_objective > kSmall * static_cast<double>(patches);
}

// The sum over the patches, from codes and atoms as they are handed out.
double ObjectiveInDouble(FloatView patches,
                         const FloatMatrix& atoms,
                         const SparseCodes& codes,
                         const EncodeControl& control) {
  double sum = 0.0;
  std::vector<double> r(patches.cols());
  for (std::size_t row = 0; row < patches.rows(); ++row) {
    std::ranges::copy(patches.Row(row), r.begin());
    const std::span<const std::int32_t> ids = codes.RowIndices(row);
    for (std::size_t k = 0; k < ids.size(); ++k) {
      const double weight = codes.RowData(row)[k];
      const auto id = static_cast<std::size_t>(ids[k]);
      const std::span<const float> atom = atoms.Row(id);
      const double penalty = control.lambda * (control.weights.empty() ? 1.0 : control.weights[id]);
      for (std::size_t i = 0; i < r.size(); ++i) r[i] -= weight * static_cast<double>(atom[i]);
      sum += penalty * std::abs(weight) + 0.5 * control.ridge * weight * weight;
    }
    for (const double value : r) sum += 0.5 * value * value;
  }
  return sum;
}

// s_j = w_j / min w.
std::vector<double> ScalesOf(std::span<const double> weights) {
  std::vector<double> scales(weights.begin(), weights.end());
  const double least = weights.empty() ? 1.0 : *std::ranges::min_element(weights);
  for (double& scale : scales) scale /= least;
  return scales;
}

EncodeResult Join(const std::vector<ItemResult>& items,
                  FloatView rows,
                  const FloatMatrix& atoms,
                  std::span<const double> scales,
                  const EncodeControl& control) {
  EncodeResult result;
  double zero_objective = 0.0;
  result.codes.atoms = atoms.rows();
  for (const ItemResult& item : items) {
    result.codes.Append(item.codes);
    result.objective += item.objective;
    zero_objective += item.zero_objective;
    result.worst_kkt = std::max(result.worst_kkt, item.worst_kkt);
    result.worst_gap = std::max(result.worst_gap, item.worst_gap);
    result.unconverged += item.unconverged;
  }
  for (std::size_t k = 0; !scales.empty() && k < result.codes.data.size(); ++k) {
    float& weight = result.codes.data[k];
    weight = static_cast<float>(weight / scales[static_cast<std::size_t>(result.codes.indices[k])]);
  }
  if (!IsWellScaled(result.objective, zero_objective, rows.rows())) {
    result.objective = ObjectiveInDouble(rows, atoms, result.codes, control);
  }
  const auto patches = static_cast<double>(std::max<std::size_t>(1, result.codes.rows()));
  result.objective /= patches;
  result.nonzeros_per_code = static_cast<double>(result.codes.data.size()) / patches;
  return result;
}

}  // namespace

void EncodeOptions::Fields(OptionsVisitor& visit) {
  visit.Real(
      {.name = "kkt_tolerance",
       .doc = "How far a code may miss its optimality conditions, on the scale of lambda. Smaller is slower; single "
              "precision ends near 1e-6.",
       .min = 1e-6,
       .max = 1.0},
      kkt_tolerance);
  visit.Integer({.name = "max_cycles",
                 .doc = "Cycles of coordinate descent after which a patch is left as it is and counted as unconverged.",
                 .min = 1,
                 .max = 1000000},
                max_cycles);
}

EncodeResult Encode(FloatView patches,
                    const FloatMatrix& atoms,
                    const EncodeControl& control,
                    const EncodeOptions& options,
                    Progress& progress) {
  RequireCodable(patches, atoms);
  const double start = SecondsNow();
  const int threads = control.threads > 0 ? control.threads : DefaultThreads();
  const auto positive = [](double weight) { return weight > 0.0 && std::isfinite(weight); };
  FLYSCRIBE_CHECK(control.ridge >= 0.0, "the ridge must not be negative");
  FLYSCRIBE_CHECK(control.weights.empty() || control.weights.size() == atoms.rows(), "every atom needs a weight");
  FLYSCRIBE_CHECK(std::ranges::all_of(control.weights, positive), "weights of the penalty must be positive");
  const std::vector<double> scales = ScalesOf(control.weights);
  PaddedRows padded{FloatView(atoms)};
  std::vector<float> ridge(control.ridge > 0.0 ? atoms.rows() : 0, static_cast<float>(control.ridge));
  for (std::size_t atom = 0; atom < scales.size(); ++atom) {
    for (std::size_t i = 0; i < padded.cols(); ++i) {
      float& value = padded.Row(atom)[i];
      value = static_cast<float>(value / scales[atom]);
    }
    if (!ridge.empty()) ridge[atom] = static_cast<float>(control.ridge / (scales[atom] * scales[atom]));
  }
  const double least = control.weights.empty() ? 1.0 : *std::ranges::min_element(control.weights);
  const LassoTerms terms = {static_cast<float>(control.lambda * least), control.nonnegative, ridge};
  const Panels panels(ActiveKernels(), padded);
  const auto code = [&](BlockEncoder& encoder, std::size_t begin, std::size_t end, ItemResult& item) {
    for (std::size_t row = begin; row < end; ++row) {
      for (const float value : patches.Row(row)) {
        item.zero_objective += 0.5 * static_cast<double>(value) * static_cast<double>(value);
      }
    }
    encoder.Encode(patches, begin, end, item);
    if (std::isfinite(item.objective)) return;
    throw Error(ErrorCode::kInput,
                fmt::format("coding diverged between patch {} and {}", begin, end - 1),
                "atoms must lie in the unit ball and patches are expected to have norm 1; check the steps before "
                "encode");
  };
  const std::vector<ItemResult> items = CodeBlocks<ItemResult>(
      patches,
      atoms.rows(),
      threads,
      progress,
      [&] { return std::make_unique<BlockEncoder>(padded, panels, terms, options); },
      code);
  EncodeResult result = Join(items, patches, atoms, scales, control);
  result.seconds = SecondsNow() - start;
  return result;
}

}  // namespace flyscribe
