// The kinds of tables that are read, each told by its content, and the fields they share: stage ranges, views, lists of
// words.
//
//   BDGP annotations   CG id, symbol, FBgn, stage code, term                    (the first two may be swapped)
//   BDGP images        CG id, symbol, symbol, FBgn, clone, image path, stage code [, view, comment, resolution]
//   FlyMine            CG id, stage code, image path, term
//   FlyExpress images  header gene, stage, direction, image_url; lists as Python tuples: "('45376_s.bmp',)"
//   FlyExpress annotations  header gene, stage, annotation; lists likewise (FlyIT and AnnoFly hand these out)
//   flyscribe images   header with file, stage_range and a gene: one row an image
//
// The last is flyscribe's own: written by `data import`, easily written by hand. Its columns:
//
//   image_id     names the image; insitu<N> for BDGP's. If it is missing: insitu<N> where the file's name says so
//                (insitu<N>, insitu<N>_s, <N>_s), else the file's path as it stands here
//   file         path, relative to the table's folder (or, if it is not there, to one of the image folders) or
//                absolute
//   stage_range  4-6, ... (or BDGP's code)
//   fbgn, cg, symbol   the gene, by one of them at least; or `gene`, which may be any of the three
//   bag_id       names the bag when images are annotated (`flyscribe annotate`); blank: the gene does. Training has one
//                bag a gene, and does not look at it
//   view         lateral, dorsal, ventral; may be blank
//   terms        what the gene is annotated with in the range, in BDGP's wording, separated by |; blank: not annotated
//
// Needed are file, stage_range and one column that names the gene; columns may stand in any order and others are passed
// over. `data import` also writes fbdv_ids and fbbt_ids (one for each term, blank where there is none), for other
// tools. A bag's labels are those of all its rows.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/source_tables.h"

namespace flyscribe {

using Fields = std::vector<std::string>;

// Between the terms of a row of flyscribe's own table; a term may not hold it.
inline constexpr char kTermSeparator = '|';

// Why a row, or a part of it, is not used.
struct Refusal {
  std::string reason;
  bool fault = true;
};

// What one row says. A row may say several things, and some of them may be of no use.
struct RowContent {
  int stage = 0;  // 0 while not known
  std::vector<AnnotationRow> annotations;
  std::vector<ImageRow> images;
  std::vector<Refusal> refusals;

  void Refuse(std::string reason, bool fault = true) { refusals.push_back({std::move(reason), fault}); }
};

// Column names of a header line, in any case, -> place.
class Header {
 public:
  Header() = default;
  explicit Header(const Fields& fields);

  bool Has(std::string_view name) const { return columns_.contains(name); }
  // The field under a name; empty if there is no such column or the row is too short.
  std::string Get(const Fields& fields, std::string_view name) const;
  std::size_t size() const { return columns_.size(); }

 private:
  std::map<std::string, std::size_t, std::less<>> columns_;
};

// Trimmed; MySQL's \N and NULL are empty; tabs and line ends, which our own tables have no place for, are spaces.
std::string CleanField(std::string_view field);

// The code of the range of that code, of that name (4-6, 13-17), or of "stage4-6". Nothing otherwise.
std::optional<int> ParseStageCode(std::string_view text);

// Sets content.stage, or refuses. False if it refused.
bool ReadStage(const std::string& field, RowContent& content);

// A Python tuple or list of strings, ('a', "b",) or ['a'], as some tables hold them; any other text is a list of one,
// an empty one of none. Nothing if it begins like a tuple and does not end as one.
std::optional<std::vector<std::string>> ParseWordList(std::string_view text);

struct TableFormat {
  std::string name;
  std::string columns;  // for messages
  // A header line by which the format is known, since its columns may stand in any order; null: columns are by place.
  bool (*is_header)(const Header& header) = nullptr;
  // By place only: where the stage code stands, and whether a row has this format's shape.
  std::size_t stage_column = 0;
  bool (*fits)(const Fields& fields) = nullptr;
  // `header` is empty where columns are by place.
  RowContent (*read)(const Header& header, const Fields& fields) = nullptr;
};

std::vector<TableFormat> TableFormats();

}  // namespace flyscribe
