#include "ontology/propagate.h"

#include <optional>
#include <vector>

namespace flyscribe {
namespace {

bool IsSameMeaning(MatchKind kind) { return kind == MatchKind::kExact || kind == MatchKind::kClose; }
bool CarriesUpwards(MatchKind kind) { return IsSameMeaning(kind) || kind == MatchKind::kBroad; }
bool CanBeAbove(MatchKind kind) { return IsSameMeaning(kind) || kind == MatchKind::kNarrow; }

// The row of this very range.
std::optional<TermMatch> MatchOf(const std::string& term, StageRange range, const TermMap& map) {
  std::optional<TermMatch> match = map.Find(term, range);
  return match && !match->other_range ? match : std::nullopt;
}

}  // namespace

std::map<std::string, TermSet> TermsAbove(const TermSet& vocabulary,
                                          StageRange range,
                                          const TermMap& map,
                                          const Ontology& ontology) {
  std::map<std::string, TermSet> terms_of_class;     // those that can be added
  std::map<std::string, std::string> class_of_term;  // of those that carry upwards
  for (const std::string& term : vocabulary) {
    const auto match = MatchOf(term, range, map);
    const Resolution resolved = match ? ontology.Resolve(match->id) : Resolution();
    if (!resolved.InUse()) continue;
    if (CanBeAbove(match->kind)) terms_of_class[resolved.id].insert(term);
    if (CarriesUpwards(match->kind)) class_of_term[term] = resolved.id;
  }
  std::map<std::string, TermSet> above;
  for (const auto& [term, id] : class_of_term) {
    for (const Ancestor& ancestor : ontology.Ancestors(id)) {
      const auto found = terms_of_class.find(ancestor.id);
      if (found != terms_of_class.end()) above[term].insert(found->second.begin(), found->second.end());
    }
  }
  return above;
}

TermSet Propagated(const TermSet& labels, const std::map<std::string, TermSet>& above) {
  TermSet all = labels;
  for (const std::string& label : labels) {
    const auto found = above.find(label);
    if (found != above.end()) all.insert(found->second.begin(), found->second.end());
  }
  return all;
}

std::map<std::string, std::string> MergeSynonyms(const std::map<std::string, std::size_t>& counts,
                                                 StageRange range,
                                                 const TermMap& map,
                                                 const Ontology* ontology) {
  std::map<std::string, std::vector<std::string>> terms_of_class;
  for (const auto& [term, count] : counts) {
    const auto match = MatchOf(term, range, map);
    if (!match || !IsSameMeaning(match->kind)) continue;
    const Resolution resolved = ontology != nullptr ? ontology->Resolve(match->id) : Resolution();
    terms_of_class[resolved.InUse() ? resolved.id : match->id].push_back(term);
  }
  std::map<std::string, std::string> merged;
  for (const auto& [id, terms] : terms_of_class) {
    std::string stays = terms.front();
    for (const std::string& term : terms) {
      if (counts.at(term) > counts.at(stays)) stays = term;
    }
    for (const std::string& term : terms) {
      if (term != stays) merged[term] = stays;
    }
  }
  return merged;
}

}  // namespace flyscribe
