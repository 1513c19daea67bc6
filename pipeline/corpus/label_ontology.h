// The map of terms and FlyBase's anatomy as a user names them, and what they make of a collection's labels: ids for its
// terms, and, if the config wants it, synonyms merged and ancestors added.
//
// What is wrong with the files is said in the same words wherever they are read.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/collection.h"
#include "ontology/anatomy.h"
#include "ontology/term_map.h"
#include "pipeline/config/config.h"

namespace flyscribe {

// The shipped map if `file` is empty. What could not be used is added to `warnings` as "file:line: reason": the first
// of them, and how many more there are. Throws Error(kInput) if the file cannot be used at all.
TermMap ReadTermMap(const std::string& file, std::vector<std::string>& warnings);

// Nothing if `file` is empty; else as above.
std::optional<Ontology> ReadAnatomy(const std::string& file, std::vector<std::string>& warnings);

// Loaded once a run; immutable afterwards.
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
