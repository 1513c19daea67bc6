// Which images are to be annotated, as bags: from a table, a tree of folders, or a folder of single images.
//
//   table        any kind that `data.images_table` reads; its files lie in the image folders
//   tree         <gene>/<stage range>/<image>, anywhere below the folder
//   flat folder  anything else: every image is a bag of its own, and the stage range must be given
//
// A bag holds the images of one gene in one stage range. Its id is what the table's column bag_id says, else the gene's
// FBgn, else its CG id, else its symbol; a bag of a flat folder is called after its file. Bags are ordered by range and
// id, images by id, so that the same inputs in another order give the same bytes.
//
// Every row is used or listed: rows of another range than the one asked for, of a range the model has not, of a missing
// or unreadable file, of an image that the table gives to two genes, or of another gene than the first image of its bag
// are faults; views that are not wanted and repetitions (rows, or equal pictures within a bag) are choices. Unlike in
// training, a picture may lie in two bags.
//
// Files are hashed on several threads, not decoded. Deterministic for any number of threads.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/fs.h"
#include "core/progress.h"
#include "corpus/gene.h"
#include "data/skipped.h"
#include "data/stage_range.h"

namespace flyscribe {

struct NewImage {
  std::string id;
  fs::path path;
  std::string digest;  // SHA-256 of the file's content
};

struct NewBag {
  std::string id;
  Gene gene;        // all blank for an image of no gene
  GeneNames names;  // all that the inputs call the gene; the gene's own are among them
  StageRange range;
  std::string slug;  // a file name of its own: letters, digits, '.', '_' and '-'
  std::vector<NewImage> images;
};

struct NewBags {
  std::vector<NewBag> bags;
  std::vector<Skipped> skipped;

  std::size_t ImageCount() const;
};

struct NewBagOptions {
  fs::path images;                      // a table or a folder
  std::vector<fs::path> image_folders;  // where a table's files lie
  std::optional<StageRange> range;
  std::vector<StageRange> known_ranges;          // those of the model
  std::vector<std::string> views = {"lateral"};  // none: all
  bool keep_blank_view = true;
  bool fail_on_bad_image = false;
  int threads = 0;
};

// Throws Error(kUsage) if the output folder is one of those that images are looked for in, or lies below one: the next
// run would take the pictures of this one for images.
void RequireOutside(const fs::path& output, const std::vector<fs::path>& image_folders);

// Throws Error(kInput) if a table or folder cannot be used or no bag is left, Error(kUsage) if a range is missing or
// not the model's.
NewBags FindNewBags(const NewBagOptions& options, Progress& progress);

}  // namespace flyscribe
