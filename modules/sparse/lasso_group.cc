#include "sparse/lasso_group.h"

#include <algorithm>
#include <limits>

namespace flyscribe {
namespace {

constexpr std::size_t kCapacityStep = 8;

// Cycles before the first step to the minimum over the non-zero weights, and between two.
constexpr int kCyclesBefore = 6;
constexpr int kCyclesBetween = 2;
constexpr int kFinishingRounds = 4;

}  // namespace

bool ActiveSet::Contains(std::int32_t id) const { return std::binary_search(ids.begin(), ids.end(), id); }

void ActiveSet::Insert(std::span<const AtomProduct> candidates) {
  std::size_t old = size();
  std::size_t added = candidates.size();
  ids.resize(old + added);
  weights.resize(old + added);
  products.resize(old + added);
  // Merged from the back, so that nothing is overwritten before it has moved.
  for (std::size_t to = old + added; added > 0; --to) {
    if (old > 0 && ids[old - 1] > candidates[added - 1].id) {
      --old;
      ids[to - 1] = ids[old];
      weights[to - 1] = weights[old];
      products[to - 1] = products[old];
    } else {
      --added;
      ids[to - 1] = candidates[added].id;
      weights[to - 1] = 0.0F;
      products[to - 1] = candidates[added].product;
    }
  }
}

void ActiveSet::DropZeros() {
  std::size_t kept = 0;
  for (std::size_t k = 0; k < size(); ++k) {
    if (weights[k] == 0.0F) continue;
    ids[kept] = ids[k];
    weights[kept] = weights[k];
    products[kept] = products[k];
    ++kept;
  }
  ids.resize(kept);
  weights.resize(kept);
  products.resize(kept);
}

std::span<const int> LassoGroup::Descend(const PaddedRows& atoms,
                                         std::span<ActiveSet* const> sets,
                                         int max_cycles,
                                         float rest) {
  GroupProblem problem = Load(atoms, sets, rest);
  DescendMore(problem, max_cycles);
  return Store(sets);
}

std::span<const int> LassoGroup::Solve(const PaddedRows& atoms,
                                       std::span<ActiveSet* const> sets,
                                       int max_cycles,
                                       float rest) {
  GroupProblem problem = Load(atoms, sets, rest);
  factor_.resize(std::max(kMostFinished * kMostFinished, capacity_) * kGroupLanes);
  problem.factor = factor_.data();
  int left = max_cycles;
  for (int round = 0; round < kFinishingRounds && left > 0; ++round) {
    if (std::ranges::all_of(awake_, [](std::int32_t awake) { return awake == 0; })) break;
    const int cycles = std::min(left, round == 0 ? kCyclesBefore : kCyclesBetween);
    DescendMore(problem, cycles);
    kernels_.finish_group(problem);
    left -= cycles;
  }
  DescendMore(problem, left);
  return Store(sets);
}

GroupProblem LassoGroup::Load(const PaddedRows& atoms, std::span<ActiveSet* const> sets, float rest) {
  std::size_t width = 0;
  for (const ActiveSet* set : sets) width = std::max(width, set->size());
  if (width > capacity_) {
    capacity_ = (width + kCapacityStep - 1) / kCapacityStep * kCapacityStep;
    gram_.resize(capacity_ * capacity_ * kGroupLanes);
    inverse_curvatures_.resize(capacity_ * kGroupLanes);
    weights_.resize(capacity_ * kGroupLanes);
    products_.resize(capacity_ * kGroupLanes);
  }
  for (std::size_t k = 0; k < width; ++k) {
    std::fill_n(gram_.begin() + static_cast<std::ptrdiff_t>(k * capacity_ * kGroupLanes), width * kGroupLanes, 0.0F);
  }
  std::fill_n(weights_.begin(), width * kGroupLanes, 0.0F);
  std::fill_n(products_.begin(), width * kGroupLanes, 0.0F);
  awake_.fill(0);
  cycles_.fill(0);
  for (std::size_t lane = 0; lane < sets.size(); ++lane) {
    const ActiveSet& set = *sets[lane];
    if (set.size() == 0) continue;
    kernels_.gram(atoms.data(), set.ids.data(), set.size(), gram_.data() + lane, capacity_, atoms.length());
    for (std::size_t k = 0; k < set.size(); ++k) {
      weights_[k * kGroupLanes + lane] = set.weights[k];
      products_[k * kGroupLanes + lane] = set.products[k];
    }
    for (std::size_t k = 0; !terms_.ridge.empty() && k < set.size(); ++k) {
      const float mu = terms_.ridge[static_cast<std::size_t>(set.ids[k])];
      gram_[(k * capacity_ + k) * kGroupLanes + lane] += mu;
      products_[k * kGroupLanes + lane] -= mu * set.weights[k];
    }
    awake_[lane] = -1;
  }
  for (std::size_t k = 0; k < width; ++k) {
    float* curvatures = gram_.data() + (k * capacity_ + k) * kGroupLanes;
    for (std::size_t lane = 0; lane < kGroupLanes; ++lane) {
      // Lanes shorter than the group, and atoms of no length, have nothing to divide by: 1 keeps them at zero.
      if (curvatures[lane] < std::numeric_limits<float>::min()) curvatures[lane] = 1.0F;
      inverse_curvatures_[k * kGroupLanes + lane] = 1.0F / curvatures[lane];
    }
  }
  return {.width = width,
          .capacity = capacity_,
          .gram = gram_.data(),
          .inverse_curvatures = inverse_curvatures_.data(),
          .weights = weights_.data(),
          .correlations = products_.data(),
          .lambda = terms_.lambda,
          .nonnegative = terms_.nonnegative,
          .max_cycles = 0,
          .rest = rest,
          .awake = awake_.data(),
          .factor = nullptr};
}

void LassoGroup::DescendMore(GroupProblem& problem, int max_cycles) {
  std::array<int, kGroupLanes> spent{};
  problem.max_cycles = max_cycles;
  kernels_.descend_group(problem, spent.data());
  for (std::size_t lane = 0; lane < kGroupLanes; ++lane) cycles_[lane] += spent[lane];
}

std::span<const int> LassoGroup::Store(std::span<ActiveSet* const> sets) {
  for (std::size_t lane = 0; lane < sets.size(); ++lane) {
    ActiveSet& set = *sets[lane];
    for (std::size_t k = 0; k < set.size(); ++k) {
      set.weights[k] = weights_[k * kGroupLanes + lane];
      set.products[k] = products_[k * kGroupLanes + lane];
    }
    for (std::size_t k = 0; !terms_.ridge.empty() && k < set.size(); ++k) {
      set.products[k] += terms_.ridge[static_cast<std::size_t>(set.ids[k])] * set.weights[k];
    }
  }
  return {cycles_.data(), sets.size()};
}

}  // namespace flyscribe
