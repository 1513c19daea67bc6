// Intervals of embryonic development, as a table says: by default BDGP's 1-3, 4-6, 7-8, 9-10, 11-12 and 13-16.
//
// A table is data: how many ranges there are, what they are called and which codes stand for them is said in its rows
// and nowhere else. Thread-safe: values, and a default table that never changes.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace flyscribe {

struct StageRangeRow {
  int order = 0;                         // in time, from 1
  int code = 0;                          // that stands for the range in tables of images and annotations
  std::string name;                      // printed, and part of keys and of the names of folders
  std::vector<std::string> other_names;  // read as well
  // The smallest set of classes of FlyBase's ontology of development (FBdv) that together are exactly the range, in the
  // order of time: "FBdv:00005304" (stages 4 and 5) and "FBdv:00005318" (stage 6).
  std::vector<std::string> fbdv_ids;
};

// In the order of time. At least one row; orders, codes and names, other names included, each once.
using StageRangeTable = std::vector<StageRangeRow>;

// BDGP's six ranges. The paper writes the last one 13-17; both names are read, BDGP's is printed.
const StageRangeTable& BdgpRanges();

// One row of a table, which must outlive it. Only ranges of one table may be compared.
class StageRange {
 public:
  StageRange();  // BDGP's first

  static std::optional<StageRange> Find(std::string_view name, const StageRangeTable& table = BdgpRanges());
  static std::optional<StageRange> FindCode(std::int64_t code, const StageRangeTable& table = BdgpRanges());
  // As Find, but throws Error(kUsage) that lists the names of the table.
  static StageRange FromName(std::string_view name, const StageRangeTable& table = BdgpRanges());
  // REQUIRES: the table has the code.
  static StageRange FromCode(int code, const StageRangeTable& table = BdgpRanges());
  // All of the table, in the order of time.
  static std::vector<StageRange> All(const StageRangeTable& table = BdgpRanges());
  // The names Find knows, for option checks: first those that are printed.
  static std::vector<std::string> Names(const StageRangeTable& table = BdgpRanges());

  int order() const { return row_->order; }
  int code() const { return row_->code; }
  const std::string& name() const { return row_->name; }
  const std::vector<std::string>& fbdv_ids() const { return row_->fbdv_ids; }
  // The same as one field of a table, joined by '|'.
  std::string fbdv() const;

  friend bool operator==(const StageRange& a, const StageRange& b) { return a.order() == b.order(); }
  friend auto operator<=>(const StageRange& a, const StageRange& b) { return a.order() <=> b.order(); }

 private:
  explicit StageRange(const StageRangeRow& row) : row_(&row) {}
  const StageRangeRow* row_;
};

}  // namespace flyscribe
