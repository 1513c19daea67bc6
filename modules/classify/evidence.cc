#include "classify/evidence.h"

#include <algorithm>

#include "core/error.h"

namespace flyscribe {

std::vector<PatchEvidence> ExplainDecision(std::span<const float> weights,
                                           std::span<const float> features,
                                           std::span<const std::int32_t> argmax) {
  FLYSCRIBE_CHECK(weights.size() == features.size() && weights.size() == argmax.size(), "one weight per feature");
  const std::int32_t last = argmax.empty() ? -1 : *std::max_element(argmax.begin(), argmax.end());
  const auto patches = static_cast<std::size_t>(std::max(last, -1) + 1);
  std::vector<double> contribution(patches);
  std::vector<bool> contributes(patches);
  for (std::size_t f = 0; f < weights.size(); ++f) {
    if (argmax[f] < 0) continue;
    const auto patch = static_cast<std::size_t>(argmax[f]);
    contribution[patch] += double{weights[f]} * double{features[f]};
    contributes[patch] = true;
  }
  std::vector<PatchEvidence> evidence;
  for (std::size_t patch = 0; patch < patches; ++patch) {
    if (contributes[patch]) evidence.push_back({patch, contribution[patch]});
  }
  return evidence;
}

}  // namespace flyscribe
