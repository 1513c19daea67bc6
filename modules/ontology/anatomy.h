// An ontology as a graph: terms, and edges "is a" and "part of" from a term to those above it.
//
// Both relations are transitive, and a part of a kind of X is a part of X, so a path may mix them: the ancestors of a
// term are all that can be reached. Nothing is assumed of the graph: edges to terms that are not there, terms given
// twice and cycles are told as warnings, and no question asked of the graph runs for ever.
//
// Immutable once made, so any number of threads may ask. Every answer has one order, whatever the order of the file.
// It reads no file: ontology/obo.h does.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace flyscribe {

struct OntologySynonym {
  std::string text;
  std::string scope;  // EXACT, BROAD, NARROW, RELATED
};

// An edge as it is written.
struct OntologyEdge {
  std::string to;
  int line = 0;
};

struct OntologyTerm {
  std::string id;
  std::string name;
  std::string definition;
  std::vector<OntologySynonym> synonyms;
  std::vector<std::string> alternative_ids;
  std::vector<std::string> replaced_by;
  std::vector<std::string> consider;
  std::vector<OntologyEdge> is_a;
  std::vector<OntologyEdge> part_of;
  bool obsolete = false;
  int line = 0;  // of its first stanza
};

struct OntologyWarning {
  int line = 0;  // 0: about no single line
  std::string text;

  // "12: relationship without a term".
  std::string ToString() const;
};

// What is wrong with an ontology. The first few are kept, as text that is short and safe on a terminal; all are
// counted.
class OntologyWarnings {
 public:
  static constexpr std::size_t kKept = 20;

  void Add(int line, const std::string& text);

  const std::vector<OntologyWarning>& kept() const { return kept_; }
  std::size_t total() const { return total_; }

 private:
  std::vector<OntologyWarning> kept_;
  std::size_t total_ = 0;
};

enum class EdgeKind { kIsA, kPartOf };
enum class Relations { kIsA, kPartOf, kIsAAndPartOf };

// What an id stands for today.
struct Resolution {
  enum class Kind {
    kCurrent,      // a term in use
    kAlternative,  // the alternative id of a term in use
    kReplaced,     // of an obsolete term that names its successor
    kObsolete,     // an obsolete term without a successor in use
    kUnknown       // in no way part of this ontology
  };
  Kind kind = Kind::kUnknown;
  std::string id;  // of the term in use; of the obsolete term if there is none; empty if unknown

  bool InUse() const { return kind != Kind::kObsolete && kind != Kind::kUnknown; }
  // "current", "alternative id", "replaced", "obsolete", "unknown".
  std::string KindName() const;
};

struct Ancestor {
  std::string id;
  int distance = 0;  // edges on the shortest way
};

// One line of the picture of everything above a term.
struct LineageEntry {
  std::string id;
  int depth = 0;  // 1 for the direct parents
  EdgeKind edge = EdgeKind::kIsA;
  bool repeated = false;  // what is above it was listed before
};

class Ontology {
 public:
  // Terms of one id are joined. Warnings of the reader are taken over and added to.
  explicit Ontology(std::vector<OntologyTerm> terms, OntologyWarnings warnings = {});

  // Sorted by id, each id once.
  const std::vector<OntologyTerm>& terms() const { return terms_; }
  const OntologyWarnings& warnings() const { return warnings_; }

  // By its own id; nullptr if there is none.
  const OntologyTerm* Find(std::string_view id) const;
  // Follows alternative ids and successors (the first of several), at most 100 of them.
  Resolution Resolve(std::string_view id) const;
  // The term in use whose name, else whose exact synonym, is `name` but for case; the one with the lowest id.
  const OntologyTerm* FindByName(std::string_view name) const;

  // All terms above `id` (which is not resolved), without itself: nearest first, then by id. Empty if unknown.
  std::vector<Ancestor> Ancestors(std::string_view id, Relations relations = Relations::kIsAAndPartOf) const;
  // The same as an indented list, depth first: "is a" before "part of", then by id; each term's parents once.
  std::vector<LineageEntry> Lineage(std::string_view id) const;

 private:
  struct Parent {
    EdgeKind edge;
    std::size_t term;
    friend auto operator<=>(const Parent&, const Parent&) = default;
  };

  std::optional<std::size_t> IndexOf(std::string_view id) const;
  void Join(std::vector<OntologyTerm> terms);
  void IndexAlternatives();
  void LinkParents();
  void WarnOfCycles();

  std::vector<OntologyTerm> terms_;
  std::map<std::string, std::size_t, std::less<>> alternatives_;
  std::vector<std::vector<Parent>> parents_;  // of each term, sorted
  OntologyWarnings warnings_;
};

}  // namespace flyscribe
