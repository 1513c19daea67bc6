#include "classify/evidence.h"

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
              testing::ElementsAre(PatchEvidence{3, -0.25}, PatchEvidence{7, 6.0}));
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
  for (const PatchEvidence& item : ExplainDecision(weights, features, argmax)) sum += item.contribution;
  EXPECT_NEAR(sum, decision, 1e-9);
}

TEST(ExplainDecision, Edges) {
  EXPECT_TRUE(ExplainDecision({}, {}, {}).empty());
  const std::vector<float> one = {1.0F};
  EXPECT_EQ(ExpectError([&] { ExplainDecision(one, {}, {}); }).code, ErrorCode::kInternal);
}

}  // namespace
}  // namespace flyscribe
