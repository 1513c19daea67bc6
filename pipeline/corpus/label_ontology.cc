#include "pipeline/corpus/label_ontology.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/error.h"
#include "ontology/obo.h"
#include "ontology/term_relations.h"

namespace flyscribe {
namespace {

void Add(const Place& place, const std::string& text, std::vector<std::string>& warnings) {
  warnings.push_back(place.ToString() + ": " + text);
}

void AddCountOfMore(const std::string& file, std::size_t total, std::vector<std::string>& warnings) {
  if (total > OntologyWarnings::kKept) Add({file}, fmt::format("{} more", total - OntologyWarnings::kKept), warnings);
}

std::map<std::string, std::size_t> CountTerms(const std::vector<Bag>& bags) {
  std::map<std::string, std::size_t> counts;
  for (const Bag& bag : bags) {
    for (const std::string& term : bag.terms) ++counts[term];
  }
  return counts;
}

}  // namespace

TermMap ReadTermMap(const std::string& file, std::vector<std::string>& warnings) {
  if (file.empty()) return TermMap::Shipped();
  TermMap map = TermMap::Load(file);
  const std::size_t told = std::min(map.problems().size(), OntologyWarnings::kKept);
  for (std::size_t i = 0; i < told; ++i) Add({file, map.problems()[i].line}, map.problems()[i].reason, warnings);
  AddCountOfMore(file, map.problems().size(), warnings);
  return map;
}

std::optional<Ontology> ReadAnatomy(const std::string& file, std::vector<std::string>& warnings) {
  if (file.empty()) return std::nullopt;
  Ontology ontology = LoadObo(file);
  for (const OntologyWarning& warning : ontology.warnings().kept()) Add({file, warning.line}, warning.text, warnings);
  AddCountOfMore(file, ontology.warnings().total(), warnings);
  return ontology;
}

LabelOntology::LabelOntology(const OntologyOptions& options)
    : options_(options), map_(ReadTermMap(options.map, warnings_)), anatomy_(ReadAnatomy(options.obo, warnings_)) {}

std::string LabelOntology::IdOf(const std::string& term, StageRange range) const {
  const std::optional<TermMatch> match = map_.Find(term, range);
  if (!match) return {};
  if (!anatomy_) return match->id;
  // An id that was merged or replaced gives way to the one in use; any other stays what the map says.
  const Resolution resolution = anatomy_->Resolve(match->id);
  return resolution.InUse() ? resolution.id : match->id;
}

void LabelOntology::Apply(Collection& collection) const {
  if (options_.merge_synonyms) Merge(collection);
  if (options_.propagate) Propagate(collection);
  collection.terms.clear();
  for (const auto& [term, count] : CountTerms(collection.bags)) {
    collection.terms.push_back({term, IdOf(term, collection.range)});
  }
}

void LabelOntology::Merge(Collection& collection) const {
  const std::map<std::string, std::string> merged =
      MergeSynonyms(CountTerms(collection.bags), collection.range, map_, Anatomy());
  for (Bag& bag : collection.bags) {
    std::set<std::string> terms;
    for (const std::string& term : bag.terms) {
      const auto other = merged.find(term);
      terms.insert(other == merged.end() ? term : other->second);
    }
    bag.terms.assign(terms.begin(), terms.end());
  }
}

void LabelOntology::Propagate(Collection& collection) const {
  TermSet vocabulary;
  for (const auto& [term, count] : CountTerms(collection.bags)) vocabulary.insert(term);
  const std::map<std::string, TermSet> above = TermsAbove(vocabulary, collection.range, map_, *anatomy_);
  for (Bag& bag : collection.bags) {
    const TermSet terms = Propagated({bag.terms.begin(), bag.terms.end()}, above);
    bag.terms.assign(terms.begin(), terms.end());
  }
}

}  // namespace flyscribe
