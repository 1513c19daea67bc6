// Which class of an ontology a term of BDGP's vocabulary stands for, per stage range, read from an SSSOM table
// (tab-separated, metadata in lines that begin with '#'; mapping-commons.github.io/sssom).
//
// Columns read: subject_label (the term), object_id, predicate_id, and if there, object_label, predicate_modifier and
// ext_stage_range; others are passed over. A row without a range holds for all of them that have no row of their own
// for the term, wherever that stands. `sssom:NoTermFound` says that a term is known to have no class. A row that cannot
// be used is listed with its line and costs only itself.
//
// Terms are compared without regard to case and to blanks at the ends or in a row. Immutable once made, so any number
// of threads may ask; every list has one order, whatever the order of the rows, except that of two rows that contradict
// each other the first counts.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/csv.h"
#include "core/fs.h"
#include "data/stage_range.h"

namespace flyscribe {

// How the term (T) and the class (C) relate. Only the first four say something about what T means.
enum class MatchKind {
  kExact,
  kClose,
  kBroad,   // C is wider than T: what has T has C
  kNarrow,  // C is narrower than T: what has C has T
  kRelated  // also any predicate that is not known
};

struct TermMatch {
  std::string term;   // as the map spells it
  StageRange range;   // the range whose row this is
  std::string id;     // "FBbt:00005624"
  std::string label;  // the name of the class, if the map gives it
  std::string predicate;
  MatchKind kind = MatchKind::kRelated;
  bool all_ranges = false;   // the row names no range
  bool other_range = false;  // the range asked for has no row with a class: this is the nearest one's
};

// The bytes of configs/ontology/bdgp-to-fbbt.sssom.tsv, built into the program by CMake: they live as long as it does.
std::string_view ShippedMapText();

class TermMap {
 public:
  // Throws Error(kInput) if a needed column is missing or no row can be used; `name` says whose text it is.
  static TermMap Parse(std::string_view text, const std::string& name);
  // The same for a file of at most 64 MiB.
  static TermMap Load(const fs::path& path);
  // The map of configs/ontology/, built into the program.
  static const TermMap& Shipped();

  // The class of a term in a range. Where the range has none, that of the nearest range (the earlier of two equally
  // near) that has one by a predicate other than a related match: a pattern's word need not mean the same elsewhere.
  std::optional<TermMatch> Find(std::string_view term, StageRange range) const;
  // The rows of a term in all ranges, in their order.
  std::vector<TermMatch> FindAll(std::string_view term) const;
  // The rows of one class, by range, then term.
  std::vector<TermMatch> WithId(std::string_view id) const;
  // The rows of one range that have a class, by term.
  std::vector<TermMatch> OfRange(StageRange range) const;

  // Every term, with or without a class, as spelled, sorted.
  std::vector<std::string> Terms() const;

  // Rows that were not used.
  const std::vector<TableProblem>& problems() const { return problems_; }

 private:
  struct Key {
    StageRange range;
    std::string folded;  // the term, for comparing
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  struct Columns;

  void ReadRow(const TableRow& row, const Columns& columns);
  void Add(TermMatch match, int line);
  // Says so if two rows of one class differ in their predicate.
  void CheckPredicate(const TermMatch& known, const TermMatch& match, int line);
  void Contradict(const TermMatch& match, int line, const std::string& what);
  // nullptr if there is no row, or one without a class.
  const TermMatch* FindMapped(const std::string& folded, StageRange range) const;

  std::map<Key, TermMatch> matches_;  // an empty id: no class
  std::vector<TableProblem> problems_;
};

}  // namespace flyscribe
