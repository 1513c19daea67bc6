// What was left out, and why: nothing is dropped without a line here.
#pragma once

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
