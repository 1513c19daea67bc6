#include "pipeline/paper/origin.h"

#include <fmt/core.h>

#include <algorithm>

namespace flyscribe {

void MeasurementsOrigin::Add(const Measured& measured, bool of_an_earlier_command) {
  ++(of_an_earlier_command ? before_ : now_);
  if (measured.interruptions > 0) ++resumed_;
  first_ = first_.empty() ? measured.made : std::min(first_, measured.made);
  last_ = std::max(last_, measured.made);
}

std::vector<std::pair<std::string, std::string>> MeasurementsOrigin::Facts() const {
  const std::size_t all = now_ + before_;
  if (all == 0) return {};
  return {
      {"measurements",
       fmt::format(
           "{}, {} of them made by this command, {} before; {} interrupted and resumed", all, now_, before_, resumed_)},
      {"measured", first_ + " to " + last_}};
}

}  // namespace flyscribe
