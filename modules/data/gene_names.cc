#include "data/gene_names.h"

#include "core/text.h"

namespace flyscribe {

std::string JoinNames(const std::vector<std::string>& names) { return Join(names, "|"); }

std::vector<std::string> SplitNames(const std::string& field) {
  std::vector<std::string> names = Split(field, '|');
  std::erase(names, "");
  return names;
}

}  // namespace flyscribe
