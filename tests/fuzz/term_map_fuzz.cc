// SSSOM maps: every answer is a row of the map, and the rows with a class can be written and read again.
#include <algorithm>
#include <tuple>

#include "core/csv.h"
#include "ontology/term_map.h"
#include "tests/fuzz/promise.h"
#include "tests/fuzz/targets.h"

namespace flyscribe {
namespace {

using Row = std::tuple<std::string, std::string, std::string, std::string>;  // range, term, predicate, id

std::vector<Row> RowsWithAClass(const TermMap& map) {
  std::vector<Row> rows;
  for (const StageRange range : StageRange::All()) {
    for (const TermMatch& match : map.OfRange(range)) {
      rows.emplace_back(match.range.name(), match.term, match.predicate, match.id);
    }
  }
  return rows;
}

void CheckAnswers(const TermMap& map) {
  const std::vector<std::string> terms = map.Terms();
  Promise(!terms.empty(), "a map without terms is refused");
  for (const std::string& term : terms) {
    Promise(IsUtf8(term), "terms are UTF-8");
    const std::vector<TermMatch> all = map.FindAll(term);
    Promise(!all.empty(), "a term that is listed has a row");
    for (const StageRange range : StageRange::All()) {
      const auto found = map.Find(term, range);
      if (!found) continue;
      const std::vector<TermMatch> same = map.WithId(found->id);
      const bool is_row = std::any_of(same.begin(), same.end(), [&](const TermMatch& match) {
        return match.term == found->term && match.range == found->range;
      });
      Promise(is_row, "an answer is a row of the map");
      Promise(found->other_range == (found->range != range), "help from another range is told");
    }
  }
}

void CheckRoundTrip(const TermMap& map) {
  const std::vector<Row> rows = RowsWithAClass(map);
  if (rows.empty()) return;
  std::string text = "subject_label,predicate_id,object_id,ext_stage_range\n";
  for (const auto& [range, term, predicate, id] : rows) {
    text += CsvQuoted(term) + ',' + CsvQuoted(predicate) + ',' + CsvQuoted(id) + ',' + CsvQuoted(range) + '\n';
  }
  std::string tabs;
  for (const TableRow& row : ParseTable(text, ',').rows) {
    std::vector<std::string> quoted;
    for (const std::string& field : row.fields) quoted.push_back("\"" + Join(Split(field, '"'), "\"\"") + "\"");
    tabs += Join(quoted, "\t") + "\n";
  }
  const TermMap again = TermMap::Parse(tabs, "again.tsv");
  Promise(again.problems().empty(), "what is written is sound");
  Promise(RowsWithAClass(again) == rows, "rows with a class read back as they were");
}

}  // namespace

void FuzzTermMap(std::string_view bytes) {
  const auto map = TryRead([&] { return TermMap::Parse(bytes, "map.sssom.tsv"); });
  if (!map) return;
  for (const TableProblem& problem : map->problems()) {
    Promise(problem.line >= 1 && IsSafeToPrint(problem.reason), "a problem has a line and words safe to print");
  }
  CheckAnswers(*map);
  CheckRoundTrip(*map);
}

}  // namespace flyscribe
