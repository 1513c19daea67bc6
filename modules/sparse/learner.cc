#include "sparse/learner.h"

#include <numeric>

#include "core/rng.h"

namespace flyscribe {

LearnerMemory::LearnerMemory(const LearnState& state, std::size_t patches)
    : atoms(state.atoms),
      curvature(state.curvature),
      epoch_curvature(state.epoch_curvature),
      moments(state.moments),
      steps(state.steps),
      codes(state.codes.rows() == patches ? CodeStore(state.codes) : CodeStore(patches)) {}

std::vector<std::size_t> VisitOrder(std::size_t count, const LearnOptions& options, std::uint64_t stream) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (options.patch_order == LearnOptions::PatchOrder::kShuffled) {
    Rng(static_cast<std::uint64_t>(options.seed), stream).Shuffle(order);
  }
  return order;
}

}  // namespace flyscribe
