#include "core/csv.h"

#include <algorithm>
#include <utility>

#include "core/text.h"

namespace flyscribe {
namespace {

constexpr std::size_t kMaxRowBytes = std::size_t{1} << 20;
// How many bytes may be read a second time after bad rows, so that no table takes quadratic time.
constexpr std::size_t kMaxBytesReread = 16 * kMaxRowBytes;

// Walks over one table's text. Rows end at a line end outside quotes.
class Parser {
 public:
  using OnRow = std::function<bool(TableRow& row)>;
  using OnProblem = std::function<void(TableProblem& problem)>;

  Parser(std::string_view text, char delimiter, const OnRow& on_row, const OnProblem& on_problem)
      : text_(text), delimiter_(delimiter), on_row_(on_row), on_problem_(on_problem) {}

  void Parse() {
    while (at_ < text_.size() && ParseRow()) {
    }
  }

 private:
  // Whether to go on.
  bool ParseRow() {
    const std::size_t start = at_;
    const int start_line = line_;
    row_limit_ = std::min(text_.size(), start + kMaxRowBytes);
    std::vector<std::string> fields;
    std::string problem;
    do {
      fields.push_back(ParseField(problem));
    } while (problem.empty() && at_ - start <= kMaxRowBytes && SkipDelimiter());
    if (problem.empty() && at_ - start > kMaxRowBytes) problem = "row longer than 1 MiB";
    if (problem.empty() && at_ < text_.size() && !AtLineEnd()) problem = "text after a closing quote";
    bool go_on = true;
    if (!problem.empty()) {
      TableProblem bad{start_line, std::move(problem)};
      on_problem_(bad);
      Recover(start, start_line);
    } else if (at_ > start) {
      TableRow row{std::move(fields), start_line};
      go_on = on_row_(row);
    }
    SkipLineEnd();
    return go_on;
  }

  // Begins again after the line on which the bad row started: a stray quote costs one row. A table that is all stray
  // quotes loses more once its allowance is used up.
  void Recover(std::size_t start, int start_line) {
    reread_ += at_ - start;
    if (reread_ <= kMaxBytesReread) {
      at_ = start;
      line_ = start_line;
    }
    while (at_ < text_.size() && !AtLineEnd()) ++at_;
  }

  std::string ParseField(std::string& problem) {
    if (at_ < text_.size() && text_[at_] == '"') return ParseQuoted(problem);
    const std::size_t start = at_;
    while (at_ < text_.size() && !AtLineEnd() && text_[at_] != delimiter_) ++at_;
    const std::string_view field = text_.substr(start, at_ - start);
    if (field.find('\0') != std::string_view::npos) problem = "NUL byte";
    return std::string(field);
  }

  std::string ParseQuoted(std::string& problem) {
    std::string field;
    for (++at_; at_ < row_limit_; ++at_) {
      const char c = text_[at_];
      if (c == '\0') {
        problem = "NUL byte";
        return field;
      }
      // CRLF is one line end, counted at its LF.
      if (c == '\n' || (c == '\r' && !(at_ + 1 < text_.size() && text_[at_ + 1] == '\n'))) ++line_;
      if (c == '"') {
        if (at_ + 1 >= text_.size() || text_[at_ + 1] != '"') {
          ++at_;
          return field;
        }
        ++at_;
      }
      field += c;
    }
    problem = at_ < text_.size() ? "quote is not closed within 1 MiB" : "quote is never closed";
    return field;
  }

  bool AtLineEnd() const { return text_[at_] == '\n' || text_[at_] == '\r'; }

  bool SkipDelimiter() {
    if (at_ >= text_.size() || text_[at_] != delimiter_) return false;
    ++at_;
    return true;
  }

  void SkipLineEnd() {
    if (at_ >= text_.size()) return;
    if (text_[at_] == '\r' && at_ + 1 < text_.size() && text_[at_ + 1] == '\n') ++at_;
    ++at_;
    ++line_;
  }

  std::string_view text_;
  char delimiter_;
  std::size_t at_ = 0;
  int line_ = 1;
  std::size_t row_limit_ = 0;
  std::size_t reread_ = 0;
  const OnRow& on_row_;
  const OnProblem& on_problem_;
};

}  // namespace

std::string Tidied(std::string_view field) {
  std::string tidy;
  for (const char c : Trim(field)) {
    const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!blank) {
      tidy += c;
    } else if (!tidy.ends_with(' ')) {
      tidy += ' ';
    }
  }
  return tidy;
}

std::string CsvQuoted(std::string_view field) {
  std::string quoted = "\"";
  for (const char c : field) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

char DetectDelimiter(std::string_view text) {
  const std::size_t start = std::min(text.find_first_not_of("\r\n"), text.size());
  const std::string_view line = text.substr(start, text.find_first_of("\r\n", start) - start);
  return std::ranges::count(line, '\t') > std::ranges::count(line, ',') ? '\t' : ',';
}

void ForEachRow(std::string_view text,
                char delimiter,
                const std::function<bool(TableRow& row)>& on_row,
                const std::function<void(TableProblem& problem)>& on_problem) {
  Parser(text, delimiter, on_row, on_problem).Parse();
}

Table ParseTable(std::string_view text, char delimiter) {
  Table table;
  const auto keep_row = [&](TableRow& row) {
    table.rows.push_back(std::move(row));
    return true;
  };
  const auto keep_problem = [&](TableProblem& problem) { table.problems.push_back(std::move(problem)); };
  ForEachRow(text, delimiter, keep_row, keep_problem);
  return table;
}

std::string TsvRow(const std::vector<std::string>& fields) {
  std::string row;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (i > 0) row += '\t';
    for (const char c : fields[i]) row += (c == '\t' || c == '\n' || c == '\r') ? ' ' : c;
  }
  return row + '\n';
}

std::string QuotedTsvRow(const std::vector<std::string>& fields) {
  std::vector<std::string> quoted = fields;
  for (std::string& field : quoted) {
    if (field.starts_with('"')) field = CsvQuoted(field);
  }
  return TsvRow(quoted);
}

}  // namespace flyscribe
