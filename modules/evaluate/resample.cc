#include "evaluate/resample.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/rng.h"

namespace flyscribe {

std::uint32_t GeneNumbers::Of(const std::string& gene) {
  return numbers_.try_emplace(gene, static_cast<std::uint32_t>(numbers_.size())).first->second;
}

void FoldOfEachGene::Add(const std::string& gene, int fold) {
  const int known = folds_.try_emplace(gene, fold).first->second;
  if (known == fold) return;
  throw Error(
      ErrorCode::kInput,
      fmt::format("gene {} has bags in fold {} and in fold {}: models are tested on a gene they were trained on",
                  gene,
                  known,
                  fold),
      "folds must be given by gene, as ingest does");
}

namespace {

constexpr double kTail = 0.025;

double PointOf(const std::vector<double>& sorted, double share) {
  const double position = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(position));
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (position - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace

Draws DrawGenes(std::size_t genes, std::int64_t seed, std::size_t resample) {
  Draws draws(genes);
  Rng rng(static_cast<std::uint64_t>(seed), resample);
  for (std::size_t i = 0; i < genes; ++i) ++draws[rng.Below(genes)];
  return draws;
}

Draws EachGeneOnce(std::size_t genes) { return Draws(genes, 1); }

Interval PercentileInterval(std::vector<double> values) {
  FLYSCRIBE_CHECK(!values.empty(), "an interval needs values");
  std::ranges::sort(values);
  return {PointOf(values, kTail), PointOf(values, 1.0 - kTail)};
}

}  // namespace flyscribe
