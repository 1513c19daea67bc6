// BDGP's two tables, read row by row: who is annotated with what, and which image shows whom.
//
//   insitu_annot.csv   CG id, symbol, FBgn, stage code 1-6, term             (the first two may be swapped)
//   insitu_images.csv  CG id, symbol, symbol, FBgn, clone, image path, stage code [, view, comment, resolution]
//
// Read with tolerance: comma or tab, quoted or not, UTF-8 or Latin-1, with or without a header line, MySQL's \N for an
// empty field. Every row ends up either in `annotations` or `images`, or in `skipped` with its line and the reason.
//
// A gene's identity is its FBgn, else its CG id, else its symbol. A row without FBgn takes the one its CG id
// has elsewhere in the two tables, if there is exactly one.
//
// Loaded once for all stage ranges. Immutable afterwards, so any number of threads may read it.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "core/fs.h"
#include "data/skipped.h"

namespace flyscribe {

struct Gene {
  std::string cg;
  std::string symbol;
  std::string fbgn;

  const std::string& Identity() const { return !fbgn.empty() ? fbgn : !cg.empty() ? cg : symbol; }
};

struct AnnotationRow {
  Gene gene;
  int stage = 0;  // BDGP's code, 1 to 6
  std::string term;
  int line = 0;
};

struct ImageRow {
  Gene gene;
  int stage = 0;
  std::string view;  // lower case; empty if not said
  std::int64_t number = 0;
  int line = 0;
};

// A row that was not taken up. Stage 0: the row does not say, so it concerns every range.
struct SkippedRow {
  int stage = 0;
  Skipped skipped;
};

struct BdgpTables {
  std::string annotations_name;  // file names, without folders
  std::string images_name;
  std::vector<AnnotationRow> annotations;
  std::vector<ImageRow> images;
  std::vector<SkippedRow> skipped;
  std::set<std::int64_t> shared_images;  // numbers listed under two genes or more
  std::size_t annotation_lines = 0;      // rows seen, taken up or not
  std::size_t image_lines = 0;

  // Throws Error(kInput) if a table is missing, a folder, empty, compressed, or has no readable row at all.
  static BdgpTables Load(const fs::path& annotations, const fs::path& images);
};

}  // namespace flyscribe
