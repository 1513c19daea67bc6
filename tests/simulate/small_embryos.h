// Embryos for the tests of photographs.
#pragma once

#include <algorithm>
#include <string>

#include "core/rng.h"
#include "simulate/embryo.h"

namespace flyscribe {

inline EmbryoSpec BareEmbryo(std::uint64_t seed = 5, const std::string& range = "11-12") {
  EmbryoSpec spec;
  spec.range = StageRange::FromName(range);
  spec.seed = seed;
  return spec;
}

inline EmbryoSpec EmbryoWith(const std::string& range, const std::string& term, std::uint64_t seed = 5) {
  EmbryoSpec spec = BareEmbryo(seed, range);
  const Term& found = *std::ranges::find(AtlasOf(spec.range).terms, term, &Term::name);
  spec.terms = {{.term = &found, .stream = HashText(0, term)}};
  return spec;
}

}  // namespace flyscribe
