#include "data/stage_range.h"

#include <array>

#include "core/error.h"
#include "core/text.h"

namespace flyscribe {
namespace {

constexpr std::array<const char*, 6> kNames = {"1-3", "4-6", "7-8", "9-10", "11-12", "13-16"};
// Each set is checked against the ontology itself in tests/ontology/fbdv_test.cc.
constexpr std::array<const char*, 6> kFbdv = {
    "FBdv:00005290",                // pre-blastoderm: 1, 2, 3
    "FBdv:00005304|FBdv:00005318",  // blastoderm: 4, 5; stage 6
    "FBdv:00005319|FBdv:00005322",  // stages 7 and 8; the gastrula would include 6
    "FBdv:00014201",                // early extended germ band: 9, 10
    "FBdv:00004450",                // late extended germ band: 11, 12
    "FBdv:00005331|FBdv:00005334",  // dorsal closure: 13, 14, 15; stage 16
};
constexpr std::string_view kPaperName = "13-17";

std::vector<std::string> BdgpNames() { return {kNames.begin(), kNames.end()}; }

}  // namespace

StageRange StageRange::FromName(std::string_view name) {
  for (int code = 1; code <= 6; ++code) {
    if (name == kNames[static_cast<std::size_t>(code - 1)]) return StageRange(code);
  }
  if (name == kPaperName) return StageRange(6);
  throw Error(ErrorCode::kUsage,
              "unknown stage range '" + std::string(name) + "'",
              "the ranges are " + Join(BdgpNames(), ", ") + " (13-17 is read as 13-16)");
}

StageRange StageRange::FromCode(int code) {
  FLYSCRIBE_CHECK(code >= 1 && code <= 6, "stage code out of range");
  return StageRange(code);
}

const std::vector<StageRange>& StageRange::All() {
  static const std::vector<StageRange> all = {
      StageRange(1), StageRange(2), StageRange(3), StageRange(4), StageRange(5), StageRange(6)};
  return all;
}

std::vector<std::string> StageRange::Names() {
  std::vector<std::string> names = BdgpNames();
  names.emplace_back(kPaperName);
  return names;
}

std::string StageRange::name() const { return kNames[static_cast<std::size_t>(code_ - 1)]; }

std::vector<std::string> StageRange::fbdv_ids() const { return Split(fbdv(), '|'); }

std::string StageRange::fbdv() const { return kFbdv[static_cast<std::size_t>(code_ - 1)]; }

}  // namespace flyscribe
