#include "ontology/term_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/csv.h"
#include "core/file.h"
#include "core/text.h"
#include "tests/support/expect_error.h"
#include "tests/support/program.h"
#include "tests/support/real_data.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const StageRange k46 = StageRange::FromName("4-6");
const StageRange k78 = StageRange::FromName("7-8");
const StageRange k910 = StageRange::FromName("9-10");
const StageRange k1112 = StageRange::FromName("11-12");
const StageRange k1316 = StageRange::FromName("13-16");

const std::string kShipped = FLYSCRIBE_SOURCE_DIR "/configs/ontology/bdgp-to-fbbt.sssom.tsv";
const std::string kHeader = "subject_label\tpredicate_id\tobject_id\text_stage_range\n";

TermMap Parse(const std::string& rows) { return TermMap::Parse(kHeader + rows, "map.tsv"); }

// "term@range=id predicate", with a '*' if it is taken from another range.
std::string Short(const TermMatch& match) {
  return match.term + "@" + match.range.name() + "=" + match.id + " " + match.predicate +
         (match.other_range ? "*" : "");
}
std::string Short(const std::optional<TermMatch>& match) { return match ? Short(*match) : "nothing"; }
std::vector<std::string> Short(const std::vector<TermMatch>& matches) {
  std::vector<std::string> texts;
  for (const TermMatch& match : matches) texts.push_back(Short(match));
  return texts;
}
std::vector<std::string> Problems(const TermMap& map) {
  std::vector<std::string> texts;
  for (const TableProblem& problem : map.problems())
    texts.push_back(std::to_string(problem.line) + ": " + problem.reason);
  return texts;
}

TEST(TermMapTest, FindsATermWithoutRegardToCaseAndBlanks) {
  const TermMap map = Parse("Malpighian tubule\tskos:exactMatch\tX:1\t13-17\n");
  for (const std::string term : {"Malpighian tubule", " malpighian   TUBULE\t"}) {
    EXPECT_EQ(Short(map.Find(term, k1316)), "Malpighian tubule@13-16=X:1 skos:exactMatch");
  }
  EXPECT_EQ(Short(map.Find("tubule", k1316)), "nothing");
  EXPECT_EQ(Short(map.Find("", k1316)), "nothing");
}

TEST(TermMapTest, TheNearestRangeHelpsOut) {
  const TermMap map = Parse(
      "yolk\tskos:closeMatch\tX:1\t4-6\n"
      "yolk\tskos:closeMatch\tX:2\t9-10\n"
      "yolk\tskos:closeMatch\tsssom:NoTermFound\t11-12\n"
      "subset\tskos:relatedMatch\tX:3\t4-6\n");
  EXPECT_EQ(Short(map.Find("yolk", k46)), "yolk@4-6=X:1 skos:closeMatch");
  EXPECT_EQ(Short(map.Find("yolk", k78)), "yolk@4-6=X:1 skos:closeMatch*");  // the earlier of two
  EXPECT_EQ(Short(map.Find("yolk", k1112)), "yolk@9-10=X:2 skos:closeMatch*");
  EXPECT_EQ(Short(map.Find("subset", k46)), "subset@4-6=X:3 skos:relatedMatch");
  EXPECT_EQ(Short(map.Find("subset", k78)), "nothing");  // a pattern's word need not mean the same elsewhere
}

TEST(TermMapTest, ListsHaveOneOrder) {
  const TermMap map = Parse(
      "b\tskos:closeMatch\tX:1\t13-16\n"
      "c\tskos:closeMatch\tsssom:NoTermFound\t13-16\n"
      "A\tskos:closeMatch\tX:1\t13-16\n"
      "b\tskos:closeMatch\tX:2\t4-6\n");
  EXPECT_THAT(Short(map.FindAll("B")), ElementsAre("b@4-6=X:2 skos:closeMatch", "b@13-16=X:1 skos:closeMatch"));
  EXPECT_THAT(Short(map.WithId("X:1")), ElementsAre("A@13-16=X:1 skos:closeMatch", "b@13-16=X:1 skos:closeMatch"));
  EXPECT_THAT(map.WithId(""), IsEmpty());
  EXPECT_THAT(Short(map.OfRange(k1316)), ElementsAre("A@13-16=X:1 skos:closeMatch", "b@13-16=X:1 skos:closeMatch"));
  EXPECT_THAT(map.Terms(), ElementsAre("A", "b", "c"));
}

TEST(TermMapTest, PredicatesSayHowMuchAMatchCarries) {
  const std::vector<std::pair<std::string, MatchKind>> kinds = {{"skos:exactMatch", MatchKind::kExact},
                                                                {"owl:equivalentClass", MatchKind::kExact},
                                                                {"skos:closeMatch", MatchKind::kClose},
                                                                {"skos:broadMatch", MatchKind::kBroad},
                                                                {"rdfs:subClassOf", MatchKind::kBroad},
                                                                {"skos:narrowMatch", MatchKind::kNarrow},
                                                                {"skos:relatedMatch", MatchKind::kRelated},
                                                                {"my:guess", MatchKind::kRelated}};
  for (const auto& [predicate, kind] : kinds) {
    EXPECT_EQ(Parse("a\t" + predicate + "\tX:1\t4-6\n").Find("a", k46)->kind, kind) << predicate;
  }
}

TEST(TermMapTest, CommentsUnknownColumnsAndLineEnds) {
  for (const std::string end : {"\n", "\r\n", "\r"}) {
    const TermMap map = TermMap::Parse("\xef\xbb\xbf#license: x\ty" + end + "#curie_map:" + end +
                                           "confidence\tOBJECT_ID\tpredicate_id\tobject_label\tsubject_label" + end +
                                           "0.9\tX:1\tskos:exactMatch\tthe name\tbrain" + end + "#late comment" + end +
                                           "0.1\t?\tskos:exactMatch\t\tgut" + end,
                                       "map.tsv");
    EXPECT_EQ(map.Find("brain", k910)->label, "the name");
    EXPECT_EQ(map.FindAll("brain").size(), 6U);  // without a range it holds for all
    EXPECT_THAT(Problems(map), ElementsAre("6: object_id is not one id: '?'"));
  }
}

TEST(TermMapTest, BadRowsAreListedWithTheirLine) {
  using namespace std::string_literals;
  const TermMap map = TermMap::Parse(
      "subject_label\tpredicate_id\tobject_id\text_stage_range\tpredicate_modifier\n"
      "good\tskos:closeMatch\tX:1\t4-6\t\n"
      "\tskos:closeMatch\tX:1\t4-6\n"
      "a\t\tX:1\t4-6\n"
      "a\tskos:closeMatch\tX:1|X:2\t4-6\n"
      "a\tskos:closeMatch\tX:1\t4-7\n"
      "a\tskos:closeMatch\tX:1\t4-6\tNot\n"
      "a\n"
      "a\0b\tskos:closeMatch\tX:1\t4-6\n"
      "\"open\tskos:closeMatch\tX:1\t4-6\n"
      "good\tskos:closeMatch\tX:1\t4-6\n"
      "Good\tskos:closeMatch\tX:2\t4-6\n"
      "good\tskos:closeMatch\tsssom:NoTermFound\t4-6\n"s,
      "map.tsv");
  EXPECT_THAT(Problems(map),
              ElementsAre("3: no subject_label",
                          "4: no predicate_id",
                          "5: object_id is not one id: 'X:1|X:2'",
                          "6: unknown stage range '4-7'",
                          "7: says what is not a match",
                          "8: no predicate_id",
                          "9: NUL byte",
                          "10: quote is never closed",
                          "12: 'Good' in 4-6 is X:1 by an earlier row, X:2 here"));
  EXPECT_THAT(map.Terms(), ElementsAre("good"));
}

TEST(TermMapTest, IdsAreToldInWordsSafeToPrint) {
  const TermMap map = Parse("a\tskos:closeMatch\tX:\x1b[2J\t4-6\na\tskos:closeMatch\tX:" + std::string(100, '1') +
                            "\t4-6\na\tskos:closeMatch\tX:2\t4-6\n");
  EXPECT_THAT(Problems(map),
              ElementsAre("2: object_id is not one id: 'X:?[2J'",
                          "4: 'a' in 4-6 is X:" + std::string(38, '1') + "... by an earlier row, X:2 here"));
}

TEST(TermMapTest, AClassIsWorthMoreThanNone) {
  const TermMap map = Parse("a\tskos:closeMatch\tsssom:NoTermFound\t4-6\na\tskos:closeMatch\tX:1\t4-6\n");
  EXPECT_EQ(Short(map.Find("a", k46)), "a@4-6=X:1 skos:closeMatch");
  EXPECT_THAT(map.problems(), IsEmpty());
}

TEST(TermMapTest, ARowOfOneRangeIsWorthMoreThanOneOfAll) {
  const std::string of_all = "a\tskos:closeMatch\tX:1\t\n";
  const std::string of_one = "a\tskos:closeMatch\tX:2\t4-6\n";
  for (const std::string& rows : {of_all + of_one, of_one + of_all}) {
    const TermMap map = Parse(rows);
    EXPECT_EQ(Short(map.Find("a", k46)), "a@4-6=X:2 skos:closeMatch");
    EXPECT_EQ(Short(map.Find("a", k78)), "a@7-8=X:1 skos:closeMatch");
    EXPECT_THAT(map.problems(), IsEmpty());
  }
}

TEST(TermMapTest, ARowOfAllRangesIsOneProblem) {
  EXPECT_THAT(Problems(Parse("a\tskos:closeMatch\tX:1\t\na\tskos:closeMatch\tX:2\t\na\tskos:broadMatch\tX:1\t\n")),
              ElementsAre("3: 'a' is X:1 by an earlier row, X:2 here",
                          "4: 'a' is X:1 by 'skos:closeMatch' in an earlier row, by 'skos:broadMatch' here"));
}

TEST(TermMapTest, DifferingPredicatesAreAProblem) {
  const TermMap map = Parse("a\tskos:closeMatch\tX:1\t4-6\na\tskos:broadMatch\tX:1\t4-6\n");
  EXPECT_EQ(Short(map.Find("a", k46)), "a@4-6=X:1 skos:closeMatch");
  EXPECT_THAT(Problems(map),
              ElementsAre("3: 'a' in 4-6 is X:1 by 'skos:closeMatch' in an earlier row, by 'skos:broadMatch' here"));
}

TEST(TermMapTest, WhatIsNoMapIsAnError) {
  const auto text_of = [](const std::string& text) {
    const CaughtError error = ExpectError([&] { TermMap::Parse(text, "map.tsv"); });
    EXPECT_EQ(error.code, ErrorCode::kInput);
    return error.text;
  };
  EXPECT_EQ(text_of(""), "map.tsv: error: the map is empty\n  hint: expected an SSSOM table, separated by tabs");
  EXPECT_EQ(text_of("#only: metadata\n"),
            "map.tsv: error: the map is empty\n  hint: expected an SSSOM table, separated by tabs");
  EXPECT_EQ(text_of("subject_label,predicate_id,object_id\n"),
            "map.tsv: error: the map has no column subject_label\n  hint: expected an SSSOM table with the columns "
            "subject_label, predicate_id and object_id, separated by tabs");
  EXPECT_EQ(text_of(kHeader), "map.tsv: error: no row of the map can be used\n  hint: it has a header only");
  EXPECT_EQ(text_of(kHeader + "a\tb\tc\td\n"),
            "map.tsv: error: no row of the map can be used\n  hint: line 2: object_id is not one id: 'c'");
  const TempFolder folder;
  EXPECT_EQ(ExpectError([&] { TermMap::Load(folder / "none.tsv"); }).code, ErrorCode::kInput);
}

TEST(ShippedMapTest, TheProgramHoldsTheBytesOfTheFile) {
  EXPECT_EQ(ShippedMapText(), ReadFile(kShipped));
  EXPECT_EQ(TermMap::Load(kShipped).Terms(), TermMap::Shipped().Terms());
}

TEST(ShippedMapTest, EveryRowIsUsedAndPatternWordsAreOnlyRelated) {
  const TermMap& map = TermMap::Shipped();
  EXPECT_THAT(Problems(map), IsEmpty());
  EXPECT_EQ(Short(map.Find("ventral nerve cord", k1316)), "ventral nerve cord@13-16=FBbt:00001102 skos:closeMatch");
  EXPECT_EQ(Short(map.Find("amnioserosa", k78)), "amnioserosa@7-8=FBbt:00017017 skos:closeMatch");
  EXPECT_EQ(Short(map.Find("amnioserosa", k1316)), "amnioserosa@13-16=FBbt:00000095 skos:closeMatch");
  for (const StageRange range : StageRange::All()) {
    for (const TermMatch& match : map.OfRange(range)) {
      EXPECT_TRUE(match.id.starts_with("FBbt:")) << Short(match);
      // The whole organism is where a pattern is seen, never what a word means.
      EXPECT_TRUE(match.id != "FBbt:00000001" || match.kind == MatchKind::kRelated) << Short(match);
    }
  }
}

TEST(ShippedMapTest, IsWhatTheScriptMakesOfBgeesTable) {
  const fs::path table = RealDataFile("ontology/BDGP_terms_to_FBbt_terms.tsv");
  FLYSCRIBE_SKIP_WITHOUT(table);
  if (!fs::exists("/usr/bin/python3")) GTEST_SKIP() << "no python3";
  const TempFolder folder;
  const ProgramResult made =
      RunBinary("/usr/bin/python3", {FLYSCRIBE_SOURCE_DIR "/configs/ontology/build", table.string()}, folder.path());
  ASSERT_EQ(made.exit_code, 0) << made.err;
  EXPECT_EQ(made.out, ReadFile(kShipped));
}

// Labels: rows of BDGP's table without its bookkeeping.
TEST(ShippedMapTest, CoversBdgpsLabels) {
  const fs::path path = RealDataFile("bdgp/insitu_annot.csv");
  FLYSCRIBE_SKIP_WITHOUT(path);
  const TermMap& map = TermMap::Shipped();
  std::map<int, int> labels;
  std::map<int, int> mapped;
  for (const TableRow& row : ParseTable(ToUtf8(ReadFile(path)), ',').rows) {
    const int code = std::stoi(row.fields[3]);
    const std::string& term = row.fields[4];
    if (term == "flag_for_volker" || term.starts_with("need new term")) continue;
    for (const int key : {0, code}) {
      ++labels[key];
      mapped[key] += map.Find(term, StageRange::FromCode(code)) ? 1 : 0;
    }
  }
  EXPECT_EQ(labels[0], 16024);
  EXPECT_EQ(mapped[0], 15743);
  for (const auto& [code, count] : labels)
    EXPECT_GE(mapped[code], (code == 0 ? 0.97 : code == 2 ? 0.86 : 0.99) * count) << code;
}

}  // namespace
}  // namespace flyscribe
