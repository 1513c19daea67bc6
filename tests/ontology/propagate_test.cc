#include "ontology/propagate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/rng.h"
#include "ontology/obo.h"
#include "tests/support/real_data.h"

namespace flyscribe {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

const StageRange kRange = StageRange::FromName("13-16");

TermMap Map(const std::string& rows) {
  return TermMap::Parse("subject_label\tpredicate_id\tobject_id\text_stage_range\n" + rows, "map.tsv");
}

// gut < hindgut < rectum by part_of and is_a; X:old is an older id of gut's; X:dead is obsolete.
const Ontology& Gut() {
  static const Ontology gut = ParseObo(
      "[Term]\nid: X:gut\nalt_id: X:old\n"
      "[Term]\nid: X:hind\nrelationship: part_of X:gut\n"
      "[Term]\nid: X:rectum\nis_a: X:hind\n"
      "[Term]\nid: X:brain\n"
      "[Term]\nid: X:dead\nis_obsolete: true\nis_a: X:gut\n",
      "gut.obo");
  return gut;
}

TEST(PropagateTest, AddsTermsAboveInBdgpsWording) {
  const TermMap map =
      Map("the gut\tskos:closeMatch\tX:old\t13-16\nhindgut\tskos:exactMatch\tX:hind\t13-16\n"
          "rectum\tskos:closeMatch\tX:rectum\t13-16\nbrain\tskos:closeMatch\tX:brain\t13-16\n");
  const auto above = TermsAbove({"the gut", "hindgut", "rectum", "brain", "not in the map"}, kRange, map, Gut());
  EXPECT_THAT(
      above,
      UnorderedElementsAre(Pair("hindgut", ElementsAre("the gut")), Pair("rectum", ElementsAre("hindgut", "the gut"))));
  EXPECT_THAT(Propagated({"rectum", "not in the map"}, above),
              ElementsAre("hindgut", "not in the map", "rectum", "the gut"));
  EXPECT_THAT(Propagated({"brain"}, above), ElementsAre("brain"));
  EXPECT_THAT(Propagated({}, above), IsEmpty());
}

TEST(PropagateTest, OnlyTermsOfTheVocabularyAreAdded) {
  const TermMap map = Map("gut\tskos:closeMatch\tX:gut\t13-16\nrectum\tskos:closeMatch\tX:rectum\t13-16\n");
  EXPECT_THAT(TermsAbove({"rectum"}, kRange, map, Gut()), IsEmpty());
  EXPECT_THAT(TermsAbove({"rectum", "GUT"}, kRange, map, Gut()), ElementsAre(Pair("rectum", ElementsAre("GUT"))));
}

TEST(PropagateTest, OtherRangesAndObsoleteClassesSayNothing) {
  const TermMap map = Map("gut\tskos:closeMatch\tX:gut\t11-12\nrectum\tskos:closeMatch\tX:rectum\t13-16\n");
  EXPECT_THAT(TermsAbove({"rectum", "gut"}, kRange, map, Gut()), IsEmpty());
  const TermMap dead = Map("gut\tskos:closeMatch\tX:gut\t13-16\nrectum\tskos:closeMatch\tX:dead\t13-16\n");
  EXPECT_THAT(TermsAbove({"rectum", "gut"}, kRange, dead, Gut()), IsEmpty());
}

TEST(PropagateTest, APredicateCarriesOneWayBothOrNone) {
  const std::vector<std::pair<std::string, std::pair<bool, bool>>> cases = {{"skos:exactMatch", {true, true}},
                                                                            {"skos:closeMatch", {true, true}},
                                                                            {"skos:broadMatch", {true, false}},
                                                                            {"skos:narrowMatch", {false, true}},
                                                                            {"skos:relatedMatch", {false, false}}};
  for (const auto& [predicate, carries] : cases) {
    const TermMap as_label = Map("rectum\t" + predicate + "\tX:rectum\t\ngut\tskos:exactMatch\tX:gut\t\n");
    const TermMap as_added = Map("rectum\tskos:exactMatch\tX:rectum\t\ngut\t" + predicate + "\tX:gut\t\n");
    EXPECT_EQ(TermsAbove({"rectum", "gut"}, kRange, as_label, Gut()).size(), carries.first ? 1U : 0U) << predicate;
    EXPECT_EQ(TermsAbove({"rectum", "gut"}, kRange, as_added, Gut()).size(), carries.second ? 1U : 0U) << predicate;
  }
}

TEST(PropagateTest, WordsForOneClassAreMerged) {
  const TermMap map = Map(
      "gut\tskos:closeMatch\tX:gut\t13-16\nguts\tskos:exactMatch\tX:old\t13-16\nbowel\tskos:closeMatch\tX:gut\t13-16\n"
      "brain\tskos:closeMatch\tX:brain\t13-16\nhead\tskos:broadMatch\tX:brain\t13-16\n"
      "no staining\tskos:relatedMatch\tX:gut\t13-16\n"
      "belly\tskos:closeMatch\tX:gut\t11-12\n");
  const std::map<std::string, std::size_t> counts = {{"gut", 3},
                                                     {"guts", 8},
                                                     {"bowel", 8},
                                                     {"brain", 2},
                                                     {"head", 9},
                                                     {"no staining", 50},
                                                     {"belly", 4},
                                                     {"other", 1}};
  EXPECT_THAT(MergeSynonyms(counts, kRange, map, &Gut()), ElementsAre(Pair("gut", "bowel"), Pair("guts", "bowel")));
  // Without the ontology an older id is another class.
  EXPECT_THAT(MergeSynonyms(counts, kRange, map, nullptr), ElementsAre(Pair("gut", "bowel")));
  EXPECT_THAT(MergeSynonyms({}, kRange, map, nullptr), IsEmpty());
}

// By the definition: u lies above t if there is a way from t's class to u's. Every graph and map of a seed.
TEST(PropagateTest, AgreesWithTheDefinitionAndIsClosed) {
  Rng rng(5);
  constexpr std::size_t kClasses = 12;
  for (int round = 0; round < 40; ++round) {
    std::vector<std::vector<bool>> reaches(kClasses, std::vector<bool>(kClasses, false));
    std::string obo;
    for (std::size_t i = 0; i < kClasses; ++i) {
      obo += "[Term]\nid: X:" + std::to_string(i) + "\n";
      for (std::size_t j = i + 1; j < kClasses; ++j) {
        if (!rng.Chance(0.15)) continue;
        obo += (rng.Chance(0.5) ? "is_a: X:" : "relationship: part_of X:") + std::to_string(j) + "\n";
        reaches[i][j] = true;
      }
    }
    for (std::size_t k = 0; k < kClasses; ++k) {
      for (std::size_t i = 0; i < kClasses; ++i) {
        for (std::size_t j = 0; j < kClasses; ++j) reaches[i][j] = reaches[i][j] || (reaches[i][k] && reaches[k][j]);
      }
    }
    std::vector<std::size_t> class_of;
    std::string rows;
    TermSet vocabulary;
    for (std::size_t t = 0; t < 8; ++t) {
      class_of.push_back(rng.Below(kClasses));
      vocabulary.insert("t" + std::to_string(t));
      rows += "t" + std::to_string(t) + "\tskos:closeMatch\tX:" + std::to_string(class_of.back()) + "\t13-16\n";
    }
    const auto above = TermsAbove(vocabulary, kRange, Map(rows), ParseObo(obo, "random.obo"));
    for (std::size_t t = 0; t < 8; ++t) {
      const std::string term = "t" + std::to_string(t);
      TermSet expected = {term};
      for (std::size_t u = 0; u < 8; ++u) {
        if (reaches[class_of[t]][class_of[u]]) expected.insert("t" + std::to_string(u));
      }
      const TermSet once = Propagated({term}, above);
      EXPECT_EQ(once, expected);
      EXPECT_EQ(Propagated(once, above), once);
    }
  }
}

TEST(PropagateTest, FlyBasesAnatomy) {
  const fs::path path = RealDataFile("ontology/fbbt-simple.obo");
  FLYSCRIBE_SKIP_WITHOUT(path);
  const Ontology ontology = LoadObo(path);
  for (const StageRange range : StageRange::All()) {
    TermSet vocabulary;
    for (const TermMatch& match : TermMap::Shipped().OfRange(range)) vocabulary.insert(match.term);
    for (const auto& [term, above] : TermsAbove(vocabulary, range, TermMap::Shipped(), ontology)) {
      EXPECT_FALSE(above.contains("no staining") || above.contains("ubiquitous") || above.contains("maternal")) << term;
      EXPECT_FALSE(above.contains(term)) << term;
      EXPECT_NE(term, "no staining");
    }
    if (range != kRange) continue;
    EXPECT_THAT(Propagated({"embryonic gastric caecum"}, TermsAbove(vocabulary, range, TermMap::Shipped(), ontology)),
                ElementsAre("embryonic gastric caecum", "embryonic midgut"));
  }
}

}  // namespace
}  // namespace flyscribe
