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

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
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
  // in the patches: Error(kCorrupt) if it names one that is not there. REQUIRES: the models outlive this object and
  // keep the inner fold.
  BagScorer(const TermModels& models,
            std::optional<int> held_out,
            const BagFeatures& features,
            std::size_t bag,
            const PatchTable& patches);

  // Every term, by rank. `fbbt_ids` are those of the models' terms; none: they stay empty. Images are counted as in the
  // patch table, here and below.
  std::vector<TermPrediction> Predict(std::span<const std::string> fbbt_ids = {}) const;

  // Where the values of terms come from: what each of Patches() adds. REQUIRES: they are from Predict().
  std::vector<TermEvidence> Explain(std::span<const TermPrediction> predictions) const;
  // The patches that gave the bag a feature, in the order of their table; the same for all terms.
  const std::vector<PatchPlace>& Patches() const { return patches_; }

 private:
  // A feature that is not zero.
  struct Part {
    std::size_t feature = 0;
    std::size_t patch = 0;  // of patches_; behind them if it came from none
    double value = 0.0;
  };
  // Of some terms side by side: the values without bias, and what each patch adds, those of no patch last.
  static constexpr std::size_t kAtOnce = 8;
  using Lanes = std::array<double, kAtOnce>;
  struct Sums {
    Lanes values{};
    std::vector<Lanes> contributions;
  };

  std::span<const float> Weights(std::size_t term) const;
  double Bias(std::size_t term) const;
  // Of at most kAtOnce terms.
  Sums Add(std::span<const std::size_t> terms) const;

  const TermModels& models_;
  std::optional<std::size_t> held_out_;
  std::size_t features_;
  std::vector<PatchPlace> patches_;
  std::vector<Part> parts_;  // by rising feature
};

}  // namespace flyscribe
