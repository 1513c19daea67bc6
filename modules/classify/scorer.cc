#include "classify/scorer.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "classify/one_vs_rest.h"
#include "core/error.h"

namespace flyscribe {

BagScorer::BagScorer(const TermModels& models,
                     std::optional<int> held_out,
                     const BagFeatures& features,
                     std::size_t bag,
                     const PatchTable& patches)
    : models_(models), features_(features.values.Row(bag)), argmax_(features.argmax.Row(bag)), patches_(patches) {
  if (held_out) held_out_ = static_cast<std::size_t>(*held_out);
  FLYSCRIBE_CHECK(!held_out_ || *held_out_ < models.inner_folds(), "the models keep the inner fold");
  const auto patch_count = static_cast<std::int64_t>(patches.size());
  if (std::ranges::any_of(argmax_, [&](std::int64_t patch) { return patch >= patch_count; })) {
    throw Error(ErrorCode::kCorrupt, "a pooled feature is said to come from a patch that is not there");
  }
}

std::span<const float> BagScorer::Weights(std::size_t term) const {
  return held_out_ ? models_.inner_weights.Row(*held_out_ * models_.terms.size() + term) : models_.weights.Row(term);
}

double BagScorer::Bias(std::size_t term) const {
  return held_out_ ? models_.inner_bias(*held_out_, term) : models_.terms[term].bias;
}

std::vector<TermPrediction> BagScorer::Predict(std::span<const std::string> fbbt_ids) const {
  std::vector<TermPrediction> predictions;
  for (std::size_t term = 0; term < models_.terms.size(); ++term) {
    const TermModel& model = models_.terms[term];
    const double value = DecisionValue(Weights(term), features_, Bias(term));
    TermPrediction prediction{.term = model.term,
                              .fbbt_id = fbbt_ids.empty() ? "" : fbbt_ids[term],
                              .decision_value = value,
                              .probability = model.calibration.Probability(value),
                              .threshold = model.Threshold(),
                              .call = value > model.cut,
                              .top = {}};
    // The patch that adds most; the first of equals.
    const auto shares = ExplainDecision(Weights(term), features_, argmax_);
    const auto top = std::ranges::max_element(shares, {}, [](const auto& share) { return share.second; });
    if (top != shares.end()) {
      const Patch patch = patches_.Row(top->first);
      prediction.top = TopPatch{static_cast<std::size_t>(patch.image), patch.x, patch.y};
    }
    predictions.push_back(std::move(prediction));
  }
  RankTerms(predictions);
  return predictions;
}

TermEvidence BagScorer::Explain(const TermPrediction& prediction) const {
  const auto found = std::ranges::find(models_.terms, prediction.term, &TermModel::term);
  FLYSCRIBE_CHECK(found != models_.terms.end(), "the models have the term");
  const auto term = static_cast<std::size_t>(found - models_.terms.begin());
  TermEvidence evidence{prediction.term, prediction.fbbt_id, prediction.decision_value, Bias(term), {}};
  for (const auto& [row, contribution] : ExplainDecision(Weights(term), features_, argmax_)) {
    const Patch patch = patches_.Row(row);
    evidence.patches.push_back(
        {static_cast<std::size_t>(patch.image), patch.x, patch.y, static_cast<float>(contribution)});
  }
  std::ranges::stable_sort(evidence.patches, std::ranges::greater{}, [](const PatchEvidence& patch) {
    return std::abs(patch.contribution);
  });
  return evidence;
}

std::vector<std::pair<std::size_t, double>> ExplainDecision(std::span<const float> weights,
                                                            std::span<const float> features,
                                                            std::span<const std::int32_t> argmax) {
  FLYSCRIBE_CHECK(weights.size() == features.size() && weights.size() == argmax.size(), "one weight per feature");
  const std::int32_t last = argmax.empty() ? -1 : *std::ranges::max_element(argmax);
  const auto patches = static_cast<std::size_t>(std::max(last, -1) + 1);
  std::vector<double> contribution(patches);
  std::vector<bool> contributes(patches);
  for (std::size_t f = 0; f < weights.size(); ++f) {
    if (argmax[f] < 0) continue;
    const auto patch = static_cast<std::size_t>(argmax[f]);
    contribution[patch] += double{weights[f]} * double{features[f]};
    contributes[patch] = true;
  }
  std::vector<std::pair<std::size_t, double>> shares;
  for (std::size_t patch = 0; patch < patches; ++patch) {
    if (contributes[patch]) shares.emplace_back(patch, contribution[patch]);
  }
  return shares;
}

}  // namespace flyscribe
