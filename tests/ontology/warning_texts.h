// The warnings that an ontology keeps, as texts to compare with.
#pragma once

#include <string>
#include <vector>

#include "ontology/anatomy.h"

namespace flyscribe {

inline std::vector<std::string> WarningTexts(const Ontology& ontology) {
  std::vector<std::string> texts;
  for (const OntologyWarning& warning : ontology.warnings().kept()) texts.push_back(warning.ToString());
  return texts;
}

}  // namespace flyscribe
