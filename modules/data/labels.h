// Which bag carries which term, as a table of zeros and ones. Made from a collection, never stored.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/matrix.h"
#include "data/collection.h"

namespace flyscribe {

struct LabelTable {
  std::vector<std::string> terms;      // most frequent first, ties by name
  std::vector<std::size_t> positives;  // bags that carry the term, each counted once
  Matrix<std::uint8_t> values;         // [bags, terms]

  static LabelTable FromBags(const std::vector<Bag>& bags);
};

}  // namespace flyscribe
