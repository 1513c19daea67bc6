// Delimited text: every line is a row, part of one, blank or a problem; what was read can be written and read again.
#include <algorithm>

#include "core/csv.h"
#include "tests/fuzz/promise.h"
#include "tests/fuzz/targets.h"

namespace flyscribe {
namespace {

int LinesIn(std::string_view text) {
  int lines = 1;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool in_crlf = text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n';
    if ((text[i] == '\n' || text[i] == '\r') && !in_crlf) ++lines;
  }
  return lines;
}

void PromiseLines(const Table& table, int last) {
  std::vector<int> lines;
  for (const TableRow& row : table.rows) lines.push_back(row.line);
  for (const TableProblem& problem : table.problems) lines.push_back(problem.line);
  std::sort(lines.begin(), lines.end());
  Promise(std::adjacent_find(lines.begin(), lines.end()) == lines.end(), "no line is told of twice");
  Promise(lines.empty() || (lines.front() >= 1 && lines.back() <= last), "lines lie within the text");
}

// Without quotes and NUL bytes a table is no more than its lines, cut at the delimiter.
std::vector<std::vector<std::string>> NaiveRows(std::string_view text, char delimiter) {
  std::string lines(text);
  std::replace(lines.begin(), lines.end(), '\r', '\n');
  std::vector<std::vector<std::string>> rows;
  for (const std::string& line : Split(lines, '\n')) {
    if (!line.empty()) rows.push_back(Split(line, delimiter));
  }
  return rows;
}

std::vector<std::vector<std::string>> FieldsOf(const Table& table) {
  std::vector<std::vector<std::string>> rows;
  for (const TableRow& row : table.rows) rows.push_back(row.fields);
  return rows;
}

void CheckTable(std::string_view text, char delimiter) {
  const Table table = ParseTable(text, delimiter);
  PromiseLines(table, LinesIn(text));
  for (const TableProblem& problem : table.problems) Promise(!problem.reason.empty(), "a problem has a reason");
  const std::vector<std::vector<std::string>> rows = FieldsOf(table);
  const bool plain = text.find_first_of(std::string_view("\"\0", 2)) == std::string_view::npos;
  if (plain) {
    Promise(table.problems.empty(), "plain text has no problems");
    Promise(rows == NaiveRows(text, delimiter), "plain text is cut at line ends and delimiters");
  }
  std::string written;
  for (const std::vector<std::string>& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) written += (i == 0 ? "" : ",") + CsvQuoted(row[i]);
    written += '\n';
  }
  const Table again = ParseTable(written, ',');
  Promise(again.problems.empty(), "what is written is sound");
  Promise(FieldsOf(again) == rows, "what is written reads back as it was");
}

}  // namespace

void FuzzCsv(std::string_view bytes) {
  CheckTable(bytes, ',');
  CheckTable(bytes, '\t');
  const char delimiter = DetectDelimiter(bytes);
  Promise(delimiter == ',' || delimiter == '\t', "a delimiter is a comma or a tab");
  Promise(IsUtf8(ToUtf8(bytes)), "any text becomes UTF-8");
}

}  // namespace flyscribe
