#include "data/step_state.h"

#include <algorithm>
#include <array>

namespace flyscribe {
namespace {

// In the order of the enum.
constexpr std::array<std::string_view, 10> kNames = {
    "failed", "stopped", "running", "waiting", "not run", "pending", "run", "hit", "unneeded", "not asked"};

}  // namespace

std::string StateName(StepState state) { return std::string(kNames.at(static_cast<std::size_t>(state))); }

std::optional<StepState> StateNamed(std::string_view name) {
  const auto* const found = std::ranges::find(kNames, name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<StepState>(found - kNames.begin());
}

}  // namespace flyscribe
