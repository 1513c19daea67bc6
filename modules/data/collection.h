// The images of one stage range, sorted into bags with their labels: what `ingest` leaves.
//
//   images.tsv   one row an image: id, folder, file, digest, bag
//   bags.tsv     one row a bag: id, gene, symbol, fbgn, fold, ids, symbols (all of the gene's, joined by bars)
//   labels.tsv   one row a label: bag, term
//   terms.tsv    one row a term that occurs: term, fbbt_id
//   skipped.tsv  what was left out, and why
//
// Bags are sorted by id, images by bag and then id, labels by bag and then term, so that the same inputs in another
// order give the same bytes.
#pragma once

#include <string>
#include <vector>

#include "core/fs.h"
#include "data/gene_names.h"
#include "data/skipped.h"
#include "data/stage_range.h"

namespace flyscribe {

struct ImageRecord {
  std::string id;          // "insitu18837"
  std::size_t folder = 0;  // which of the configured image folders
  std::string file;        // path below that folder
  std::string digest;      // SHA-256 of the file's content
  std::size_t bag = 0;     // row of Collection::bags
  friend bool operator==(const ImageRecord&, const ImageRecord&) = default;
};

struct Bag {
  std::string id;
  std::string gene;  // the gene's identity: FBgn, else CG id, else symbol. Splits are by this.
  std::string symbol;
  std::string fbgn;                // may be empty
  int fold = 0;                    // the outer fold the gene was given to
  std::vector<std::string> terms;  // sorted, distinct; empty means: annotated as showing nothing
  GeneNames names = {};            // by which the gene is known again
  friend bool operator==(const Bag&, const Bag&) = default;
};

// A term and its id in FlyBase's anatomy, which may be empty.
struct TermRecord {
  std::string term;
  std::string fbbt_id;
  friend bool operator==(const TermRecord&, const TermRecord&) = default;
};

struct Collection {
  StageRange range;
  std::vector<Bag> bags;
  std::vector<ImageRecord> images;
  std::vector<TermRecord> terms;  // by name; may lack terms whose id nobody asked for
  std::vector<Skipped> skipped;

  // Digests of the parts different steps depend on, so that a corrected label does not rerun the dictionary.
  std::string ImagesDigest() const;  // ids, contents, bags
  std::string FoldsDigest() const;   // bag -> gene, fold
  std::string LabelsDigest() const;  // bag -> terms
  std::string TermsDigest() const;   // term -> id

  void Save(const fs::path& folder) const;
  static Collection Load(const fs::path& folder, StageRange range);
};

}  // namespace flyscribe
