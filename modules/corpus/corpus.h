// All that tables and folders say together, joined once for all stage ranges: which image file shows which gene in
// which range, and what the gene is annotated with there.
//
// Nothing is chosen yet: views and terms of every kind are here, and it is for an import (import.h) to filter. What can
// be used by no one is marked with the reason:
//
//   an image listed under two genes, or under two stage ranges, belongs to neither;
//   of equal rows, the first counts; so it does of rows that give one image id to several files, which is a fault;
//   a gene known by an ambiguous symbol only is nobody's.
//
// Rows, labels and images keep the order of the tables. Immutable afterwards: any number of threads may read it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/progress.h"
#include "corpus/gene.h"
#include "corpus/image_files.h"
#include "corpus/source_tables.h"
#include "data/skipped.h"
#include "data/stage_range.h"

namespace flyscribe {

struct CorpusImage {
  std::string id;
  std::size_t gene = 0;  // in Corpus::genes
  int stage = 0;
  std::string view;
  std::string bag;                // the bag it belongs to, where the table says so; else the gene decides
  std::optional<ImageFile> file;  // nothing: not found
  RowPlace place;
  std::string problem;  // why no one can use this row; empty if it can be used
  bool fault = false;   // of the problem
  bool silent = false;  // the row repeats the image because of its layout: nothing to report

  // With a file, and without a problem.
  bool IsJoined() const { return problem.empty() && file.has_value(); }
};

struct CorpusLabel {
  std::size_t gene = 0;
  int stage = 0;
  std::string term;
  RowPlace place;
  std::string problem;  // as of an image
  bool silent = false;
};

struct Corpus {
  Corpus() = default;
  // Throws Error(kInput) if a table or a folder cannot be used, or if there is neither table nor folder.
  // Asks `progress` at each row and folder whether to stop, and throws Error(kInterrupted) then.
  explicit Corpus(const Sources& sources, const ImageSizeOf& size_of = {}, const Progress& progress = NoProgress());

  std::vector<SourceTable> tables;
  std::vector<fs::path> folders;  // those searched, then those a table names files in
  std::size_t searched_folders = 0;
  std::vector<Gene> genes;
  std::vector<GeneNames> names;  // of the genes, one by one
  std::vector<CorpusImage> images;
  std::vector<CorpusLabel> labels;
  std::vector<LeftOut> left_out;         // rows, or parts of rows, that say nothing of use
  std::vector<LeftOut> notes;            // rows that are used, although they contradict others
  std::vector<Skipped> folder_problems;  // folders and files that could not be looked at
  std::size_t files = 0;                 // image files found
  std::size_t used_files = 0;            // of them, files of an image that is joined, whatever path it is named by
  std::size_t copies = 0;                // of the others, files for whose number a larger one was chosen
  std::size_t unused_files = 0;          // of the rest, files of an image that is listed but not joined

  fs::path PathOf(const ImageFile& file) const { return folders.at(file.folder) / file.file; }
  std::string NameOf(const RowPlace& place) const { return tables.at(place.table).NameOf(place.line); }
};

// Files below a folder that is no tree of genes: every image is a bag of its own, named by its path without the
// extension (with it, where several files have that name), of the range given. Its gene is the FBgn or CG id that the
// name is, else blank.
Corpus SingleImages(const fs::path& folder, const ImageFiles& files, StageRange range);

}  // namespace flyscribe
