#include "pipeline/corpus/ontology_files.h"

#include <algorithm>

#include "core/error.h"
#include "ontology/obo.h"

namespace flyscribe {
namespace {

void Add(const Place& place, const std::string& text, std::vector<std::string>& warnings) {
  warnings.push_back(place.ToString() + ": " + text);
}

void AddCountOfMore(const std::string& file, std::size_t total, std::vector<std::string>& warnings) {
  if (total > OntologyWarnings::kKept) Add({file}, std::to_string(total - OntologyWarnings::kKept) + " more", warnings);
}

}  // namespace

TermMap ReadTermMap(const std::string& file, std::vector<std::string>& warnings) {
  if (file.empty()) return TermMap::Shipped();
  TermMap map = TermMap::Load(file);
  const std::size_t told = std::min(map.problems().size(), OntologyWarnings::kKept);
  for (std::size_t i = 0; i < told; ++i) Add({file, map.problems()[i].line}, map.problems()[i].reason, warnings);
  AddCountOfMore(file, map.problems().size(), warnings);
  return map;
}

std::optional<Ontology> ReadAnatomy(const std::string& file, std::vector<std::string>& warnings) {
  if (file.empty()) return std::nullopt;
  Ontology ontology = LoadObo(file);
  for (const OntologyWarning& warning : ontology.warnings().kept()) Add({file, warning.line}, warning.text, warnings);
  AddCountOfMore(file, ontology.warnings().total(), warnings);
  return ontology;
}

}  // namespace flyscribe
