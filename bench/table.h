// Results as they come: printed for people, kept for a JSON file.
#pragma once

#include <string>
#include <vector>

namespace flyscribe {

class BenchTable {
 public:
  // Prints the heading.
  BenchTable(std::string name, std::vector<std::string> columns);
  // Prints a row; numbers are rounded for reading, not in the JSON.
  void Row(const std::string& label, const std::vector<double>& values);

  // All tables made so far, as JSON.
  static std::string AllAsJson();

 private:
  std::size_t index_;
  std::vector<std::string> columns_;
};

}  // namespace flyscribe
