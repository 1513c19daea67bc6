// Tables of any kind that is known (table_format.h) -> what they say, row by row, before anything is joined.
//
// Tolerant: comma or tab, quoted or not, UTF-8 or Latin-1, with or without a header line or byte order mark, packed by
// gzip or not, line ends of any kind. Every row ends up in `annotations` or `images`, or in `left_out` with its line
// and the reason; one row never stops a table.
//
// A table's kind is told by its header, or else by the shape most of its first rows have.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/fs.h"
#include "core/progress.h"
#include "corpus/gene.h"

namespace flyscribe {

// Where real data lies. A table may be of any kind that is read (source_tables.h), told by its content; either may be
// missing. Without an images table the folders are taken for trees <gene>/<stage range>/<image>.
struct Sources {
  fs::path annotations;
  fs::path images_table;
  std::vector<fs::path> image_folders;
};

// A row of one of the tables.
struct RowPlace {
  std::size_t table = 0;
  int line = 0;
  friend auto operator<=>(const RowPlace&, const RowPlace&) = default;
};

struct AnnotationRow {
  Gene gene;
  int stage = 0;  // the range's code
  std::string term;
  RowPlace place;
  bool may_repeat = false;  // the layout repeats a gene's terms for each of its images
};

struct ImageRow {
  Gene gene;
  int stage = 0;
  std::string view;          // lower case; empty if not said
  std::int64_t number = -1;  // BDGP's; -1 if it has none
  std::string id;            // names the image where there is no number
  std::string bag;           // the bag it belongs to, where the table says so; else the gene decides
  std::string file;          // path of the file below `folder`; empty: to be found by number
  std::size_t folder = 0;    // which of SourceRows::folders
  bool may_repeat = false;   // the layout repeats an image for each of its terms
  bool may_be_copy = false;  // the layout lists every file of a number, the one to take first
  RowPlace place;

  std::string Id() const { return number >= 0 ? "insitu" + std::to_string(number) : id; }
};

// A row, or a part of one, that is not used. A filter is a choice, a fault is damage.
struct LeftOut {
  RowPlace place;
  int stage = 0;       // 0: the row does not say, so it concerns every range
  std::string reason;  // one of a few fixed phrases; details after a colon
  bool fault = true;
};

struct SourceTable {
  std::string name;    // the file's name without folders
  std::string format;  // such as "BDGP annotations"
  std::size_t rows = 0;
  std::vector<std::string> row_names;  // of a folder tree, whose rows are files: line k is row_names[k - 1]

  // "insitu_annot.csv:12", or the file of a folder tree.
  std::string NameOf(int line) const {
    return row_names.empty() ? name + ":" + std::to_string(line) : row_names.at(static_cast<std::size_t>(line - 1));
  }
};

struct SourceRows {
  std::vector<SourceTable> tables;
  std::vector<AnnotationRow> annotations;
  std::vector<ImageRow> images;
  std::vector<LeftOut> left_out;
  std::vector<fs::path> folders;  // ImageRow::folder and ImageFile::folder count in here
};

// The text of a table, unpacked, as UTF-8. Throws Error(kInput) if it is missing, a folder, empty, damaged, larger than
// 1 GiB or UTF-16.
std::string ReadTableText(const fs::path& path);

// Adds the rows of one table. Throws Error(kInput) if it is missing, a folder, empty, damaged, larger than 1 GiB, of
// more than 3 million rows or 3 million terms and images, or of no known kind. `rows` is then of no use. Asks
// at each row whether to stop, and throws Error(kInterrupted) then.
void ReadTable(const fs::path& path, SourceRows& rows, const Progress& progress = NoProgress());

// Both tables, or what there is of them; a table that is named twice is read once. The folders are not looked into.
SourceRows ReadTables(const Sources& sources, const Progress& progress = NoProgress());

}  // namespace flyscribe
