// The bytes of configs/ontology/bdgp-to-fbbt.sssom.tsv, built into the program.
#pragma once

#include <string_view>

namespace flyscribe {

// Lives as long as the program.
std::string_view ShippedMapText();

}  // namespace flyscribe
