// Which gene a row speaks of, whatever it calls it.
//
// Tables name a gene by FlyBase id (FBgn0015524), annotation symbol (CG10036 or CR...) and symbol (otp); any of them
// may be missing, and ids of older releases live on beside newer ones. A gene is a set of ids tied together by the
// rows:
//
//   FBgn and CG ids on one row belong to one gene, so a CG id that has two FBgn ids ties the two together;
//   a symbol ties nothing (symbols are reused), but a row with nothing else belongs to the gene that has this
//   symbol elsewhere, if there is exactly one. Case counts: dl and Dl are two genes. That of ids does not: cg10036 is
//   read as CG10036.
//
// So a gene whose ids the rows tie together never stands on both sides of a split. One that goes by an FBgn id here and
// a CG id there, and by both on no row, is taken for two: rows whose symbol several genes have are noted. Its identity
// is its FBgn, else CG id, else symbol: the most frequent of several, then the smallest, so that the order of rows does
// not matter. Immutable once built.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/collection.h"

namespace flyscribe {

struct Gene {
  std::string cg;
  std::string symbol;
  std::string fbgn;

  const std::string& Identity() const { return !fbgn.empty() ? fbgn : !cg.empty() ? cg : symbol; }
  friend bool operator==(const Gene&, const Gene&) = default;
};

// Both read ids in any case and write them as FlyBase does, and drop blanks at the ends.
//
// From BDGP's columns, where CG id and symbol may be swapped. An FBgn or CG id counts as what it is in whatever column
// it stands (of two of a kind, the one in its own column); so a symbol alone is never an id, and identities are unique.
Gene GeneFromColumns(const std::string& first_column, const std::string& second_column, const std::string& fbgn_column);
// From a single word that may be any of the three.
Gene GeneFromWord(const std::string& any_word);
// Those that are not blank.
GeneNames NamesOf(const Gene& gene);

class GeneIndex {
 public:
  // `rows`: the gene of every row of all tables.
  explicit GeneIndex(const std::vector<Gene>& rows);

  // The genes, ordered by identity.
  const std::vector<Gene>& genes() const { return genes_; }
  // All that each of genes() is called on any row.
  const std::vector<GeneNames>& names() const { return names_; }
  // The gene of a row, in genes(). Nothing if the row has a symbol only and several genes have it.
  std::optional<std::size_t> Find(const Gene& row) const;
  // "a is CG1 and FBgn2", for a row whose symbol several genes have; else empty. Names three genes at most.
  std::string SharedSymbol(const Gene& row) const;
  // Three ids of a kind at most: "CG1 stands for FBgn1 and FBgn2", for a row whose gene has several FBgn or CG ids;
  // else empty.
  std::string Conflict(const Gene& row) const;

 private:
  std::vector<Gene> genes_;
  std::vector<GeneNames> names_;                           // of each gene
  std::vector<std::string> conflicts_;                     // of each gene
  std::map<std::string, std::size_t, std::less<>> by_id_;  // FBgn and CG ids
  std::map<std::string, std::vector<std::size_t>> by_symbol_;
};

}  // namespace flyscribe
