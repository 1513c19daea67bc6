#include "classify/scorer.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/error.h"

namespace flyscribe {

BagScorer::BagScorer(const TermModels& models,
                     std::optional<int> held_out,
                     const BagFeatures& features,
                     std::size_t bag,
                     const PatchTable& patches)
    : models_(models), features_(features.values.cols()) {
  if (held_out) held_out_ = static_cast<std::size_t>(*held_out);
  FLYSCRIBE_CHECK(!held_out_ || *held_out_ < models.inner_folds(), "the models keep the inner fold");
  const std::span<const std::int32_t> argmax = features.argmax.Row(bag);
  const std::span<const float> values = features.values.Row(bag);
  std::int32_t first = std::numeric_limits<std::int32_t>::max();
  std::int32_t last = -1;
  for (const std::int32_t patch : argmax) {
    if (patch < 0) continue;
    first = std::min(first, patch);
    last = std::max(last, patch);
  }
  if (last >= static_cast<std::int64_t>(patches.size())) {
    throw Error(ErrorCode::kCorrupt, "a pooled feature is said to come from a patch that is not there");
  }
  // From rows of the table, of which a bag has a few in a row, to places in patches_.
  std::vector<std::size_t> place(last < 0 ? 0 : static_cast<std::size_t>(last - first) + 1);
  for (const std::int32_t patch : argmax) {
    if (patch >= 0) place[static_cast<std::size_t>(patch - first)] = 1;
  }
  for (std::size_t i = 0; i < place.size(); ++i) {
    if (place[i] == 0) continue;
    const std::size_t row = static_cast<std::size_t>(first) + i;
    place[i] = patches_.size();
    patches_.push_back({static_cast<std::size_t>(patches.image[row]), patches.x[row], patches.y[row]});
  }
  for (std::size_t f = 0; f < argmax.size(); ++f) {
    const bool is_placed = argmax[f] >= 0;
    if (!is_placed && values[f] == 0.0F) continue;
    const std::size_t patch = is_placed ? place[static_cast<std::size_t>(argmax[f] - first)] : patches_.size();
    parts_.push_back({f, patch, double{values[f]}});
  }
}

std::span<const float> BagScorer::Weights(std::size_t term) const {
  return held_out_ ? models_.inner_weights.Row(*held_out_ * models_.terms.size() + term) : models_.weights.Row(term);
}

double BagScorer::Bias(std::size_t term) const {
  return held_out_ ? models_.inner_bias(*held_out_, term) : models_.terms[term].bias;
}

// The value of each term is one long sum, in which every addition waits for the one before: several are taken side by
// side. Each has the bits of DecisionValue, since features of zero add nothing.
BagScorer::Sums BagScorer::Add(std::span<const std::size_t> terms) const {
  std::array<const float*, kAtOnce> weights{};
  for (std::size_t lane = 0; lane < kAtOnce; ++lane) {
    const std::span<const float> row = Weights(terms[std::min(lane, terms.size() - 1)]);
    FLYSCRIBE_CHECK(row.size() == features_, "one weight per feature");
    weights[lane] = row.data();
  }
  Sums sums;
  sums.contributions.resize(patches_.size() + 1);
  for (const Part& part : parts_) {
    Lanes& contribution = sums.contributions[part.patch];
    for (std::size_t lane = 0; lane < kAtOnce; ++lane) {
      const double product = double{weights[lane][part.feature]} * part.value;
      sums.values[lane] += product;
      contribution[lane] += product;
    }
  }
  return sums;
}

std::vector<TermPrediction> BagScorer::Predict(std::span<const std::string> fbbt_ids) const {
  std::vector<std::size_t> terms(models_.terms.size());
  std::iota(terms.begin(), terms.end(), std::size_t{0});
  std::vector<TermPrediction> predictions;
  for (std::size_t begin = 0; begin < terms.size(); begin += kAtOnce) {
    const auto some = std::span(terms).subspan(begin, std::min(kAtOnce, terms.size() - begin));
    const Sums sums = Add(some);
    for (std::size_t lane = 0; lane < some.size(); ++lane) {
      const TermModel& model = models_.terms[some[lane]];
      const double value = sums.values[lane] + Bias(some[lane]);
      TermPrediction prediction{.term = model.term,
                                .fbbt_id = fbbt_ids.empty() ? "" : fbbt_ids[some[lane]],
                                .decision_value = value,
                                .probability = model.calibration.Probability(value),
                                .threshold = model.Threshold(),
                                .call = value > model.cut,
                                .top = {}};
      std::size_t top = 0;  // the first of equals
      for (std::size_t i = 1; i < patches_.size(); ++i) {
        if (sums.contributions[i][lane] > sums.contributions[top][lane]) top = i;
      }
      if (!patches_.empty()) prediction.top = patches_[top];
      predictions.push_back(std::move(prediction));
    }
  }
  RankTerms(predictions);
  return predictions;
}

std::vector<TermEvidence> BagScorer::Explain(std::span<const TermPrediction> predictions) const {
  std::vector<std::size_t> terms;
  for (const TermPrediction& prediction : predictions) {
    const auto found = std::ranges::find(models_.terms, prediction.term, &TermModel::term);
    FLYSCRIBE_CHECK(found != models_.terms.end(), "the models have the term");
    terms.push_back(static_cast<std::size_t>(found - models_.terms.begin()));
  }
  std::vector<TermEvidence> evidence;
  for (std::size_t begin = 0; begin < terms.size(); begin += kAtOnce) {
    const auto some = std::span(terms).subspan(begin, std::min(kAtOnce, terms.size() - begin));
    const Sums sums = Add(some);
    for (std::size_t lane = 0; lane < some.size(); ++lane) {
      const TermPrediction& prediction = predictions[begin + lane];
      evidence.push_back({prediction.term, prediction.fbbt_id, prediction.decision_value, Bias(some[lane]), {}});
      for (std::size_t i = 0; i < patches_.size(); ++i) {
        evidence.back().contributions.push_back(static_cast<float>(sums.contributions[i][lane]));
      }
    }
  }
  return evidence;
}

}  // namespace flyscribe
