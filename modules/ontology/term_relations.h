// What the map and the anatomy say of terms together: which lie above a term, which are wordings of one, and all that
// is known of one on a card.
//
// A structure that is stained is also a part, or a kind, of a larger one. For the terms of one stage range, with c(t)
// the class of t in the map (resolved to the id in use) and A(c) the ancestors of c by is_a and part_of, u lies above t
// if c(u) is in A(c(t)). Two classes that are equal are a matter of synonyms, not of order. A term takes part only with
// the classes the map gives it in this very range, and only as far as the predicate carries: downwards from an exact,
// close or broad match, upwards to an exact, close or narrow one. So `no staining` and `ubiquitous`, which are merely
// related to the whole organism, are never added to anything, nor merged.
//
// Pure functions of their arguments. Those on labels add no term that is not in the vocabulary given, and remove none.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "data/stage_range.h"
#include "ontology/anatomy.h"
#include "ontology/term_map.h"

namespace flyscribe {

using TermSet = std::set<std::string>;

// For each term of the vocabulary that has any: the terms of the vocabulary above it.
std::map<std::string, TermSet> TermsAbove(const TermSet& vocabulary,
                                          StageRange range,
                                          const TermMap& map,
                                          const Ontology& ontology);

// The labels of one bag and all terms above them. `above` is what TermsAbove gives; it is closed, so one step is
// enough.
TermSet Propagated(const TermSet& labels, const std::map<std::string, TermSet>& above);

// Terms of one range with the same class by an exact or close match are wordings of one term: old wording -> the one
// that stays, which is the most frequent, of equally frequent ones the first by name. Terms that stay are not listed.
// `counts`: how often each term occurs. Without an ontology ids are compared as the map gives them.
std::map<std::string, std::string> MergeSynonyms(const std::map<std::string, std::size_t>& counts,
                                                 StageRange range,
                                                 const TermMap& map,
                                                 const Ontology* ontology);

// All that is known about one term, for a reader: one card per class it stands for.
struct TermCard {
  std::string id;                  // as the map or the question gives it; empty: a term without a class
  std::vector<TermMatch> matches;  // rows of the map with this class (of the term, if a term was asked for)
  // The rest needs an ontology.
  Resolution resolution;
  const OntologyTerm* term = nullptr;  // the term in use, else the obsolete one; of the ontology given
  std::vector<LineageEntry> lineage;
  std::vector<TermMatch> above;  // rows of the map in the ranges of the card, with a class among the ancestors
  std::vector<TermMatch> below;  // and those that have this class among their ancestors
};

// `question`: a term of BDGP, an id of the ontology, or a name or exact synonym in it; case matters in ids only.
// `range`: only what concerns it; a term without a row there is taken from another range as TermMap::Find does. Throws
// Error(kUsage) with suggestions if nothing is known. `ontology` may be nullptr, and must live as long as the cards.
std::vector<TermCard> DescribeTerm(std::string_view question,
                                   std::optional<StageRange> range,
                                   const TermMap& map,
                                   const Ontology* ontology);

}  // namespace flyscribe
