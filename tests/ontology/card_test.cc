#include "ontology/card.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ontology/obo.h"
#include "tests/support/expect_error.h"

namespace flyscribe {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const StageRange k46 = StageRange::FromName("4-6");
const StageRange k1316 = StageRange::FromName("13-16");

const TermMap& Map() {
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

const Ontology& Gut() {
  static const Ontology gut = ParseObo(
      "[Term]\nid: X:gut\nname: digestive tract\n"
      "[Term]\nid: X:hind2\nname: hind-gut\nalt_id: X:hind\nsynonym: \"back gut\" EXACT []\nrelationship: part_of "
      "X:gut\n"
      "[Term]\nid: X:rectum\nis_a: X:hind2\n",
      "gut.obo");
  return gut;
}

std::vector<std::string> Terms(const std::vector<TermMatch>& matches) {
  std::vector<std::string> terms;
  for (const TermMatch& match : matches) terms.push_back(match.term + "@" + match.range.name());
  return terms;
}

TEST(CardTest, OneCardPerClassOfATerm) {
  const std::vector<TermCard> cards = DescribeTerm("Hindgut", std::nullopt, Map(), nullptr);
  ASSERT_THAT(cards, SizeIs(2));
  EXPECT_EQ(cards[0].id, "X:anlage");
  EXPECT_EQ(cards[1].id, "X:hind");
  EXPECT_THAT(Terms(cards[1].matches), ElementsAre("hindgut@13-16"));
  EXPECT_EQ(cards[1].term, nullptr);
  EXPECT_THAT(DescribeTerm("hindgut", k46, Map(), nullptr), SizeIs(1));
}

TEST(CardTest, TheOntologySaysWhatLiesAboveAndBelow) {
  const TermCard card = DescribeTerm("hindgut", k1316, Map(), &Gut()).at(0);
  EXPECT_EQ(card.resolution.kind, Resolution::Kind::kAlternative);
  EXPECT_EQ(card.term->name, "hind-gut");
  ASSERT_THAT(card.lineage, SizeIs(1));
  EXPECT_EQ(card.lineage[0].id, "X:gut");
  EXPECT_THAT(Terms(card.above), ElementsAre("gut@13-16"));  // "no staining" is merely related to it
  EXPECT_THAT(Terms(card.below), ElementsAre("rectum@13-16"));
}

TEST(CardTest, IdsAndNamesOfTheOntology) {
  for (const std::string question : {"X:hind2", "X:hind", "Hind-Gut", "back gut"}) {
    const std::vector<TermCard> cards = DescribeTerm(question, std::nullopt, Map(), &Gut());
    ASSERT_THAT(cards, SizeIs(1)) << question;
    EXPECT_EQ(cards[0].term->id, "X:hind2");
    EXPECT_THAT(Terms(cards[0].matches), ElementsAre("hindgut@13-16")) << question;
  }
  EXPECT_THAT(Terms(DescribeTerm("X:gut", k46, Map(), nullptr).at(0).matches), IsEmpty());
}

TEST(CardTest, ClassesThatAreNotInTheFileAndTermsWithout) {
  const TermCard absent = DescribeTerm("hindgut", k46, Map(), &Gut()).at(0);
  EXPECT_EQ(absent.resolution.kind, Resolution::Kind::kUnknown);
  EXPECT_EQ(absent.term, nullptr);
  const TermCard none = DescribeTerm("gap", std::nullopt, Map(), &Gut()).at(0);
  EXPECT_EQ(none.id, "");
  EXPECT_THAT(Terms(none.matches), ElementsAre("gap@4-6"));
}

TEST(CardTest, AnIdTheFileLacksHasItsOwnRowsOnly) {
  const TermMap map = TermMap::Parse(
      "subject_label\tpredicate_id\tobject_id\text_stage_range\n"
      "hindgut\tskos:closeMatch\tX:anlage\t4-6\n"
      "wing\tskos:closeMatch\tX:wing\t4-6\n"
      "gap\tskos:closeMatch\tsssom:NoTermFound\t4-6\n",
      "map.tsv");
  const TermCard card = DescribeTerm("X:anlage", std::nullopt, map, &Gut()).at(0);
  EXPECT_EQ(card.resolution.kind, Resolution::Kind::kUnknown);
  EXPECT_THAT(Terms(card.matches), ElementsAre("hindgut@4-6"));
}

TEST(CardTest, AnotherRangeHelpsOut) {
  const TermCard card = DescribeTerm("rectum", k46, Map(), nullptr).at(0);
  ASSERT_THAT(card.matches, SizeIs(1));
  EXPECT_TRUE(card.matches[0].other_range);
}

TEST(CardTest, UnknownTermsComeWithSuggestions) {
  const auto ask = [](const std::string& question, std::optional<StageRange> range, const Ontology* ontology) {
    const CaughtError error = ExpectError([&] { DescribeTerm(question, range, Map(), ontology); });
    EXPECT_EQ(error.code, ErrorCode::kUsage);
    return error.text;
  };
  const std::string without = " (without an OBO file the ontology's own names are not known)";
  EXPECT_EQ(ask("rektum", std::nullopt, &Gut()), "error: unknown term 'rektum'\n  hint: did you mean 'rectum'?");
  EXPECT_EQ(ask("indgu", std::nullopt, nullptr),
            "error: unknown term 'indgu'\n  hint: did you mean 'hindgut'?" + without);
  EXPECT_EQ(ask("stain", std::nullopt, &Gut()), "error: unknown term 'stain'\n  hint: did you mean 'no staining'?");
  EXPECT_EQ(
      ask("X:99999", std::nullopt, &Gut()),
      "error: unknown term 'X:99999'\n  hint: give a term as BDGP words it, such as 'ventral nerve cord', or an id, "
      "such as FBbt:00001102");
  EXPECT_EQ(
      ask("gap", k1316, nullptr),
      "error: unknown term 'gap' in stage range 13-16\n  hint: the map has it, with another meaning or none, in 4-6" +
          without);
  EXPECT_THAT(ask("", std::nullopt, nullptr), ::testing::HasSubstr("unknown term ''"));
  EXPECT_EQ(ask(std::string(100000, 'q'), std::nullopt, &Gut()).size() < 400, true);
}

}  // namespace
}  // namespace flyscribe
