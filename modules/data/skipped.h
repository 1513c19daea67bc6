// What was left out, and why: nothing is dropped without a line here.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/fs.h"

namespace flyscribe {

struct Skipped {
  std::string input;   // a file, or table:line
  std::string reason;  // one of a few fixed phrases, so that they can be counted; details after a colon
  // A filter of the configuration (view, label) is a choice; a missing or unreadable input is a fault, and a run with
  // faults ends with exit code 3.
  bool fault = true;

  friend bool operator==(const Skipped&, const Skipped&) = default;
};

struct ReasonCount {
  std::string reason;  // what stands before the first colon
  bool fault = false;
  std::size_t count = 0;
  friend bool operator==(const ReasonCount&, const ReasonCount&) = default;
};

// Faults first, then filters; within each the most frequent first, ties by reason.
std::vector<ReasonCount> CountReasons(const std::vector<Skipped>& skipped);

// The same in words, for a message: "view not wanted (2), no annotation (1)"; "nothing" if there is none.
std::string ReasonsInWords(const std::vector<Skipped>& skipped);

// skipped.tsv: input, reason, kind.
void SaveSkipped(const fs::path& folder, const std::vector<Skipped>& skipped);
std::vector<Skipped> LoadSkipped(const fs::path& folder);

// A fault of one range: an input that was missing or unreadable, a bag without a patch.
struct RangeFault {
  std::string range;
  Skipped skipped;

  friend bool operator==(const RangeFault&, const RangeFault&) = default;
};

// faults.tsv: range, input, reason.
void SaveFaults(const fs::path& folder, const std::vector<RangeFault>& faults);
std::vector<RangeFault> LoadFaults(const fs::path& folder);

}  // namespace flyscribe
