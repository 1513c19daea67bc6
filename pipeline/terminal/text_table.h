// A table for people: columns as wide as they must be.
#pragma once

#include <string>
#include <vector>

namespace flyscribe {

class TextTable {
 public:
  // Columns whose header begins with '>' are set to the right.
  explicit TextTable(const std::vector<std::string>& header);

  // REQUIRES: as many cells as the header has.
  void Add(std::vector<std::string> row);

  // Two blanks before and between columns; no blanks at the end of a line.
  std::string ToString() const;

 private:
  std::vector<std::vector<std::string>> rows_;
  std::vector<bool> right_;
};

}  // namespace flyscribe
