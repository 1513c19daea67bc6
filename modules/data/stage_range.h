// An interval of embryonic development, as BDGP divides it: 1-3, 4-6, 7-8, 9-10, 11-12, 13-16.
//
// The paper writes the last one 13-17; both names are read, BDGP's is printed.
#pragma once

#include <compare>
#include <string>
#include <string_view>
#include <vector>

namespace flyscribe {

class StageRange {
 public:
  StageRange() = default;  // 1-3

  // Throws Error(kUsage) that lists the six names.
  static StageRange FromName(std::string_view name);
  // BDGP's code, 1 to 6. REQUIRES: valid.
  static StageRange FromCode(int code);
  static const std::vector<StageRange>& All();
  // The names FromName reads, for option checks: BDGP's six, and the paper's 13-17.
  static std::vector<std::string> Names();

  int code() const { return code_; }
  std::string name() const;
  // The smallest set of classes of FlyBase's ontology of development (FBdv) that together are exactly the range, in the
  // order of time: "FBdv:00005304" (stages 4 and 5) and "FBdv:00005318" (stage 6).
  std::vector<std::string> fbdv_ids() const;
  // The same as one field of a table, joined by '|'.
  std::string fbdv() const;

  friend auto operator<=>(const StageRange&, const StageRange&) = default;

 private:
  explicit StageRange(int code) : code_(code) {}
  int code_ = 1;
};

}  // namespace flyscribe
