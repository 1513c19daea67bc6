#include "report/state_look.h"

#include <algorithm>
#include <array>

namespace flyscribe {
namespace {

constexpr std::string_view kOther = "other";

constexpr std::array<StateLook, 12> kLooks = {{
    {"failed", "failed", "stopped with an error", "#fbe3d3", "#b94700", false},
    {"running", "running", "being computed", "#ffffff", "#0072b2", false},
    {"waiting", "waiting", "waits for another process", "#ffffff", "#0072b2", true},
    {"not run", "not_run", "not tried: an input is missing", "#ffffff", "#b94700", true},
    {"skipped", "skipped", "not tried: an input is missing", "#ffffff", "#b94700", true},
    {"missing", "missing", "not in the cache", "#fff1cc", "#8a5a00", true},
    {"pending", "pending", "will be computed", "#ffffff", "#5a6675", true},
    {kOther, kOther, "none of the known states", "#f6f7f9", "#5a6675", false},
    {"run", "run", "computed in this run", "#cfe3f1", "#0072b2", false},
    {"hit", "hit", "taken from the cache", "#ffffff", "#b9c2cc", false},
    {"unneeded", "unneeded", "not in the cache, and not needed", "#f6f7f9", "#b9c2cc", true},
    {"not asked", "not_asked", "left out by what was asked for", "#ffffff", "#b9c2cc", true},
}};

}  // namespace

std::span<const StateLook> StateLooks() { return kLooks; }

const StateLook& LookOf(std::string_view state) {
  const auto named = [](std::string_view name) {
    return std::find_if(kLooks.begin(), kLooks.end(), [name](const StateLook& look) { return look.name == name; });
  };
  const auto* const look = named(state);
  return look != kLooks.end() ? *look : *named(kOther);
}

}  // namespace flyscribe
