// Holds the docs to what can be checked without running anything: the scores they show are those of docs/scores.tsv, a
// table that stands in several pages is the same in all, and links lead to files that are there.
//
// A table that must agree stands between "<!-- table NAME -->" and "<!-- end -->".
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cctype>
#include <map>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "core/csv.h"
#include "core/file.h"
#include "core/fs.h"
#include "core/text.h"

namespace flyscribe {
namespace {

const fs::path kRoot = FLYSCRIBE_SOURCE_DIR;

// The Markdown pages of the project by path, relative to the root.
std::map<std::string, std::string> Pages() {
  std::map<std::string, std::string> pages;
  const auto add = [&pages](const fs::path& path) {
    if (path.extension() == ".md") pages[fs::relative(path, kRoot).generic_string()] = ReadFile(path);
  };
  for (const auto& entry : fs::directory_iterator(kRoot)) add(entry.path());
  for (const std::string folder : {"docs", "configs", "modules", "pipeline", "tests", "third_party"}) {
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder)) add(entry.path());
  }
  return pages;
}

// Name -> page -> text of the marked tables.
std::map<std::string, std::map<std::string, std::string>> MarkedTables() {
  std::map<std::string, std::map<std::string, std::string>> tables;
  const std::string begin = "<!-- table ";
  for (const auto& [page, text] : Pages()) {
    for (std::size_t at = text.find(begin); at != std::string::npos; at = text.find(begin, at + 1)) {
      const std::size_t name_end = text.find(" -->\n", at);
      const std::size_t end = text.find("<!-- end -->", at);
      const std::string name = text.substr(at + begin.size(), name_end - at - begin.size());
      EXPECT_LT(name_end, end) << page << ": the table " << name << " has no end";
      if (name_end < end) tables[name][page] = text.substr(name_end + 5, end - name_end - 5);
    }
  }
  return tables;
}

using Cells = std::vector<std::string>;

std::string MarkdownRow(const Cells& cells) { return "| " + Join(cells, " | ") + " |\n"; }

// docs/scores.tsv as a table of Markdown: a column a stage range and their mean, a row a method.
std::string ScoresTable() {
  const std::vector<std::pair<std::string, std::string>> methods = {
      {"pixels", "raw pixels, 40x16"},
      {"paper", "the paper's method (`configs/bdgp/<range>.yaml`)"},
      {"best", "the best found (`configs/bdgp/best-<range>.yaml`)"}};
  const std::vector<TableRow> rows = ParseTable(ReadFile(kRoot / "docs/scores.tsv"), '\t').rows;
  EXPECT_EQ(rows.at(0).fields, (Cells{"range", "method", "bags", "auc", "auc_low", "auc_high"}));
  Cells header = {"stage range"};
  Cells bags = {"bags"};
  Cells interval = {"its 95 % interval over genes"};
  std::map<std::string, Cells> aucs;
  std::map<std::string, double> sums;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const Cells& row = rows[i].fields;
    const double auc = ParseReal(row.at(3)).value();
    aucs[row[1]].push_back(FormatFixed(auc, 3));
    sums[row[1]] += auc;
    if (row[1] != "best") continue;
    header.push_back(row[0]);
    bags.push_back(row[2]);
    interval.push_back(FormatFixed(ParseReal(row.at(4)).value(), 3) + "-" +
                       FormatFixed(ParseReal(row.at(5)).value(), 3));
  }
  const double ranges = static_cast<double>(header.size() - 1);
  header.push_back("mean");
  bags.emplace_back();
  interval.emplace_back();
  std::string table = MarkdownRow(header) + "|" + Join(Cells(header.size(), "---"), "|") + "|\n" + MarkdownRow(bags);
  for (const auto& [method, words] : methods) {
    Cells cells = aucs[method];
    cells.insert(cells.begin(), words);
    const std::string mean = FormatFixed(sums[method] / ranges, 3);
    cells.push_back(method == "best" ? "**" + mean + "**" : mean);
    EXPECT_EQ(cells.size(), header.size()) << method << " is not there for every range";
    table += MarkdownRow(cells);
  }
  return table + MarkdownRow(interval);
}

TEST(DocsTest, ScoresAreThoseOfTheTable) {
  const std::string expected = ScoresTable();
  const std::map<std::string, std::string> shown = MarkedTables()["scores"];
  EXPECT_TRUE(shown.contains("README.md"));
  EXPECT_TRUE(shown.contains("docs/experiments.md"));
  for (const auto& [page, table] : shown) EXPECT_EQ(table, expected) << page;
}

TEST(DocsTest, ATableIsTheSameInAllPages) {
  for (const auto& [name, pages] : MarkedTables()) {
    for (const auto& [page, table] : pages) {
      EXPECT_EQ(table, pages.begin()->second) << name << " in " << page << " and in " << pages.begin()->first;
    }
  }
}

// The anchors GitHub gives to headings: lower case, blanks as dashes, other signs dropped.
std::string AnchorOf(const std::string& heading) {
  std::string anchor;
  for (const char c : ToLower(Trim(heading))) {
    if (c == ' ') anchor += '-';
    if (c == '-' || c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0) anchor += c;
  }
  return anchor;
}

bool HasAnchor(const std::string& page, const std::string& anchor) {
  for (const std::string& line : Split(page, '\n')) {
    if (line.starts_with("#") && AnchorOf(line.substr(line.find_first_not_of('#'))) == anchor) return true;
  }
  return false;
}

TEST(DocsTest, LinksLeadSomewhere) {
  const std::regex link(R"(\]\(([^)#\s]*)(?:#([^)\s]*))?\))");
  for (const auto& [page, text] : Pages()) {
    for (std::sregex_iterator at(text.begin(), text.end(), link), end; at != end; ++at) {
      const std::string target = (*at)[1];
      const std::string anchor = (*at)[2];
      if (target.find("://") != std::string::npos) continue;
      const fs::path path = target.empty() ? kRoot / page : (kRoot / page).parent_path() / target;
      EXPECT_TRUE(fs::exists(path)) << page << " links to " << target;
      if (anchor.empty() || !fs::is_regular_file(path)) continue;
      EXPECT_TRUE(HasAnchor(ReadFile(path), anchor)) << page << " links to " << target << "#" << anchor;
    }
  }
}

}  // namespace
}  // namespace flyscribe
