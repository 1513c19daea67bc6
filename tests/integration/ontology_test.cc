// flyscribe ontology show: what a term stands for.
#include <nlohmann/json.hpp>

#include "tests/integration/workspace.h"

namespace flyscribe {
namespace {

using Json = nlohmann::ordered_json;

class OntologyCommandTest : public Workspace {
 protected:
  void SetUp() override {
    folder_.Write(
        "fly.obo",
        "format-version: 1.4\n\n"
        "[Term]\nid: FBbt:00000052\nname: embryo\n\n"
        "[Term]\nid: FBbt:00001102\nname: ventral nerve cord\ndef: \"A cord.\" []\nsynonym: \"VNC\" EXACT []\n"
        "is_a: FBbt:00000777 ! cord\nrelationship: part_of FBbt:00000052 ! embryo\n\n"
        "[Term]\nid: FBbt:00000777\nname: cord\nis_a: FBbt:00000052\n\n"
        "[Term]\nid: FBbt:00000778\nname: old cord\nis_obsolete: true\nreplaced_by: FBbt:00001102\n\n"
        "[Term]\nid: FBbt:00000779\nname: gone\nis_obsolete: true\nconsider: FBbt:00000777\n");
    folder_.Write("map.tsv",
                  "subject_label\tpredicate_id\tobject_id\text_stage_range\n"
                  "cord\tskos:exactMatch\tFBbt:00000777\t13-16\n"
                  "nerve cord\tskos:closeMatch\tFBbt:00000778\t13-16\n"
                  "lost\tskos:closeMatch\tFBbt:00000779\t4-6\n");
  }
};

constexpr const char* kOff =
    "\nancestors are off: give FlyBase's ontology with --obo fbbt.obo (docs/ontology.md says where it is)\n";

TEST_F(OntologyCommandTest, NothingOfAFileSteersTheTerminal) {
  folder_.Write(
      "esc.obo",
      "[Term]\nid: A:1\nname: \x1b[31mred\ndef: \"one\\ntwo\x07\" []\nsynonym: \"s\x1b\" EXACT []\nis_a: A:\x1b[2J\n");
  folder_.Write("esc.tsv", "subject_label\tpredicate_id\tobject_id\nx\x1b[31m\tskos:exactMatch\tA:1\n");
  const ProgramResult result = Flyscribe({"ontology", "show", "A:1", "--obo", "esc.obo", "--map", "esc.tsv"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ((result.out + result.err).find_first_of("\x1b\x07"), std::string::npos) << result.out;
  EXPECT_THAT(result.out, HasSubstr("A:1 ?[31mred\n  definition  one two?\n"));
  EXPECT_THAT(result.err, HasSubstr("A:1 has a parent that is not in the file: A:?[2J"));
}

TEST_F(OntologyCommandTest, ACycleIsNamedAndEndsNothing) {
  folder_.Write("cycle.obo", "[Term]\nid: A:1\nis_a: A:2\n[Term]\nid: A:2\nrelationship: part_of A:1\n");
  const ProgramResult result = Flyscribe({"ontology", "show", "A:1", "--obo", "cycle.obo"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "warning: cycle.obo: cycle of is_a and part_of: A:1 < A:2 < A:1\n");
  EXPECT_THAT(result.out, HasSubstr("Ancestors\n  is a A:2\n    part of A:1 (see above)\n"));
}

TEST_F(OntologyCommandTest, TheMapAloneGivesTheClassAndSaysThatAncestorsAreOff) {
  const ProgramResult result = Flyscribe({"ontology", "show", "Ventral Nerve Cord"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out,
            std::string("FBbt:00001102\nTerms of BDGP\n"
                        "  range  term                match            class\n"
                        "  13-16  ventral nerve cord  skos:closeMatch  FBbt:00001102\n") +
                kOff);
  EXPECT_EQ(result.err, "");
}

TEST_F(OntologyCommandTest, TheOntologyGivesNamesAncestorsAndNeighbours) {
  const ProgramResult result =
      Flyscribe({"ontology", "show", "nerve cord", "--obo", "fly.obo", "--map", "map.tsv", "--range", "13-17"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out,
            "FBbt:00000778 old cord (obsolete) -> FBbt:00001102 ventral nerve cord\n"
            "  definition  A cord.\n"
            "  synonyms    VNC\n"
            "Terms of BDGP\n"
            "  range  term        match            class\n"
            "  13-16  nerve cord  skos:closeMatch  FBbt:00000778 old cord\n"
            "Ancestors\n"
            "  is a FBbt:00000777 cord\n"
            "    is a FBbt:00000052 embryo\n"
            "  part of FBbt:00000052 embryo\n"
            "Terms of BDGP above it\n"
            "  range  term  match            class\n"
            "  13-16  cord  skos:exactMatch  FBbt:00000777 cord\n");
}

TEST_F(OntologyCommandTest, IdsNamesAndObsoleteTerms) {
  const auto show = [&](const std::string& term) {
    return Flyscribe({"ontology", "show", term, "--obo", "fly.obo", "--map", "map.tsv"}).out;
  };
  EXPECT_THAT(show("FBbt:00000777"), HasSubstr("Terms of BDGP below it\n  range  term        match"));
  EXPECT_THAT(show("vnc"), HasSubstr("FBbt:00001102 ventral nerve cord\n"));
  EXPECT_THAT(show("embryo"), HasSubstr("  BDGP        no term of the map stands for it\n"));
  EXPECT_THAT(show("lost"), HasSubstr("FBbt:00000779 gone (obsolete, without a successor)\n"));
  EXPECT_THAT(show("lost"), HasSubstr("  consider    FBbt:00000777\n"));
}

TEST_F(OntologyCommandTest, JsonForPrograms) {
  const Json json =
      Json::parse(Flyscribe({"ontology", "show", "nerve cord", "--obo", "fly.obo", "--map", "map.tsv", "--json"}).out);
  EXPECT_EQ(json["format"], 1);
  EXPECT_EQ(json["ancestors"], true);
  ASSERT_EQ(json["classes"].size(), 1U);
  const Json& card = json["classes"][0];
  EXPECT_EQ(card["id"], "FBbt:00000778");
  EXPECT_EQ(card["state"], "replaced");
  EXPECT_EQ(card["current_id"], "FBbt:00001102");
  EXPECT_EQ(card["matches"][0]["fbdv"], Json({"FBdv:00005331", "FBdv:00005334"}));
  EXPECT_EQ(card["ancestors"], Json::parse(R"([{"id": "FBbt:00000052", "name": "embryo", "distance": 1},
                            {"id": "FBbt:00000777", "name": "cord", "distance": 1}])"));
  EXPECT_EQ(card["above"][0]["term"], "cord");
  EXPECT_EQ(Json::parse(Flyscribe({"ontology", "show", "gap", "--json"}).out)["ancestors"], false);
}

TEST_F(OntologyCommandTest, WhatIsNotUnderstoodIsTold) {
  folder_.Write("odd.obo", "[Term]\nid: FBbt:00001102\nis_a: FBbt:00001102\nnonsense\n");
  folder_.Write("odd.tsv", "subject_label\tpredicate_id\tobject_id\ncord\tskos:exactMatch\tFBbt:00001102\nx\ty\tz\n");
  const ProgramResult result = Flyscribe({"ontology", "show", "cord", "--obo", "odd.obo", "--map", "odd.tsv"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err,
            "warning: odd.tsv:3: object_id is not one id: 'z'\n"
            "warning: odd.obo:4: neither a tag nor a stanza: 'nonsense'\n"
            "warning: odd.obo: cycle of is_a and part_of: FBbt:00001102 < FBbt:00001102\n");
}

TEST_F(OntologyCommandTest, ErrorsSayWhatIsWrong) {
  ProgramResult result = Flyscribe({"ontology", "show", "ventral nerv cord"});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_EQ(
      result.err,
      "error: unknown term 'ventral nerv cord'\n  hint: did you mean 'ventral nerve cord'? (without an OBO file the "
      "ontology's own names are not known)\n");
  result = Flyscribe({"ontology", "show", "cord", "--range", "4-7"});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.err, HasSubstr("unknown stage range '4-7'"));
  result = Flyscribe({"ontology", "show", "cord", "--obo", "none.obo"});
  EXPECT_EQ(result.exit_code, 5);
  EXPECT_THAT(result.err, HasSubstr("none.obo"));
  result = Flyscribe({"ontology", "show", "cord", "--obo", "map.tsv"});
  EXPECT_EQ(result.exit_code, 5);
  EXPECT_THAT(result.err, HasSubstr("map.tsv: error: no [Term] in this file"));
  EXPECT_EQ(Flyscribe({"ontology"}).exit_code, 4);
}

}  // namespace
}  // namespace flyscribe
