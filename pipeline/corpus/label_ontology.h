// What the ontology makes of a collection's labels: ids for its terms, and, if the config wants it, synonyms merged and
// ancestors added.
//
// Loaded once a run; immutable afterwards.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/collection.h"
#include "ontology/anatomy.h"
#include "ontology/term_map.h"
#include "pipeline/config/config.h"

namespace flyscribe {

class LabelOntology {
 public:
  // Throws Error(kInput) if a file cannot be used. REQUIRES: options.Check() passes.
  explicit LabelOntology(const OntologyOptions& options);

  // The FBbt id of a term in a range; empty if it has none.
  std::string IdOf(const std::string& term, StageRange range) const;
  // Merges and propagates the bags' labels as the options say, and fills Collection::terms.
  void Apply(Collection& collection) const;
  // What was wrong with the files, with their lines; the first of each file's, and how many more there are.
  const std::vector<std::string>& warnings() const { return warnings_; }
  bool has_ancestors() const { return anatomy_.has_value(); }

 private:
  void Merge(Collection& collection) const;
  void Propagate(Collection& collection) const;

  const Ontology* Anatomy() const { return anatomy_ ? &*anatomy_ : nullptr; }

  OntologyOptions options_;
  std::vector<std::string> warnings_;  // filled by the two below
  TermMap map_;
  std::optional<Ontology> anatomy_;
};

}  // namespace flyscribe
