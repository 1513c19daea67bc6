// flyscribe's own table of images: one row an image, tab-separated, with a header. Written by `data import`, easily
// written by hand, read like any other table.
//
//   image_id     names the image; insitu<N> for BDGP's. If it is missing: insitu<N> where the file's name says so
//                (insitu<N>, insitu<N>_s, <N>_s), else the file's path as it stands here
//   file         path, relative to the manifest's folder (or, if it is not there, to one of the image folders) or
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

#include <functional>
#include <string>

#include "corpus/table_format.h"
#include "data/stage_range.h"

namespace flyscribe {

struct Corpus;

TableFormat ManifestFormat();

// The ontology's id of a term in a range; empty if it has none.
using IdOfTerm = std::function<std::string(const std::string& term, StageRange range)>;

// The manifest of all images that could be joined, for a file in `folder`. Throws Error(kInput) for a path that is not
// UTF-8: one such path would turn the whole table into Latin-1 for its readers.
std::string ManifestText(const Corpus& corpus, const fs::path& folder, const IdOfTerm& id_of);

}  // namespace flyscribe
