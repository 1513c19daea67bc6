#include "pipeline/terminal/text_table.h"

#include <algorithm>

#include "core/error.h"

namespace flyscribe {
namespace {

// In characters: bytes that go on with a UTF-8 character do not count.
std::size_t Width(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

}  // namespace

TextTable::TextTable(const std::vector<std::string>& header) {
  std::vector<std::string> names;
  for (const std::string& name : header) {
    right_.push_back(name.starts_with('>'));
    names.push_back(right_.back() ? name.substr(1) : name);
  }
  rows_.push_back(std::move(names));
}

void TextTable::Add(std::vector<std::string> row) {
  FLYSCRIBE_CHECK(row.size() == right_.size(), "a row has as many cells as the header");
  rows_.push_back(std::move(row));
}

std::string TextTable::ToString() const {
  std::vector<std::size_t> widths(right_.size());
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], Width(row[i]));
  }
  const auto& header = rows_.front();
  const bool unnamed = std::all_of(header.begin(), header.end(), [](const std::string& name) { return name.empty(); });
  std::string text;
  for (const auto& row : rows_) {
    if (unnamed && &row == &header) continue;
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string blanks(widths[i] - Width(row[i]), ' ');
      line += "  " + (right_[i] ? blanks + row[i] : row[i] + blanks);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string CountText(std::uint64_t count, const std::string& thing) {
  return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

}  // namespace flyscribe
