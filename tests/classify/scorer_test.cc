#include "classify/scorer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/rng.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

TEST(ExplainDecision, AddsFeaturesOfOnePatch) {
  const std::vector<float> weights = {2.0F, -1.0F, 3.0F, 5.0F};
  const std::vector<float> features = {0.5F, 0.25F, 0.0F, 1.0F};
  const std::vector<std::int32_t> argmax = {7, 3, -1, 7};
  EXPECT_THAT(ExplainDecision(weights, features, argmax),
              testing::ElementsAre(testing::Pair(3U, -0.25), testing::Pair(7U, 6.0)));
}

TEST(ExplainDecision, SumsToTheDecisionValue) {
  Rng rng(5);
  std::vector<float> weights(500);
  std::vector<float> features(500);
  std::vector<std::int32_t> argmax(500);
  double decision = 0.0;
  for (std::size_t f = 0; f < weights.size(); ++f) {
    weights[f] = static_cast<float>(rng.Normal());
    argmax[f] = static_cast<std::int32_t>(rng.Below(40)) - 1;
    features[f] = argmax[f] < 0 ? 0.0F : static_cast<float>(rng.Uniform());
    decision += double{weights[f]} * double{features[f]};
  }
  double sum = 0.0;
  for (const auto& [patch, contribution] : ExplainDecision(weights, features, argmax)) sum += contribution;
  EXPECT_NEAR(sum, decision, 1e-9);
}

TEST(ExplainDecision, Edges) {
  EXPECT_TRUE(ExplainDecision({}, {}, {}).empty());
  const std::vector<float> one = {1.0F};
  EXPECT_EQ(ExpectError([&] { ExplainDecision(one, {}, {}); }).code, ErrorCode::kInternal);
}

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
  EXPECT_EQ(terms[0].top, (TopPatch{1, 16.0F, 4.0F}));
  EXPECT_EQ(terms[1].decision_value, 0.5);
  EXPECT_TRUE(terms[1].call) << "0.5 is above its cut of -1";
  EXPECT_EQ(scorer.Predict()[0].fbbt_id, "");
}

TEST(BagScorer, ExplainsByFallingWeight) {
  const SmallBag bag;
  const BagScorer scorer(bag.models, std::nullopt, bag.features, 1, bag.patches);
  const TermEvidence evidence = scorer.Explain(scorer.Predict()[0]);
  EXPECT_EQ(evidence.bias, 0.5);
  EXPECT_THAT(evidence.patches,
              testing::ElementsAre(PatchEvidence{1, 16.0F, 4.0F, 2.0F},
                                   PatchEvidence{0, 0.0F, 4.0F, -1.5F},
                                   PatchEvidence{0, 8.0F, 4.0F, 1.0F}));
  EXPECT_EQ(SumOf(evidence), evidence.decision_value);
}

TEST(BagScorer, ScoresByTheModelsThatHeldAFoldOut) {
  const SmallBag bag;
  const BagScorer scorer(bag.models, 0, bag.features, 1, bag.patches);
  const std::vector<TermPrediction> terms = scorer.Predict();
  EXPECT_EQ(terms[0].decision_value, 4.25);
  EXPECT_EQ(terms[1].decision_value, -2.0);
  EXPECT_EQ(scorer.Explain(terms[0]).bias, 0.25);
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
