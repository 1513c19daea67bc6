#include "report/sweep_page.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "core/error.h"
#include "core/text.h"
#include "report/html.h"

namespace flyscribe {
namespace {

using Row = std::vector<std::string>;

bool IsScore(const std::string& column) {
  return column.find("_auc_") != std::string::npos || column == "macro_f1_all";
}

std::size_t RangeColumn(const SweepPage& page) {
  const auto found = std::ranges::find(page.header, "range");
  FLYSCRIBE_CHECK(found != page.header.end(), "the table of a sweep has a column for the range");
  return static_cast<std::size_t>(found - page.header.begin());
}

// The highest score by range and column.
using BestScores = std::map<std::pair<std::string, std::size_t>, double>;

BestScores FindBest(const SweepPage& page) {
  BestScores best;
  const std::size_t range = RangeColumn(page);
  for (const Row& row : page.rows) {
    for (std::size_t column = 0; column < row.size(); ++column) {
      const auto value = IsScore(page.header[column]) ? ParseReal(row[column]) : std::nullopt;
      if (!value) continue;
      const auto [place, is_new] = best.try_emplace({row[range], column}, *value);
      place->second = std::max(place->second, *value);
    }
  }
  return best;
}

Html CellHtml(const std::string& content, bool best) {
  const Html text = best ? Element("b", Text(content)) : Text(content);
  return ParseReal(content) ? Element("td", {{"class", "n"}}, text) : Element("td", text);
}

Html RowHtml(const Row& row, const std::string& range, const BestScores& best, const std::string& link) {
  Html cells;
  for (std::size_t column = 0; column < row.size(); ++column) {
    const auto highest = best.find({range, column});
    cells += CellHtml(row[column], highest != best.end() && ParseReal(row[column]) == highest->second);
  }
  const Html report = link.empty() ? Text("–") : Link(link, "report");
  return Element("tr", cells + Element("td", report));
}

// "macro_auc_top" -> "macro auc top".
Row Titles(Row header) {
  for (std::string& name : header) std::ranges::replace(name, '_', ' ');
  return header;
}

Html PointsTable(const SweepPage& page) {
  Row titles = Titles(page.header);
  titles.emplace_back("");
  const BestScores best = FindBest(page);
  const std::size_t range = RangeColumn(page);
  Html body;
  for (std::size_t i = 0; i < page.rows.size(); ++i) {
    body += RowHtml(page.rows[i], page.rows[i][range], best, i < page.links.size() ? page.links[i] : "");
  }
  return Element("div", {{"class", "scroll"}}, TableElement("The points of the sweep", titles, body));
}

Html SmallTable(const std::string& caption, const PlainTable& table) {
  Html body;
  for (const Row& row : table.rows) {
    Html cells;
    for (const std::string& content : row) cells += CellHtml(content, false);
    body += Element("tr", cells);
  }
  return Element("div", {{"class", "scroll"}}, TableElement(caption, Titles(table.header), body));
}

Html ChoiceSection(const SweepPage& page) {
  if (page.choice_scores.rows.empty()) return {};
  return Element("h2", Text("Chosen by inner folds")) +
         Element("p",
                 Text("For each fold the point was chosen by inner folds of its training genes, without a look at the "
                      "genes it is tested on. These scores are free of the choice; the best of the table below is "
                      "not.")) +
         SmallTable("What the choice scores on the tested genes", page.choice_scores) +
         SmallTable("The point chosen for each fold", page.choice_folds);
}

}  // namespace

std::string RenderSweepPage(const SweepPage& page) {
  const Html main = Masthead(page.title) +
                    Lead(
                        "One row for each point of the sweep and each stage range; the best score of a range is in "
                        "bold. Scores are of genes no model has seen; choosing the best of many points by them is "
                        "itself a choice made on these genes.") +
                    ChoiceSection(page) + PointsTable(page) +
                    Element("p", {{"class", "note"}}, Element("code", Text(page.command)));
  return RenderPage(page.title, Element("body", Element("main", main)));
}

}  // namespace flyscribe
