#include "ontology/obo.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/text.h"
#include "tests/ontology/warning_texts.h"
#include "tests/support/expect_error.h"
#include "tests/support/real_data.h"
#include "tests/support/temp_folder.h"

namespace flyscribe {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Ontology Parse(const std::string& text) { return ParseObo(text, "test.obo"); }

std::vector<std::string> Warnings(const std::string& text) { return WarningTexts(Parse(text)); }

std::vector<std::string> Targets(const std::vector<OntologyEdge>& edges) {
  std::vector<std::string> ids;
  for (const OntologyEdge& edge : edges) ids.push_back(edge.to);
  return ids;
}

const std::string kSmall =
    "format-version: 1.4\n"
    "remark: a header line: with colons\n"
    "\n"
    "[Term]\n"
    "id: X:1 ! a comment\n"
    "name: Bolwig's organ, \\\"eye\\\"\n"
    "namespace: unknown to us\n"
    "def: \"Says \\\"so\\\"; {this} ! is no comment.\\nEnd.\" [FBC:DOS, ISBN:1] {x=\"y\"}\n"
    "synonym: \"first one\" EXACT SYSTEMATIC [FlyBase:FBrf0089570]\n"
    "synonym: \"second\" BROAD []\n"
    "synonym: \"third\" []\n"
    "alt_id: X:9\n"
    "is_a: X:2 {source=\"a ! b\"} ! the parent\n"
    "relationship: part_of X:3 {gci_relation=\"part_of\"} ! the whole\n"
    "relationship: BFO:0000050 X:4\n"
    "relationship: develops_from X:5 ! not followed\n"
    "\n"
    "[Term]\n"
    "id: X:2\n"
    "name: two {comment=\"qualified\"}\n"
    "[Term]\n"
    "id: X:3\n"
    "name: three {braces} kept\n"
    "[Term]\n"
    "id: X:4\n"
    "is_obsolete: true\n"
    "replaced_by: X:3\n"
    "consider: X:2\n"
    "[Typedef]\n"
    "id: part_of\n"
    "is_a: nonsense without warning\n"
    "[Instance]\n"
    "id: X:77\n";

TEST(OboTest, ReadsATerm) {
  const Ontology ontology = Parse(kSmall);
  EXPECT_THAT(WarningTexts(ontology), IsEmpty());
  ASSERT_THAT(ontology.terms(), SizeIs(4));
  const OntologyTerm& term = *ontology.Find("X:1");
  EXPECT_EQ(term.name, "Bolwig's organ, \"eye\"");
  EXPECT_EQ(term.definition, "Says \"so\"; {this} ! is no comment.\nEnd.");
  ASSERT_THAT(term.synonyms, SizeIs(3));
  EXPECT_EQ(term.synonyms[0].text + "/" + term.synonyms[0].scope, "first one/EXACT");
  EXPECT_EQ(term.synonyms[1].text + "/" + term.synonyms[1].scope, "second/BROAD");
  EXPECT_EQ(term.synonyms[2].text + "/" + term.synonyms[2].scope, "third/RELATED");
  EXPECT_THAT(term.alternative_ids, ElementsAre("X:9"));
  EXPECT_THAT(Targets(term.is_a), ElementsAre("X:2"));
  EXPECT_THAT(Targets(term.part_of), ElementsAre("X:3", "X:4"));
  EXPECT_EQ(term.line, 4);
  EXPECT_FALSE(term.obsolete);
  EXPECT_EQ(ontology.Find("X:2")->name, "two");
  EXPECT_EQ(ontology.Find("X:3")->name, "three {braces} kept");
  const OntologyTerm& old = *ontology.Find("X:4");
  EXPECT_TRUE(old.obsolete);
  EXPECT_THAT(old.replaced_by, ElementsAre("X:3"));
  EXPECT_THAT(old.consider, ElementsAre("X:2"));
}

TEST(OboTest, LineEndsAndByteOrderMarkDoNotMatter) {
  for (const std::string end : {"\r\n", "\r", "\n"}) {
    std::string text = "\xef\xbb\xbf[Term]" + end + "id: A" + end + end + "[Term]" + end + "id: B" + end + "oops" + end;
    const Ontology ontology = Parse(text);
    EXPECT_THAT(ontology.terms(), SizeIs(2));
    EXPECT_THAT(WarningTexts(ontology), ElementsAre("6: neither a tag nor a stanza: 'oops'"));
  }
  EXPECT_THAT(Parse("[Term]\nid: A").terms(), SizeIs(1));
}

TEST(OboTest, BadLinesAreWarningsWithTheirNumber) {
  EXPECT_THAT(Warnings("[Term]\n"
                       "id: A\n"
                       "is_a:\n"
                       "is_a: B C\n"
                       "relationship: part_of\n"
                       "def: no quotes\n"
                       "def: \"never closed\\\"\n"
                       "synonym: none\n"
                       "id: Z\n"
                       ": nothing\n"
                       "[Term\n"
                       "[Term]\n"
                       "name: no id\n"
                       "is_a: A\n"),
              ElementsAre("3: is_a is not one id: ''",
                          "4: is_a is not one id: 'B C'",
                          "5: relationship is not a relation and a term: 'part_of'",
                          "6: def without a text in quotes: 'no quotes'",
                          "7: def without a text in quotes: '\"never closed\\\"'",
                          "8: synonym without a text in quotes: 'none'",
                          "9: second id in one stanza: 'Z'",
                          "10: neither a tag nor a stanza: ': nothing'",
                          "11: stanza without ']': '[Term'",
                          "12: [Term] without id"));
}

TEST(OboTest, AnIdIsNotAPageLong) {
  const std::string id(kMaxOboIdBytes, 'x');
  EXPECT_THAT(Warnings("[Term]\nid: " + id + "\nis_a: " + id + "\n"), SizeIs(1)) << "a cycle, and nothing else";
  EXPECT_THAT(Warnings("[Term]\nid: A\nis_a: " + id + "x\nrelationship: part_of " + id + "x\n"),
              ElementsAre("3: is_a is not one id: '" + id.substr(0, 60) + "...'",
                          "4: relationship is not a relation and a term: 'part_of " + id.substr(0, 52) + "...'"));
}

TEST(OboTest, WarningsAreBoundedButCounted) {
  std::string text = "[Term]\nid: A\n";
  for (int i = 0; i < 1000; ++i) text += "nothing\n";
  const Ontology ontology = Parse(text);
  EXPECT_THAT(WarningTexts(ontology), SizeIs(OntologyWarnings::kKept));
  EXPECT_EQ(ontology.warnings().total(), 1000U);
}

TEST(OboTest, NulBytesAndHugeLinesCostTheirLine) {
  using namespace std::string_literals;
  const std::string text =
      "[Term]\nid: A\nname: a\0b\n"s + "name: " + std::string(std::size_t{100} << 20, 'x') + "\nname: good\n";
  const Ontology ontology = Parse(text);
  EXPECT_EQ(ontology.Find("A")->name, "good");
  EXPECT_THAT(WarningTexts(ontology), ElementsAre("3: NUL byte", "4: line longer than 1 MiB"));
}

TEST(OboTest, LatinOneIsRead) { EXPECT_EQ(Parse("[Term]\nid: A\nname: caf\xe9\n").Find("A")->name, "caf\xc3\xa9"); }

TEST(OboTest, ACycleIsAWarning) {
  EXPECT_THAT(Warnings("[Term]\nid: A\nis_a: B\n[Term]\nid: B\nrelationship: part_of A\n"),
              ElementsAre("cycle of is_a and part_of: A < B < A"));
}

TEST(OboTest, OtherRelationsCanBePartOf) {
  const std::string text =
      "[Term]\nid: A\nrelationship: inside B\nrelationship: part_of C\n[Term]\nid: B\n[Term]\nid: C\n";
  const Ontology ontology = ParseObo(text, "test.obo", {.part_of = {"inside"}});
  EXPECT_THAT(Targets(ontology.Find("A")->part_of), ElementsAre("B"));
}

TEST(OboTest, WhatIsNoOntologyIsAnError) {
  for (const std::string& text : {std::string(),
                                  std::string("a,b,c\n1,2,3\n"),
                                  std::string("\x1f\x8b\x08\0\0", 5),
                                  std::string("[\0T\0e\0r\0m\0]\0\n\0", 14),
                                  std::string("[Typedef]\nid: part_of\n")}) {
    const CaughtError error = ExpectError([&] { Parse(text); });
    EXPECT_EQ(error.code, ErrorCode::kInput);
    EXPECT_EQ(
        error.text,
        "test.obo: error: no [Term] in this file\n  hint: expected an ontology in OBO text, unpacked, such as fbbt.obo "
        "of FlyBase");
  }
}

TEST(OboTest, TooManyTermsAreAnError) {
  std::string text;
  for (std::size_t i = 0; i <= kMaxOboTerms; ++i) text += "[Term]\nid:" + std::to_string(i) + "\n";
  const CaughtError error = ExpectError([&] { Parse(text); });
  EXPECT_EQ(error.code, ErrorCode::kInput);
  EXPECT_EQ(error.text,
            "test.obo:2000002: error: more than 1000000 terms\n  hint: expected the ontology of fly anatomy, such as "
            "fbbt.obo of FlyBase");
}

TEST(OboTest, FilesThatCannotBeRead) {
  const TempFolder folder;
  EXPECT_EQ(ExpectError([&] { LoadObo(folder / "none.obo"); }).code, ErrorCode::kInput);
  EXPECT_EQ(ExpectError([&] { LoadObo(folder.path()); }).code, ErrorCode::kInput);
  const fs::path huge = folder.Write("huge.obo", "[Term]\n");
  fs::resize_file(huge, kMaxOboBytes + 1);  // takes no room on the disk
  EXPECT_EQ(ExpectError([&] { LoadObo(huge); }).code, ErrorCode::kInput);
  EXPECT_THAT(LoadObo(folder.Write("good.obo", kSmall)).terms(), SizeIs(4));
}

// Any cut or change of a byte gives an ontology or an Error, nothing else.
TEST(OboTest, DamageIsNeverWorse) {
  for (std::size_t i = 0; i < kSmall.size(); ++i) {
    for (const char c : {'\0', '"', '\\', '{', '!', '[', '\n', ':'}) {
      std::string damaged = kSmall;
      damaged[i] = c;
      try {
        const Ontology ontology = Parse(damaged);
        for (const OntologyTerm& term : ontology.terms()) EXPECT_FALSE(term.id.empty());
        Parse(kSmall.substr(0, i));
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kInput);
      }
    }
  }
}

TEST(OboTest, FlyBasesAnatomy) {
  const fs::path path = RealDataFile("ontology/fbbt-simple.obo");
  FLYSCRIBE_SKIP_WITHOUT(path);
  const Ontology ontology = LoadObo(path);
  EXPECT_EQ(ontology.terms().size(), 8674U);
  std::size_t obsolete = 0;
  for (const OntologyTerm& term : ontology.terms()) {
    obsolete += term.obsolete ? 1 : 0;
    EXPECT_FALSE(term.name.empty()) << term.id;
  }
  EXPECT_EQ(obsolete, 336U);
  EXPECT_EQ(ontology.warnings().total(), 4U);  // alternative ids claimed twice; no cycle, no missing parent
  EXPECT_EQ(ontology.Find("FBbt:00005624")->name, "embryonic/larval midgut primordium");
  std::vector<std::string> ancestors;
  for (const Ancestor& ancestor : ontology.Ancestors("FBbt:00005624")) ancestors.push_back(ancestor.id);
  EXPECT_THAT(ancestors, ::testing::Contains("FBbt:00000052"));  // embryo
  EXPECT_THAT(ancestors, SizeIs(14));
}

}  // namespace
}  // namespace flyscribe
