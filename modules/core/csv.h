// Delimited text tables: comma or tab, quoted or not (RFC 4180, read with tolerance, written strictly).
//
// A row that cannot be parsed never stops a table: it is listed with its line and the reason. Text is expected to be
// UTF-8 (see ToUtf8); line ends may be LF, CRLF or CR.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace flyscribe {

struct TableRow {
  std::vector<std::string> fields;
  int line = 0;  // where the row starts, from 1
};

struct TableProblem {
  int line = 0;
  std::string reason;
};

struct Table {
  std::vector<TableRow> rows;
  std::vector<TableProblem> problems;
};

// Tab if the first line that is not empty has more tabs than commas, else comma.
char DetectDelimiter(std::string_view text);

// Blank lines are passed over. A quote that is never closed spoils the row it opens, not the rest of the table; only in
// a table with so many of them that rereading would take forever (16 MiB) does one spoil all it swallowed. A row may
// have at most 1 MiB.
Table ParseTable(std::string_view text, char delimiter);

// The same one by one, in the order of the text, so that a table of a hundred million commas costs the memory of one
// row. `on_row` says whether to go on.
void ForEachRow(std::string_view text,
                char delimiter,
                const std::function<bool(TableRow& row)>& on_row,
                const std::function<void(TableProblem& problem)>& on_problem);

// A field without blanks at its ends, and with one blank in place of several, of tabs and of line ends.
std::string Tidied(std::string_view field);

// In quotes, with the quotes in it doubled.
std::string CsvQuoted(std::string_view field);

// One row with a line end. Its fields may hold no tab or line end: they become spaces.
std::string TsvRow(const std::vector<std::string>& fields);
// As TsvRow, but a field that begins with a quote is quoted: for what ParseTable will read.
std::string QuotedTsvRow(const std::vector<std::string>& fields);

}  // namespace flyscribe
