// Finds the codes of a block of patches together: what mini-batch learning and the encoder share.
//
//   x_i  patches of the block      A_i  active set of patch i: the atoms it may use      r_i = x_i - D z_i
//
// Search computes c_j = d_j^T r_i for all atoms j and all patches of the block by one matrix product. Admit lets atoms
// that break the optimality condition |c_j| <= lambda into the active set, the worst first. Solve runs coordinate
// descent on the active sets, sixteen patches at a time, and computes the residuals anew. A search is dear; Revisit
// looks at those atoms alone that may matter. The caller decides how often.
//
// Internal to modules/sparse. Not thread-safe: one per worker. Deterministic; a patch does not see its neighbours.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/matrix.h"
#include "core/parallel.h"
#include "core/progress.h"
#include "sparse/lasso_group.h"
#include "sparse/learner.h"

namespace flyscribe {

// Patches per block: enough for the matrix product, few enough for its result to stay in the cache.
inline constexpr std::size_t kBlockPatches = 32;

class BlockCoder {
 public:
  // Refers to `atoms` and to the same in panels, which may change between blocks.
  BlockCoder(const Kernels& kernels, const PaddedRows& atoms, const Panels& panels, LassoTerms terms);

  // Begins a block.
  void Clear() { patches_ = 0; }
  // Adds a patch with the code it starts from; returns its place in the block.
  std::size_t Add(std::span<const float> x, std::span<const std::int32_t> indices, std::span<const float> weights);
  std::size_t patches() const { return patches_; }

  // Computes c for the patches listed, and puts it into the products of their active sets.
  void Search(std::span<const std::size_t> places);
  // The largest |c_j| (or c_j, if nonnegative) of an atom outside the active set at the last Search, at least 0.
  // REQUIRES: no Solve since.
  float LargestOutside(std::size_t place);
  // Lets in atoms outside the active set with |c_j| > bound >= 0. Where they are more than `most`, the bound rises in
  // eight equal steps to the largest of them until they are few enough; if all are equal, the first join. REQUIRES: no
  // Solve since.
  void Admit(std::size_t place, float bound, std::size_t most);

  // Computes anew, with the residual as it is now, the products of the active set and of the atoms outside it that had
  // |c_j| > bound at the last Search. Returns the largest |c_j| of the latter, at least 0.
  float Revisit(std::size_t place, float bound);
  // As Admit, of the atoms outside the active set that the last Revisit looked at. REQUIRES: it was of this place, and
  // the active set is as it was.
  void AdmitRevisited(std::size_t place, float bound, std::size_t most);

  // Improves the weights of the patches listed by at most max_cycles cycles of coordinate descent, and computes their
  // residuals anew; adds the cycles spent to cycles(place). Solve takes LassoGroup's short
  // cuts and ends at `rest`; Descend does not, and ends where little changes any more.
  void Descend(std::span<const std::size_t> places, int max_cycles);
  void Solve(std::span<const std::size_t> places, int max_cycles, float rest);

  ActiveSet& set(std::size_t place) { return sets_[place]; }
  const float* patch(std::size_t place) const { return x_.Row(place); }
  const float* residual(std::size_t place) const { return r_.Row(place); }
  int cycles(std::size_t place) const { return cycles_[place]; }
  // 0.5 |r|^2 + lambda |z|_1 + 0.5 Ridge.
  double Objective(std::size_t place) const;
  // sum_j mu_j z_j^2.
  double Ridge(std::size_t place) const;

 private:
  using GroupSolver = std::span<const int> (LassoGroup::*)(const PaddedRows&, std::span<ActiveSet* const>, int, float);

  void InGroups(std::span<const std::size_t> places, GroupSolver solver, int max_cycles, float rest);
  void ComputeResidual(std::size_t place);
  void BlankMembers(std::size_t place);
  void RestoreMembers(std::size_t place);
  // Atoms outside the active set with |c_j| > bound at the last Search, into found_; returns how many.
  std::size_t FindOutside(std::size_t place, float bound);
  float Size(float product) const;
  // Lets in some of the atoms listed by Admit's rule. `products` is filled up with zeros to a multiple of
  // kLaneMultiple.
  void LetIn(std::size_t place,
             std::span<const std::int32_t> ids,
             std::span<const float> products,
             float bound,
             std::size_t most);

  const Kernels& kernels_;
  const PaddedRows& atoms_;
  const Panels& panels_;
  LassoTerms terms_;
  LassoGroup group_;
  std::size_t patches_ = 0;
  PaddedRows x_;
  PaddedRows r_;
  PaddedRows searched_;  // residuals of the patches under search, side by side
  PaddedRows products_;  // c of all atoms; row_of_place_ says whose
  std::vector<std::size_t> row_of_place_;
  std::vector<ActiveSet> sets_;
  std::vector<std::vector<std::int32_t>> revisited_;  // atoms outside the active set, one list a patch
  std::vector<AlignedVector<float>> revisited_products_;
  std::vector<int> cycles_;
  std::vector<std::int32_t> found_;
  std::vector<float> found_products_;
  std::vector<std::int32_t> chosen_;
  std::vector<AtomProduct> admitted_;
  std::vector<float> blanked_;
};

// Codes all patches, block by block, on `threads` threads: make() gives each worker a coder, code(coder, begin, end,
// item) codes a block. The items come back in the order of the patches. Throws Error(kInput) at a patch that is not
// finite.
template <class Item, class Make, class Code>
std::vector<Item> CodeBlocks(
    FloatView patches, std::size_t atoms, int threads, Progress& progress, const Make& make, const Code& code) {
  constexpr std::size_t kPatchesPerItem = 8 * kBlockPatches;  // handed out at a time
  std::vector<Item> items((patches.rows() + kPatchesPerItem - 1) / kPatchesPerItem);
  std::vector<decltype(make())> coders(WorkerCount(threads, items.size()));
  for (auto& coder : coders) coder = make();
  progress.Begin(patches.rows(), "patches");
  ParallelForWorkers(threads, items.size(), [&](std::size_t item, std::size_t worker) {
    progress.ThrowIfStopped();
    const std::size_t begin = item * kPatchesPerItem;
    const std::size_t end = std::min(patches.rows(), begin + kPatchesPerItem);
    items[item].codes.atoms = atoms;
    RequireFinite(patches, begin, end);
    for (std::size_t row = begin; row < end; row += kBlockPatches) {
      code(*coders[worker], row, std::min(end, row + kBlockPatches), items[item]);
    }
    progress.Advance(end - begin);
  });
  return items;
}

}  // namespace flyscribe
