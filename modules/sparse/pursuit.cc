#include "sparse/pursuit.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <vector>

#include "core/error.h"
#include "core/parallel.h"
#include "core/text.h"
#include "sparse/block_coder.h"
#include "sparse/lars.h"
#include "sparse/learner.h"

namespace flyscribe {
namespace {

// Correlations below this share of |x| are rounding.
constexpr float kSmallestShare = 1e-6F;

// In one order on every machine.
double DotInDouble(const float* a, const float* b, std::size_t length) {
  double sum = 0.0;
  for (std::size_t i = 0; i < length; ++i) sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  return sum;
}

struct ItemResult {
  SparseCodes codes;
  double objective = 0.0;  // sum
  double worst_error = 0.0;
  std::size_t unreached = 0;
};

// The way of one patch.
struct Pursuit {
  CholeskyFactor factor;  // of D_A^T D_A
  std::vector<std::int32_t> ids;
  std::vector<float> weights;
  std::vector<double> half_solved;  // y with L y = D_A^T x
  float smallest = 0.0F;            // correlations up to here are nothing
};

// Codes one block after the other; one per worker. The atoms have norm 1, or 0.
class BlockPursuer {
 public:
  BlockPursuer(const PaddedRows& atoms,
               const std::vector<double>& norms,
               const Panels& panels,
               const PursuitControl& control)
      : kernels_(ActiveKernels()),
        atoms_(atoms),
        norms_(norms),
        panels_(panels),
        control_(control),
        x_(kBlockPatches, atoms.cols()),
        r_(kBlockPatches, atoms.cols()),
        searched_(kBlockPatches, atoms.cols()),
        products_(kBlockPatches, atoms.rows()),
        pursuits_(kBlockPatches) {}

  void Code(FloatView patches, std::size_t begin, std::size_t end, ItemResult& result) {
    std::vector<std::size_t> live;
    for (std::size_t place = 0; place < end - begin; ++place) {
      x_.Set(place, patches.Row(begin + place));
      std::copy_n(x_.Row(place), x_.length(), r_.Row(place));
      pursuits_[place] = {};
      pursuits_[place].smallest = kSmallestShare * static_cast<float>(ErrorOf(place));
      if (ErrorOf(place) > control_.error) live.push_back(place);
    }
    while (!live.empty()) {
      Search(live);
      std::size_t row = 0;
      std::erase_if(live, [&](std::size_t place) { return !Step(place, products_.Row(row++)); });
    }
    for (std::size_t place = 0; place < end - begin; ++place) Collect(place, result);
  }

 private:
  // |r|.
  double ErrorOf(std::size_t place) const {
    return std::sqrt(DotInDouble(r_.Row(place), r_.Row(place), atoms_.cols()));
  }

  // Products of all atoms with the residuals, row by row of products_.
  void Search(std::span<const std::size_t> places) {
    for (std::size_t row = 0; row < places.size(); ++row) {
      std::copy_n(r_.Row(places[row]), r_.length(), searched_.Row(row));
    }
    kernels_.products(panels_.data(),
                      panels_.panels(),
                      searched_.data(),
                      places.size(),
                      products_.data(),
                      products_.length(),
                      atoms_.length());
  }

  // Lets in an atom. Returns whether another one is wanted.
  bool Step(std::size_t place, float* c) {
    Pursuit& pursuit = pursuits_[place];
    for (const std::int32_t id : pursuit.ids) c[id] = 0.0F;
    std::size_t best = 0;
    for (std::size_t atom = 1; atom < atoms_.rows(); ++atom) {
      if (std::abs(c[atom]) > std::abs(c[best])) best = atom;
    }
    if (!(std::abs(c[best]) > pursuit.smallest)) return false;
    const float* d = atoms_.Row(best);
    cross_.resize(pursuit.ids.size());
    for (std::size_t k = 0; k < cross_.size(); ++k) {
      cross_[k] = DotInDouble(atoms_.Row(static_cast<std::size_t>(pursuit.ids[k])), d, atoms_.cols());
    }
    if (!pursuit.factor.Append(cross_, DotInDouble(d, d, atoms_.cols()))) return false;
    pursuit.ids.push_back(static_cast<std::int32_t>(best));
    pursuit.half_solved.push_back(DotInDouble(d, x_.Row(place), atoms_.cols()));
    pursuit.factor.SolveLower(pursuit.half_solved, pursuit.half_solved.size() - 1);
    solved_ = pursuit.half_solved;
    pursuit.factor.SolveUpper(solved_);
    pursuit.weights.assign(solved_.begin(), solved_.end());
    kernels_.residual(x_.Row(place),
                      atoms_.data(),
                      pursuit.ids.data(),
                      pursuit.weights.data(),
                      pursuit.ids.size(),
                      r_.Row(place),
                      atoms_.length());
    return pursuit.ids.size() < control_.nonzeros && ErrorOf(place) > control_.error;
  }

  void Collect(std::size_t place, ItemResult& result) {
    const Pursuit& pursuit = pursuits_[place];
    const double error = ErrorOf(place);
    result.objective += 0.5 * error * error;
    result.worst_error = std::max(result.worst_error, error);
    if (error > control_.error) ++result.unreached;
    std::vector<std::size_t> order(pursuit.ids.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t k) { return pursuit.ids[k]; });
    for (const std::size_t k : order) {
      const auto weight = static_cast<float>(static_cast<double>(pursuit.weights[k]) /
                                             norms_[static_cast<std::size_t>(pursuit.ids[k])]);
      if (weight == 0.0F) continue;
      result.codes.indices.push_back(pursuit.ids[k]);
      result.codes.data.push_back(weight);
    }
    result.codes.indptr.push_back(static_cast<std::int64_t>(result.codes.indices.size()));
  }

  const Kernels& kernels_;
  const PaddedRows& atoms_;
  const std::vector<double>& norms_;
  const Panels& panels_;
  const PursuitControl& control_;
  PaddedRows x_;
  PaddedRows r_;
  PaddedRows searched_;  // residuals of the patches under search, side by side
  PaddedRows products_;
  std::vector<Pursuit> pursuits_;
  std::vector<double> cross_;
  std::vector<double> solved_;
};

}  // namespace

PursuitResult Pursue(FloatView patches, const FloatMatrix& atoms, const PursuitControl& control, Progress& progress) {
  FLYSCRIBE_CHECK(control.nonzeros > 0 && control.error >= 0.0, "a pursuit needs room for an atom");
  RequireCodable(patches, atoms);
  const double start = SecondsNow();
  const int threads = control.threads > 0 ? control.threads : DefaultThreads();
  PaddedRows unit{FloatView(atoms)};
  std::vector<double> norms(atoms.rows(), 0.0);
  for (std::size_t atom = 0; atom < atoms.rows(); ++atom) {
    norms[atom] = std::sqrt(DotInDouble(unit.Row(atom), unit.Row(atom), unit.cols()));
    for (std::size_t i = 0; norms[atom] > 0.0 && i < unit.cols(); ++i) {
      unit.Row(atom)[i] = static_cast<float>(unit.Row(atom)[i] / norms[atom]);
    }
  }
  const Panels panels(ActiveKernels(), unit);
  const std::vector<ItemResult> items = CodeBlocks<ItemResult>(
      patches,
      atoms.rows(),
      threads,
      progress,
      [&] { return std::make_unique<BlockPursuer>(unit, norms, panels, control); },
      [&](BlockPursuer& coder, std::size_t begin, std::size_t end, ItemResult& item) {
        coder.Code(patches, begin, end, item);
      });
  PursuitResult result;
  result.codes.atoms = atoms.rows();
  for (const ItemResult& item : items) {
    result.codes.Append(item.codes);
    result.objective += item.objective;
    result.worst_error = std::max(result.worst_error, item.worst_error);
    result.unreached += item.unreached;
  }
  const auto count = static_cast<double>(std::max<std::size_t>(1, patches.rows()));
  result.objective /= count;
  result.nonzeros_per_code = static_cast<double>(result.codes.data.size()) / count;
  result.seconds = SecondsNow() - start;
  return result;
}

}  // namespace flyscribe
