// A table for people: columns as wide as they must be.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace flyscribe {

class TextTable {
 public:
  // Columns whose header begins with '>' are set to the right. A header of empty names is not shown.
  explicit TextTable(const std::vector<std::string>& header);

  // REQUIRES: as many cells as the header has.
  void Add(std::vector<std::string> row);
  // Whether there is nothing but the header.
  bool empty() const { return size() == 0; }
  std::size_t size() const { return rows_.size() - 1; }

  // Two blanks before and between columns; no blanks at the end of a line.
  std::string ToString() const;

 private:
  std::vector<std::vector<std::string>> rows_;
  std::vector<bool> right_;
};

// "1 term", "17 terms".
std::string CountText(std::uint64_t count, const std::string& thing);

}  // namespace flyscribe
