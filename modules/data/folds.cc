#include "data/folds.h"

#include "core/error.h"
#include "core/rng.h"

namespace flyscribe {

int FoldOfGene(std::string_view gene, int folds, std::int64_t seed) {
  FLYSCRIBE_CHECK(folds > 0, "there must be at least one fold");
  return static_cast<int>(HashText(static_cast<std::uint64_t>(seed), gene) % static_cast<std::uint64_t>(folds));
}

}  // namespace flyscribe
