#include "report/sweep_page.h"

#include "core/text.h"
#include "report/html.h"
#include "report/page.h"

namespace flyscribe {
namespace {

using Row = std::vector<std::string>;

// "macro_auc_top" -> "macro auc top".
std::string HeaderText(std::string name) {
  for (char& c : name) c = c == '_' ? ' ' : c;
  return name;
}

bool IsScore(const std::string& column) {
  return column.find("_auc_") != std::string::npos || column == "macro_f1_all";
}

// The column's highest score in each range, as text; empty where there is none.
std::string BestOf(const std::vector<Row>& rows,
                   std::size_t column,
                   std::size_t range_column,
                   const std::string& range) {
  std::string best;
  for (const Row& row : rows) {
    const auto value = ParseReal(row[column]);
    if (row[range_column] == range && value && (best.empty() || *value > *ParseReal(best))) best = row[column];
  }
  return best;
}

Html RowHtml(const std::vector<Row>& rows, const Row& header, std::size_t index, const std::string& link) {
  const Row& row = rows[index];
  std::size_t range_column = 0;
  while (header[range_column] != "range") ++range_column;
  Html cells;
  for (std::size_t column = 0; column < row.size(); ++column) {
    const bool best = IsScore(header[column]) && !row[column].empty() &&
                      row[column] == BestOf(rows, column, range_column, row[range_column]);
    const Html text = best ? Element("b", Text(row[column])) : Text(row[column]);
    const bool number = ParseReal(row[column]).has_value();
    cells += number ? Element("td", {{"class", "n"}}, text) : Element("td", text);
  }
  const Html report = link.empty() ? Text("–") : Element("a", {{"href", link}}, Text("report"));
  return Element("tr", cells + Element("td", report));
}

Html Table(const SweepPage& page) {
  std::vector<Row> rows;
  for (const std::string& line : Split(page.table, '\n')) {
    if (!line.empty()) rows.push_back(Split(line, '\t'));
  }
  const Row header = rows.front();
  rows.erase(rows.begin());
  std::vector<std::string> titles;
  for (const std::string& name : header) titles.push_back(HeaderText(name));
  titles.emplace_back("");
  Html body;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    body += RowHtml(rows, header, i, i < page.links.size() ? page.links[i] : "");
  }
  return Element("div", {{"class", "scroll"}}, TableElement("The points of the sweep", titles, body));
}

}  // namespace

std::string RenderSweepPage(const SweepPage& page) {
  const Html main = Element("p", {{"class", "brand"}}, Text("flyscribe")) + Element("h1", Text(page.title)) +
                    Element("p",
                            {{"class", "lead"}},
                            Text("One row for each point of the sweep and each stage range; the best score of a range "
                                 "is in bold. Scores are of genes no model has seen; choosing the best of many points "
                                 "by them is itself a choice made on these genes.")) +
                    Table(page) + Element("p", {{"class", "note"}}, Element("code", Text(page.command)));
  return RenderPage(page.title, Element("body", Element("main", main)));
}

}  // namespace flyscribe
