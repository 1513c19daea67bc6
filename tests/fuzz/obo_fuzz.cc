// Ontologies: whatever the graph, every question ends, and both ways of asking for ancestors agree.
#include <algorithm>
#include <set>

#include "ontology/obo.h"
#include "ontology/term_relations.h"
#include "tests/fuzz/promise.h"
#include "tests/fuzz/targets.h"

namespace flyscribe {
namespace {

// Of each ontology, to keep an execution short; a card looks at every row of the shipped map.
constexpr std::size_t kTermsAsked = 20;
constexpr std::size_t kCardsAsked = 2;

void CheckTexts(const OntologyTerm& term) {
  Promise(!term.id.empty(), "a term has an id");
  Promise(term.line >= 1, "a term has a line");
  Promise(IsUtf8(term.id) && IsUtf8(term.name) && IsUtf8(term.definition), "texts are UTF-8");
  for (const OntologySynonym& synonym : term.synonyms) {
    Promise(IsUtf8(synonym.text) && !synonym.scope.empty(), "a synonym has a text in UTF-8 and a scope");
  }
}

void CheckWarnings(const OntologyWarnings& warnings) {
  constexpr std::size_t kLongest = 1024;
  Promise(warnings.kept().size() <= std::min(warnings.total(), OntologyWarnings::kKept), "few warnings are kept");
  for (const OntologyWarning& warning : warnings.kept()) {
    Promise(IsSafeToPrint(warning.text), "a warning is safe to print: " + Printable(warning.text, kLongest));
    Promise(warning.text.size() <= kLongest, "a warning is short");
  }
}

void CheckAncestors(const Ontology& ontology, const std::string& id) {
  std::set<std::string> above;
  int distance = 1;
  for (const Ancestor& ancestor : ontology.Ancestors(id)) {
    Promise(ancestor.distance >= distance && ontology.Find(ancestor.id) != nullptr,
            "ancestors are terms, nearest first");
    Promise(above.insert(ancestor.id).second && ancestor.id != id, "an ancestor is named once, and is not the term");
    distance = ancestor.distance;
  }
  std::set<std::string> listed;
  for (const LineageEntry& entry : ontology.Lineage(id)) listed.insert(entry.id);
  listed.erase(id);  // stands in its own lineage where there is a cycle
  Promise(listed == above, "lineage and ancestors agree");
}

void CheckTerm(const Ontology& ontology, const OntologyTerm& term) {
  CheckTexts(term);
  CheckAncestors(ontology, term.id);
  const Resolution resolution = ontology.Resolve(term.id);
  const OntologyTerm* resolved = ontology.Find(resolution.id);
  Promise(resolved != nullptr && resolution.InUse() == !resolved->obsolete,
          "a term resolves to one in use, or is obsolete");
}

void CheckCard(const Ontology& ontology, const OntologyTerm& term) {
  for (const TermCard& card : DescribeTerm(term.id, std::nullopt, TermMap::Shipped(), &ontology)) {
    Promise(!card.id.empty(), "a term of the ontology has a card");
  }
}

}  // namespace

void FuzzObo(std::string_view bytes) {
  const auto ontology = TryRead([&] { return ParseObo(bytes, "x.obo"); });
  if (!ontology) return;
  CheckWarnings(ontology->warnings());
  const std::vector<OntologyTerm>& terms = ontology->terms();
  const bool sorted =
      std::is_sorted(terms.begin(), terms.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
  Promise(sorted, "terms are sorted");
  for (std::size_t i = 0; i < std::min(terms.size(), kTermsAsked); ++i) CheckTerm(*ontology, terms[i]);
  for (std::size_t i = 0; i < std::min(terms.size(), kCardsAsked); ++i) CheckCard(*ontology, terms[i]);
}

}  // namespace flyscribe
