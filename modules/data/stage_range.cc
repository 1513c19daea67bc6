#include "data/stage_range.h"

#include <algorithm>

#include "core/error.h"
#include "core/text.h"

namespace flyscribe {

const StageRangeTable& BdgpRanges() {
  // The classes are checked against the ontology itself in tests/ontology/fbdv_test.cc.
  static const StageRangeTable table = {
      // Pre-blastoderm: 1, 2, 3.
      {.order = 1, .code = 1, .name = "1-3", .other_names = {}, .fbdv_ids = {"FBdv:00005290"}},
      // Blastoderm: 4, 5; stage 6.
      {.order = 2, .code = 2, .name = "4-6", .other_names = {}, .fbdv_ids = {"FBdv:00005304", "FBdv:00005318"}},
      // Stages 7 and 8; the gastrula would include 6.
      {.order = 3, .code = 3, .name = "7-8", .other_names = {}, .fbdv_ids = {"FBdv:00005319", "FBdv:00005322"}},
      // Early extended germ band: 9, 10.
      {.order = 4, .code = 4, .name = "9-10", .other_names = {}, .fbdv_ids = {"FBdv:00014201"}},
      // Late extended germ band: 11, 12.
      {.order = 5, .code = 5, .name = "11-12", .other_names = {}, .fbdv_ids = {"FBdv:00004450"}},
      // Dorsal closure: 13, 14, 15; stage 16.
      {.order = 6,
       .code = 6,
       .name = "13-16",
       .other_names = {"13-17"},
       .fbdv_ids = {"FBdv:00005331", "FBdv:00005334"}},
  };
  return table;
}

StageRange::StageRange() : StageRange(BdgpRanges().front()) {}

std::optional<StageRange> StageRange::Find(std::string_view name, const StageRangeTable& table) {
  for (const StageRangeRow& row : table) {
    const auto& others = row.other_names;
    if (name == row.name || std::ranges::find(others, name) != others.end()) return StageRange(row);
  }
  return std::nullopt;
}

std::optional<StageRange> StageRange::FindCode(std::int64_t code, const StageRangeTable& table) {
  for (const StageRangeRow& row : table) {
    if (row.code == code) return StageRange(row);
  }
  return std::nullopt;
}

StageRange StageRange::FromName(std::string_view name, const StageRangeTable& table) {
  if (const auto range = Find(name, table)) return *range;
  std::vector<std::string> names;
  std::vector<std::string> others;
  for (const StageRangeRow& row : table) {
    names.push_back(row.name);
    for (const std::string& other : row.other_names) others.push_back(other + " is read as " + row.name);
  }
  throw Error(ErrorCode::kUsage,
              "unknown stage range '" + std::string(name) + "'",
              "the ranges are " + Join(names, ", ") + (others.empty() ? "" : " (" + Join(others, ", ") + ")"));
}

StageRange StageRange::FromCode(int code, const StageRangeTable& table) {
  const auto range = FindCode(code, table);
  FLYSCRIBE_CHECK(range.has_value(), "stage code out of range");
  return *range;
}

std::vector<StageRange> StageRange::All(const StageRangeTable& table) {
  std::vector<StageRange> all;
  for (const StageRangeRow& row : table) all.push_back(StageRange(row));
  return all;
}

std::vector<std::string> StageRange::Names(const StageRangeTable& table) {
  std::vector<std::string> names;
  std::vector<std::string> others;
  for (const StageRangeRow& row : table) {
    names.push_back(row.name);
    others.insert(others.end(), row.other_names.begin(), row.other_names.end());
  }
  names.insert(names.end(), others.begin(), others.end());
  return names;
}

std::string StageRange::fbdv() const { return Join(row_->fbdv_ids, "|"); }

}  // namespace flyscribe
