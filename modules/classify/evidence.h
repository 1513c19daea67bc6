// Why a bag got its decision value: which patches it is made of.
//
// The decision value of a term is  b + sum_f w_f v_f  over the bag's pooled features v. Max pooling gave each non-zero
// feature from exactly one patch a(f), so the value is also a sum over patches:
//
//   decision = b + sum_i c_i,   c_i = sum over the features with a(f) = i of  w_f v_f
//
// Nothing is approximated. Features that came from no patch are zero and contribute nothing. (Average and root pooling
// have many patches to a feature: there c_i counts what patch i had the largest part in.)
// Cost: features + patches. Thread-safe, deterministic (features are added in their order).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace flyscribe {

struct PatchEvidence {
  std::size_t patch = 0;      // row of the patch table
  double contribution = 0.0;  // c_i
  friend bool operator==(const PatchEvidence&, const PatchEvidence&) = default;
};

// One entry per patch that contributes, by rising patch number. REQUIRES: the three have one length.
std::vector<PatchEvidence> ExplainDecision(std::span<const float> weights,
                                           std::span<const float> features,
                                           std::span<const std::int32_t> argmax);

}  // namespace flyscribe
