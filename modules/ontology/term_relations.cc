#include "ontology/term_relations.h"

#include <algorithm>

#include "core/error.h"
#include "core/text.h"

namespace flyscribe {
namespace {

// --- labels

bool IsSameMeaning(MatchKind kind) { return kind == MatchKind::kExact || kind == MatchKind::kClose; }
bool CarriesUpwards(MatchKind kind) { return IsSameMeaning(kind) || kind == MatchKind::kBroad; }
bool CanBeAbove(MatchKind kind) { return IsSameMeaning(kind) || kind == MatchKind::kNarrow; }

// The row of this very range.
std::optional<TermMatch> MatchOf(const std::string& term, StageRange range, const TermMap& map) {
  std::optional<TermMatch> match = map.Find(term, range);
  return match && !match->other_range ? match : std::nullopt;
}

// --- cards

constexpr std::size_t kSuggestions = 5;
constexpr std::size_t kShownOfTheQuestion = 80;

// The nearest wording first, then terms that hold the words asked for.
std::vector<std::string> Suggestions(std::string_view question, const TermMap& map) {
  const std::vector<std::string> terms = map.Terms();
  std::vector<std::string> suggestions;
  if (const auto nearest = Nearest(question, terms)) suggestions.push_back(*nearest);
  const std::string wanted = ToLower(Trim(question));
  for (const std::string& term : terms) {
    if (wanted.empty() || suggestions.size() == kSuggestions) break;
    const bool is_new = std::ranges::count(suggestions, term) == 0;
    if (is_new && ToLower(term).find(wanted) != std::string::npos) suggestions.push_back(term);
  }
  return suggestions;
}

[[noreturn]] void ThrowUnknown(std::string_view question,
                               std::optional<StageRange> range,
                               const TermMap& map,
                               const Ontology* ontology) {
  std::vector<std::string> quoted;
  for (const std::string& term : Suggestions(question.substr(0, kShownOfTheQuestion), map)) {
    quoted.push_back("'" + term + "'");
  }
  std::vector<std::string> ranges;
  for (const TermMatch& match : map.FindAll(question)) ranges.push_back(match.range.name());
  std::string hint = "give a term as BDGP words it, such as 'ventral nerve cord', or an id, such as FBbt:00001102";
  if (!quoted.empty()) hint = "did you mean " + Join(quoted, ", ") + "?";
  if (!ranges.empty()) hint = "the map has it, with another meaning or none, in " + Join(ranges, ", ");
  if (ontology == nullptr) hint += " (without an OBO file the ontology's own names are not known)";
  throw Error(ErrorCode::kUsage,
              "unknown term '" + Printable(question, kShownOfTheQuestion) + "'" +
                  (range ? " in stage range " + range->name() : ""),
              hint);
}

std::vector<TermMatch> OnlyOf(std::optional<StageRange> range, std::vector<TermMatch> matches) {
  if (range) std::erase_if(matches, [&](const TermMatch& match) { return match.range != *range; });
  return matches;
}

// One card per class, in the order of the ranges.
std::vector<TermCard> CardsOf(const std::vector<TermMatch>& matches) {
  std::vector<TermCard> cards;
  for (const TermMatch& match : matches) {
    auto card = std::ranges::find(cards, match.id, &TermCard::id);
    if (card == cards.end()) {
      cards.emplace_back();
      card = cards.end() - 1;
      card->id = match.id;
    }
    card->matches.push_back(match);
  }
  return cards;
}

// The id as the map or the ontology writes it.
std::string KnownId(std::string_view question, const TermMap& map, const Ontology* ontology) {
  std::string id(Trim(question));
  if (!map.WithId(id).empty()) return id;
  if (ontology == nullptr) return {};
  if (ontology->Resolve(id).kind != Resolution::Kind::kUnknown) return id;
  const OntologyTerm* named = ontology->FindByName(question);
  return named != nullptr ? named->id : std::string();
}

// An id may be in the map under an older one.
std::vector<TermMatch> RowsOf(const std::string& id, const TermMap& map, const Ontology* ontology) {
  if (ontology == nullptr) return map.WithId(id);
  const std::string in_use = ontology->Resolve(id).id;
  std::vector<TermMatch> rows;
  for (const StageRange range : StageRange::All()) {
    for (const TermMatch& row : map.OfRange(range)) {
      const bool is_older = !in_use.empty() && ontology->Resolve(row.id).id == in_use;
      if (row.id == id || is_older) rows.push_back(row);
    }
  }
  return rows;
}

// Rows of the card's ranges (of the range asked for, or of all, if the map has no row of it) above and below it.
void FindNeighbours(TermCard& card, std::optional<StageRange> range, const TermMap& map, const Ontology& ontology) {
  std::set<StageRange> ranges;
  for (const TermMatch& match : card.matches) ranges.insert(match.range);
  if (ranges.empty() && range) ranges.insert(*range);
  if (ranges.empty()) {
    for (const StageRange each : StageRange::All()) ranges.insert(each);
  }
  std::set<std::string> ancestors;
  for (const Ancestor& ancestor : ontology.Ancestors(card.term->id)) ancestors.insert(ancestor.id);
  for (const StageRange each : ranges) {
    for (const TermMatch& row : map.OfRange(each)) {
      const std::string id = ontology.Resolve(row.id).id;
      if (row.kind == MatchKind::kRelated || id == card.term->id) continue;
      if (ancestors.contains(id)) card.above.push_back(row);
      const std::vector<Ancestor> of_row = ontology.Ancestors(id);
      if (std::ranges::find(of_row, card.term->id, &Ancestor::id) != of_row.end()) card.below.push_back(row);
    }
  }
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

std::vector<TermCard> DescribeTerm(std::string_view question,
                                   std::optional<StageRange> range,
                                   const TermMap& map,
                                   const Ontology* ontology) {
  std::vector<TermMatch> rows = OnlyOf(range, map.FindAll(question));
  const std::optional<TermMatch> elsewhere = range && rows.empty() ? map.Find(question, *range) : std::nullopt;
  if (elsewhere) rows.push_back(*elsewhere);
  std::vector<TermCard> cards = CardsOf(rows);
  if (cards.empty()) {
    const std::string id = KnownId(question, map, ontology);
    if (id.empty()) ThrowUnknown(question, range, map, ontology);
    cards.emplace_back();
    cards.back().id = id;
    cards.back().matches = OnlyOf(range, RowsOf(id, map, ontology));
  }
  if (ontology == nullptr) return cards;
  for (TermCard& card : cards) {
    if (card.id.empty()) continue;
    card.resolution = ontology->Resolve(card.id);
    card.term = ontology->Find(card.resolution.id);
    if (card.term == nullptr) continue;
    card.lineage = ontology->Lineage(card.term->id);
    FindNeighbours(card, range, map, *ontology);
  }
  return cards;
}

}  // namespace flyscribe
