#include "data/tables.h"

#include <utility>

#include "core/csv.h"
#include "core/error.h"
#include "core/file.h"
#include "core/text.h"

namespace flyscribe {

void ThrowCorrupt(const fs::path& path, const std::string& message, int line) {
  throw Error(ErrorCode::kCorrupt, message, "the file was changed by hand or is damaged", {path.string(), line, 0});
}

std::vector<std::vector<std::string>> LoadTsv(const fs::path& path, const std::vector<std::string>& header) {
  // No quoting here: SaveTsv writes none, and a term may begin with a quote.
  std::vector<std::vector<std::string>> rows;
  bool header_seen = false;
  int line = 0;
  for (std::string& text : Split(ReadFile(path), '\n')) {
    ++line;
    if (!text.empty() && text.back() == '\r') text.pop_back();
    if (text.empty()) continue;
    std::vector<std::string> fields = Split(text, '\t');
    if (!header_seen && fields != header) ThrowCorrupt(path, "expected the columns " + Join(header, ", "), line);
    if (fields.size() != header.size()) {
      ThrowCorrupt(
          path, "expected " + std::to_string(header.size()) + " fields, found " + std::to_string(fields.size()), line);
    }
    if (header_seen) rows.push_back(std::move(fields));
    header_seen = true;
  }
  if (!header_seen) ThrowCorrupt(path, "empty table", 1);
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
  if (!value) ThrowCorrupt(path, "expected an integer, found '" + field + "'");
  return *value;
}

std::size_t CountField(const std::string& field, const fs::path& path, std::int64_t max) {
  const std::int64_t value = IntegerField(field, path);
  if (value < 0 || value > max) ThrowCorrupt(path, "the number " + field + " is out of range");
  return static_cast<std::size_t>(value);
}

double RealField(const std::string& field, const fs::path& path) {
  const auto value = ParseReal(field);
  if (!value) ThrowCorrupt(path, "expected a number, found '" + field + "'");
  return *value;
}

}  // namespace flyscribe
