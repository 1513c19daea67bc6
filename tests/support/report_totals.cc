#include "tests/support/report_totals.h"

#include <gtest/gtest.h>

#include "core/text.h"

namespace flyscribe {

std::map<std::pair<std::string, std::string>, std::size_t> CheckedTotals(const std::string& report_tsv) {
  std::map<std::pair<std::string, std::string>, std::size_t> totals;
  std::map<std::pair<std::string, std::string>, std::size_t> listed;
  std::map<std::string, std::size_t> whole;
  std::map<std::string, std::size_t> parts;
  for (const std::string& line : Split(report_tsv, '\n')) {
    const std::vector<std::string> fields = Split(line, '\t');
    if (fields.size() != 6 || fields[0] == "table") continue;
    const std::pair key(fields[0], fields[3]);
    if (fields[2] == "total") {
      totals[key] = std::stoul(fields[5]);
      const bool is_whole = fields[3] == "rows" || fields[3] == "files";
      (is_whole ? whole : parts)[fields[0]] += totals[key];
    } else if (fields[2] != "note") {
      ++listed[key];
    }
  }
  EXPECT_FALSE(whole.empty()) << report_tsv;
  EXPECT_EQ(whole, parts);
  for (const auto& [key, count] : totals) {
    const bool is_reason = key.second != "rows" && key.second != "used" && key.first != "image files";
    EXPECT_EQ(is_reason ? listed[key] : count, count) << key.first << ": " << key.second;
  }
  return totals;
}

}  // namespace flyscribe
