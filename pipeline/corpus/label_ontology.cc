#include "pipeline/corpus/label_ontology.h"

#include <map>
#include <set>

#include "ontology/propagate.h"
#include "pipeline/corpus/ontology_files.h"

namespace flyscribe {
namespace {

std::map<std::string, std::size_t> CountTerms(const std::vector<Bag>& bags) {
  std::map<std::string, std::size_t> counts;
  for (const Bag& bag : bags) {
    for (const std::string& term : bag.terms) ++counts[term];
  }
  return counts;
}

}  // namespace

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
