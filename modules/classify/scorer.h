// What models of a stage range say of one bag, and why: the terms with their decision values, probabilities and calls,
// and the patches each value is made of. Report and gallery both come from here.
//
// The decision value of a term is  b + sum_f w_f v_f  over the bag's pooled features v. Max pooling gave each non-zero
// feature from exactly one patch a(f), so the value is also a sum over patches:
//
//   decision = b + sum_i c_i,   c_i = sum over the features with a(f) = i of  w_f v_f
//
// Nothing is approximated. Features that came from no patch are zero and contribute nothing. (Average and root pooling
// have many patches to a feature: there c_i counts what patch i had the largest part in.)
// Cost of a term: features + patches. Thread-safe, deterministic (features are added in their order).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "data/annotation.h"
#include "data/bag_evidence.h"
#include "data/dictionary.h"
#include "data/models.h"
#include "data/patches.h"

namespace flyscribe {

class BagScorer {
 public:
  // By the final models, or by those of the inner fold `held_out`. `bag` is a row of the features, whose argmax counts
  // in the patches: Error(kCorrupt) if it names one that is not there. REQUIRES: all three outlive this object; the
  // models keep the inner fold.
  BagScorer(const TermModels& models,
            std::optional<int> held_out,
            const BagFeatures& features,
            std::size_t bag,
            const PatchTable& patches);

  // Every term, by rank. `fbbt_ids` are those of the models' terms; none: they stay empty. Images are counted as in the
  // patch table, here and below.
  std::vector<TermPrediction> Predict(std::span<const std::string> fbbt_ids = {}) const;

  // Where the value of a term comes from. REQUIRES: it is one of Predict().
  TermEvidence Explain(const TermPrediction& prediction) const;

 private:
  std::span<const float> Weights(std::size_t term) const;
  double Bias(std::size_t term) const;

  const TermModels& models_;
  std::optional<std::size_t> held_out_;
  std::span<const float> features_;
  std::span<const std::int32_t> argmax_;
  const PatchTable& patches_;
};

// One entry per patch that contributes, by rising row of the patch table: the row and c_i. REQUIRES: the three have one
// length.
std::vector<std::pair<std::size_t, double>> ExplainDecision(std::span<const float> weights,
                                                            std::span<const float> features,
                                                            std::span<const std::int32_t> argmax);

}  // namespace flyscribe
