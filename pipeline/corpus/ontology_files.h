// The map of terms and FlyBase's anatomy as a user names them, and what is wrong with them: told alike wherever they
// are read.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ontology/anatomy.h"
#include "ontology/term_map.h"

namespace flyscribe {

// The shipped map if `file` is empty. What could not be used is added to `warnings` as "file:line: reason": the first
// of them, and how many more there are. Throws Error(kInput) if the file cannot be used at all.
TermMap ReadTermMap(const std::string& file, std::vector<std::string>& warnings);

// Nothing if `file` is empty; else as above.
std::optional<Ontology> ReadAnatomy(const std::string& file, std::vector<std::string>& warnings);

}  // namespace flyscribe
