#include "pipeline/corpus/label_ontology.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const StageRange kRange = StageRange::FromName("13-16");

// Terms of the map below: the rectum is part of the hindgut; "end gut" is another wording of hindgut.
class LabelOntologyTest : public ::testing::Test {
 protected:
  LabelOntologyTest() {
    folder_.Write("map.tsv",
                  "subject_label\tpredicate_id\tobject_id\text_stage_range\n"
                  "hindgut\tskos:closeMatch\tX:1\t13-16\n"
                  "end gut\tskos:closeMatch\tX:1\t13-16\n"
                  "rectum\tskos:closeMatch\tX:2\t13-16\n");
    folder_.Write(
        "anatomy.obo",
        "[Term]\nid: X:9\nalt_id: X:1\nname: hindgut\n[Term]\nid: X:2\nname: rectum\nrelationship: part_of X:9\n"
        "a line without sense\n");
    options_.map = (folder_ / "map.tsv").string();
    options_.obo = (folder_ / "anatomy.obo").string();
    collection_.range = kRange;
    collection_.bags = {{"a", "a", "a", "", 0, {"end gut"}},
                        {"b", "b", "b", "", 0, {"hindgut", "unheard of"}},
                        {"c", "c", "c", "", 0, {"end gut", "hindgut"}},
                        {"d", "d", "d", "", 0, {"rectum"}},
                        {"e", "e", "e", "", 0, {"hindgut"}}};
  }

  Collection Applied() const {
    Collection collection = collection_;
    LabelOntology(options_).Apply(collection);
    return collection;
  }

  TempFolder folder_;
  OntologyOptions options_;
  Collection collection_;
};

TEST_F(LabelOntologyTest, TermsGetIdsAndLabelsStay) {
  const Collection applied = Applied();
  EXPECT_EQ(applied.bags, collection_.bags);
  // X:1 gave way to X:9, says the anatomy.
  EXPECT_THAT(applied.terms,
              ElementsAre(TermRecord{"end gut", "X:9"},
                          TermRecord{"hindgut", "X:9"},
                          TermRecord{"rectum", "X:2"},
                          TermRecord{"unheard of", ""}));
}

TEST_F(LabelOntologyTest, WithoutAnatomyIdsAreTheMaps) {
  options_.obo.clear();
  const LabelOntology ontology(options_);
  EXPECT_FALSE(ontology.has_ancestors());
  EXPECT_EQ(ontology.IdOf("hindgut", kRange), "X:1");
  EXPECT_EQ(ontology.IdOf("unheard of", kRange), "");
  EXPECT_TRUE(ontology.warnings().empty());
}

TEST_F(LabelOntologyTest, MergesSynonymsIntoTheMostFrequent) {
  options_.merge_synonyms = true;
  const Collection applied = Applied();
  EXPECT_THAT(applied.bags[0].terms, ElementsAre("hindgut"));
  EXPECT_THAT(applied.bags[1].terms, ElementsAre("hindgut", "unheard of"));
  EXPECT_THAT(applied.bags[2].terms, ElementsAre("hindgut"));
  EXPECT_THAT(applied.bags[3].terms, ElementsAre("rectum"));
}

TEST_F(LabelOntologyTest, AddsAncestorsOfTheRangesOwnVocabulary) {
  options_.propagate = true;
  const Collection applied = Applied();
  EXPECT_THAT(applied.bags[3].terms, ElementsAre("end gut", "hindgut", "rectum"));
  EXPECT_EQ(applied.bags[1].terms, collection_.bags[1].terms);
}

TEST_F(LabelOntologyTest, SaysWhatIsWrongWithTheFiles) {
  folder_.Write("map.tsv",
                "subject_label\tpredicate_id\tobject_id\nhindgut\tskos:closeMatch\tX:1\n\tskos:closeMatch\tX:3\n");
  const LabelOntology ontology(options_);
  ASSERT_EQ(ontology.warnings().size(), 2U);
  EXPECT_THAT(ontology.warnings()[0], HasSubstr("map.tsv:3: "));
  EXPECT_THAT(ontology.warnings()[1], HasSubstr("anatomy.obo:9: "));
}

TEST_F(LabelOntologyTest, AMissingFileIsAnInputError) {
  options_.obo = (folder_ / "none.obo").string();
  EXPECT_EQ(ExpectError([&] { LabelOntology{options_}; }).code, ErrorCode::kInput);
}

TEST(OntologyOptionsTest, AncestorsNeedAFile) {
  OntologyOptions options;
  EXPECT_NO_THROW(options.Check());
  options.propagate = true;
  const CaughtError error = ExpectError([&] { options.Check(); });
  EXPECT_EQ(error.code, ErrorCode::kUsage);
  EXPECT_THAT(error.text, HasSubstr("ontology.propagate: there are no ancestors without ontology.obo"));
}

class OntologyFilesTest : public ::testing::Test {
 protected:
  std::string Write(const std::string& name, const std::string& text) {
    folder_.Write(name, text);
    return (folder_ / name).string();
  }

  TempFolder folder_;
  std::vector<std::string> warnings_;
};

TEST_F(OntologyFilesTest, WithoutFilesTheShippedMapAndNoAnatomy) {
  EXPECT_EQ(ReadTermMap("", warnings_).Terms(), TermMap::Shipped().Terms());
  EXPECT_FALSE(ReadAnatomy("", warnings_).has_value());
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(OntologyFilesTest, TellsTheFirstProblemsAndCountsTheRest) {
  std::string rows = "subject_label\tpredicate_id\tobject_id\ngut\tskos:closeMatch\tX:1\n";
  std::string lines = "[Term]\nid: X:1\n";
  for (std::size_t i = 0; i < OntologyWarnings::kKept + 5; ++i) {
    rows += "\tskos:closeMatch\tX:2\n";
    lines += "neither tag nor stanza\n";
  }
  const std::string map = Write("map.tsv", rows);
  EXPECT_EQ(ReadTermMap(map, warnings_).Terms().size(), 1U);
  ASSERT_EQ(warnings_.size(), OntologyWarnings::kKept + 1);
  EXPECT_THAT(warnings_.front(), HasSubstr(map + ":3: "));
  EXPECT_EQ(warnings_.back(), map + ": 5 more");
  warnings_.clear();
  const std::string obo = Write("a.obo", lines);
  EXPECT_TRUE(ReadAnatomy(obo, warnings_).has_value());
  ASSERT_EQ(warnings_.size(), OntologyWarnings::kKept + 1);
  EXPECT_THAT(warnings_.front(), HasSubstr(obo + ":3: "));
  EXPECT_EQ(warnings_.back(), obo + ": 5 more");
}

TEST_F(OntologyFilesTest, AMissingFileIsAnInputError) {
  const std::string none = (folder_ / "none").string();
  EXPECT_EQ(ExpectError([&] { ReadTermMap(none, warnings_); }).code, ErrorCode::kInput);
  EXPECT_EQ(ExpectError([&] { ReadAnatomy(none, warnings_); }).code, ErrorCode::kInput);
}

}  // namespace
}  // namespace flyscribe
