#include "evaluate/reliability.h"

#include <algorithm>

#include "core/error.h"

namespace flyscribe {
namespace {

struct Said {
  double probability = 0.0;
  bool label = false;
};

ReliabilityBin BinOf(std::span<const Said> group) {
  ReliabilityBin bin{group.size(), 0.0, 0.0};
  for (const Said& said : group) {
    bin.probability += said.probability;
    bin.observed += said.label ? 1.0 : 0.0;
  }
  bin.probability /= static_cast<double>(group.size());
  bin.observed /= static_cast<double>(group.size());
  return bin;
}

}  // namespace

std::vector<ReliabilityBin> ReliabilityCurve(std::span<const Tested> tests, std::size_t bins) {
  FLYSCRIBE_CHECK(bins > 0, "a curve needs bins");
  std::vector<Said> sorted;
  for (const Tested& test : tests) sorted.push_back({test.probability, test.label});
  std::sort(sorted.begin(), sorted.end(), [](const Said& a, const Said& b) { return a.probability < b.probability; });
  std::vector<ReliabilityBin> curve;
  std::size_t begin = 0;
  for (std::size_t bin = 1; bin <= bins; ++bin) {
    std::size_t end = sorted.size() * bin / bins;
    if (end <= begin) continue;
    while (end < sorted.size() && sorted[end].probability == sorted[end - 1].probability) ++end;
    curve.push_back(BinOf(std::span(sorted).subspan(begin, end - begin)));
    begin = end;
  }
  return curve;
}

}  // namespace flyscribe
