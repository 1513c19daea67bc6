// The two files `data import` writes.
//
// manifest.tsv is flyscribe's own table of images (table_format.h) with all that could be joined.
//
// import-report.tsv says what became of every row and every file:
//
//   table    the table's name, or "image files"
//   line     of the row; blank in totals and where a row is a file
//   outcome  total (a count), left out (a choice, or nothing to join it with), fault (damage), note (a row that is
//            used, although it contradicts others)
//   reason   one of a few fixed phrases, so that they can be counted
//   detail   what it is about
//   count    of a total; 1 otherwise
//
// The totals add up, table by table: rows = used + the totals of all reasons. A row that says several things counts as
// used if one of them is; a fault in another part of it is listed with "(part of a row)" in its reason, and is in no
// total. Files likewise: files = used + the rest; a table may name others than those found in the folders.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "corpus/corpus.h"

namespace flyscribe {

// The ontology's id of a term in a range; empty if it has none.
using IdOfTerm = std::function<std::string(const std::string& term, StageRange range)>;

// The table of images for a file in `folder`. Throws Error(kInput) for a path that is not UTF-8: one such path would
// turn the whole table into Latin-1 for its readers.
std::string ImageTableText(const Corpus& corpus, const fs::path& folder, const IdOfTerm& id_of);

struct ReportRow {
  std::string table;
  int line = 0;  // 0: none
  std::string outcome;
  std::string reason;
  std::string detail;
  std::size_t count = 1;
  friend bool operator==(const ReportRow&, const ReportRow&) = default;
};

struct ImportReport {
  std::vector<ReportRow> rows;  // totals first
  std::size_t faults = 0;       // rows, parts of rows, folders

  std::string Tsv() const;
};

// An image row is used if the image could be joined, an annotation row if its gene has such an image in its range.
ImportReport MakeImportReport(const Corpus& corpus);

}  // namespace flyscribe
