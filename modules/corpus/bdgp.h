// BDGP's tables and image folders -> the bags of one stage range.
//
// A bag holds the images of one gene in the range; its id is the gene's identity. Its labels are the terms the gene is
// annotated with in the range: `no staining` means annotated as showing nothing, so such a bag is kept without a term;
// the curators' notes `flag_for_volker` and `need new term...` are no terms. A gene without annotation in the range has
// no bag, since absence of rows is no negative.
//
// Every row of the range is either used or listed in Collection::skipped. The checks on an image row, in order: view
// wanted; image of one gene only; not listed before; gene annotated; file found; file readable. Filters (view,
// duplicates, no annotation, curators' notes, annotations of genes without an image) are choices; the rest are faults.
//
// Does not decode images, and does not map terms to the ontology. Files are hashed on several threads; the result is
// the same for any number of them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/fs.h"
#include "core/hash.h"
#include "core/options.h"
#include "core/progress.h"
#include "corpus/bdgp_tables.h"
#include "corpus/image_files.h"
#include "data/collection.h"
#include "data/stage_range.h"

namespace flyscribe {

struct Sources {
  fs::path annotations;   // insitu_annot.csv
  fs::path images_table;  // insitu_images.csv
  std::vector<fs::path> image_folders;
};

// Tables read and image files found, once for all stage ranges.
struct Corpus {
  // Throws Error(kInput) if a table or an image folder cannot be used.
  explicit Corpus(Sources from);

  Sources sources;
  BdgpTables tables;
  ImageFiles files;
};

// How the importing is done; it does not change what comes out.
struct ImportControl {
  int threads = 1;  // as for ParallelFor
  // SHA-256 of a file's content; thread-safe.
  std::function<std::string(const fs::path&)> digest = Sha256OfFile;
};

struct IngestOptions {
  enum class BlankView { kKeep, kDrop };
  enum class OnBadImage { kSkip, kFail };

  std::vector<std::string> views = {"lateral"};
  BlankView blank_view = BlankView::kDrop;
  int folds = 5;
  std::int64_t split_seed = 1;
  std::int64_t permute_labels = 0;
  OnBadImage on_bad_image = OnBadImage::kSkip;

  void Fields(OptionsVisitor& visit) {
    visit.Words({.name = "views",
                 .doc = "Views of the embryo to use, as the image table names them: lateral, dorsal, ventral. An empty "
                        "list takes every view."},
                views);
    visit.Choice({.name = "blank_view",
                  .doc = "What to do with images whose view the table leaves blank; tables of seven columns name none.",
                  .allowed = {"keep", "drop"}},
                 blank_view);
    visit.Integer({.name = "folds", .doc = "Number of outer folds the genes are divided into.", .min = 2, .max = 100},
                  folds);
    visit.Integer({.name = "split_seed",
                   .doc = "Seed of the division into folds. The same gene lies in the same fold "
                          "in every stage range."},
                  split_seed);
    visit.Integer({.name = "permute_labels",
                   .doc = "Control experiment: unless 0, the bags' labels are dealt out anew by this seed, and every "
                          "score should fall to chance."},
                  permute_labels);
    visit.Choice({.name = "on_bad_image",
                  .doc = "skip: images that are missing, unreadable or listed under two genes are left out and "
                         "listed; fail: the first one stops the run.",
                  .allowed = {"skip", "fail"}},
                 on_bad_image);
  }
};

// Throws Error(kInput) if the range ends up without any bag, or at a bad image when on_bad_image says so.
Collection Import(const Corpus& corpus,
                  StageRange range,
                  const IngestOptions& options,
                  const ImportControl& control,
                  Progress& progress);

}  // namespace flyscribe
