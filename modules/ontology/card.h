// All that the map and the ontology know about one term, gathered for a reader: one card per class it stands for.
//
// Pure; the command that prints it is pipeline/commands/ontology.cc.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/stage_range.h"
#include "ontology/anatomy.h"
#include "ontology/term_map.h"

namespace flyscribe {

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
