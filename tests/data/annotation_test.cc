#include "data/annotation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/text.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TermPrediction Term(const std::string& name, double value, double probability, double threshold = 0.5) {
  return {name, "FBbt:1", value, probability, threshold, probability > threshold, PatchPlace{1, 24.0F, 40.0F}};
}

BagAnnotation SomeBag() {
  return {"FBgn0000001",
          "FBgn0000001",
          "CG1",
          "otp",
          StageRange::FromName("4-6"),
          "new",
          {"insitu1", "insitu2"},
          {Term("brain", 0.1, 0.9), Term("say \"eye\"", -1.0 / 3.0, 0.25)}};
}

TEST(RankTerms, MostProbableFirstThenHigherValueThenName) {
  std::vector<TermPrediction> terms = {
      Term("c", 0.5, 0.2), Term("b", 0.1, 0.7), Term("a", 0.1, 0.7), Term("d", 0.3, 0.7)};
  RankTerms(terms);
  std::vector<std::string> names;
  for (const TermPrediction& term : terms) names.push_back(term.term);
  EXPECT_THAT(names, ElementsAre("d", "a", "b", "c"));
}

TEST(PredictionRows, HaveExactlyTheColumnsOfTheInterface) {
  EXPECT_EQ(Join(PredictionHeader(), " "),
            "bag_id fbgn gene_symbol stage_range fbdv_id term fbbt_id decision_value probability threshold call rank "
            "score_source n_images top_image top_patch_x top_patch_y model_id");
  EXPECT_EQ(
      PredictionRows(SomeBag(), "abc"),
      "FBgn0000001\tFBgn0000001\totp\t4-6\tFBdv:00005304|FBdv:00005318\tbrain\tFBbt:1\t0.1\t0.9\t0.5\t1\t1\tnew\t2"
      "\tinsitu2\t24\t40\tabc\n"
      "FBgn0000001\tFBgn0000001\totp\t4-6\tFBdv:00005304|FBdv:00005318\tsay \"eye\"\tFBbt:1\t-0.3333333333333333\t"
      "0.25\t0.5\t0\t2\tnew\t2\tinsitu2\t24\t40\tabc\n");
}

TEST(PredictionRows, ATermWithoutPatchHasNoPlace) {
  BagAnnotation bag = SomeBag();
  bag.terms = {{"brain", "", 0.0, 0.5, 0.5, false, {}}};
  EXPECT_THAT(PredictionRows(bag, "abc"), HasSubstr("\tnew\t2\t\t\t\tabc\n"));
  EXPECT_THAT(PredictionLines(bag, "abc"), HasSubstr("\"top_image\":null,\"top_patch_x\":null"));
}

TEST(PredictionLines, AreTheSameRowsAsJson) {
  const std::vector<std::string> lines = Split(PredictionLines(SomeBag(), "abc"), '\n');
  ASSERT_EQ(lines.size(), 3U);
  const nlohmann::ordered_json second = nlohmann::ordered_json::parse(lines[1]);
  std::vector<std::string> names;
  for (const auto& [name, value] : second.items()) names.push_back(name);
  EXPECT_EQ(names, PredictionHeader());
  EXPECT_EQ(second["term"], "say \"eye\"");
  EXPECT_EQ(second["decision_value"], -1.0 / 3.0);
  EXPECT_EQ(second["call"], false);
  EXPECT_EQ(second["rank"], 2);
}

TEST(CalledRows, AreQuotedAsInBdgpsDump) {
  EXPECT_EQ(CalledRows(SomeBag()), "\"CG1\",\"otp\",\"FBgn0000001\",2,\"brain\"\n");
  EXPECT_EQ(BdgpAnnotationRow("CG2", "", "", StageRange::FromName("13-16"), "a \"b\""),
            "\"CG2\",\"\",\"\",6,\"a \"\"b\"\"\"\n");
}

TEST(CalledRows, AnImageOfNoGeneIsHandedBackUnderItsName) {
  BagAnnotation bag = SomeBag();
  bag.id = "embryo 1";
  bag.fbgn = bag.cg = bag.symbol = "";
  EXPECT_EQ(CalledRows(bag), "\"\",\"embryo 1\",\"\",2,\"brain\"\n");
}

TEST(ReviewRow, LeavesTheCuratorsColumnsEmpty) {
  const std::vector<std::string> fields = Split(ReviewRow(SomeBag(), 1, "abc"), '\t');
  ASSERT_EQ(fields.size(), ReviewHeader().size());
  EXPECT_EQ(Join(ReviewHeader(), " "),
            "bag_id fbgn cg gene_symbol stage_range term fbbt_id probability threshold call margin score_source "
            "top_image model_id decision curator date note");
  EXPECT_EQ(fields[10], "0.25") << "|probability - threshold|";
  EXPECT_THAT(std::vector<std::string>(fields.end() - 4, fields.end()), ElementsAre("", "", "", "\n"));
}

TEST(EncodeAnnotation, ComesBackExactly) {
  BagAnnotation bag = SomeBag();
  bag.terms[0].top.reset();
  const std::string line = EncodeAnnotation(bag);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  EXPECT_EQ(DecodeAnnotation(line, "x"), bag);
}

TEST(DecodeAnnotation, RefusesWhatIsNone) {
  for (const std::string line : {"", "{}", "[1]", "{\"id\":1}"}) {
    EXPECT_EQ(ExpectError([&] { DecodeAnnotation(line, "chunk"); }).code, ErrorCode::kCorrupt) << line;
  }
  std::string line = EncodeAnnotation(SomeBag());
  line.replace(line.find("\"top\":[1,"), 9, "\"top\":[2,");
  const CaughtError error = ExpectError([&] { DecodeAnnotation(line, "chunk"); });
  EXPECT_THAT(error.text, HasSubstr("chunk: error: not an annotation"));
}

}  // namespace
}  // namespace flyscribe
