#include "ontology/anatomy.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>
#include <utility>

#include "core/text.h"

namespace flyscribe {
namespace {

constexpr std::size_t kLongestWarning = 200;  // characters
// More merges than this between an old id and the one in use are taken for a circle.
constexpr int kMostSuccessors = 100;
// A cycle of more terms than this is named by its first ones.
constexpr std::size_t kNamedInCycle = 8;

template <class T>
void Append(std::vector<T>& to, std::vector<T>& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

// What a second stanza of the same id adds.
void AddTo(OntologyTerm& term, OntologyTerm& more) {
  if (term.name.empty()) term.name = more.name;
  if (term.definition.empty()) term.definition = more.definition;
  Append(term.synonyms, more.synonyms);
  Append(term.alternative_ids, more.alternative_ids);
  Append(term.replaced_by, more.replaced_by);
  Append(term.consider, more.consider);
  Append(term.is_a, more.is_a);
  Append(term.part_of, more.part_of);
  term.obsolete = term.obsolete || more.obsolete;
}

bool IsWanted(EdgeKind edge, Relations relations) {
  return relations == Relations::kIsAAndPartOf || (edge == EdgeKind::kIsA) == (relations == Relations::kIsA);
}

}  // namespace

std::string OntologyWarning::ToString() const { return (line > 0 ? std::to_string(line) + ": " : "") + text; }

void OntologyWarnings::Add(int line, const std::string& text) {
  ++total_;
  if (kept_.size() < kKept) kept_.push_back({line, Printable(text, kLongestWarning)});
}

std::string Resolution::KindName() const {
  // In the order of the enum.
  constexpr std::array<const char*, 5> kNames = {"current", "alternative id", "replaced", "obsolete", "unknown"};
  return kNames.at(static_cast<std::size_t>(kind));
}

Ontology::Ontology(std::vector<OntologyTerm> terms, OntologyWarnings warnings) : warnings_(std::move(warnings)) {
  Join(std::move(terms));
  IndexAlternatives();
  LinkParents();
  WarnOfCycles();
}

void Ontology::Join(std::vector<OntologyTerm> terms) {
  std::ranges::stable_sort(terms, {}, &OntologyTerm::id);
  for (OntologyTerm& term : terms) {
    if (terms_.empty() || terms_.back().id != term.id) {
      terms_.push_back(std::move(term));
      continue;
    }
    warnings_.Add(term.line,
                  term.id + " is given a second time (first in line " + std::to_string(terms_.back().line) + ")");
    AddTo(terms_.back(), term);
  }
}

void Ontology::IndexAlternatives() {
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    for (const std::string& id : terms_[i].alternative_ids) {
      const auto [known, is_new] = alternatives_.try_emplace(id, i);
      if (is_new || known->second == i) continue;
      warnings_.Add(terms_[i].line,
                    id + " is an alternative id of " + terms_[known->second].id + " and of " + terms_[i].id +
                        "; the first counts");
    }
  }
}

void Ontology::LinkParents() {
  parents_.resize(terms_.size());
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    const auto link = [&](const std::vector<OntologyEdge>& edges, EdgeKind kind) {
      for (const OntologyEdge& edge : edges) {
        // An edge may be older than the merge of the term it leads to.
        const auto to = IndexOf(Resolve(edge.to).id);
        if (to) {
          parents_[i].push_back({kind, *to});
        } else {
          warnings_.Add(edge.line, terms_[i].id + " has a parent that is not in the file: " + edge.to);
        }
      }
    };
    link(terms_[i].is_a, EdgeKind::kIsA);
    link(terms_[i].part_of, EdgeKind::kPartOf);
    std::ranges::sort(parents_[i]);
    parents_[i].erase(std::unique(parents_[i].begin(), parents_[i].end()), parents_[i].end());
  }
}

// Depth first with a stack of its own: a chain may be as long as the file. An edge back to a term on the way closes a
// cycle.
void Ontology::WarnOfCycles() {
  enum class Mark : char { kNew, kOnTheWay, kDone };
  struct Visit {
    std::size_t term;
    std::size_t next_parent = 0;
  };
  std::vector<Mark> marks(terms_.size(), Mark::kNew);
  std::vector<Visit> way;
  const auto warn = [&](std::size_t back_to) {
    // Once no text is kept any more, none is made: it would take the square of a long way.
    if (warnings_.kept().size() == OntologyWarnings::kKept) return warnings_.Add(0, {});
    const auto start = std::ranges::find(way, back_to, &Visit::term);
    std::vector<std::string> ids;
    for (auto visit = start; visit != way.end() && ids.size() < kNamedInCycle; ++visit) {
      ids.push_back(terms_[visit->term].id);
    }
    if (static_cast<std::size_t>(way.end() - start) > ids.size()) ids.emplace_back("...");
    ids.push_back(terms_[back_to].id);
    warnings_.Add(0, "cycle of is_a and part_of: " + flyscribe::Join(ids, " < "));
  };
  for (std::size_t root = 0; root < terms_.size(); ++root) {
    if (marks[root] == Mark::kNew) way.push_back({root});
    while (!way.empty()) {
      const std::size_t term = way.back().term;
      marks[term] = Mark::kOnTheWay;
      if (way.back().next_parent == parents_[term].size()) {
        marks[term] = Mark::kDone;
        way.pop_back();
        continue;
      }
      const std::size_t parent = parents_[term][way.back().next_parent++].term;
      if (marks[parent] == Mark::kOnTheWay) warn(parent);
      if (marks[parent] == Mark::kNew) way.push_back({parent});
    }
  }
}

std::optional<std::size_t> Ontology::IndexOf(std::string_view id) const {
  const auto found = std::ranges::lower_bound(terms_, id, {}, &OntologyTerm::id);
  if (found == terms_.end() || found->id != id) return std::nullopt;
  return static_cast<std::size_t>(found - terms_.begin());
}

const OntologyTerm* Ontology::Find(std::string_view id) const {
  const auto index = IndexOf(id);
  return index ? &terms_[*index] : nullptr;
}

Resolution Ontology::Resolve(std::string_view id) const {
  using Kind = Resolution::Kind;
  Resolution resolution{Kind::kCurrent, std::string(id)};
  for (int successors = 0; successors <= kMostSuccessors; ++successors) {
    const OntologyTerm* term = Find(resolution.id);
    if (term != nullptr && !term->obsolete) return resolution;
    const auto alternative = alternatives_.find(resolution.id);
    if (term != nullptr && !term->replaced_by.empty()) {
      resolution = {Kind::kReplaced, term->replaced_by.front()};
    } else if (alternative != alternatives_.end()) {
      resolution = {resolution.kind == Kind::kReplaced ? Kind::kReplaced : Kind::kAlternative,
                    terms_[alternative->second].id};
    } else {
      break;
    }
  }
  // No term in use at the end of the way, or no end: what was asked for is obsolete, if it is anything.
  if (Find(id) == nullptr) return {Kind::kUnknown, {}};
  return {Kind::kObsolete, std::string(id)};
}

const OntologyTerm* Ontology::FindByName(std::string_view name) const {
  const std::string wanted = ToLower(Trim(name));
  if (wanted.empty()) return nullptr;
  const auto is_named = [&](const OntologyTerm& term) { return !term.obsolete && ToLower(term.name) == wanted; };
  const auto is_synonym = [&](const OntologyTerm& term) {
    return !term.obsolete && std::ranges::any_of(term.synonyms, [&](const OntologySynonym& synonym) {
      return synonym.scope == "EXACT" && ToLower(synonym.text) == wanted;
    });
  };
  auto found = std::ranges::find_if(terms_, is_named);
  if (found == terms_.end()) found = std::ranges::find_if(terms_, is_synonym);
  return found == terms_.end() ? nullptr : &*found;
}

std::vector<Ancestor> Ontology::Ancestors(std::string_view id, Relations relations) const {
  const auto start = IndexOf(id);
  if (!start) return {};
  std::vector<Ancestor> ancestors;
  std::set<std::size_t> seen = {*start};
  std::set<std::size_t> level = {*start};  // terms are sorted by id, so a set of indices is too
  for (int distance = 1; !level.empty(); ++distance) {
    std::set<std::size_t> next;
    for (const std::size_t term : level) {
      for (const Parent& parent : parents_[term]) {
        if (IsWanted(parent.edge, relations) && seen.insert(parent.term).second) next.insert(parent.term);
      }
    }
    for (const std::size_t term : next) ancestors.push_back({terms_[term].id, distance});
    level = std::move(next);
  }
  return ancestors;
}

std::vector<LineageEntry> Ontology::Lineage(std::string_view id) const {
  const auto start = IndexOf(id);
  if (!start) return {};
  struct Open {
    Parent parent;
    int depth;
  };
  std::vector<LineageEntry> lineage;
  std::set<std::size_t> expanded = {*start};
  std::vector<Open> open;
  const auto push_parents = [&](std::size_t term, int depth) {
    const auto first = static_cast<std::ptrdiff_t>(open.size());
    for (const Parent& parent : parents_[term]) open.push_back({parent, depth});
    std::reverse(open.begin() + first, open.end());  // the first parent is taken up first
  };
  push_parents(*start, 1);
  while (!open.empty()) {
    const Open current = open.back();
    open.pop_back();
    const bool is_new = expanded.insert(current.parent.term).second;
    const bool has_parents = !parents_[current.parent.term].empty();
    lineage.push_back({terms_[current.parent.term].id, current.depth, current.parent.edge, !is_new && has_parents});
    if (is_new) push_parents(current.parent.term, current.depth + 1);
  }
  return lineage;
}

}  // namespace flyscribe
