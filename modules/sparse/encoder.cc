#include "sparse/encoder.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/linalg.h"
#include "core/parallel.h"
#include "sparse/coordinate_descent.h"

namespace flyscribe {
namespace {

// Patches are shared out in blocks of this size whatever the number of threads, so that sums have one order.
constexpr std::size_t kPatchesPerBlock = 256;

// Cycles over the active set stop a little below what the check of all atoms asks for, and sooner while that check
// still finds much: there is no use in polishing weights before the right atoms have joined.
constexpr double kShareOfTolerance = 0.5;
constexpr double kShareOfWorst = 0.1;

struct BlockResult {
  SparseCodes codes;
  double objective = 0.0;  // sum
  double worst_kkt = 0.0;
  std::size_t unconverged = 0;
};

// Codes one patch after the other; one per worker.
class PatchEncoder {
 public:
  PatchEncoder(const FloatMatrix& atoms,
               const std::vector<float>& curvature,
               double lambda,
               const EncodeOptions& options)
      : atom_count_(atoms.rows()), curvature_(curvature), options_(options), lasso_(atoms, lambda) {}

  void Encode(std::span<const float> x, BlockResult& result) {
    lasso_.Start(x, {}, {});
    for (std::size_t atom = 0; atom < atom_count_; ++atom) UpdateAtom(atom);
    FindSupport(lasso_, atom_count_, active_);
    int cycles = 1;
    double worst = CheckAllAtoms(x);
    while (worst > options_.kkt_tolerance && cycles < options_.max_cycles) {
      const double rest = std::max(kShareOfTolerance * options_.kkt_tolerance, kShareOfWorst * worst);
      cycles += CycleUntilAtRest(rest, options_.max_cycles - cycles);
      worst = CheckAllAtoms(x);
    }
    result.worst_kkt = std::max(result.worst_kkt, worst);
    if (worst > options_.kkt_tolerance) ++result.unconverged;
    result.objective += lasso_.Objective(active_);
    AppendCode(result.codes);
    lasso_.Clear(active_);
  }

 private:
  // Returns how far the optimality condition was missed before the update, or little more.
  double UpdateAtom(std::size_t atom) {
    if (curvature_[atom] == 0.0F) return 0.0;
    return static_cast<double>(std::abs(lasso_.Update(atom, curvature_[atom]) * curvature_[atom]));
  }

  // Cycles until no update exceeds `rest`, at most `most` times. Returns the number of cycles spent, at least one.
  int CycleUntilAtRest(double rest, int most) {
    int cycles = 0;
    double largest = 0.0;
    do {
      largest = 0.0;
      for (const std::int32_t atom : active_) largest = std::max(largest, UpdateAtom(static_cast<std::size_t>(atom)));
      ++cycles;
    } while (largest > rest && cycles < most);
    return cycles;
  }

  // Makes active_ the atoms with a weight and those that should have one; returns the worst violation.
  double CheckAllAtoms(std::span<const float> x) {
    lasso_.RefreshResidual(x, active_);
    active_.clear();
    double worst = 0.0;
    for (std::size_t atom = 0; atom < atom_count_; ++atom) {
      const double violation = lasso_.Violation(atom);
      worst = std::max(worst, violation);
      if (lasso_.weight(atom) != 0.0F || violation > options_.kkt_tolerance) {
        active_.push_back(static_cast<std::int32_t>(atom));
      }
    }
    return worst;
  }

  void AppendCode(SparseCodes& codes) const {
    for (const std::int32_t atom : active_) {
      const float weight = lasso_.weight(static_cast<std::size_t>(atom));
      if (weight == 0.0F) continue;
      codes.indices.push_back(atom);
      codes.data.push_back(weight);
    }
    codes.indptr.push_back(static_cast<std::int64_t>(codes.indices.size()));
  }

  std::size_t atom_count_;
  const std::vector<float>& curvature_;
  const EncodeOptions& options_;
  LassoState lasso_;
  std::vector<std::int32_t> active_;  // rising; holds every atom with a weight
};

void RequireSameLength(FloatView patches, const FloatMatrix& atoms) {
  if (patches.rows() == 0 || patches.cols() == atoms.cols()) return;
  throw Error(ErrorCode::kInput,
              "the patches have " + std::to_string(patches.cols()) + " values each, the dictionary's atoms " +
                  std::to_string(atoms.cols()),
              "code patches with a dictionary learned from patches extracted with the same options");
}

// |d_j|^2 of every atom.
std::vector<float> Curvatures(const FloatMatrix& atoms) {
  std::vector<float> curvature(atoms.rows());
  for (std::size_t atom = 0; atom < atoms.rows(); ++atom) {
    const std::span<const float> values = atoms.Row(atom);
    if (!AllFinite(values)) {
      throw Error(ErrorCode::kCorrupt,
                  "atom " + std::to_string(atom) + " of the dictionary holds a value that is not a finite number",
                  "learn the dictionary again");
    }
    curvature[atom] = Dot(values.data(), values.data(), values.size());
  }
  return curvature;
}

void RequireFinitePatch(FloatView patches, std::size_t row) {
  if (AllFinite(patches.Row(row))) return;
  throw Error(ErrorCode::kInput,
              "patch " + std::to_string(row) + " holds a value that is not a finite number",
              "patches count from 0; compute the descriptors again");
}

void RequireConvergence(const BlockResult& block, std::size_t row) {
  if (std::isfinite(block.objective) && std::isfinite(block.worst_kkt)) return;
  throw Error(ErrorCode::kInput,
              "coding patch " + std::to_string(row) + " diverged: the numbers grew beyond all bounds",
              "patches are expected to have norm 1; check the steps before encode");
}

EncodeResult Join(const std::vector<BlockResult>& blocks, std::size_t atoms) {
  EncodeResult result;
  result.codes.atoms = atoms;
  for (const BlockResult& block : blocks) {
    result.codes.Append(block.codes);
    result.objective += block.objective;
    result.worst_kkt = std::max(result.worst_kkt, block.worst_kkt);
    result.unconverged += block.unconverged;
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
                    double lambda,
                    const EncodeOptions& options,
                    int threads,
                    Progress& progress) {
  RequireSameLength(patches, atoms);
  const std::vector<float> curvature = Curvatures(atoms);
  const std::size_t block_count = (patches.rows() + kPatchesPerBlock - 1) / kPatchesPerBlock;
  std::vector<PatchEncoder> encoders(WorkerCount(threads, block_count),
                                     PatchEncoder(atoms, curvature, lambda, options));
  std::vector<BlockResult> blocks(block_count);
  progress.Begin(patches.rows(), "patches");
  ParallelForWorkers(threads, block_count, [&](std::size_t item, std::size_t worker) {
    progress.ThrowIfStopped();
    BlockResult& block = blocks[item];
    block.codes.atoms = atoms.rows();
    const std::size_t end = std::min(patches.rows(), (item + 1) * kPatchesPerBlock);
    for (std::size_t row = item * kPatchesPerBlock; row < end; ++row) {
      RequireFinitePatch(patches, row);
      encoders[worker].Encode(patches.Row(row), block);
      RequireConvergence(block, row);
    }
    progress.Advance(end - item * kPatchesPerBlock);
  });
  return Join(blocks, atoms.rows());
}

}  // namespace flyscribe
