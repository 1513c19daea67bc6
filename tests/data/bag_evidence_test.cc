#include "data/bag_evidence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/rng.h"
#include "core/text.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

using testing::HasSubstr;

BagEvidence SomeEvidence() {
  return {"abc",
          "FBgn1",
          "FBgn1",
          "otp \"x\"",
          StageRange::FromName("7-8"),
          "oof",
          {"insitu1", "insitu2"},
          {{0, 8.0F, 8.0F}, {1, 24.0F, 40.5F}},
          {{"brain", "FBbt:1", 0.75, 0.5, {-0.25F, 0.5F}}, {"eye", "", -1.0, -1.0, {0.0F, 0.0F}}}};
}

TEST(EncodeEvidence, ComesBackExactly) {
  EXPECT_EQ(DecodeEvidence(EncodeEvidence(SomeEvidence()), "x"), SomeEvidence());
}

// As docs/annotation.md has it for Python.
TEST(EncodeEvidence, IsPlainJsonWithPackedNumbers) {
  BagEvidence evidence = SomeEvidence();
  evidence.terms[1].contributions = {1.0F, 1.5e-6F};
  const nlohmann::json json = nlohmann::json::parse(EncodeEvidence(evidence));
  EXPECT_EQ(json["format"], 2);
  EXPECT_EQ(json["patches"]["image"], (nlohmann::json{0, 1}));
  EXPECT_EQ(json["patches"]["x"], (nlohmann::json{8, 24}));
  EXPECT_EQ(json["patches"]["y"], (nlohmann::json{8, 40.5}));
  const nlohmann::json& brain = json["terms"][0];
  EXPECT_EQ(brain["type"], "<i2");
  EXPECT_EQ(brain["unit"], std::ldexp(1.0, -15)) << "0.5 is 16384 of them";
  EXPECT_EQ(brain["contributions"], "AOAAQA==") << "-8192 is e000, 16384 is 4000";
  const nlohmann::json& eye = json["terms"][1];
  EXPECT_EQ(eye["type"], "<f4") << "1.5e-6 is no multiple of 2^-14";
  EXPECT_EQ(eye["unit"], 1.0);
  EXPECT_EQ(eye["contributions"], Base64({"\x00\x00\x80\x3f\x9c\x53\xc9\x35", 8})) << "1 is 3f800000";
}

TEST(EncodeEvidence, ABagWithoutPatchesHasEmptyLists) {
  BagEvidence evidence = SomeEvidence();
  evidence.patches.clear();
  for (TermEvidence& term : evidence.terms) term.contributions.clear();
  EXPECT_EQ(DecodeEvidence(EncodeEvidence(evidence), "x"), evidence);
}

// The sums that the format promises, over what contributions may be like.
TEST(RoundContributions, KeepsTheSum) {
  Rng rng(3);
  for (const double size : {0.0, 1e-20, 1e-9, 0.001, 0.05, 0.2, 1.0, 30.0}) {
    TermEvidence term;
    double sum = 0.0;
    for (int i = 0; i < 5000; ++i) {
      const auto share = static_cast<float>(size * (2.0 * rng.Uniform() - 0.9));
      sum += double{share};
      term.contributions.push_back(share);
    }
    const std::vector<float> before = term.contributions;
    RoundContributions(term);
    EXPECT_NEAR(SumOf(term), sum, 1e-5) << size;
    EXPECT_EQ(size >= 1.0, size > 0.0 && term.contributions == before) << size << ": large ones are kept as they are";
    for (std::size_t i = 0; i < before.size(); ++i) {
      ASSERT_NEAR(term.contributions[i], before[i], 1.2 * size / 16384.0 + 1e-38) << size;
    }
    BagEvidence evidence = SomeEvidence();
    evidence.patches.assign(before.size(), {});
    evidence.terms = {term};
    const std::string text = EncodeEvidence(evidence);
    EXPECT_EQ(DecodeEvidence(text, "x"), evidence) << size;
    EXPECT_THAT(text, HasSubstr(size >= 1.0 ? "\"type\":\"<f4\"" : "\"type\":\"<i2\"")) << size;
  }
}

TEST(RoundContributions, ALargeOneLeavesNothingOver) {
  TermEvidence term;
  term.contributions.assign(100, 0.24999F);
  term.contributions.push_back(1e-9F);
  RoundContributions(term);
  EXPECT_NEAR(SumOf(term), 100 * double{0.24999F}, 1e-5);
  const std::vector<float> once = term.contributions;
  RoundContributions(term);
  EXPECT_EQ(term.contributions, once) << "what is rounded stays";
}

TEST(SumOf, IsTheDecisionValueAfterTheFile) {
  Rng rng(3);
  BagEvidence evidence = SomeEvidence();
  evidence.terms.resize(1);
  evidence.patches.assign(5000, {});
  TermEvidence& term = evidence.terms[0];
  term.contributions.clear();
  term.decision_value = term.bias = -0.7;
  for (int i = 0; i < 5000; ++i) {
    const double share = 0.01 * rng.Normal();
    term.decision_value += share;
    term.contributions.push_back(static_cast<float>(share));
  }
  const BagEvidence read = DecodeEvidence(EncodeEvidence(evidence), "x");
  EXPECT_NEAR(SumOf(read.terms[0]), term.decision_value, 1e-6);
}

TEST(StrongestPatch, AddsMostAndIsTheFirstOfEquals) {
  TermEvidence term;
  EXPECT_EQ(StrongestPatch(term), std::nullopt);
  term.contributions = {-3.0F, 0.5F, 1.5F, 1.5F};
  EXPECT_EQ(StrongestPatch(term), 2U);
  term.contributions = {-3.0F, -2.0F};
  EXPECT_EQ(StrongestPatch(term), 1U) << "also where all speak against the term";
}

TEST(EvidenceIn, IsThatOfOneImageInItsOrder) {
  BagEvidence evidence = SomeEvidence();
  evidence.patches.push_back({1, 32.0F, 40.0F});
  evidence.terms[0].contributions.push_back(0.125F);
  const TermEvidence& term = evidence.terms[0];
  EXPECT_EQ(EvidenceIn(evidence.patches, term, 1),
            (std::vector<PatchEvidence>{{24.0F, 40.5F, 0.5F}, {32.0F, 40.0F, 0.125F}}));
  EXPECT_TRUE(EvidenceIn(evidence.patches, term, 2).empty());
  EXPECT_EQ(ExpectError([&] { EvidenceIn({}, term, 0); }).code, ErrorCode::kInternal);
}

TEST(DecodeEvidence, RefusesWhatIsNone) {
  const std::string text = EncodeEvidence(SomeEvidence());
  const auto error_of = [&text](const std::string& old, const std::string& bad) {
    std::string changed = text;
    changed.replace(changed.find(old), old.size(), bad);
    const CaughtError error = ExpectError([&] { DecodeEvidence(changed, "x.json"); });
    EXPECT_EQ(error.code, ErrorCode::kCorrupt) << bad;
    return error.text;
  };
  for (const std::string& bad : {std::string("{}"), text.substr(0, text.size() / 2)}) {
    EXPECT_EQ(ExpectError([&] { DecodeEvidence(bad, "x.json"); }).code, ErrorCode::kCorrupt) << bad;
  }
  const std::string none = "not a bag's evidence: ";
  EXPECT_THAT(error_of("\"stage_range\":\"7-8\"", "\"stage_range\":\"7-9\""), HasSubstr(none + "stage range"));
  EXPECT_THAT(error_of("[0,1]", "[0,2]"), HasSubstr(none + "image"));
  EXPECT_THAT(error_of("[0,1]", "[0,-1]"), HasSubstr(none + "image"));
  EXPECT_THAT(error_of("[8,24]", "[8]"), HasSubstr(none + "patches"));
  EXPECT_THAT(error_of("AOAAQA==", "AOAA"), HasSubstr(none + "contributions")) << "one number is missing";
  EXPECT_THAT(error_of("AOAAQA==", "AOAAQ"), HasSubstr(none + "contributions")) << "no Base64";
  EXPECT_THAT(error_of("\"type\":\"<i2\"", "\"type\":\"<f8\""), HasSubstr(none + "type"));
  EXPECT_THAT(error_of("\"unit\":3.0517578125e-05", "\"unit\":1e300"), HasSubstr(none + "contributions"))
      << "not finite";
}

TEST(DecodeEvidence, SaysWhatToDoAboutTheFormatOfVersion010) {
  const std::string old =
      R"({"format":1,"model_id":"m","bag_id":"b","fbgn":"","gene_symbol":"","stage_range":"4-6","score_source":"new",)"
      R"("images":["i"],"patch_columns":["image","x","y","contribution"],)"
      R"("terms":[{"term":"t","fbbt_id":"","decision_value":0.5,"bias":0.25,"patches":[[0,8,8,0.25]]}]})";
  const CaughtError error = ExpectError([&] { DecodeEvidence(old, "x.json"); });
  EXPECT_EQ(error.code, ErrorCode::kInput);
  EXPECT_EQ(error.text,
            "x.json: error: evidence of format 1, but this program reads format 2\n  hint: annotate the images again");
}

}  // namespace
}  // namespace flyscribe
