// The kinds of tables that are read, each told by its content.
//
//   BDGP annotations   CG id, symbol, FBgn, stage code, term                    (the first two may be swapped)
//   BDGP images        CG id, symbol, symbol, FBgn, clone, image path, stage code [, view, comment, resolution]
//   FlyMine            CG id, stage code, image path, term
//   FlyExpress images  header gene, stage, direction, image_url; lists as Python tuples: "('45376_s.bmp',)"
//   FlyExpress annotations  header gene, stage, annotation; lists likewise (FlyIT and AnnoFly hand these out)
//   manifest           header with file, stage_range and a gene: one row an image, flyscribe's own (manifest.h)
#pragma once

#include <vector>

#include "corpus/row_fields.h"

namespace flyscribe {

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

// BDGP's dump.
TableFormat BdgpAnnotations();
TableFormat BdgpImages();
// As FlyMine exports it: one row for each term of an image.
TableFormat FlyMineRows();
// As FlyExpress' images go round with FlyIT and AnnoFly.
TableFormat FlyExpressImages();
TableFormat FlyExpressAnnotations();

}  // namespace flyscribe
