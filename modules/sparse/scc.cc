#include "sparse/scc.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/linalg.h"
#include "core/rng.h"
#include "core/text.h"
#include "sparse/coordinate_descent.h"

namespace flyscribe {
namespace {

// Streams of the seed: one for the first dictionary, one for each epoch's order.
constexpr std::uint64_t kInitialStream = 0;
constexpr std::uint64_t kFirstEpochStream = 1;

// How often progress is told and a request to stop is looked for.
constexpr std::size_t kPatchesPerReport = 256;

void ProjectOntoBall(std::span<float> atom) {
  double squared_norm = 0.0;
  for (const float value : atom) squared_norm += static_cast<double>(value) * static_cast<double>(value);
  if (squared_norm <= 1.0) return;
  const auto scale = static_cast<float>(1.0 / std::sqrt(squared_norm));
  for (float& value : atom) value *= scale;
}

void RequirePatches(std::span<const std::size_t> rows) {
  if (!rows.empty()) return;
  throw Error(ErrorCode::kInput,
              "there are no patches to learn from",
              "either all patches were dropped as flat (normalise.min_deviation), or all genes lie in the tested fold "
              "(add genes)");
}

void RequireFinite(FloatView patches, std::span<const std::size_t> rows) {
  for (const std::size_t row : rows) {
    FLYSCRIBE_CHECK(row < patches.rows(), "a row to learn from is outside the patches");
    if (AllFinite(patches.Row(row))) continue;
    throw Error(ErrorCode::kInput,
                "patch " + std::to_string(row) + " holds a value that is not a finite number",
                "patches count from 0; compute the descriptors again");
  }
}

class SccLearner {
 public:
  SccLearner(FloatView patches, std::span<const std::size_t> rows, const LearnOptions& options)
      : patches_(patches),
        rows_(rows),
        options_(options),
        atoms_(InitialDictionary(patches, rows, static_cast<std::size_t>(options.atoms), options.seed)),
        hessian_(atoms_.rows(), 0.0),
        lasso_(atoms_, options.lambda),
        position_(rows.size(), 0) {
    codes_.atoms = atoms_.rows();
  }

  LearnResult Run(Progress& progress) {
    progress.Begin(static_cast<std::uint64_t>(options_.epochs) * rows_.size(), "patches");
    LearningSummary summary;
    for (int epoch = 1; epoch <= options_.epochs; ++epoch) {
      const double objective = RunEpoch(epoch, progress);
      summary.objective_per_epoch.push_back(objective);
      progress.Note("epoch " + std::to_string(epoch) + " objective " + FormatFixed(objective, 4));
    }
    summary.lambda = options_.lambda;
    summary.patches = rows_.size();
    summary.nonzeros_per_code = static_cast<double>(codes_.data.size()) / static_cast<double>(rows_.size());
    summary.unused_atoms = static_cast<std::size_t>(std::count(hessian_.begin(), hessian_.end(), 0.0));
    return {{std::move(atoms_), std::move(summary)}, CodesInRowOrder()};
  }

 private:
  // Returns the running objective of the epoch.
  double RunEpoch(int epoch, Progress& progress) {
    const std::vector<std::size_t> order = VisitOrder(epoch);
    SparseCodes visited;
    visited.atoms = atoms_.rows();
    visited.indices.reserve(codes_.indices.size());
    visited.data.reserve(codes_.data.size());
    visited.indptr.reserve(order.size() + 1);
    double objective = 0.0;
    for (std::size_t visit = 0; visit < order.size(); ++visit) {
      if (visit % kPatchesPerReport == 0) progress.ThrowIfStopped();
      objective += VisitPatch(order[visit], visited);
      if (!std::isfinite(objective)) ThrowDiverged(epoch);
      if ((visit + 1) % kPatchesPerReport == 0) progress.Advance(kPatchesPerReport);
    }
    progress.Advance(order.size() % kPatchesPerReport);
    for (std::size_t visit = 0; visit < order.size(); ++visit) position_[order[visit]] = visit;
    codes_ = std::move(visited);
    if (!AllFinite(atoms_.values())) ThrowDiverged(epoch);
    return objective / static_cast<double>(order.size());
  }

  std::vector<std::size_t> VisitOrder(int epoch) const {
    std::vector<std::size_t> order(rows_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (options_.patch_order == PatchOrder::kShuffled) {
      const std::uint64_t stream = kFirstEpochStream + static_cast<std::uint64_t>(epoch - 1);
      Rng(static_cast<std::uint64_t>(options_.seed), stream).Shuffle(order);
    }
    return order;
  }

  // Codes patch rows[item], moves the dictionary, appends the code. Returns the patch's objective before the move.
  double VisitPatch(std::size_t item, SparseCodes& visited) {
    StartFromLastEpoch(item);
    for (std::size_t atom = 0; atom < atoms_.rows(); ++atom) lasso_.Update(atom, 1.0F);
    FindSupport(lasso_, atoms_.rows(), support_);
    for (int step = 1; step < options_.cd_steps; ++step) {
      for (const std::int32_t atom : support_) lasso_.Update(static_cast<std::size_t>(atom), 1.0F);
    }
    const double objective = lasso_.Objective(support_);
    UpdateDictionary();
    AppendCode(visited);
    lasso_.Clear(support_);
    return objective;
  }

  void StartFromLastEpoch(std::size_t item) {
    const std::span<const float> x = patches_.Row(rows_[item]);
    if (codes_.rows() == 0) {
      lasso_.Start(x, {}, {});
    } else {
      lasso_.Start(x, codes_.RowIndices(position_[item]), codes_.RowData(position_[item]));
    }
  }

  void UpdateDictionary() {
    for (const std::int32_t index : support_) {
      const auto atom = static_cast<std::size_t>(index);
      const double weight = lasso_.weight(atom);
      if (weight == 0.0) continue;
      hessian_[atom] += weight * weight;
      const std::span<float> values = atoms_.Row(atom);
      AddScaled(static_cast<float>(weight / hessian_[atom]), lasso_.residual().data(), values.data(), values.size());
      ProjectOntoBall(values);
    }
  }

  void AppendCode(SparseCodes& visited) const {
    for (const std::int32_t atom : support_) {
      const float weight = lasso_.weight(static_cast<std::size_t>(atom));
      if (weight == 0.0F) continue;
      visited.indices.push_back(atom);
      visited.data.push_back(weight);
    }
    visited.indptr.push_back(static_cast<std::int64_t>(visited.indices.size()));
  }

  [[noreturn]] static void ThrowDiverged(int epoch) {
    throw Error(ErrorCode::kInput,
                "learning diverged in epoch " + std::to_string(epoch) + ": the numbers grew beyond all bounds",
                "patches are expected to have norm 1; check the steps before learn");
  }

  SparseCodes CodesInRowOrder() const {
    SparseCodes sorted;
    sorted.atoms = codes_.atoms;
    sorted.indices.reserve(codes_.indices.size());
    sorted.data.reserve(codes_.data.size());
    sorted.indptr.reserve(codes_.indptr.size());
    for (const std::size_t position : position_) {
      const auto indices = codes_.RowIndices(position);
      const auto data = codes_.RowData(position);
      sorted.indices.insert(sorted.indices.end(), indices.begin(), indices.end());
      sorted.data.insert(sorted.data.end(), data.begin(), data.end());
      sorted.indptr.push_back(static_cast<std::int64_t>(sorted.indices.size()));
    }
    return sorted;
  }

  FloatView patches_;
  std::span<const std::size_t> rows_;
  const LearnOptions& options_;
  FloatMatrix atoms_;
  std::vector<double> hessian_;  // h_jj
  LassoState lasso_;             // refers to atoms_
  // The codes the last epoch left, in its order of visits, and where in it each item of rows_ stands. Codes change
  // their length from epoch to epoch, so each epoch writes them anew instead of moving them about.
  SparseCodes codes_;
  std::vector<std::size_t> position_;
  std::vector<std::int32_t> support_;  // of the patch being visited, rising
};

}  // namespace

void LearnOptions::Fields(OptionsVisitor& visit) {
  visit.Integer({.name = "atoms",
                 .doc = "Number of dictionary atoms, m. The paper uses 500, 1000 and 2000.",
                 .min = 1,
                 .max = 65536},
                atoms);
  visit.Real({.name = "lambda",
              .doc = "Weight of the l1 penalty: larger gives sparser codes. For patches of norm 1, all codes are zero "
                     "from 1 on.",
              .min = 1e-6,
              .max = 10.0},
             lambda);
  visit.Integer({.name = "epochs", .doc = "How often every patch is visited.", .min = 1, .max = 10000}, epochs);
  visit.Integer({.name = "cd_steps",
                 .doc = "Cycles of coordinate descent per visit: one over all atoms, the others over the support.",
                 .min = 1,
                 .max = 1000},
                cd_steps);
  visit.Choice({.name = "patch_order",
                .doc = "Visit patches in a new random order every epoch (shuffled), or as they are stored (file).",
                .allowed = {"shuffled", "file"}},
               patch_order);
  visit.Integer({.name = "seed",
                 .doc = "Seed of the first dictionary and of the order of visits.",
                 .min = 0,
                 .max = 9007199254740992.0},
                seed);
}

FloatMatrix InitialDictionary(FloatView patches,
                              std::span<const std::size_t> rows,
                              std::size_t atoms,
                              std::int64_t seed) {
  if (rows.size() < atoms) {
    throw Error(
        ErrorCode::kInput,
        std::to_string(rows.size()) + " patches are too few for a dictionary of " + std::to_string(atoms) + " atoms",
        "lower learn.atoms to at most " + std::to_string(rows.size()) + ", or add images");
  }
  std::vector<std::size_t> drawn(rows.begin(), rows.end());
  Rng(static_cast<std::uint64_t>(seed), kInitialStream).Shuffle(drawn);
  FloatMatrix dictionary(atoms, patches.cols());
  for (std::size_t atom = 0; atom < atoms; ++atom) {
    const std::span<const float> patch = patches.Row(drawn[atom]);
    std::copy(patch.begin(), patch.end(), dictionary.Row(atom).begin());
    ProjectOntoBall(dictionary.Row(atom));
  }
  return dictionary;
}

LearnResult LearnScc(FloatView patches,
                     std::span<const std::size_t> rows,
                     const LearnOptions& options,
                     Progress& progress) {
  FLYSCRIBE_CHECK(options.atoms > 0 && options.epochs > 0 && options.cd_steps > 0, "learn options are out of range");
  RequirePatches(rows);
  RequireFinite(patches, rows);
  return SccLearner(patches, rows, options).Run(progress);
}

}  // namespace flyscribe
