#include "data/bag_evidence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/rng.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

BagEvidence SomeEvidence() {
  return {"abc",
          "FBgn1",
          "FBgn1",
          "otp \"x\"",
          StageRange::FromName("7-8"),
          "oof",
          {"insitu1", "insitu2"},
          {{"brain", "FBbt:1", 0.75, 0.5, {{1, 24.0F, 40.5F, 0.5F}, {0, 8.0F, 8.0F, -0.25F}}},
           {"eye", "", -1.0, -1.0, {}}}};
}

TEST(EncodeEvidence, ComesBackExactly) {
  EXPECT_EQ(DecodeEvidence(EncodeEvidence(SomeEvidence()), "x"), SomeEvidence());
}

TEST(EncodeEvidence, IsPlainJsonWithNamedColumns) {
  const nlohmann::json json = nlohmann::json::parse(EncodeEvidence(SomeEvidence()));
  EXPECT_EQ(json["format"], 1);
  EXPECT_EQ(json["patch_columns"], (std::vector<std::string>{"image", "x", "y", "contribution"}));
  EXPECT_EQ(json["terms"][0]["patches"][0], (nlohmann::json{1, 24, 40.5, 0.5}));
}

TEST(SumOf, IsTheDecisionValueAfterTheFile) {
  Rng rng(3);
  BagEvidence evidence = SomeEvidence();
  TermEvidence& term = evidence.terms[0];
  term.patches.clear();
  term.decision_value = term.bias = -0.7;
  for (int i = 0; i < 5000; ++i) {
    const double share = 0.01 * rng.Normal();
    term.decision_value += share;
    term.patches.push_back({0, 0.0F, 0.0F, static_cast<float>(share)});
  }
  const BagEvidence read = DecodeEvidence(EncodeEvidence(evidence), "x");
  EXPECT_NEAR(SumOf(read.terms[0]), term.decision_value, 1e-6);
}

TEST(PatchesIn, AreThoseOfOneImageInTheirOrder) {
  TermEvidence term = SomeEvidence().terms[0];
  term.patches.push_back({1, 32.0F, 40.0F, 0.125F});
  EXPECT_EQ(PatchesIn(term, 1), (std::vector<PatchEvidence>{{1, 24.0F, 40.5F, 0.5F}, {1, 32.0F, 40.0F, 0.125F}}));
  EXPECT_TRUE(PatchesIn(term, 2).empty());
}

TEST(DecodeEvidence, RefusesWhatIsNone) {
  const std::string text = EncodeEvidence(SomeEvidence());
  std::string other_format = text;
  other_format.replace(other_format.find("\"format\":1"), 10, "\"format\":2");
  std::string no_image = text;
  no_image.replace(no_image.find("[[1,24"), 6, "[[2,24");
  for (const std::string& bad : {std::string("{}"), text.substr(0, text.size() / 2), other_format, no_image}) {
    EXPECT_EQ(ExpectError([&] { DecodeEvidence(bad, "x.json"); }).code, ErrorCode::kCorrupt) << bad;
  }
  std::string no_range = text;
  no_range.replace(no_range.find("\"stage_range\":\"7-8\""), 19, "\"stage_range\":\"7-9\"");
  const CaughtError error = ExpectError([&] { DecodeEvidence(no_range, "x.json"); });
  EXPECT_EQ(error.code, ErrorCode::kCorrupt);
  EXPECT_THAT(error.text, testing::HasSubstr("not a bag's evidence: stage range"));
}

}  // namespace
}  // namespace flyscribe
