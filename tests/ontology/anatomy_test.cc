#include "ontology/anatomy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/rng.h"
#include "tests/ontology/warning_texts.h"

namespace flyscribe {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

OntologyTerm Term(const std::string& id,
                  const std::vector<std::string>& is_a = {},
                  const std::vector<std::string>& part_of = {}) {
  OntologyTerm term;
  term.id = id;
  term.name = "name of " + id;
  for (const std::string& to : is_a) term.is_a.push_back({to, 7});
  for (const std::string& to : part_of) term.part_of.push_back({to, 8});
  return term;
}

OntologyTerm Obsolete(const std::string& id, const std::vector<std::string>& replaced_by = {}) {
  OntologyTerm term = Term(id);
  term.obsolete = true;
  term.replaced_by = replaced_by;
  return term;
}

// "B1": the id and how far away it is.
std::vector<std::string> Short(const std::vector<Ancestor>& ancestors) {
  std::vector<std::string> texts;
  for (const Ancestor& ancestor : ancestors) texts.push_back(ancestor.id + std::to_string(ancestor.distance));
  return texts;
}

std::string Picture(const Ontology& ontology, const std::string& id) {
  std::string picture;
  for (const LineageEntry& entry : ontology.Lineage(id)) {
    picture += std::string(static_cast<std::size_t>(entry.depth), ' ') + (entry.edge == EdgeKind::kIsA ? "i " : "p ") +
               entry.id + (entry.repeated ? "*" : "") + "\n";
  }
  return picture;
}

TEST(OntologyTest, AncestorsMixBothRelationsNearestFirstThenById) {
  const Ontology ontology(
      {Term("E"), Term("D", {"E"}), Term("B", {}, {"D"}), Term("C", {"D"}), Term("A", {"C"}, {"B"})});
  EXPECT_THAT(Short(ontology.Ancestors("A")), ElementsAre("B1", "C1", "D2", "E3"));
  EXPECT_THAT(Short(ontology.Ancestors("A", Relations::kIsA)), ElementsAre("C1", "D2", "E3"));
  EXPECT_THAT(Short(ontology.Ancestors("A", Relations::kPartOf)), ElementsAre("B1", "D2"));
  EXPECT_THAT(ontology.Ancestors("E"), IsEmpty());
  EXPECT_THAT(ontology.Ancestors("none"), IsEmpty());
  EXPECT_THAT(WarningTexts(ontology), IsEmpty());
}

TEST(OntologyTest, LineageListsTheParentsOfATermOnce) {
  const Ontology ontology(
      {Term("E"), Term("D", {"E"}), Term("B", {}, {"D"}), Term("C", {"D"}), Term("A", {"C"}, {"B"})});
  EXPECT_EQ(Picture(ontology, "A"), " i C\n  i D\n   i E\n p B\n  p D*\n");
  EXPECT_EQ(Picture(ontology, "E"), "");
  EXPECT_EQ(Picture(ontology, "none"), "");
}

TEST(OntologyTest, CyclesAreNamedAndEndNothing) {
  const Ontology ontology({Term("A", {"B"}), Term("B", {}, {"C"}), Term("C", {"A"}), Term("D", {"D"})});
  EXPECT_THAT(WarningTexts(ontology),
              ElementsAre("cycle of is_a and part_of: A < B < C < A", "cycle of is_a and part_of: D < D"));
  EXPECT_THAT(Short(ontology.Ancestors("A")), ElementsAre("B1", "C2"));
  EXPECT_THAT(ontology.Ancestors("D"), IsEmpty());
  EXPECT_EQ(Picture(ontology, "A"), " i B\n  p C\n   i A*\n");
}

TEST(OntologyTest, ALongCycleIsNamedByItsBeginning) {
  std::vector<OntologyTerm> ring;
  for (int i = 10; i < 30; ++i) ring.push_back(Term(std::to_string(i), {std::to_string(i == 29 ? 10 : i + 1)}));
  EXPECT_THAT(WarningTexts(Ontology(ring)),
              ElementsAre("cycle of is_a and part_of: 10 < 11 < 12 < 13 < 14 < 15 < 16 < 17 < ... < 10"));
}

TEST(OntologyTest, AChainMayBeVeryLong) {
  constexpr int kTerms = 100000;
  std::vector<OntologyTerm> chain;
  for (int i = 0; i < kTerms; ++i) {
    chain.push_back(Term(std::to_string(1000000 + i), {std::to_string(1000000 + i + 1)}));
    // With every edge back to the start, each of them a cycle.
    chain.back().part_of.push_back({"1000000", 1});
  }
  const Ontology ontology(chain);
  EXPECT_THAT(ontology.Ancestors("1000000"), SizeIs(kTerms - 1));
  EXPECT_EQ(ontology.warnings().total(), static_cast<std::size_t>(kTerms) + 1);  // and a parent that is missing
  EXPECT_THAT(WarningTexts(ontology), SizeIs(OntologyWarnings::kKept));
}

TEST(OntologyTest, MissingParentsAndSecondStanzasAreTold) {
  OntologyTerm again = Term("A", {"B"});
  again.line = 12;
  const Ontology ontology({Term("A", {"gone"}), Term("B"), again});
  EXPECT_THAT(ontology.terms(), SizeIs(2));
  EXPECT_THAT(
      WarningTexts(ontology),
      ElementsAre("12: A is given a second time (first in line 0)", "7: A has a parent that is not in the file: gone"));
  EXPECT_THAT(Short(ontology.Ancestors("A")), ElementsAre("B1"));
}

TEST(OntologyTest, ResolveSaysWhatHappened) {
  OntologyTerm merged = Term("A");
  merged.alternative_ids = {"old", "older"};
  OntologyTerm older = Obsolete("older");  // an empty stanza is often left for a merged id
  const Ontology ontology({merged,
                           older,
                           Obsolete("dead"),
                           Obsolete("X", {"A"}),
                           Obsolete("Y", {"X"}),
                           Obsolete("Z", {"old"}),
                           Obsolete("ring1", {"ring2"}),
                           Obsolete("ring2", {"ring1"}),
                           Obsolete("lost", {"nowhere"})});
  const auto resolve = [&](const std::string& id) {
    const Resolution resolution = ontology.Resolve(id);
    return resolution.KindName() + " " + resolution.id;
  };
  EXPECT_EQ(resolve("A"), "current A");
  EXPECT_EQ(resolve("old"), "alternative id A");
  EXPECT_EQ(resolve("older"), "alternative id A");
  EXPECT_EQ(resolve("X"), "replaced A");
  EXPECT_EQ(resolve("Y"), "replaced A");
  EXPECT_EQ(resolve("Z"), "replaced A");
  EXPECT_EQ(resolve("dead"), "obsolete dead");
  EXPECT_EQ(resolve("ring1"), "obsolete ring1");
  EXPECT_EQ(resolve("lost"), "obsolete lost");
  EXPECT_EQ(resolve("nobody"), "unknown ");
  EXPECT_TRUE(ontology.Resolve("Y").InUse());
  EXPECT_FALSE(ontology.Resolve("dead").InUse());
  EXPECT_FALSE(ontology.Resolve("nobody").InUse());
}

TEST(OntologyTest, ALongWayOfSuccessorsIsGivenUp) {
  std::vector<OntologyTerm> terms = {Term("end")};
  const auto id = [](int i) { return i == 0 ? std::string("end") : "X" + std::to_string(i); };
  for (int i = 1; i <= 20'000; ++i) {
    terms.push_back(Obsolete(id(i), {id(i - 1)}));
    terms.back().is_a.push_back({id(20'000), 1});  // followed to its end, this would take the square
  }
  const Ontology ontology(terms);
  EXPECT_EQ(ontology.Resolve("X100").id, "end");
  EXPECT_EQ(ontology.Resolve("X101").KindName(), "obsolete");
}

TEST(OntologyTest, WarningsAreShortAndSafeToPrint) {
  OntologyTerm second = Term("A\x1b[2J");
  second.is_a.push_back({std::string(5000, 'x'), 3});
  const Ontology ontology({Term("A\x1b[2J"), second});
  EXPECT_THAT(WarningTexts(ontology),
              ElementsAre("A?[2J is given a second time (first in line 0)",
                          "3: A?[2J has a parent that is not in the file: " + std::string(156, 'x') + "..."));
}

TEST(OntologyTest, EdgesFollowMergedIds) {
  OntologyTerm merged = Term("B");
  merged.alternative_ids = {"old"};
  const Ontology ontology({Term("A", {"old"}), merged});
  EXPECT_THAT(Short(ontology.Ancestors("A")), ElementsAre("B1"));
  EXPECT_THAT(WarningTexts(ontology), IsEmpty());
}

TEST(OntologyTest, AnAlternativeIdBelongsToOne) {
  OntologyTerm first = Term("A");
  OntologyTerm second = Term("B");
  first.alternative_ids = second.alternative_ids = {"old"};
  second.line = 9;
  const Ontology ontology({second, first});
  EXPECT_EQ(ontology.Resolve("old").id, "A");
  EXPECT_THAT(WarningTexts(ontology), ElementsAre("9: old is an alternative id of A and of B; the first counts"));
}

TEST(OntologyTest, NamesAndExactSynonymsOfTermsInUse) {
  OntologyTerm brain = Term("B");
  brain.name = "brain";
  brain.synonyms = {{"Cerebrum", "EXACT"}, {"head", "RELATED"}};
  OntologyTerm named_so = Obsolete("A");
  named_so.name = "cerebrum";
  const Ontology ontology({brain, named_so});
  EXPECT_EQ(ontology.FindByName(" Brain")->id, "B");
  EXPECT_EQ(ontology.FindByName("cerebrum")->id, "B");
  EXPECT_EQ(ontology.FindByName("head"), nullptr);
  EXPECT_EQ(ontology.FindByName(""), nullptr);
}

// The closure by its definition: what can be reached, found by adding edges until nothing changes.
std::set<std::string> NaiveAncestors(const std::vector<OntologyTerm>& terms, const std::string& id) {
  std::set<std::string> reached;
  std::set<std::string> known;
  for (const OntologyTerm& term : terms) known.insert(term.id);
  for (std::size_t before = 1, first = 1; first == 1 || reached.size() != before; first = 0) {
    before = reached.size();
    for (const OntologyTerm& term : terms) {
      if (term.id != id && !reached.contains(term.id)) continue;
      for (const auto* edges : {&term.is_a, &term.part_of}) {
        for (const OntologyEdge& edge : *edges) {
          if (known.contains(edge.to)) reached.insert(edge.to);
        }
      }
    }
  }
  reached.erase(id);
  return reached;
}

TEST(OntologyTest, AgreesWithTheNaiveClosureAndIgnoresTheOrderOfTheFile) {
  Rng rng(11);
  for (int round = 0; round < 30; ++round) {
    std::vector<OntologyTerm> terms;
    for (int i = 0; i < 25; ++i) terms.push_back(Term("T" + std::to_string(10 + i)));
    for (int edge = 0; edge < 30; ++edge) {
      OntologyTerm& from = terms[rng.Below(25)];
      const std::string to = "T" + std::to_string(10 + rng.Below(26));  // one of them is missing
      (rng.Below(2) == 0 ? from.is_a : from.part_of).push_back({to, 0});
    }
    const Ontology ontology(terms);
    std::vector<OntologyTerm> reversed(terms.rbegin(), terms.rend());
    const Ontology other(reversed);
    for (const OntologyTerm& term : terms) {
      std::set<std::string> found;
      for (const Ancestor& ancestor : ontology.Ancestors(term.id)) found.insert(ancestor.id);
      EXPECT_EQ(found, NaiveAncestors(terms, term.id));
      EXPECT_EQ(Short(ontology.Ancestors(term.id)), Short(other.Ancestors(term.id)));
      std::set<std::string> listed;
      for (const LineageEntry& entry : ontology.Lineage(term.id)) listed.insert(entry.id);
      listed.erase(term.id);
      EXPECT_EQ(listed, found);
    }
  }
}

}  // namespace
}  // namespace flyscribe
