#include "ontology/term_map.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <utility>

#include "core/error.h"
#include "core/file.h"
#include "core/text.h"

namespace flyscribe {
namespace {

constexpr std::uint64_t kMaxMapBytes = std::uint64_t{64} << 20;
constexpr std::string_view kNoTermFound = "sssom:NoTermFound";
constexpr std::size_t kShownOfAField = 40;

std::string Folded(std::string_view term) { return ToLower(Tidied(term)); }

// Empties the lines that begin with '#', so that the others keep their numbers.
std::string WithoutMetadata(std::string_view text) {
  std::string table;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
    const std::size_t next = std::min(text.size(), end + 1);
    table += text.starts_with('#') ? text.substr(end, next - end) : text.substr(0, next);
    text.remove_prefix(next);
  }
  return table;
}

MatchKind KindOf(std::string_view predicate) {
  if (predicate == "skos:exactMatch" || predicate == "owl:equivalentClass") return MatchKind::kExact;
  if (predicate == "skos:closeMatch") return MatchKind::kClose;
  if (predicate == "skos:broadMatch" || predicate == "rdfs:subClassOf") return MatchKind::kBroad;
  if (predicate == "skos:narrowMatch") return MatchKind::kNarrow;
  return MatchKind::kRelated;
}

// "FBbt:00005624": a prefix and a local part, no blanks or control characters.
bool IsCurie(std::string_view id) {
  const std::size_t colon = id.find(':');
  return colon != std::string_view::npos && colon > 0 && colon + 1 < id.size() &&
         id.find_first_of(" \t|,;") == std::string_view::npos && Printable(id, id.size()) == id;
}

std::string Shown(std::string_view field) { return "'" + Printable(field, kShownOfAField) + "'"; }

}  // namespace

// Where the columns are; -1: not there.
struct TermMap::Columns {
  int subject_label = -1;
  int object_id = -1;
  int predicate_id = -1;
  int object_label = -1;
  int predicate_modifier = -1;
  int stage_range = -1;

  static Columns Of(const std::vector<std::string>& header, const std::string& name) {
    const auto find = [&](std::string_view wanted) {
      const auto found =
          std::ranges::find_if(header, [&](const std::string& field) { return ToLower(Trim(field)) == wanted; });
      return found == header.end() ? -1 : static_cast<int>(found - header.begin());
    };
    const auto require = [&](const std::string& wanted) {
      const int column = find(wanted);
      if (column >= 0) return column;
      throw Error(
          ErrorCode::kInput,
          "the map has no column " + wanted,
          "expected an SSSOM table with the columns subject_label, predicate_id and object_id, separated by tabs",
          {name});
    };
    return {require("subject_label"),
            require("object_id"),
            require("predicate_id"),
            find("object_label"),
            find("predicate_modifier"),
            find("ext_stage_range")};
  }

  static std::string Field(const TableRow& row, int column) {
    const auto index = static_cast<std::size_t>(column);
    return column < 0 || index >= row.fields.size() ? std::string() : Tidied(row.fields[index]);
  }
};

TermMap TermMap::Parse(std::string_view text, const std::string& name) {
  const Table table = ParseTable(WithoutMetadata(ToUtf8(text)), '\t');
  if (table.rows.empty()) {
    throw Error(ErrorCode::kInput, "the map is empty", "expected an SSSOM table, separated by tabs", {name});
  }
  const Columns columns = Columns::Of(table.rows.front().fields, name);
  TermMap map;
  map.problems_ = table.problems;
  for (std::size_t i = 1; i < table.rows.size(); ++i) map.ReadRow(table.rows[i], columns);
  std::ranges::stable_sort(map.problems_, {}, &TableProblem::line);
  if (map.matches_.empty()) {
    const std::string first = map.problems_.empty()
                                  ? "it has a header only"
                                  : "line " + std::to_string(map.problems_[0].line) + ": " + map.problems_[0].reason;
    throw Error(ErrorCode::kInput, "no row of the map can be used", first, {name});
  }
  return map;
}

TermMap TermMap::Load(const fs::path& path) { return Parse(ReadFile(path, kMaxMapBytes), path.string()); }

const TermMap& TermMap::Shipped() {
  static const TermMap shipped = Parse(ShippedMapText(), "bdgp-to-fbbt.sssom.tsv");
  return shipped;
}

void TermMap::ReadRow(const TableRow& row, const Columns& columns) {
  const auto refuse = [&](const std::string& reason) { problems_.push_back({row.line, reason}); };
  TermMatch match;
  match.term = Columns::Field(row, columns.subject_label);
  match.id = Columns::Field(row, columns.object_id);
  match.predicate = Columns::Field(row, columns.predicate_id);
  match.label = Columns::Field(row, columns.object_label);
  match.kind = KindOf(match.predicate);
  if (match.term.empty()) return refuse("no subject_label");
  if (match.predicate.empty()) return refuse("no predicate_id");
  if (!IsCurie(match.id)) return refuse("object_id is not one id: " + Shown(match.id));
  if (ToLower(Columns::Field(row, columns.predicate_modifier)) == "not") return refuse("says what is not a match");
  if (match.id == kNoTermFound) match.id.clear();

  const std::string name = Columns::Field(row, columns.stage_range);
  const std::optional<StageRange> range = StageRange::Find(name);
  if (!name.empty() && !range) return refuse("unknown stage range " + Shown(name));
  match.all_ranges = name.empty();
  for (const StageRange each : StageRange::All()) {
    if (range && each != *range) continue;
    match.range = each;
    Add(match, row.line);
  }
}

void TermMap::Add(TermMatch match, int line) {
  const Key key{match.range, Folded(match.term)};
  const auto [known, is_new] = matches_.try_emplace(key, match);
  if (is_new) return;
  // What is said of one range is worth more than what is said of all.
  if (known->second.all_ranges != match.all_ranges) {
    if (known->second.all_ranges) known->second = std::move(match);
    return;
  }
  if (known->second.id == match.id) return CheckPredicate(known->second, match, line);
  // A class is worth more than the note that there is none; of two classes the first stays.
  if (known->second.id.empty()) {
    known->second = std::move(match);
  } else if (!match.id.empty()) {
    Contradict(match,
               line,
               Printable(known->second.id, kShownOfAField) + " by an earlier row, " +
                   Printable(match.id, kShownOfAField) + " here");
  }
}

void TermMap::CheckPredicate(const TermMatch& known, const TermMatch& match, int line) {
  if (known.predicate == match.predicate || match.id.empty()) return;
  Contradict(match,
             line,
             Printable(match.id, kShownOfAField) + " by " + Shown(known.predicate) + " in an earlier row, by " +
                 Shown(match.predicate) + " here");
}

// A row of all ranges comes by once for each of them, but is one row.
void TermMap::Contradict(const TermMatch& match, int line, const std::string& what) {
  if (!problems_.empty() && problems_.back().line == line) return;
  const std::string place = match.all_ranges ? "" : " in " + match.range.name();
  problems_.push_back({line, Shown(match.term) + place + " is " + what});
}

const TermMatch* TermMap::FindMapped(const std::string& folded, StageRange range) const {
  const auto found = matches_.find({range, folded});
  return found == matches_.end() || found->second.id.empty() ? nullptr : &found->second;
}

std::optional<TermMatch> TermMap::Find(std::string_view term, StageRange range) const {
  const std::string folded = Folded(term);
  if (const TermMatch* match = FindMapped(folded, range)) return *match;
  const TermMatch* nearest = nullptr;
  const auto distance = [&](StageRange other) { return std::abs(other.order() - range.order()); };
  for (const StageRange other : StageRange::All()) {
    const TermMatch* match = FindMapped(folded, other);
    if (match == nullptr || match->kind == MatchKind::kRelated) continue;
    if (nearest == nullptr || distance(other) < distance(nearest->range)) nearest = match;
  }
  if (nearest == nullptr) return std::nullopt;
  TermMatch found = *nearest;
  found.other_range = true;
  return found;
}

std::vector<TermMatch> TermMap::FindAll(std::string_view term) const {
  std::vector<TermMatch> found;
  for (const StageRange range : StageRange::All()) {
    const auto match = matches_.find({range, Folded(term)});
    if (match != matches_.end()) found.push_back(match->second);
  }
  return found;
}

std::vector<TermMatch> TermMap::WithId(std::string_view id) const {
  std::vector<TermMatch> found;
  if (id.empty()) return found;
  for (const auto& [key, match] : matches_) {
    if (match.id == id) found.push_back(match);
  }
  return found;
}

std::vector<TermMatch> TermMap::OfRange(StageRange range) const {
  std::vector<TermMatch> found;
  for (const auto& [key, match] : matches_) {
    if (key.range == range && !match.id.empty()) found.push_back(match);
  }
  return found;
}

std::vector<std::string> TermMap::Terms() const {
  std::map<std::string, std::string> by_folded;
  for (const auto& [key, match] : matches_) by_folded.try_emplace(key.folded, match.term);
  std::vector<std::string> terms;
  for (const auto& [folded, term] : by_folded) terms.push_back(term);
  return terms;
}

}  // namespace flyscribe
