#include "classify/scorer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "classify/one_vs_rest.h"
#include "core/rng.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

// Two terms over three features of three patches, and a model of each that held inner fold 0 out.
struct SmallBag {
  TermModels models;
  BagFeatures features;
  PatchTable patches;

  SmallBag() {
    models.terms.resize(2);
    models.terms[0].term = "brain";
    models.terms[0].bias = 0.5;
    models.terms[0].cut = 10.0;
    models.terms[1].term = "eye";
    models.terms[1].cut = -1.0;
    for (TermModel& model : models.terms) model.calibration.slope = 1.0;
    models.weights = FloatMatrix(2, 3, std::vector<float>{1.0F, -3.0F, 1.0F, 0.0F, 0.0F, 0.25F});
    models.inner_weights = FloatMatrix(2, 3, std::vector<float>{4.0F, 0.0F, 0.0F, 0.0F, 0.0F, 0.0F});
    models.inner_bias = Matrix<double>(1, 2, std::vector<double>{0.25, -2.0});
    features.values = FloatMatrix(2, 3, std::vector<float>{9.0F, 9.0F, 9.0F, 1.0F, 0.5F, 2.0F});
    features.argmax = Matrix<std::int32_t>(2, 3, std::vector<std::int32_t>{0, 0, 0, 1, 0, 2});
    for (int i = 0; i < 3; ++i) {
      patches.Append(
          {.image = i / 2, .x = 8.0F * static_cast<float>(i), .y = 4.0F, .scale = 0, .deviation = 0, .stain = 0});
    }
  }
};

TEST(BagScorer, PredictsEveryTermByRank) {
  const SmallBag bag;
  const BagScorer scorer(bag.models, std::nullopt, bag.features, 1, bag.patches);
  const std::vector<std::string> fbbt_ids = {"FBbt:1", "FBbt:2"};
  const std::vector<TermPrediction> terms = scorer.Predict(fbbt_ids);
  ASSERT_EQ(terms.size(), 2U);
  EXPECT_EQ(terms[0].term, "brain") << "1 - 1.5 + 2 + 0.5 = 2 comes before 0.5";
  EXPECT_EQ(terms[0].fbbt_id, "FBbt:1");
  EXPECT_EQ(terms[0].decision_value, 2.0);
  EXPECT_EQ(terms[0].probability, bag.models.terms[0].calibration.Probability(2.0));
  EXPECT_EQ(terms[0].threshold, bag.models.terms[0].Threshold());
  EXPECT_FALSE(terms[0].call);
  EXPECT_EQ(terms[0].top, (PatchPlace{1, 16.0F, 4.0F}));
  EXPECT_EQ(terms[1].decision_value, 0.5);
  EXPECT_TRUE(terms[1].call) << "0.5 is above its cut of -1";
  EXPECT_EQ(scorer.Predict()[0].fbbt_id, "");
}

TEST(BagScorer, ExplainsPatchByPatch) {
  const SmallBag bag;
  const BagScorer scorer(bag.models, std::nullopt, bag.features, 1, bag.patches);
  const TermEvidence evidence = scorer.Explain(scorer.Predict())[0];
  EXPECT_EQ(evidence.term, "brain");
  EXPECT_EQ(evidence.bias, 0.5);
  EXPECT_THAT(scorer.Patches(),
              testing::ElementsAre(PatchPlace{0, 0.0F, 4.0F}, PatchPlace{0, 8.0F, 4.0F}, PatchPlace{1, 16.0F, 4.0F}));
  EXPECT_THAT(evidence.contributions, testing::ElementsAre(-1.5F, 1.0F, 2.0F));
  EXPECT_EQ(SumOf(evidence), evidence.decision_value);
  EXPECT_THAT(scorer.Explain(scorer.Predict())[1].contributions, testing::ElementsAre(0.0F, 0.0F, 0.5F))
      << "of the same patches";
}

TEST(BagScorer, AddsWhatFeaturesOfOnePatchGive) {
  SmallBag bag;
  bag.features.argmax = Matrix<std::int32_t>(2, 3, std::vector<std::int32_t>{0, 0, 0, 2, -1, 2});
  bag.features.values(1, 1) = 0.0F;
  const BagScorer scorer(bag.models, std::nullopt, bag.features, 1, bag.patches);
  EXPECT_THAT(scorer.Patches(), testing::ElementsAre(PatchPlace{1, 16.0F, 4.0F})) << "no feature came from others";
  EXPECT_THAT(scorer.Explain(scorer.Predict())[0].contributions, testing::ElementsAre(3.0F));
}

TEST(BagScorer, ABagWithoutFeaturesHasItsBiasAlone) {
  SmallBag bag;
  bag.features.values = FloatMatrix(2, 3, 0.0F);
  bag.features.argmax = Matrix<std::int32_t>(2, 3, -1);
  const BagScorer scorer(bag.models, std::nullopt, bag.features, 1, bag.patches);
  const TermPrediction term = scorer.Predict()[0];
  EXPECT_EQ(term.decision_value, 0.5);
  EXPECT_EQ(term.top, std::nullopt);
  EXPECT_TRUE(scorer.Explain({&term, 1})[0].contributions.empty());
}

// Eight terms are taken side by side: one more, and one less.
TEST(BagScorer, ManyTermsHaveTheBitsOfTheirDecisionValues) {
  Rng rng(6);
  for (const std::size_t terms : {7U, 8U, 9U}) {
    TermModels models;
    models.terms.resize(terms);
    models.weights = FloatMatrix(terms, 100);
    BagFeatures features{FloatMatrix(1, 100), Matrix<std::int32_t>(1, 100, 0)};
    PatchTable patches;
    patches.Append({.image = 0, .x = 8.0F, .y = 8.0F, .scale = 0, .deviation = 0.0F, .stain = 0.0F});
    for (std::size_t f = 0; f < 100; ++f) {
      features.values(0, f) = f % 3 == 0 ? 0.0F : static_cast<float>(rng.Uniform());
      features.argmax(0, f) = f % 3 == 0 ? -1 : 0;
      for (std::size_t t = 0; t < terms; ++t) models.weights(t, f) = static_cast<float>(rng.Normal());
    }
    features.values(0, 99) = 0.5F;  // from no patch
    for (std::size_t t = 0; t < terms; ++t) models.terms[t].term = std::to_string(t);
    const BagScorer scorer(models, std::nullopt, features, 0, patches);
    const std::vector<TermPrediction> predictions = scorer.Predict();
    const std::vector<TermEvidence> evidence = scorer.Explain(predictions);
    ASSERT_EQ(predictions.size(), terms);
    for (std::size_t i = 0; i < terms; ++i) {
      const std::size_t t = std::stoul(predictions[i].term);
      const double value = DecisionValue(models.weights.Row(t), features.values.Row(0), 0.0);
      EXPECT_EQ(predictions[i].decision_value, value);
      EXPECT_EQ(evidence[i].term, predictions[i].term);
      EXPECT_NEAR(SumOf(evidence[i]) + 0.5 * double{models.weights(t, 99)}, value, 1e-5);
    }
  }
}

TEST(BagScorer, ContributionsSumToTheDecisionValue) {
  Rng rng(5);
  constexpr std::size_t kFeatures = 500;
  TermModels models;
  models.terms.resize(1);
  models.terms[0].calibration.slope = 1.0;
  models.weights = FloatMatrix(1, kFeatures);
  BagFeatures features{FloatMatrix(1, kFeatures), Matrix<std::int32_t>(1, kFeatures)};
  PatchTable patches;
  for (int i = 0; i < 40; ++i) {
    patches.Append({.image = 0, .x = static_cast<float>(i), .y = 0.0F, .scale = 0, .deviation = 0.0F, .stain = 0.0F});
  }
  for (std::size_t f = 0; f < kFeatures; ++f) {
    models.weights(0, f) = static_cast<float>(rng.Normal());
    features.argmax(0, f) = static_cast<std::int32_t>(rng.Below(40)) - 1;
    features.values(0, f) = features.argmax(0, f) < 0 ? 0.0F : static_cast<float>(rng.Uniform());
  }
  const BagScorer scorer(models, std::nullopt, features, 0, patches);
  const TermPrediction term = scorer.Predict()[0];
  const TermEvidence evidence = scorer.Explain({&term, 1})[0];
  EXPECT_NEAR(SumOf(evidence), term.decision_value, 1e-5);
  EXPECT_EQ(term.top, scorer.Patches()[*StrongestPatch(evidence)]);
}

TEST(BagScorer, ScoresByTheModelsThatHeldAFoldOut) {
  const SmallBag bag;
  const BagScorer scorer(bag.models, 0, bag.features, 1, bag.patches);
  const std::vector<TermPrediction> terms = scorer.Predict();
  EXPECT_EQ(terms[0].decision_value, 4.25);
  EXPECT_EQ(terms[1].decision_value, -2.0);
  EXPECT_EQ(scorer.Explain(terms)[0].bias, 0.25);
  for (const int fold : {-1, 1}) {
    EXPECT_EQ(ExpectError([&] { BagScorer(bag.models, fold, bag.features, 1, bag.patches); }).code,
              ErrorCode::kInternal);
  }
}

TEST(BagScorer, APatchThatIsNotThereIsDamage) {
  SmallBag bag;
  bag.features.argmax(1, 2) = 3;
  const CaughtError error = ExpectError([&] { BagScorer(bag.models, std::nullopt, bag.features, 1, bag.patches); });
  EXPECT_EQ(error.code, ErrorCode::kCorrupt);
  EXPECT_EQ(error.text, "error: a pooled feature is said to come from a patch that is not there");
}

}  // namespace
}  // namespace flyscribe
