#include "classify/evidence.h"

#include <map>

#include "core/error.h"

namespace flyscribe {

std::vector<PatchEvidence> ExplainDecision(std::span<const float> weights,
                                           std::span<const float> features,
                                           std::span<const std::int32_t> argmax) {
  FLYSCRIBE_CHECK(weights.size() == features.size() && weights.size() == argmax.size(), "one weight per feature");
  std::map<std::size_t, double> contribution_of;
  for (std::size_t f = 0; f < weights.size(); ++f) {
    if (argmax[f] < 0) continue;
    contribution_of[static_cast<std::size_t>(argmax[f])] += double{weights[f]} * double{features[f]};
  }
  std::vector<PatchEvidence> evidence;
  for (const auto& [patch, contribution] : contribution_of) evidence.push_back({patch, contribution});
  return evidence;
}

}  // namespace flyscribe
