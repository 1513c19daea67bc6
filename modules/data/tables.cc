#include "data/tables.h"

#include "core/csv.h"
#include "core/error.h"
#include "core/file.h"
#include "core/text.h"

namespace flyscribe {
namespace {

[[noreturn]] void ThrowCorrupt(const fs::path& path, int line, const std::string& message) {
  throw Error(ErrorCode::kCorrupt, message, "the file was changed by hand or is damaged", {path.string(), line, 0});
}

}  // namespace

std::vector<std::vector<std::string>> LoadTsv(const fs::path& path, const std::vector<std::string>& header) {
  // No quoting here: SaveTsv writes none, and a term may begin with a quote.
  std::vector<std::vector<std::string>> rows;
  int line = 0;
  for (const std::string& text : Split(ReadFile(path), '\n')) {
    ++line;
    if (text.empty()) continue;
    std::vector<std::string> fields = Split(text, '\t');
    if (line == 1 && fields != header) ThrowCorrupt(path, 1, "expected the columns " + Join(header, ", "));
    if (fields.size() != header.size()) {
      ThrowCorrupt(path,
                   line,
                   "expected " + std::to_string(header.size()) + " fields, found " + std::to_string(fields.size()));
    }
    if (line > 1) rows.push_back(std::move(fields));
  }
  if (line <= 1) ThrowCorrupt(path, 1, "empty table");
  return rows;
}

void SaveTsv(const fs::path& path,
             const std::vector<std::string>& header,
             const std::vector<std::vector<std::string>>& rows) {
  std::string text = TsvRow(header);
  for (const auto& row : rows) text += TsvRow(row);
  WriteFile(path, text);
}

std::int64_t IntegerField(const std::string& field, const fs::path& path) {
  const auto value = ParseInteger(field);
  if (!value) ThrowCorrupt(path, 0, "expected an integer, found '" + field + "'");
  return *value;
}

double RealField(const std::string& field, const fs::path& path) {
  const auto value = ParseReal(field);
  if (!value) ThrowCorrupt(path, 0, "expected a number, found '" + field + "'");
  return *value;
}

}  // namespace flyscribe
