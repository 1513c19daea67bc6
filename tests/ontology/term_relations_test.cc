#include "ontology/term_relations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/rng.h"
#include "ontology/obo.h"
#include "tests/support/expect_error.h"
#include "tests/support/real_data.h"

namespace flyscribe {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;
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

// --- cards

const StageRange k46 = StageRange::FromName("4-6");
const StageRange k1316 = StageRange::FromName("13-16");

const TermMap& CardMap() {
  static const TermMap map = TermMap::Parse(
      "subject_label\tpredicate_id\tobject_id\text_stage_range\n"
      "hindgut\tskos:closeMatch\tX:hind\t13-16\n"
      "hindgut\tskos:closeMatch\tX:anlage\t4-6\n"
      "gut\tskos:closeMatch\tX:gut\t13-16\n"
      "rectum\tskos:closeMatch\tX:rectum\t13-16\n"
      "no staining\tskos:relatedMatch\tX:gut\t13-16\n"
      "gap\tskos:closeMatch\tsssom:NoTermFound\t4-6\n",
      "map.tsv");
  return map;
}

const Ontology& CardGut() {
  static const Ontology gut = ParseObo(
      "[Term]\nid: X:gut\nname: digestive tract\n"
      "[Term]\nid: X:hind2\nname: hind-gut\nalt_id: X:hind\nsynonym: \"back gut\" EXACT []\nrelationship: part_of "
      "X:gut\n"
      "[Term]\nid: X:rectum\nis_a: X:hind2\n",
      "gut.obo");
  return gut;
}

std::vector<std::string> TermsOf(const std::vector<TermMatch>& matches) {
  std::vector<std::string> terms;
  for (const TermMatch& match : matches) terms.push_back(match.term + "@" + match.range.name());
  return terms;
}

TEST(CardTest, OneCardPerClassOfATerm) {
  const std::vector<TermCard> cards = DescribeTerm("Hindgut", std::nullopt, CardMap(), nullptr);
  ASSERT_THAT(cards, SizeIs(2));
  EXPECT_EQ(cards[0].id, "X:anlage");
  EXPECT_EQ(cards[1].id, "X:hind");
  EXPECT_THAT(TermsOf(cards[1].matches), ElementsAre("hindgut@13-16"));
  EXPECT_EQ(cards[1].term, nullptr);
  EXPECT_THAT(DescribeTerm("hindgut", k46, CardMap(), nullptr), SizeIs(1));
}

TEST(CardTest, TheOntologySaysWhatLiesAboveAndBelow) {
  const TermCard card = DescribeTerm("hindgut", k1316, CardMap(), &CardGut()).at(0);
  EXPECT_EQ(card.resolution.kind, Resolution::Kind::kAlternative);
  EXPECT_EQ(card.term->name, "hind-gut");
  ASSERT_THAT(card.lineage, SizeIs(1));
  EXPECT_EQ(card.lineage[0].id, "X:gut");
  EXPECT_THAT(TermsOf(card.above), ElementsAre("gut@13-16"));  // "no staining" is merely related to it
  EXPECT_THAT(TermsOf(card.below), ElementsAre("rectum@13-16"));
}

TEST(CardTest, IdsAndNamesOfTheOntology) {
  for (const std::string question : {"X:hind2", "X:hind", "Hind-Gut", "back gut"}) {
    const std::vector<TermCard> cards = DescribeTerm(question, std::nullopt, CardMap(), &CardGut());
    ASSERT_THAT(cards, SizeIs(1)) << question;
    EXPECT_EQ(cards[0].term->id, "X:hind2");
    EXPECT_THAT(TermsOf(cards[0].matches), ElementsAre("hindgut@13-16")) << question;
  }
  EXPECT_THAT(TermsOf(DescribeTerm("X:gut", k46, CardMap(), nullptr).at(0).matches), IsEmpty());
}

TEST(CardTest, ClassesThatAreNotInTheFileAndTermsWithout) {
  const TermCard absent = DescribeTerm("hindgut", k46, CardMap(), &CardGut()).at(0);
  EXPECT_EQ(absent.resolution.kind, Resolution::Kind::kUnknown);
  EXPECT_EQ(absent.term, nullptr);
  const TermCard none = DescribeTerm("gap", std::nullopt, CardMap(), &CardGut()).at(0);
  EXPECT_EQ(none.id, "");
  EXPECT_THAT(TermsOf(none.matches), ElementsAre("gap@4-6"));
}

TEST(CardTest, AnIdTheFileLacksHasItsOwnRowsOnly) {
  const TermMap map = TermMap::Parse(
      "subject_label\tpredicate_id\tobject_id\text_stage_range\n"
      "hindgut\tskos:closeMatch\tX:anlage\t4-6\n"
      "wing\tskos:closeMatch\tX:wing\t4-6\n"
      "gap\tskos:closeMatch\tsssom:NoTermFound\t4-6\n",
      "map.tsv");
  const TermCard card = DescribeTerm("X:anlage", std::nullopt, map, &CardGut()).at(0);
  EXPECT_EQ(card.resolution.kind, Resolution::Kind::kUnknown);
  EXPECT_THAT(TermsOf(card.matches), ElementsAre("hindgut@4-6"));
}

TEST(CardTest, AnotherRangeHelpsOut) {
  const TermCard card = DescribeTerm("rectum", k46, CardMap(), nullptr).at(0);
  ASSERT_THAT(card.matches, SizeIs(1));
  EXPECT_TRUE(card.matches[0].other_range);
}

TEST(CardTest, UnknownTermsComeWithSuggestions) {
  const auto ask = [](const std::string& question, std::optional<StageRange> range, const Ontology* ontology) {
    const CaughtError error = ExpectError([&] { DescribeTerm(question, range, CardMap(), ontology); });
    EXPECT_EQ(error.code, ErrorCode::kUsage);
    return error.text;
  };
  const std::string without = " (without an OBO file the ontology's own names are not known)";
  EXPECT_EQ(ask("rektum", std::nullopt, &CardGut()), "error: unknown term 'rektum'\n  hint: did you mean 'rectum'?");
  EXPECT_EQ(ask("indgu", std::nullopt, nullptr),
            "error: unknown term 'indgu'\n  hint: did you mean 'hindgut'?" + without);
  EXPECT_EQ(ask("stain", std::nullopt, &CardGut()), "error: unknown term 'stain'\n  hint: did you mean 'no staining'?");
  EXPECT_EQ(
      ask("X:99999", std::nullopt, &CardGut()),
      "error: unknown term 'X:99999'\n  hint: give a term as BDGP words it, such as 'ventral nerve cord', or an id, "
      "such as FBbt:00001102");
  EXPECT_EQ(
      ask("gap", k1316, nullptr),
      "error: unknown term 'gap' in stage range 13-16\n  hint: the map has it, with another meaning or none, in 4-6" +
          without);
  EXPECT_THAT(ask("", std::nullopt, nullptr), ::testing::HasSubstr("unknown term ''"));
  EXPECT_EQ(ask(std::string(100000, 'q'), std::nullopt, &CardGut()).size() < 400, true);
}

}  // namespace
}  // namespace flyscribe
